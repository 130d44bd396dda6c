"""Proofs on stars and teaching: altered proofs, sizes, and the count of steps."""

import json
import random
from collections import Counter
from itertools import combinations

import pytest

from ccsim import kernel
from ccsim.classes import ConceptClass, random_class
from ccsim.dimensions import recursive_teaching_dimension
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import WORK, Work
from ccsim.kernel.teaching import repeated
from tests.kernel.corpus import stored
from tests.kernel.made import concept_class
from tests.truth.teaching import largest_star, least_teaching, smallest

MISSES = {
    "no_clash_teaching_dimension_cases_larger": "lower.cases.pairs: the tree is incomplete: 6 cas",
    "no_clash_teaching_dimension_cases_more": "lower.cases.pairs: node 15 is superfluous: all cas",
    "no_clash_teaching_dimension_cases_one_concept": "lower.cases.pairs[0]: an index occurs twice",
    "no_clash_teaching_dimension_cases_open": "lower.cases.pairs: the tree is incomplete: 1 cases",
    "no_clash_teaching_dimension_counting_more": "lower: the bound that is proved is 1, not the ",
    "no_clash_teaching_dimension_counting_nothing": "lower.counting: at least one concept",
    "no_clash_teaching_dimension_edges_empty": "lower.edges: at least one concept must be given",
    "no_clash_teaching_dimension_edges_fewer": "lower: the bound that is proved is 1, not the ",
    "no_clash_teaching_dimension_edges_twice": "lower.edges.concepts: an index occurs twice",
    "no_clash_teaching_dimension_sets_clash": "upper.sets: rows 0 and 2 must differ on",
    "no_clash_teaching_dimension_sets_missing": "upper.sets: there must be as many sets as rows",
    "recursive_teaching_dimension_plan_backwards": "upper.plan[0]: the columns must single out the",
    "recursive_teaching_dimension_plan_part": "upper.plan: every row must be given a set",
    "recursive_teaching_dimension_plan_smaller": "upper: the bound that is proved is 3, not the ",
    "recursive_teaching_dimension_subclass_empty": "lower.subclass: at least one concept",
    "recursive_teaching_dimension_subclass_smaller": "lower.subclass[4]: fewer than 3 columns",
    "recursive_teaching_dimension_subclass_twice": "lower.subclass.concepts: an index occurs twice",
    "star_number_extension_smaller": "upper.extension: bound too small: there is a star of 2 poin",
    "star_number_extension_too_large": "upper.extension.size: must be an index below 6, not 6",
    "star_number_rows_smaller": "upper: the bound that is proved is 2, not the ",
    "star_number_star_alike": "lower.star: among the points, neighbour 3 must differ",
    "star_number_star_centre": "lower.star.centre: must be an index below 4, not 4",
    "star_number_star_shorter": "lower.star: there must be as many points as neighbours",
    "star_number_star_twice": "lower.star.points: an index occurs twice",
    "star_number_trivial_false": "upper.extension: bound too small: there is a star of 0 point",
    "teaching_dimension_concept_easier": "lower.concept: fewer than 2 columns single out the row",
    "teaching_dimension_concept_harder": "lower.concept: fewer than 3 columns single out the row",
    "teaching_dimension_concept_size": "lower.concept.size: must be an index below 5, not 5",
    "teaching_dimension_sets_alike": "upper.sets[0]: the columns must single out the row; 3 rows",
    "teaching_dimension_sets_missing": "upper.sets: there must be as many sets as rows",
    "teaching_dimension_sets_smaller": "upper: the bound that is proved is 2, not the ",
    "teaching_dimension_sets_twice": "upper.sets.sets[0]: an index occurs twice",
}


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    with pytest.raises(Rejected) as rejected:
        check(stored(name))
    assert str(rejected.value).startswith(MISSES[name])


def one_side(kind, instance, side, form, data, bound):
    sides = {"lower": None, "upper": None}
    return {
        "format": 2,
        "kind": kind,
        "instance": instance,
        "statement": sides | {side: bound},
        **(sides | {side: {form: data}}),
        "made_by": "test",
    }


