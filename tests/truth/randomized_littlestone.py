"""The randomised Littlestone dimension by its definition, on classes given as texts."""

from fractions import Fraction


def half_of_mean_depth(rows):
    """Return half of the largest mean length of a branch; -1 without rows."""
    return mean_depth(frozenset(rows)) / 2 if rows else Fraction(-1)


def mean_depth(rows):
    means = [Fraction(0)]
    for x in range(len(next(iter(rows)))):
        sides = [frozenset(row for row in rows if row[x] == label) for label in "01"]
        if all(sides):
            means.append(1 + sum(map(mean_depth, sides)) / 2)
    return max(means)
