"""A noise program on databases for `ccsim audit`: the more frequent of two colours."""

from ccsim.privacy import mechanism


@mechanism(records=("red", "blue"))
def more_frequent(database, noise):
    """Add noise to one of the two counts, and compare it with the other one."""
    red = database.count("red") + noise.geometric("1/2")
    return "red" if red > database.count("blue") else "blue"