def accepted(*parts):
    try:
        check(one_side(*parts))
    except Rejected:
        return False
    return True


def classes(number, seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    for _ in range(number):
        width = rng.randint(1, 5)
        rows = rng.sample(range(1 << width), rng.randint(1, min(10, 1 << width)))
        yield ConceptClass.from_rows(rows, range(width))


def test_extension_excludes_exactly_the_sizes_above_the_star_number():
    for C in classes(60, seed=1):
        instance = C.to_json()
        value, width = largest_star(instance["rows"], len(C.points)), len(C.points)
        for size in range(width + 2):
            parts = (instance, "upper", "extension", {"size": size}, size - 1)
            assert accepted("star_number", *parts) == (size > value)


def test_a_concept_is_as_hard_as_its_smallest_teaching_set():
    for C in classes(60, seed=2):
        instance, width = C.to_json(), len(C.points)
        rows = instance["rows"]
        for c, row in enumerate(rows):
            value = smallest(row, rows, width)
            for size in range(width + 1):
                parts = (instance, "lower", "concept", {"concept": c, "size": size}, size)
                assert accepted("teaching_dimension", *parts) == (size <= value)
        bound = least_teaching(rows, width)
        sets = [list(range(width)) for _ in rows]
        parts = (instance, "upper", "sets", {"sets": sets}, width)
        assert accepted("teaching_dimension", *parts)
        assert bound <= width


def test_rows_repeat_exactly_where_none_is_singled_out():
    counted, width, answers = WORK.set(Work()), 8, []
    rng = random.Random(4)  # noqa: S311 - a seed, not a secret
    for number in (40, 80, 120, 160, 200, 240) * 3:
        rows = rng.sample(range(1 << width), number)
        for size in range(1, width + 1):
            chosen = (sum(1 << x for x in columns) for columns in combinations(range(width), size))
            alone = any(1 in Counter(row & each for row in rows).values() for each in chosen)
            assert repeated(rows, width, size) == (not alone)
            answers.append(alone)
    assert min(Counter(answers).values()) > 20
    WORK.reset(counted)


def test_a_hard_subclass_is_checked_for_all_its_rows_at_once(monkeypatch):
    found = recursive_teaching_dimension(random_class(120, 40, seed=0))
    assert (found.value, len(found.subclass)) == (4, 120)
    document = json.loads(found.certificate().to_json())
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(1 << 21, tell))
    check(document)
    document["lower"]["subclass"]["size"] = document["statement"]["lower"] = 5
    with pytest.raises(Rejected):
        check(document)


def test_sets_without_end_are_counted_before_they_are_listed():
    wide = concept_class("0" * 3000, "1" * 3000)
    for size in (3, 30, 1500):
        data = {"size": size, "pairs": []}
        document = one_side("no_clash_teaching_dimension", wide, "lower", "cases", data, size + 1)
        with pytest.raises(Rejected, match=f"there are too many sets of {size} columns"):
            check(document)


def random_rows(height, width):
    rng = random.Random(3)  # noqa: S311 - a seed, not a secret
    return concept_class(*(f"{rng.getrandbits(width):0{width}b}" for _ in range(height)))


@pytest.mark.parametrize(
    ("kind", "side", "form", "data", "bound"),
    [
        ("teaching_dimension", "lower", "concept", {"concept": 0, "size": 5}, 5),
        ("star_number", "upper", "extension", {"size": 30}, 29),
    ],
)
def test_a_long_search_is_counted(monkeypatch, kind, side, form, data, bound):
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(1 << 20, tell))
    with pytest.raises(Rejected, match="steps"):
        check(one_side(kind, random_rows(600, 400), side, form, data, bound))


def test_a_deep_search_is_refused():
    deep = concept_class(*("0" * i + "1" + "0" * (599 - i) for i in range(600)), "0" * 600)
    data = {"concept": 600, "size": 600}
    with pytest.raises(Rejected, match="size must be below 500, not 600"):
        check(one_side("teaching_dimension", deep, "lower", "concept", data, 600))
