"""Representations as theorems: new instances of every form, and altered proofs that fail."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random

import pytest

from ccsim import (
    deterministic_representation_size,
    failure_probability,
    least_failure,
    probabilistic_representation_size,
    representation_error,
)
from ccsim.classes import ConceptClass
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation
from tests.formal.proving import are_no_theorems, is_theorem


def written(result):
    return json.loads(result.certificate().to_json())


def some_class(rng, points=3):
    return ConceptClass.from_rows(rng.sample(range(1 << points), rng.randint(3, 6)), range(points))


def some_error(seed):
    """Return a certificate of an error of hypotheses that is neither 0 nor 1."""
    rng = random.Random(seed)
    found = (
        representation_error(
            HypothesisSet.from_rows(rng.sample(range(16), 4), 4), some_class(rng, 4)
        )
        for _ in range(1000)
    )
    return written(next(result for result in found if 0 < result.value < 1))


def test_error_of_hypotheses_is_a_theorem(theory, tmp_path):
    listed = [some_error(seed) for seed in range(2)]
    assert is_theorem(listed, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert (
        words.count("representation_error 4 (table 4 (concepts rows)) (concepts hypotheses)") == 2
    )
    below, above = copy.deepcopy(listed), copy.deepcopy(listed)
    for wrong in below:
        wrong["lower"]["hard_distribution"]["distribution"] = [1, 2, 4, 9]
    for wrong in above:
        wrong["upper"]["mixtures"]["weights"] = [[1, 2, 4, 11]] * len(wrong["instance"]["rows"])
    assert are_no_theorems([*below, *above], theory, tmp_path)


def some_mixture(rng):
    sets = [HypothesisSet.from_rows(rng.sample(range(8), k), 3) for k in (2, 3, 4)]
    return ProbabilisticRepresentation.mixture(list(zip(("1/7", "2/7", "4/7"), sets, strict=True)))


def some_failure(error):
    """Return a certificate of a failure probability that is neither 0 nor 1."""
    rng = random.Random(error)
    found = (failure_probability(some_mixture(rng), some_class(rng), error) for _ in range(1000))
    return written(next(result for result in found if 0 < result.value < 1))


def test_failure_probability_is_a_theorem(theory, tmp_path):
    listed = [some_failure(error) for error in ("1/3", "0")]
    assert is_theorem(listed, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert words.count("representation_failure 3 (table 3 (concepts rows)) 3 (share weights)") == 2
    for certificate in listed:
        certificate["statement"]["support"]["weights"].reverse()
    assert are_no_theorems(listed, theory, tmp_path)


def of_selection(weights, upper, error="1/3"):
    """Return a certificate on a set of two concepts and a set of one other hypothesis."""
    return {
        "format": 2,
        "kind": "probabilistic_representation",
        "instance": {
            "type": "concept class",
            "name": "",
            "points": [0, 1],
            "concepts": [0, 1],
            "rows": ["10", "01"],
        },
        "statement": {
            "error": error,
            "support": {"sets": [["10", "01"], ["11"]], "weights": [7, 1]},
            "lower": None,
            "upper": upper,
        },
        "lower": None,
        "upper": {"selection": {"weights": weights}},
        "made_by": "by hand",
    }


def test_selection_is_a_theorem(theory, tmp_path):
    """The second set errs on at most one point: its probability 1/8, divided by the error."""
    documents = [
        of_selection([[14, 0, 2], [0, 14, 2]], "3/8"),
        of_selection([[14, 0, 2], [0, 7, 1]], "1/4", "1/2"),
        of_selection([[14, 0, 2], [0, 7, 1]], "1", "0"),
    ]
    assert is_theorem(documents, theory, tmp_path)
    wrong = [
        of_selection([[14, 0, 2], [0, 14, 2]], "1/4"),
        of_selection([[7, 0, 2], [0, 14, 2]], "3/8"),
        of_selection([[14, 0, 0], [0, 14, 0]], "0"),
        of_selection([[14, 0, 2], [0, 7, 1]], "0", "0"),
    ]
    assert are_no_theorems(wrong, theory, tmp_path)


def raised(certificate, side, step):
    """Return the certificate with only one side, whose bound is changed by ``step``."""
    other = "lower" if side == "upper" else "upper"
    wrong = copy.deepcopy(certificate)
    wrong["statement"][side] += step
    wrong["statement"][other] = wrong[other] = None
    return wrong


def test_least_failure_is_a_theorem(theory, tmp_path):
    rng = random.Random(5)
    found = (least_failure(some_class(rng), "1/4", 2) for _ in range(100))
    certificate = written(next(result for result in found if result.lower > 0))
    assert is_theorem(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert "(table 3 (concepts rows)) all_functions (1 # 4) 2" in words
    wrong = copy.deepcopy(certificate)
    wrong["statement"]["size"] = 3
    assert not is_theorem(wrong, theory, tmp_path)


@pytest.mark.slow
def test_deterministic_size_is_a_theorem(theory, tmp_path):
    certificate = written(deterministic_representation_size(some_class(random.Random(6)), "1/3"))
    assert is_theorem(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert "deterministic_size 3 (table 3 (concepts rows)) all_functions (1 # 3)" in words
    wrong = [raised(certificate, "lower", 1), raised(certificate, "upper", -1)]
    assert are_no_theorems(wrong, theory, tmp_path)


@pytest.mark.slow
def test_probabilistic_size_is_a_theorem(theory, tmp_path):
    rng = random.Random(7)
    found = (probabilistic_representation_size(some_class(rng), "1/4", "1/5") for _ in range(100))
    certificate = written(next(result for result in found if result.lower > 1))
    assert is_theorem(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert "represented_randomly" in words or "probabilistic_size" in words
    wrong = [raised(certificate, "lower", 1), raised(certificate, "upper", -1)]
    assert are_no_theorems(wrong, theory, tmp_path)


def from_below(rows, error, failure, lower, proof):
    """Return a handwritten certificate of a lower bound on the number of hypotheses."""
    return {
        "format": 2,
        "kind": "representation_size",
        "instance": {
            "type": "concept class",
            "name": "",
            "points": list(range(len(rows[0]))),
            "concepts": list(range(len(rows))),
            "rows": rows,
        },
        "statement": {
            "error": error,
            "pool": None,
            "failure": failure,
            "lower": lower,
            "upper": None,
        },
        "lower": proof,
        "upper": None,
        "made_by": "by hand",
    }


@pytest.mark.slow
def test_separation_is_a_theorem(theory, tmp_path):
    """Six points need 4 hypotheses, because they form an antichain; six thresholds need 3."""
    points = {"separation": {"points": [5, 4, 3, 2, 1, 0]}}
    single = ["100000", "010000", "001000", "000100", "000010", "000001"]
    rising = ["100000", "110000", "111000", "111100", "111110"]
    documents = [
        from_below(single, "2/5", "0", 4, points),
        from_below(rising, "2/5", "0", 3, points),
    ]
    assert is_theorem(documents, theory, tmp_path)
    for wrong in (
        from_below(single, "2/5", "0", 5, points),
        from_below(single, "1/2", "0", 4, points),
        from_below(rising, "2/5", "0", 4, points),
        from_below(rising[1:], "2/5", "0", 3, points),
        from_below(single, "2/5", "1/9", 4, points),
    ):
        assert not is_theorem(wrong, theory, tmp_path)


@pytest.mark.slow
def test_entropy_bound_is_a_theorem(theory, tmp_path):
    """Error 1/10 and failure 1/9 give error 1/5 on average: (2^5 4^4 / 5^5)^(2/5) is 1.47."""
    rows = ["00", "10", "01", "11"]
    proof = {"littlestone": {"dimension": {"mistake_tree": {"tree": [0, 1, 0, 2, 1, 1, 3]}}}}
    assert is_theorem(from_below(rows, "1/10", "1/9", 2, proof), theory, tmp_path)
    assert is_theorem(from_below(rows, "0", "0", 4, proof), theory, tmp_path)
    for wrong in (
        from_below(rows, "1/10", "1/9", 3, proof),
        from_below(rows, "1/10", "1/9", 1, proof),
        from_below(rows, "1/2", "1/9", 1, proof),
        from_below(rows[:3], "0", "0", 4, proof),
    ):
        assert not is_theorem(wrong, theory, tmp_path)
