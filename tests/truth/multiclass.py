"""Dimensions of multiclass classes by their definitions, on rows given as lists of labels."""

from itertools import combinations, product

from tests.truth.common import between, require_small

__all__ = [
    "MEANINGS",
    "largest_ds_set",
    "largest_graph_set",
    "largest_natarajan_set",
    "largest_tree",
]


def largest(rows, width, is_shattered):
    """Return the largest size of a shattered set of points; -1 without rows."""
    require_small(len(rows) << width, 10**3)
    rows = list(map(tuple, rows))
    sizes = [
        size
        for size in range(width + 1)
        for xs in combinations(range(width), size)
        if is_shattered({tuple(row[x] for x in xs) for row in rows}, size)
    ]
    return max(sizes, default=-1) if rows else -1


def has_two_labellings(patterns, size):
    """Whether two labellings that differ everywhere are mixed in all ways."""
    return any(
        all(a != b for a, b in zip(f, g, strict=True))
        and {*product(*zip(f, g, strict=True))} <= patterns
        for f in patterns
        for g in patterns
    )


def has_agreements(patterns, size):
    """Whether, for some labelling, patterns agree with it exactly on each set of points."""
    labels = {y for pattern in patterns for y in pattern}
    return any(
        len({tuple(a == b for a, b in zip(f, g, strict=True)) for g in patterns}) == 2**size
        for f in product(labels, repeat=size)
    )


def has_pseudo_cube(patterns, size):
    """Whether some non-empty set of patterns has all neighbours; all sets are tried."""
    require_small(len(patterns), 12)
    patterns = sorted(patterns)
    for number in range(1, 1 << len(patterns)):
        chosen = [p for i, p in enumerate(patterns) if number >> i & 1]
        if all(
            any([a != b for a, b in zip(p, q, strict=True)] == [s == t for s in range(size)]
                for q in chosen)
            for p in chosen
            for t in range(size)
        ):  # fmt: skip
            return True
    return False


def largest_natarajan_set(rows, width):
    """Return the Natarajan dimension."""
    return largest(rows, width, has_two_labellings)


def largest_graph_set(rows, width):
    """Return the graph dimension."""
    return largest(rows, width, has_agreements)


def largest_ds_set(rows, width):
    """Return the DS dimension."""
    return largest(rows, width, has_pseudo_cube)


def largest_tree(rows, width):
    """Return the largest depth of a mistake tree, by recursion on the class; -1 without rows."""
    require_small(len(rows) << width, 10**3)
    if not rows:
        return -1
    depths = [0]
    for x in range(width):
        sides = [[row for row in rows if row[x] == y] for y in sorted({row[x] for row in rows})]
        depths += [
            1 + min(largest_tree(a, width), largest_tree(b, width))
            for a, b in combinations(sides, 2)
        ]
    return max(depths)


def meaning(truth):
    """Return a function that decides a statement on a class, given the true number."""

    def stated(instance, statement):
        return between(statement, truth(instance["rows"], len(instance["points"])))

    return stated


MEANINGS = {
    "natarajan_dimension": meaning(largest_natarajan_set),
    "graph_dimension": meaning(largest_graph_set),
    "ds_dimension": meaning(largest_ds_set),
    "multiclass_littlestone_dimension": meaning(largest_tree),
}
