"""Proofs on compression schemes: altered proofs, and the count of steps."""

import random

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import Work
from tests.kernel.corpus import stored
from tests.kernel.test_multiclass import put
from tests.kernel.test_teaching import one_side, random_rows
from tests.small_classes import bare, rows_of
from tests.truth.compression import least_scheme

COUNTED = "compression_size_counting_scheme"  # without labels, stable
REFUTED = "compression_size_refutation_scheme"  # with labels, stable and proper
MISTAKES = "compression_size_counting_littlestone"
SCHEME, STEPS = ("upper", "scheme"), ("lower", "refutation", "steps")
MISSES = {
    "labelled, text": (
        COUNTED, put("statement", "labelled", "false"),
        "statement.labelled: must be true or false, not 'false'"),
    "labelled, number": (
        COUNTED, put("statement", "labelled", 0), "statement.labelled: must be true or false"),
    "labelled, other": (
        COUNTED, put("statement", "labelled", True), "upper.scheme.functions: must have 7 entri"),
    "columns, fewer": (
        COUNTED, put("lower", "counting", "columns", []), "lower: the bound that is proved is 0"),
    "columns, twice": (
        COUNTED, put("lower", "counting", "columns", [0, 0]), "lower.counting.columns: an index"),
    "size, larger": (COUNTED, put(*SCHEME, "size", 2), "upper.scheme.functions: must have 7 entri"),
    "size, too large": (
        COUNTED, put(*SCHEME, "size", 4), "upper.scheme.size: must be an index below 4, not 4"),
    "key outside": (
        COUNTED, put(*SCHEME, "keys", 0, 1), "upper.scheme: the key of the sample (0, 0) must be"),
    "key, unknown": (
        COUNTED, put(*SCHEME, "keys", 0, 4), "upper.scheme.keys[0]: must be an index below 4"),
    "key, missing": (
        COUNTED, put(*SCHEME, "keys", [0]), "upper.scheme.keys: must have 20 entries, not 1"),
    "function, other labels": (
        COUNTED, put(*SCHEME, "functions", 0, "111"),
        "upper.scheme: the function of the sample (1, 0) must have its labels"),
    "function, short": (
        COUNTED, put(*SCHEME, "functions", 0, "11"), "upper.scheme.functions[0]: must be a text"),
    "key, other labels": (
        REFUTED, put(*SCHEME, "keys", 1, 2), "upper.scheme: the key of the sample (1, 0) must be"),
    "function, no row": (
        REFUTED, put(*SCHEME, "functions", 0, "111"), "upper.scheme.functions[0]: must be a row"),
    "steps, none": (
        REFUTED, put(*STEPS, []), "lower.refutation.steps: the last step must be the empty clause"),
    "steps, hint": (
        REFUTED, put(*STEPS, 0, 1, 0, 0), "lower.refutation.steps[0]: clause 89 must have at mos"),
    "steps, no hints": (
        REFUTED, put(*STEPS, 0, 1, []), "lower.refutation.steps[0]: the hints must end with"),
    "steps, variable": (
        REFUTED, put(*STEPS, 0, 0, [9999]), "lower.refutation.steps[0][0][0]: must be a literal"),
    "steps, smaller size": (
        REFUTED, put("lower", "refutation", "size", 0), "lower.refutation.steps[0]"),
    "steps, not stable": (
        REFUTED, put("statement", "stable", False), "lower.refutation.steps[0]"),
    "steps, not proper": (
        REFUTED, put("statement", "proper", False), "lower.refutation.steps[0]"),
    "mistakes, proper": (
        MISTAKES, put("statement", "proper", True), "upper.littlestone: the form is for labelled"),
    "mistakes, unlabelled": (
        MISTAKES, put("statement", "labelled", False), "upper.littlestone: the form is for label"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    made, change, reason = MISSES[name]
    document = stored(made)
    check(document)
    change(document)
    with pytest.raises(Rejected) as rejected:
        check(document)
    assert str(rejected.value).startswith(reason)


def about(instance, side, form, data, bound, variant):
    document = one_side("compression_size", instance, side, form, data, bound)
    document["statement"] |= variant
    return document


def is_accepted(*parts):
    try:
        check(about(*parts))
    except Rejected:
        return False
    return True


LABELLED = {"labelled": True, "stable": False, "proper": False}


def test_an_unstable_scheme_is_rejected_only_if_it_must_be_stable():
    """The key of both points is empty, but the first point has another key and function."""
    instance = bare([0], 2).to_json()
    data = {"size": 1, "keys": [0, 1, 0, 0], "functions": ["00", "01", "00"]}
    for stable in (False, True):
        variant = LABELLED | {"stable": stable}
        assert is_accepted(instance, "upper", "scheme", data, 1, variant) == (not stable)


def test_counting_and_points_prove_true_bounds():
    rng = random.Random(1)  # noqa: S311 - a seed, not a secret
    for _ in range(12):
        C = bare(sorted(rng.sample(range(8), rng.randint(1, 8))), 3)
        for labelled in (True, False):
            variant = LABELLED | {"labelled": labelled}
            value = least_scheme(rows_of(C), 3, **variant)
            for columns in ([], [0], [1, 2], [0, 1, 2]):
                for bound in range(5):
                    parts = (C.to_json(), "lower", "counting", {"columns": columns}, bound)
                    assert not is_accepted(*parts, variant) or bound <= value
            assert is_accepted(C.to_json(), "upper", "points", {}, 3, variant)


def test_proper_schemes_without_labels_may_not_exist():
    instance = bare([0, 3, 5, 6], 3).to_json()
    for labelled, bound in ((True, 3), (False, 4)):
        variant = {"labelled": labelled, "stable": True, "proper": True}
        assert is_accepted(instance, "upper", "points", {}, bound, variant)
        assert not is_accepted(instance, "upper", "points", {}, 7 - bound, variant)


def test_the_empty_class_has_no_lower_bound_but_the_trivial_one():
    instance = bare([], 2).to_json()
    for variant in (LABELLED, LABELLED | {"labelled": False, "proper": True}):
        for form, data in (
            ("counting", {"columns": []}),
            ("refutation", {"size": 0, "steps": [[[], [0]]]}),
        ):
            for bound in (-1, 0, 1):
                assert not is_accepted(instance, "lower", form, data, bound, variant)
        assert is_accepted(instance, "upper", "points", {}, -1, variant)


def test_wide_classes_are_refused():
    for form, data in (
        ("scheme", {"size": 1, "keys": [], "functions": []}),
        ("refutation", {"size": 1, "steps": []}),
    ):
        side = "upper" if form == "scheme" else "lower"
        document = about(random_rows(3, 13), side, form, data, 1, LABELLED)
        with pytest.raises(Rejected, match="there must be at most 12 columns, not 13"):
            check(document)


def test_the_clauses_are_counted_before_they_are_listed(monkeypatch):
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(1 << 20, tell))
    data = {"size": 5, "steps": []}
    with pytest.raises(Rejected, match="steps"):
        check(about(random_rows(40, 10), "lower", "refutation", data, 6, LABELLED))


def test_no_refutation_of_one_class_is_accepted_for_another():
    """A refutation of sizes below the least one; every other class of four rows has a scheme."""
    document, count = stored(REFUTED), 0
    proof, rng = document["lower"]["refutation"], random.Random(2)  # noqa: S311 - a seed
    for _ in range(60):
        C = bare(sorted(rng.sample(range(8), 4)), 3)
        for proper in (False, True):
            variant = {"labelled": True, "stable": True, "proper": proper}
            if least_scheme(rows_of(C), 3, **variant) < 2:
                count += 1
                assert not is_accepted(C.to_json(), "lower", "refutation", proof, 2, variant)
    assert count > 50
