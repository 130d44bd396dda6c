"""Errors by counting as theorems: all problems, large sizes, and altered certificates."""

import json

import pytest

from ccsim.communication import augmented_index_error, equality_error, index_error
from tests.formal.proving import disagreements, is_theorem, verdicts

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


@pytest.mark.parametrize("size", SIZES[::2] + SIZES[5:6])
def test_equality_is_a_theorem(size, theory, tmp_path):
    certificate = of_family(equality_error(*size))
    assert certificate["statement"]["lower"] == certificate["statement"]["upper"]
    assert is_theorem(certificate, theory, tmp_path)


@pytest.mark.parametrize("error", [augmented_index_error, index_error])
def test_words_are_theorems(error, theory, tmp_path):
    assert is_theorem(of_family(error(4, 5)), theory, tmp_path)
    assert is_theorem(of_family(error(3, 200)), theory, tmp_path)


def test_other_bounds_are_no_theorems(theory, tmp_path):
    certificate = of_family(equality_error(7, 4))
    certificate["lower"]["slope"]["size"] += 1
    assert not is_theorem(certificate, theory, tmp_path)
    certificate = of_family(index_error(4, 5))
    certificate["instance"]["type"] = "equality"
    assert not is_theorem(certificate, theory, tmp_path)


def test_checkers_agree_on_altered_families(theory):
    documents = made()
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 4)
    assert (only_kernel, only_proved) == ([], [])
    assert both
