"""Errors by counting as theorems: all problems, large sizes, and altered certificates."""

import json

from ccsim.communication import augmented_index_error, equality_error, index_error
from tests.formal.proving import are_no_theorems, disagreements, is_theorem, verdicts

SIZES = [(1, 1), (2, 1), (3, 2), (5, 3), (7, 4), (10**30, 7), (12, 12), (9, 11)]


def of_family(result):
    listed = json.loads(result.certificate().to_json())
    listed = listed if isinstance(listed, list) else [listed]
    return next(c for c in listed if c["kind"] == "family_error")


def made():
    equal = [of_family(equality_error(n, k)) for n, k in SIZES]
    words = [of_family(error(d, k)) for error in (augmented_index_error, index_error)
             for d, k in ((1, 1), (2, 3), (3, 2), (4, 5), (3, 3), (4, 40))]  # fmt: skip
    return equal + words


def test_equality_is_a_theorem(theory, tmp_path):
    listed = [of_family(equality_error(*size)) for size in SIZES[::2] + SIZES[5:6]]
    assert all(each["statement"]["lower"] == each["statement"]["upper"] for each in listed)
    assert is_theorem(listed, theory, tmp_path)


def test_words_are_theorems(theory, tmp_path):
    errors = (augmented_index_error, index_error)
    listed = [of_family(error(d, k)) for error in errors for d, k in ((4, 5), (3, 200))]
    assert is_theorem(listed, theory, tmp_path)


def test_other_bounds_are_no_theorems(theory, tmp_path):
    steeper, renamed = of_family(equality_error(7, 4)), of_family(index_error(4, 5))
    steeper["lower"]["slope"]["size"] += 1
    renamed["instance"]["type"] = "equality"
    assert are_no_theorems([steeper, renamed], theory, tmp_path)


def test_checkers_agree_on_altered_families(theory):
    documents = made()
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 4)
    assert (only_kernel, only_proved) == ([], [])
    assert both
