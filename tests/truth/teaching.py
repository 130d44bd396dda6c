"""Stars and teaching sets by their definitions, on rows given as texts of 0 and 1."""

from itertools import combinations, product
from math import comb

from tests.truth.common import between, require_small

__all__ = [
    "MEANINGS",
    "largest_hollow_star",
    "largest_star",
    "least_no_clash",
    "least_plan",
    "least_teaching",
]


def subsets(width):
    return [xs for size in range(width + 1) for xs in combinations(range(width), size)]


def labels(row, xs):
    return [row[x] for x in xs]


def largest_star(rows, width):
    """Return the largest number of points of a star; -1 without rows."""
    require_small(len(rows) ** 2 << width, 10**6)
    sizes = [
        len(xs)
        for xs in subsets(width)
        for centre in rows
        if {(x,) for x in xs} <= {tuple(x for x in xs if other[x] != centre[x]) for other in rows}
    ]
    return max(sizes, default=-1)


def largest_hollow_star(rows, width):
    """Return the largest number of points of a hollow star; 0 if none, -1 without rows."""
    require_small(len(rows) * width * 3**width, 10**5)
    if not rows:
        return -1
    sizes = [0]
    for xs in subsets(width):
        found = {tuple(labels(row, xs)) for row in rows}
        for centre in product("01", repeat=len(xs)):
            flips = [
                tuple("10"[int(b)] if i == j else b for j, b in enumerate(centre))
                for i in range(len(xs))
            ]
            if centre not in found and {*flips} <= found:
                sizes.append(len(xs))
    return max(sizes)


def smallest(row, rows, width):
    """Return the fewest points on which no other listed row agrees with a row."""
    return next(
        len(xs)
        for xs in subsets(width)
        if not any(other != row and labels(other, xs) == labels(row, xs) for other in rows)
    )


def least_teaching(rows, width):
    """Return the largest size of a smallest teaching set; -1 without rows."""
    require_small(len(rows) ** 2 << width, 10**6)
    return max((smallest(row, rows, width) for row in rows), default=-1)


def least_plan(rows, width):
    """Return the maximum, over subclasses, of the smallest size of a teaching set in it."""
    require_small((len(rows) ** 2 << width) << len(rows), 10**7)
    return max(
        (
            min(smallest(row, chosen, width) for row in chosen)
            for size in range(1, len(rows) + 1)
            for chosen in combinations(rows, size)
        ),
        default=-1,
    )


def least_no_clash(rows, width):
    """Return the least maximum size of the sets of a clash-free teacher; -1 without rows."""
    if not rows:
        return -1
    for size in range(width + 1):
        require_small(comb(width, size) ** len(rows), 10**5)
        sets = list(combinations(range(width), size))
        for given in product(sets, repeat=len(rows)):
            if not any(
                labels(r, xs) == labels(s, xs) and labels(r, ys) == labels(s, ys)
                for (r, xs), (s, ys) in combinations(zip(rows, given, strict=True), 2)
            ):
                return size
    raise AssertionError("all points teach without clashes")


def meaning(truth):
    """Return a function that decides a statement on a class, given the true number."""

    def stated(instance, statement):
        return between(statement, truth(instance["rows"], len(instance["points"])))

    return stated


MEANINGS = {
    "star_number": meaning(largest_star),
    "hollow_star_number": meaning(largest_hollow_star),
    "teaching_dimension": meaning(least_teaching),
    "recursive_teaching_dimension": meaning(least_plan),
    "no_clash_teaching_dimension": meaning(least_no_clash),
}
