"""The dimensions of partial classes by their definitions, on rows given as texts of 0, 1 and *."""

from itertools import combinations, permutations, product

from tests.truth.common import between, require_small

__all__ = [
    "MEANINGS",
    "largest_dual",
    "largest_partial_chain",
    "largest_partial_star",
    "largest_realised_tree",
    "largest_shattered_by_defined",
    "least_excluding_examples",
]


def realises(row, sample):
    """Whether a concept is defined on all points of a sample and has its labels."""
    return all(row[x] == label for x, label in sample)


def subsets(width):
    return [xs for size in range(width + 1) for xs in combinations(range(width), size)]


def largest_shattered_by_defined(rows, width):
    """Return the size of the largest set of points all of whose labellings are realised."""
    require_small(len(rows) * 3**width, 10**6)
    sizes = [
        len(xs)
        for xs in subsets(width)
        if all(
            any(realises(row, zip(xs, labels, strict=True)) for row in rows)
            for labels in product("01", repeat=len(xs))
        )
    ]
    return max(sizes, default=-1)


def largest_realised_tree(rows, width):
    """Return the largest depth of a tree of points each of whose branches some row realises."""
    require_small(len(rows) * (2 * width) ** width, 10**6)

    def has(sample, depth):
        if not any(realises(row, sample) for row in rows):
            return False
        return not depth or any(
            all(has([*sample, (x, label)], depth - 1) for label in "01") for x in range(width)
        )

    return max((depth for depth in range(width + 1) if has([], depth)), default=-1)


def largest_partial_chain(rows, width):
    """Return the largest number of thresholds, all of whose labels are defined."""
    require_small(len(rows) ** width * 4**width, 10**6)
    if not rows:
        return -1
    return max(
        k
        for k in range(min(len(rows), width) + 1)
        if any(
            all(
                any(realises(row, [(x, "01"[i <= j]) for j, x in enumerate(xs)]) for row in rows)
                for i in range(k)
            )
            for xs in permutations(range(width), k)
        )
    )


def largest_partial_star(rows, width):
    """Return the largest number of points of a star whose rows are defined on all of them."""
    require_small(len(rows) * 3**width, 10**6)
    sizes = [
        len(xs)
        for xs in subsets(width)
        for labels in product("01", repeat=len(xs))
        if all(
            any(
                realises(row, [(x, flipped(b) if i == j else b) for j, (x, b) in sample])
                for row in rows
            )
            for sample in [list(enumerate(zip(xs, labels, strict=True)))]
            for i in range(-1, len(xs))
        )
    ]
    return max(sizes, default=-1)


def flipped(label):
    return "10"[int(label)]


def extends(other, row):
    return all(label in ("*", there) for label, there in zip(row, other, strict=True))


def least_excluding_examples(rows, width):
    """Return the most examples that a row needs, so that only rows that extend it realise them."""
    require_small(len(rows) ** 2 << width, 10**6)
    sizes = [
        min(
            len(xs)
            for xs in subsets(width)
            if all(row[x] != "*" for x in xs)
            if all(extends(r, row) for r in rows if realises(r, [(x, row[x]) for x in xs]))
        )
        for row in rows
    ]
    return max(sizes, default=-1)


def largest_dual(rows, width):
    columns = ["".join(row[x] for row in rows) for x in range(width)]
    return largest_shattered_by_defined(columns, len(rows))


def meaning(truth):
    """Return a function that decides a statement on a partial class, given the true number."""

    def stated(instance, statement):
        return between(statement, truth(instance["rows"], len(instance["points"])))

    return stated


MEANINGS = {
    "partial_vc_dimension": meaning(largest_shattered_by_defined),
    "partial_dual_vc_dimension": meaning(largest_dual),
    "partial_littlestone_dimension": meaning(largest_realised_tree),
    "partial_threshold_dimension": meaning(largest_partial_chain),
    "partial_star_number": meaning(largest_partial_star),
    "partial_teaching_dimension": meaning(least_excluding_examples),
}
