"""Dimensions of partial classes, compared with their definitions on all small partial classes."""

import random
from itertools import combinations, count, product

import pytest

from ccsim import (
    MistakeTree,
    PartialClass,
    dual_vc_dimension,
    littlestone_dimension,
    no_clash_teaching_dimension,
    random_class,
    recursive_teaching_dimension,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.budget import Budget
from ccsim.dimensions.littlestone import METHODS
from ccsim.errors import CertificateError, DomainError
from tests.truth.partial_classes import (
    largest_dual,
    largest_partial_chain,
    largest_partial_star,
    largest_realised_tree,
    largest_shattered_by_defined,
    least_excluding_examples,
)

QUESTIONS = {
    "VC": (vc_dimension, largest_shattered_by_defined),
    "dual VC": (dual_vc_dimension, largest_dual),
    "Littlestone": (littlestone_dimension, largest_realised_tree),
    "threshold": (threshold_dimension, largest_partial_chain),
    "star": (star_number, largest_partial_star),
    "teaching": (teaching_dimension, least_excluding_examples),
}
EXAMPLE = ["00*", "01*", "1*0", "1*1"]


def all_with_at_most_two_points():
    for width in range(3):
        rows = ["".join(row) for row in product("01*", repeat=width)]
        for size in range(1, len(rows) + 1):
            yield from (chosen for chosen in combinations(rows, size) if "*" in "".join(chosen))


def random_partial_classes(number):
    rng = random.Random(43)  # noqa: S311 - a seed, not a secret
    while number:
        width, undefined = rng.choice((3, 3, 4)), rng.choice(("*", "**", "***"))
        drawn = [
            "".join(rng.choices(f"0011{undefined}", k=width)) for _ in range(rng.randint(1, 7))
        ]
        rows = tuple(dict.fromkeys(drawn))
        if "*" in "".join(rows):
            number -= 1
            yield rows


@pytest.mark.parametrize("name", QUESTIONS)
def test_values_are_those_of_the_definitions(name):
    question, truth = QUESTIONS[name]
    for rows in [*all_with_at_most_two_points(), *random_partial_classes(300)]:
        result = question(PartialClass.from_matrix(rows))
        assert result.value == truth(rows, len(rows[0])), rows
        result.check()


def test_the_example_of_the_issue():
    result = littlestone_dimension(EXAMPLE)
    assert result.value == 2
    assert result.tree.root == (0, (1, 0, 1), (2, 2, 3))
    result.check()
    result.tree.check(result.concept_class)
    with pytest.raises(CertificateError, match="concept 1 must have the labels on the path"):
        MistakeTree((0, (1, 1, 0), (2, 2, 3))).check(result.concept_class)
    assert vc_dimension(EXAMPLE).value == 1


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_same_result_for_a_partial_class(method):
    assert littlestone_dimension(EXAMPLE, method=method) == littlestone_dimension(EXAMPLE)


def test_sauers_lemma_fails_for_partial_classes():
    rows = ["".join(b if x == y else "*" for y in range(5)) for x in range(5) for b in "01"]
    result = vc_dimension(rows)
    assert (result.value, len(result.concept_class)) == (1, 10)
    result.check()


def test_different_concepts_may_have_no_mistake_tree():
    assert littlestone_dimension(["0*", "*1", "**"]).value == 0
    assert threshold_dimension(["0*", "*0"]).value == 0
    assert star_number(["0*", "*1"]).value == 0


def test_concepts_with_extensions_are_taught_without_excluding_them():
    result = teaching_dimension(["***", "0**", "00*", "000"])
    assert (result.value, result.sets) == (1, ((), (0,), (1,), (2,)))
    assert teaching_dimension(["0*", "00", "01"]).value == 1


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_partial_class_that_is_total_has_the_certificate_of_the_class(name):
    question, _ = QUESTIONS[name]
    C = random_class(20, 7, 3)
    partial = PartialClass(
        C.points, C.concepts, C.rows, ((1 << len(C.points)) - 1,) * len(C), C.name
    )
    assert question(partial).certificate() == question(C).certificate()


def drawn(height, width, seed=0):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    return PartialClass.from_matrix(
        ["".join(rng.choices("0011*", k=width)) for _ in range(height)], name="drawn"
    )


@pytest.mark.parametrize("name", QUESTIONS)
def test_moderately_large_classes_are_decided_and_certified(name):
    question, _ = QUESTIONS[name]
    result = question(drawn(100, 12))
    assert result.exact
    result.check()
    assert question(drawn(100, 12)).certificate() == result.certificate()


@pytest.mark.parametrize("name", QUESTIONS)
def test_stopped_searches_return_bounds_with_proofs(name):
    question, _ = QUESTIONS[name]
    C = drawn(60, 12)
    value, seen = question(C).value, set()
    for steps in (1, 20, 100, 500):
        stopped = question(C, time_limit=Budget(steps, clock=count().__next__))
        assert stopped.lower <= value <= stopped.upper
        stopped.check()
        seen.add((stopped.lower, stopped.upper))
    assert len(seen) > 1


@pytest.mark.parametrize("name", QUESTIONS)
def test_progress_is_reported_by_both_bounds(name):
    question, _ = QUESTIONS[name]
    reported = []
    value = question(drawn(30, 8), progress=lambda *bounds: reported.append(bounds)).value
    assert reported[-1] == (value, value)
    assert all(low <= value <= high for low, high in reported)


def test_bounds_by_size_are_proved():
    C = drawn(30, 8)
    for question in (vc_dimension, dual_vc_dimension, littlestone_dimension):
        by_size = question(C).with_upper_by_size()
        assert by_size.upper == (3 if question is dual_vc_dimension else 4)
        by_size.check()


@pytest.mark.parametrize("question", [recursive_teaching_dimension, no_clash_teaching_dimension])
def test_other_dimensions_need_a_total_class(question):
    with pytest.raises(DomainError, match="must be total, but some concepts are undefined"):
        question(PartialClass.from_matrix(EXAMPLE))
