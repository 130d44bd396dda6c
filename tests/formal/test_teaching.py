"""Theorems about stars and teaching: random instances in all forms, and altered proofs."""

import random

import pytest

from ccsim import (
    no_clash_teaching_dimension,
    recursive_teaching_dimension,
    star_number,
    teaching_dimension,
)
from ccsim.classes import all_functions
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.formal.test_dimensions import forms, has_label_twice, longest, of
from tests.small_classes import EMPTY, NO_POINTS, ONE, bare

SPREAD = [
    bare([0, 1, 2, 3, 4, 7], 3),
    bare([0, 3, 5, 6], 3),
    bare([3, 6, 12, 24, 17, 11, 22, 13, 26, 21], 5),
]
"""Classes of which one counts more samples than pairs, and two need a tree of cases."""


def classes(seed, number):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    yield from (EMPTY, NO_POINTS, ONE, all_functions(2), *SPREAD)
    for _ in range(number):
        width = rng.randint(1, 5)
        yield bare(rng.sample(range(1 << width), rng.randint(1, min(9, 1 << width))), width)


MADE = {
    "star_number": (star_number, {"trivial", "star", "rows", "extension"}),
    "teaching_dimension": (teaching_dimension, {"trivial", "concept", "sets"}),
    "recursive_teaching_dimension": (recursive_teaching_dimension, {"trivial", "subclass", "plan"}),
    "no_clash_teaching_dimension": (
        no_clash_teaching_dimension,
        {"trivial", "edges", "counting", "cases", "sets"},
    ),
}


def test_every_form_is_a_theorem(theory, tmp_path):
    found = []
    for question, known in MADE.values():
        made = of(map(question, classes(3, 30)))
        found += [longest(made, form) for form in sorted(known)]
    assert is_theorem(found, theory, tmp_path)


@pytest.mark.parametrize("kind", MADE)
def test_checkers_agree_on_altered_proofs(kind, theory):
    question, known = MADE[kind]
    documents = of(map(question, classes(7, 80)))
    assert set().union(*map(forms, documents)) == known
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 8)
    assert only_kernel == []
    assert [c for c in only_proved if not has_label_twice(c["instance"])] == []
    assert both
