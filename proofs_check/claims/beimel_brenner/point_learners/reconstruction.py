"""Section 4.3: proper learners from improper ones with light hypotheses, and Theorem 4.11."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.exact import Epsilon
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.learning.sample_size import log_ceiling, occam_sample_size
from proofs_check.claims.beimel_brenner.constructions.reconstruction import (
    LightReconstruction,
    least_candidates,
    reconstruction_runs,
)
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.grid import grid
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, plus, times

ONE, HALF, QUARTER = Epsilon.of(1), Fraction(1, 2), Fraction(1, 4)


@claim(
    "bbkn/thm-4.11-reduction",
    "proof of Theorem 4.11, with explicit constants",
    "Failure probability of the reconstruction",
    Kind.LEMMA,
    over=grid(failure=["1/4", "1/64", "1/1000"]),
    near=[
        near("One run fewer is enough.", runs=plus(-1)),
        near(
            "The statement if a run is light with probability 15/32.", light=times(Fraction(15, 16))
        ),
        near(
            "The statement with 11/80 failure in place of failure/8.", inner=times(Fraction(11, 10))
        ),
        near(
            "The statement with 11/20 failure in place of failure/2.",
            selection=times(Fraction(11, 10)),
        ),
        near(
            "The combination fails with probability at most 31/32 failure.",
            total=times(Fraction(31, 32)),
        ),
    ],
    uses=["bbkn/thm-3.2"],
)
def failures_add_up(
    failure: str,
    *,
    runs: Callable[[Fraction], int] = reconstruction_runs,
    light: Fraction = HALF,
    inner: Fraction = Fraction(1, 8),
    selection: Fraction = HALF,
    total: Fraction = Fraction(1),
) -> Decision:
    """Take ceil(log2(4/failure)) runs of a learner that fails with probability failure/8 and
    outputs a light hypothesis with probability 1/2. Then run the exponential mechanism, which fails
    with probability failure/2, on the candidates of the first light hypothesis. Together they fail
    with probability at most failure. Compared with the worst distribution of the outcomes of a run,
    in which only light hypotheses are bad.
    """
    f = Fraction(failure)
    bad, chance = inner * f, Fraction(1)
    for _ in range(runs(f)):
        chance = (1 - light) * chance + bad + (light - bad) * selection * f
    return at_most(chance, total * f)


@claim(
    "bbkn/thm-4.11-runs",
    "proof of Theorem 4.11, steps 1 and 2",
    "Some run outputs a good and light hypothesis",
    Kind.LEMMA,
    over=grid(failure=["3/35", "1/4", "1/1000"]),
    near=[
        near("One run fewer is enough.", runs=plus(-1)),
        near("The statement if a run is good with probability 5/8.", good=times(Fraction(5, 6))),
        near("The statement if a run is light with probability 3/8.", light=times(Fraction(3, 4))),
        near("The probability is at most 49/100 failure.", left=times(Fraction(49, 50))),
    ],
)
def some_run_is_good(
    failure: str,
    *,
    runs: Callable[[Fraction], int] = lambda failure: log_ceiling(
        Fraction(1), 2 / failure, Epsilon(Fraction(0), Fraction(4, 3))
    ),
    good: Fraction = Fraction(3, 4),
    light: Fraction = HALF,
    left: Fraction = HALF,
) -> Decision:
    """Each of ceil(ln(failure/2) / ln(3/4)) runs is good with probability at least 3/4 and light
    with probability at least 1/2. Then the probability that no run is both good and light is at
    most failure/2. Compared with all joint distributions of the two events whose probabilities are
    multiples of 1/8.
    """
    f = Fraction(failure)
    joint = distributions_with_denominator(4, 8)  # both, good alone, light alone, neither
    both = min(p for p, g, s, _ in joint if p + g >= good and p + s >= light)
    return at_most((1 - both) ** runs(f), left * f)


def _least_weight(bits: int) -> int:
    return least_candidates(LightReconstruction, bits, 10, QUARTER, Fraction(1, 10), ONE)


@claim(
    "bbkn/thm-4.11",
    "Theorem 4.11",
    "Learners with few examples output heavy hypotheses",
    Kind.THEOREM,
    over=grid(bits=[2048, 4096, 8192]).medium(bits=[16384]),
    near=[
        near("The weight is larger by one.", weight=plus(1)),
        near("The statement for learners with 11 examples.", samples=plus(1)),
        near("Doubling b at least cubes the weight.", power=plus(1)),
    ],
    uses=[
        "bbkn/thm-4.11-corrected",
        "bbkn/thm-4.11-reduction",
        "bbkn/thm-4.11-weights",
        "bbkn/lemma-3.9",
    ],
    recorded=Verdict.NOT_DECIDED,
    reason="about all learners as b grows; the consequence of the reduction is checked for "
    "learners with 10 examples, accuracy 1/16 and failure probability 1/80 over 2^b points: "
    "the weight that their hypotheses exceed for some target, which is at least squared if "
    "b is doubled",
)
def heavy(
    bits: int,
    *,
    weight: Callable[[int], int] = _least_weight,
    samples: int = 10,
    power: int = 2,
) -> Decision:
    """No private learner of points with o(b) examples outputs, under every distribution, hypotheses
    of weight 2^o(b) with probability at least 1/2."""
    failure = Fraction(1, 10)
    needed = proper_point_lower_bound(1 << bits, ONE, QUARTER, failure)
    rest = needed - reconstruction_runs(failure) * samples
    fewer, z = (
        occam_sample_size(n, ONE, QUARTER, failure / 2) for n in (weight(bits) - 1, weight(bits))
    )
    return all_of(
        [
            ("a smaller weight is too light", at_most(fewer + 1, rest)),
            ("the weight", at_least(z, rest)),
            ("twice the bits", at_most(weight(bits) ** power, weight(2 * bits))),
        ]
    )
