"""Theorem 4.11, step 2: how many examples a learner with light hypotheses is given."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.exact import Epsilon
from ccsim.learning.packing.sizes import packing_sample_size
from proofs_check.claims.beimel_brenner.efficient_learners import least_naming_failure
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, at_most, holds
from proofs_check.claims.grid import grid
from proofs_check.claims.near_miss import near, plus

QUARTER = Fraction(1, 4)


def _needed(points: int) -> int:
    return packing_sample_size(points, Epsilon.of("ln 4"), QUARTER)


@claim(
    "bbkn/thm-4.11-samples-printed",
    "proof of Theorem 4.11, step 2, as printed",
    "A learner with hypotheses of weight less than z is given log z examples",
    Kind.ERRATUM,
    over=grid(points=[3, 5]).medium(points=[6]),
    near=near("Given ceil(ln(3 (n - 1)) / epsilon) examples.", given=_needed),
    recorded=Verdict.FAILS,
    survives="Yes: the learner is given its own o(d) examples, which the sum of all counts anyway.",
)
def log_z_examples(points: int, *, given: Callable[[int], int] = lambda _: 1) -> Decision:
    """As printed: a learner with failure 1/4 whose hypotheses weigh less than z has enough with
    log2 z examples. Refuted for z = 2, that is for hypotheses that are 1 on one point at most: from
    one example all ln(4)-private ones fail more often on some of n >= 3 points of mass 1."""
    return at_most(least_naming_failure(points, given(points)), QUARTER, trivial=1)


@claim(
    "bbkn/thm-4.11-samples",
    "proof of Theorem 4.11, step 2, corrected",
    "A learner with light hypotheses is given the examples that it needs",
    Kind.LEMMA,
    over=grid(points=[2, 3, 5]).medium(points=[6]),
    near=[near("One less is enough.", given=plus(-1)), near("One more is needed.", given=plus(1))],
    uses=["bbkn/efficient-lower-packing"],
    corrects="bbkn/thm-4.11-samples-printed",
)
def as_many_as_it_needs(points: int, *, given: Callable[[int], int] = _needed) -> Decision:
    """A private learner with failure 1/4 whose hypotheses are 1 on one point at most has enough, on
    n points of mass 1, with ceil(ln(3 (n - 1)) / epsilon) examples and no fewer: their number grows
    with n, whatever the weight is. Compared with the least failure of all ln(4)-private
    learners."""
    m = given(points)
    enough = m > 0 and least_naming_failure(points, m) <= QUARTER
    fewer = m > 1 and least_naming_failure(points, m - 1) <= QUARTER
    return holds(enough and not fewer, f"{m} examples are enough, and no fewer")
