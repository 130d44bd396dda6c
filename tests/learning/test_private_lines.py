"""The learner of lines: what its claims rest on, and that faults are caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim.exact import Epsilon
from ccsim.privacy import StableMode, audit
from proofs_check.claims.feldman_xiao.private_lines.basic_learner import (
    COUNTEREXAMPLE,
    ZERO,
    _bad_integers,
    _window,
    learn,
    output_law,
)
from proofs_check.claims.feldman_xiao.private_lines.release import LineLearner


def test_basic_learner_finds_the_line_through_two_points():
    for p, a, b in ((3, 2, 1), (5, 4, 0), (5, 0, 3)):
        points = [(x, (a * x + b) % p) for x in range(p)]
        for one, other in product(points, repeat=2):
            expected = ("line", a, b) if one != other else ("point", *one)
            assert learn(p, [(one, 1), ((0, (b + 1) % p), 0), (other, 1)]) == expected
    assert learn(3, [((0, 0), 0)]) == ZERO
    assert learn(3, [((1, 0), 1), ((1, 2), 1)]) == ("point", 1, 0)


@pytest.mark.claim("fx/claim-17")
def test_the_counterexample_to_claim_17_has_five_bad_sizes():
    masses, error = COUNTEREXAMPLE
    assert _window(masses, error, 15) == [7, 8, 9, 10, 11]
    off = 1 - sum(masses)
    chances = {}
    for k in range(7, 12):
        none, alone, two = output_law(masses, 2**k)
        assert none == off ** (2**k)
        assert none + sum(alone) + two == 1
        good = [two]
        good += [none] if sum(masses) <= error else []
        good += [a for q, a in zip(masses, alone, strict=True) if sum(masses) - q <= error]
        chances[k] = float(max(good))
    expected = {7: 0.320, 8: 0.507, 9: 0.662, 10: 0.649, 11: 0.545}
    assert chances == pytest.approx(expected, abs=1e-3)


@pytest.mark.claim("fx/bad-lengths-corrected")
def test_eight_bad_integers_occur():
    assert _bad_integers(Fraction(1, 9), Fraction(1, 3027)) == 8


@pytest.mark.claim("fx/alg-overall")
def test_audit_of_the_learner_catches_a_smaller_beta():
    learner = LineLearner(2, 1, Epsilon.of("ln 2"), Fraction(1, 8))
    assert audit(learner, "ln 2", Fraction(1, 8), neighbours=2).verdict.value == "holds"
    result = audit(learner, "ln 2", Fraction(1, 9), neighbours=2)
    assert result.verdict.value == "fails"
    assert result.least_delta == Fraction(1, 8)


@pytest.mark.claim("fx/lemma-16-privacy")
def test_a_lower_threshold_is_not_private():
    release = StableMode(("a", "b", "0"), "0", Epsilon.of("ln 2"), Fraction(1, 8))
    faulty = replace(release, margin=Fraction(0))
    assert audit(release, "ln 2", Fraction(1, 8), neighbours=2).verdict.value == "holds"
    assert audit(faulty, "ln 2", Fraction(1, 8), neighbours=2).verdict.value == "fails"
