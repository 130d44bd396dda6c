"""Proofs of dimensions: altered proofs are rejected, accepted ones agree with the definitions."""

import random
from copy import deepcopy
from itertools import combinations, permutations, product

import pytest

from ccsim.classes import ConceptClass, intervals, lines, random_class, thresholds
from ccsim.dimensions import littlestone_dimension
from ccsim.kernel import Rejected, check
from tests.kernel.corpus import stored

MISSES = {
    "dual_vc_dimension_extension_false_symmetry": "upper.extension.symmetries[0]: the entries of",
    "dual_vc_dimension_extension_smaller": "upper.extension: bound too small: columns [] and anot",
    "dual_vc_dimension_shattered_exchanged": "lower.shattered: the labels of row 2 must be the bi",
    "dual_vc_dimension_spanning_tree_loop": "upper.spanning_tree: edge (2, 2) must reach exactly",
    "dual_vc_dimension_trivial_false": "upper.extension: there must be size - 1 labels for size 0",
    "effective_domain_apart_alike": "lower.apart: no two points may have equal labels",
    "effective_domain_apart_more": "lower.apart: no two points may have equal labels",
    "effective_domain_apart_twice": "lower.apart.points: an index occurs twice",
    "effective_domain_representatives_fewer": "lower: the bound that is proved is 3, not the stat",
    "effective_domain_representatives_missing": "upper.representatives: must have 4 entries, not",
    "effective_domain_representatives_unlike": "upper.representatives: each point must have the s",
    "littlestone_dimension_mistake_tree_incomplete": "lower.mistake_tree: tree must have 2^k - 1",
    "littlestone_dimension_mistake_tree_leaf": "lower.mistake_tree.tree[6]: concept 3 must have th",
    "littlestone_dimension_mistake_tree_short": "lower.mistake_tree: tree must have 2^k - 1 nodes",
    "littlestone_dimension_refutation_deeper": "upper.refutation.spaces[1]: entry 0 must have a s",
    "littlestone_dimension_refutation_empty": "upper.refutation: at least one version space",
    "littlestone_dimension_refutation_false_symmetry": "upper.refutation.symmetries[0]: the entri",
    "littlestone_dimension_refutation_later": "upper.refutation.spaces[0][0]: must be an index be",
    "littlestone_dimension_refutation_no_symmetry": "upper.refutation.spaces[2]: must be an index",
    "littlestone_dimension_refutation_other_literal": "upper.refutation.spaces[1]: entry 0 must h",
    "littlestone_dimension_refutation_part": "upper.refutation: the last entry must contain all c",
    "littlestone_dimension_refutation_side_missing": "upper.refutation.spaces[1]: a side of point",
    "littlestone_dimension_refutation_size_smaller": "upper.refutation.spaces[0]: a side of point",
    "littlestone_dimension_refutation_smaller": "upper.refutation.spaces[0]: a side of point",
    "littlestone_dimension_trivial_false": "upper.refutation.spaces[0]: depth 0 requires an empty",
    "threshold_dimension_chain_of_nothing": "lower.chain: the class must have at least one concept",
    "threshold_dimension_chain_reversed": "lower.chain: concept 1 must have label 1",
    "threshold_dimension_chain_shorter": "lower.chain: there must be as many points as concepts",
    "threshold_dimension_chain_twice": "lower.chain.concepts: an index occurs twice",
    "threshold_dimension_extension_no_size": "upper.extension.size: must be at least 1, not 0",
    "threshold_dimension_extension_smaller": "upper.extension: bound too small: a chain has 4 thr",
    "threshold_dimension_ones_smaller": "upper: the bound that is proved is 4, not the stated 3",
    "threshold_dimension_rank_smaller": "upper: the bound that is proved is 3, not the stated 2",
    "threshold_dimension_trivial_false": "upper: the bound that is proved is 0, not the stated -1",
    "vc_dimension_counting_false_symmetry": "upper.counting.symmetries[0]: the entries of column",
    "vc_dimension_counting_no_size": "upper.counting: size must be at least 1, as the empty set o",
    "vc_dimension_counting_one": "upper.counting: bound too small: column 3 is shattered",
    "vc_dimension_counting_smaller": "upper.counting: bound too small: columns [0] and another are",
    "vc_dimension_extension_false_flips": "upper.extension.symmetries[0]: the entries of column 0",
    "vc_dimension_extension_false_symmetry": "upper.extension.symmetries[0]: the entries of colum",
    "vc_dimension_extension_labels": "upper.extension: there must be size - 1 labels for size 3",
    "vc_dimension_extension_smaller": "upper.extension: bound too small: columns [0] and another",
    "vc_dimension_shattered_column_twice": "lower.shattered.columns: an index occurs twice",
    "vc_dimension_shattered_other_row": "lower.shattered: the labels of row 3 must be the binary",
    "vc_dimension_shattered_row_missing": "lower.shattered: must have 4 entries, not 3",
    "vc_dimension_signs_column": "upper.signs: there must be 4 vectors, one for each column",
    "vc_dimension_signs_label": "upper.signs: the products of row 1 must be positive exactly w",
    "vc_dimension_signs_not_positive": "upper.signs: the inner product of `positive` and row 0 mus",
    "vc_dimension_signs_positive_short": "upper.signs: all vectors must have 3 entries",
    "vc_dimension_signs_row": "upper.signs: there must be 11 vectors, one for each row",
    "vc_dimension_signs_short": "upper.signs: all vectors must have 3 entries",
    "vc_dimension_signs_zero": "upper.signs: the inner product of `positive` and row 0 must be a",
    "vc_dimension_spanning_tree_cycle": "upper.spanning_tree: edge (0, 2) must reach exactly one",
    "vc_dimension_spanning_tree_short": "upper.spanning_tree: a tree on 4 rows needs 3 edges",
    "vc_dimension_spanning_tree_star": "upper: the bound that is proved is 2, not the stated 1",
    "vc_dimension_trivial_false": "upper.extension: there must be size - 1 labels for size 0",
}


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    with pytest.raises(Rejected) as rejected:
        check(stored(name))
    assert str(rejected.value).startswith(MISSES[name])


