"""Sign ranks of small matrices, decided on a line and in the plane."""

from itertools import permutations, product

from tests.truth.common import UndecidedError, between

__all__ = ["MEANINGS", "fits_in_the_plane", "fits_on_a_line", "least_dimension"]


def fits_on_a_line(rows):
    """Whether nonzero numbers for rows and columns have products with the given signs."""
    return any(
        all(
            len({(c == "1") ^ s for c, s in zip(column, signs, strict=True) if c != "*"}) < 2
            for column in zip(*rows, strict=True)
        )
        for signs in product((False, True), repeat=len(rows))
    )


def fits_in_the_plane(rows):
    """Whether vectors in the plane have inner products with the given signs.

    Rows are oriented lines through 0 in some order. A vector that turns by 180 degrees crosses one
    line after the other.
    """
    for order in permutations(range(len(rows))):
        for turned in product((False, True), repeat=len(rows)):
            sides = set()
            for passed in range(len(rows) + 1):
                side = [t ^ (i < passed) for i, t in enumerate(turned)]
                sides |= {tuple(side), tuple(not each for each in side)}
            columns = [[row[y] for row in rows] for y in range(len(rows[0]))]
            if all(
                any(
                    all(column[x] in ("*", "01"[s]) for x, s in zip(order, side, strict=True))
                    for side in sides
                )
                for column in columns
            ):
                return True
    return False


def least_dimension(rows):
    """Return the sign rank of a matrix of texts; raise if it is above 2 and the matrix is large."""
    if not any(c != "*" for row in rows for c in row):
        return 0
    if fits_on_a_line(rows):
        return 1
    if len(rows) > 5:
        raise UndecidedError
    if fits_in_the_plane(rows):
        return 2
    if min(len(rows), len(rows[0])) > 3:
        raise UndecidedError
    return 3


MEANINGS = {
    "sign_rank": lambda instance, statement: between(statement, least_dimension(instance["rows"]))
}