def classes(number, seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    for _ in range(number):
        width = rng.randint(1, 5)
        rows = rng.sample(range(1 << width), rng.randint(1, min(10, 1 << width)))
        yield ConceptClass.from_rows(rows, range(width)), rng


def above(kind, C, form, data, upper):
    return {
        "format": 2,
        "kind": kind,
        "instance": C.to_json(),
        "statement": {"lower": None, "upper": upper},
        "lower": None,
        "upper": {form: data},
        "made_by": "test",
    }


def accepted(*parts):
    try:
        check(above(*parts))
    except Rejected:
        return False
    return True


def labellings(C, points):
    return {tuple(row >> x & 1 for x in points) for row in C.rows}


def vc(C):
    sizes = range(len(C.points) + 1)
    return max(
        size
        for size in sizes
        for chosen in combinations(range(len(C.points)), size)
        if len(labellings(C, chosen)) == 1 << size
    )


def reflections(C):
    """Return the permutations of points that preserve the class, as symmetries without flips."""
    width, found = len(C.points), []
    for images in permutations(range(width)):
        moved = [sum((row >> x & 1) << images[x] for x in range(width)) for row in C.rows]
        if set(moved) == set(C.rows):
            rows = [C.rows.index(row) for row in moved]
            found.append({"rows": rows, "columns": list(images), "flips": "0" * width})
    return found


def test_extension_excludes_exactly_the_sizes_above_the_dimension_whatever_labels_it_follows():
    for C, rng in classes(60, seed=1):
        value, symmetries = vc(C), reflections(C)
        for size in range(1, len(C.points) + 1):
            for _ in range(3):
                labels = "".join(rng.choice("01") for _ in range(size - 1))
                some = rng.sample(symmetries, min(len(symmetries), rng.randint(0, 3)))
                data = {"size": size, "labels": labels, "symmetries": some}
                assert accepted("vc_dimension", C, "extension", data, size - 1) == (size > value)


def test_counting_excludes_exactly_the_sizes_above_the_dimension():
    for C, rng in classes(60, seed=5):
        value, symmetries = vc(C), reflections(C)
        for size in range(len(C.points) + 2):
            some = rng.sample(symmetries, min(len(symmetries), rng.randint(0, 3)))
            data = {"size": size, "symmetries": some}
            assert accepted("vc_dimension", C, "counting", data, size - 1) == (size > value)


def nearly_shattered(rng, size, width, missing, more):
    """Return a class that lacks `missing` labellings of some points, except by chance."""
    chosen = rng.sample(range(width), size)
    some = sum(1 << x for x in chosen)
    rows = {rng.getrandbits(width) for _ in range(more)}
    for labels in rng.sample(range(1 << size), (1 << size) - missing):
        on_them = sum((labels >> i & 1) << x for i, x in enumerate(chosen))
        rows.add(on_them | rng.getrandbits(width) & ~some)
    return ConceptClass.from_rows(rng.sample(sorted(rows), len(rows)), range(width))


def shatters(C, size):
    return any(
        len({row & sum(1 << x for x in chosen) for row in C.rows}) == 1 << size
        for chosen in combinations(range(len(C.points)), size)
    )


@pytest.mark.parametrize("size", [6, 7, 8])
@pytest.mark.parametrize("kind", ["vc_dimension", "dual_vc_dimension"])
def test_pairs_that_may_come_last_exclude_exactly_what_is_not_shattered(kind, size):
    """A single missing labelling is enough; for the dual, two concepts (rows) are equal."""
    rng = random.Random(size)  # noqa: S311 - a seed, not a secret
    seen = set()
    for missing in (0, 1, 0, 1, 2, 5):
        for more in (0, 10, 1 << size - 1):
            C = nearly_shattered(rng, size, size + rng.randint(0, 4), missing, more)
            table = C
            if kind == "dual_vc_dimension":
                twice = [*C.rows, C.rows[0]]
                columns = [
                    sum((row >> x & 1) << i for i, row in enumerate(twice))
                    for x in range(len(C.points))
                ]
                table = ConceptClass.from_rows(columns, range(len(twice)))
            holds = not shatters(C, size)
            data = {"size": size, "symmetries": []}
            assert accepted(kind, table, "counting", data, size - 1) == holds
            seen.add(holds)
    assert seen == {False, True}


def drawn(rng, number, size):
    return [[rng.randint(-4, 4) for _ in range(size)] for _ in range(number)]


def product_of(u, w):
    return sum(a * b for a, b in zip(u, w, strict=True))


def test_signs_bound_no_class_below_its_dimension():
    """The vectors of the class are accepted; other vectors only if they have its signs."""
    rng = random.Random(6)  # noqa: S311 - a seed, not a secret
    for _ in range(200):
        size, width = rng.randint(1, 4), rng.randint(1, 5)
        columns, rows = drawn(rng, width, size), drawn(rng, 20, size)
        [positive] = drawn(rng, 1, size) if rng.random() < 0.5 else [[]]
        if positive:
            rows = [w for w in rows if product_of(positive, w) > 0]
        signs = {sum((product_of(u, w) > 0) << x for x, u in enumerate(columns)): w for w in rows}
        if not signs:
            continue
        C = ConceptClass.from_rows(list(signs), range(width))
        value, bound = vc(C), size - bool(positive)
        data = {"columns": columns, "rows": list(signs.values()), "positive": positive}
        assert value <= bound
        assert accepted("vc_dimension", C, "signs", data, bound)
        assert not accepted("vc_dimension", C, "signs", data, bound - 1)
        other = {**data, "rows": data["rows"][1:] + data["rows"][:1]}
        assert accepted("vc_dimension", C, "signs", other, bound) == (len(signs) == 1)


def thresholds_in(C, length):
    """Whether a class has thresholds of a given length, by trying all concepts and points."""
    indices = range(len(C.points))
    return any(
        all((row >> x & 1) == (i <= j) for i, row in enumerate(rows) for j, x in enumerate(points))
        for rows in permutations(C.rows, length)
        for points in permutations(indices, length)
    )


def test_upper_bounds_of_thresholds_are_not_below_the_definition():
    for C, _ in classes(25, seed=2):
        value = max(k for k in range(4) if thresholds_in(C, k))
        for size in (1, 2, 3):
            data = {"size": size}
            holds = accepted("threshold_dimension", C, "extension", data, size - 1)
            assert holds == (size > value)
            for lines_, label in product(("points", "concepts"), (0, 1)):
                data = {"size": size, "lines": lines_, "label": label}
                holds = accepted("threshold_dimension", C, "tails", data, size - 1)
                assert holds == (size > value)
        for form, bound in product(("ones", "rank"), range(-1, value)):
            assert not accepted("threshold_dimension", C, form, {}, bound)


def deepest(rows, width):
    """Return the Littlestone dimension by its recursive definition."""
    if not rows:
        return -1
    best = 0
    for x in range(width):
        ones = frozenset(row for row in rows if row >> x & 1)
        if 0 < len(ones) < len(rows):
            best = max(best, 1 + min(deepest(ones, width), deepest(rows - ones, width)))
    return best


@pytest.mark.parametrize("C", [lines(3), intervals(5), random_class(20, 5, seed=4)], ids=str)
def test_no_altered_refutation_proves_too_little(C):
    value = deepest(frozenset(C.rows), len(C.points))
    found = littlestone_dimension(C)
    assert found.value == value
    made = found.certificate().to_dict() | {"lower": None}
    made["statement"]["lower"] = None
    check(deepcopy(made))
    rng, rejected = random.Random(5), 0  # noqa: S311 - a seed, not a secret
    for _ in range(600):
        altered = deepcopy(made)
        spaces = altered["upper"]["refutation"]["spaces"]
        for _ in range(rng.randint(1, 3)):
            entry = rng.choice(spaces)
            part = rng.randrange(len(entry))
            if isinstance(entry[part], int):
                entry[part] = max(entry[part] + rng.choice((-1, 1)), 0)
            elif entry[part] and rng.random() < 0.5:
                entry[part][rng.randrange(len(entry[part]))] = rng.randrange(2 * len(C.points))
            else:
                entry[part][:1] = []
        altered["statement"]["upper"] -= rng.randint(0, 1)
        try:
            check(altered)
        except Rejected:
            rejected += 1
        else:
            assert altered["statement"]["upper"] >= value
    assert rejected > 300


def test_tree_of_a_class_with_symmetric_halves_may_repeat_no_leaf():
    document = above("littlestone_dimension", thresholds(1), "mistake_tree", {"tree": [0, 1, 0]}, 1)
    document |= {"lower": document["upper"], "upper": None}
    document["statement"] = {"lower": 1, "upper": None}
    check(deepcopy(document))
    document["lower"] = {"mistake_tree": {"tree": [0, 1, 1]}}
    with pytest.raises(Rejected, match="must have the labels on the path"):
        check(document)
