"""Section 4.3: private learners of points with few examples answer with heavy hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from math import ceil

import numpy as np

from ccsim.exact import Epsilon, LogSum
from ccsim.learning import LightReconstruction, least_candidates
from ccsim.learning.learners.points import NonprivatePointLearner
from ccsim.learning.learners.reconstruction import Reconstruction, reconstruction_runs
from ccsim.learning.packing.sizes import proper_point_lower_bound
from ccsim.learning.sample_size import occam_sample_size
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import laws_with_denominator

__all__ = ["CLAIMS", "complication"]

ProperBound = Callable[[int, Epsilon, Fraction, Fraction], int]


def _reconstruction(size: int, accuracy: Fraction) -> LightReconstruction:
    def make(a: Fraction, failure: Fraction, epsilon: Epsilon) -> NonprivatePointLearner:
        return NonprivatePointLearner(a, failure, epsilon, bits=1)

    return LightReconstruction(accuracy, Fraction(1, 4), Epsilon.of(1), size, size, make)


def _ones(h: int, size: int) -> list[int]:
    return [j for j in range(size) if h >> j & 1]


def weights(size: Size) -> Iterator[Instance]:
    """Count the candidates of every hypothesis but zero."""
    for points in (3, 6) if size is Size.SMALL else (3, 6, 9):
        learner = _reconstruction(points, Fraction(1, 2))

        def counts(h: int, points: int = points, learner: LightReconstruction = learner) -> bool:
            ones = _ones(h, points)
            values = np.array([h >> j & 1 for j in range(points)], dtype=np.bool_)
            return h.bit_count() == len(ones) and learner.candidates(values) == tuple(ones)

        cases = ((f"{h:b}", counts(h)) for h in range(1, 2**points))
        yield Instance.all_of(f"functions of {points} points", cases, "weight = candidates")


def heavy(size: Size) -> Iterator[Instance]:
    """How heavy the hypotheses of learners with 10 examples are, by the reduction."""
    sizes = (2048, 4096, 8192) if size is Size.SMALL else (2048, 4096, 8192, 16384, 32768)
    yield from complication(LightReconstruction, proper_point_lower_bound, sizes)


def complication(
    problem: type[Reconstruction], bound: ProperBound, sizes: tuple[int, ...]
) -> Iterator[Instance]:
    """Yield how many candidates learners with 10 examples must offer, over ``2^b`` points."""
    accuracy, failure, epsilon, samples = Fraction(1, 4), Fraction(1, 10), Epsilon.of(1), 10
    used = reconstruction_runs(failure) * samples
    least = [least_candidates(problem, b, samples, accuracy, failure, epsilon) for b in sizes]
    for b, z in zip(sizes, least, strict=True):
        examples = used + occam_sample_size(z - 1, epsilon, accuracy, failure / 2)
        needed = bound(1 << b, epsilon, accuracy, failure)
        name = f"b={b}, 10 examples, proper accuracy=1/4 failure=1/10 epsilon=1"
        detail = f"examples: at least 2^{z.bit_length() - 1} candidates"
        yield Instance.at_most(name, Fraction(examples + 1), needed, detail)
    pairs = zip(pairwise(sizes), pairwise(least), strict=True)
    yield Instance.all_of(
        "twice as many bits",
        ((b, z**2 <= more) for (b, _), (z, more) in pairs),
        "square the candidates at least: an exponential number",
    )


def no_worse_candidate(size: Size) -> Iterator[Instance]:
    """Look for a point of the hypothesis that errs only where the hypothesis does."""
    for points in (2, 3, 5) if size is Size.SMALL else (2, 3, 5, 7):

        def included(h: int, t: int, points: int = points) -> bool:
            wrong = h ^ 1 << t
            return any((1 << j ^ 1 << t) & ~wrong == 0 for j in _ones(h, points))

        cases = (
            (f"h={h:b} t={t}", included(h, t)) for h in range(1, 2**points) for t in range(points)
        )
        what = "some c_j with h(j) = 1 disagrees with c_t only where h does"
        yield Instance.all_of(f"{points} points, all h but zero", cases, what)
    for points, accuracy in ((2, Fraction(1, 2)), (4, Fraction(3, 4)), (6, Fraction(9, 10))):
        offered = _reconstruction(points, accuracy).candidates(np.zeros(points, dtype=np.bool_))

        def served(
            law: tuple[Fraction, ...],
            t: int,
            a: Fraction = accuracy,
            offered: tuple[int, ...] = offered,
        ) -> bool:
            return law[t] > a / 4 or any(
                disagreement(law, 1 << j, 1 << t) <= a / 2 for j in offered
            )

        denominator = 6 if size is Size.SMALL else 10
        cases = (
            (f"D={[str(w) for w in law]} t={t}", served(law, t))
            for law, t in product(laws_with_denominator(points, denominator), range(points))
        )
        name = f"{points} points, h zero, accuracy={accuracy}, {len(offered)} candidates"
        yield Instance.all_of(
            name, cases, "one errs at most accuracy/2 if h errs at most accuracy/4"
        )


def zero_has_no_candidate(_size: Size) -> Iterator[Instance]:
    """Take the zero function: its error is small, and it is 1 nowhere."""
    for points, accuracy in ((4, Fraction(1, 2)), (16, Fraction(1, 8))):
        law = (Fraction(1, points),) * points
        error = disagreement(law, 0, 1)
        detail = f"h = 0 errs {error} <= {accuracy / 2} and offers {len(_ones(0, points))} concepts"
        holds = error > accuracy / 2 or bool(_ones(0, points))
        yield Instance.of(f"{points} points, uniform, accuracy={accuracy}", holds, detail)


def failures_add_up(size: Size) -> Iterator[Instance]:
    """Add the failures of the three steps, and count the runs of the printed reduction."""
    failures = [Fraction(1, n) for n in (2, 10, 1000, 10**6)]
    parts = (
        (
            failure,
            Fraction(1, 2 ** reconstruction_runs(failure)) + 2 * (failure / 8) + failure / 2,
            failure,
        )
        for failure in failures
    )
    yield Instance.tightest("no light run, a light run that errs, selection", parts)
    for failure in failures:
        needed = LogSum.log2(2 / failure)
        runs = ceil(needed.enclose().upper / LogSum.log2(Fraction(4, 3)).enclose().lower)
        yield Instance.at_most(
            f"failure={failure}, {runs} runs, each good and light with probability 1/4",
            Fraction(3, 4) ** runs,
            failure / 2,
        )


CLAIMS = (
    Claim(
        "bbkn/def-4.10",
        "Definition 4.10",
        "Weight of hypotheses",
        "The weight of a hypothesis is the number of points on which it is 1.",
        Kind.DEFINITION,
        weights,
    ),
    Claim(
        "bbkn/thm-4.11-printed",
        "proof of Theorem 4.11, as printed",
        "A light hypothesis of small error offers a concept of small error",
        "If the error of h on the target is at most accuracy/2, some concept c_j with h(j) = 1 has "
        "error at most accuracy/2.",
        Kind.ERRATUM,
        zero_has_no_candidate,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/thm-4.11-corrected",
        "proof of Theorem 4.11, corrected",
        "A light hypothesis other than zero offers a concept that is no worse",
        "If h is not zero, some concept c_j with h(j) = 1 disagrees with the target only where h "
        "does. If h is zero and errs at most accuracy/4, one of any ceil(4/accuracy) concepts errs "
        "at most accuracy/2.",
        Kind.LEMMA,
        no_worse_candidate,
        uses=("bbkn/def-4.10",),
        corrects="bbkn/thm-4.11-printed",
    ),
    Claim(
        "bbkn/thm-4.11-reduction",
        "proof of Theorem 4.11, with explicit constants",
        "Failures of the reconstruction",
        "ceil(log2(4/failure)) runs of a learner with failure/8, the exponential mechanism with "
        "failure/2 on the candidates of the first light hypothesis: at most failure together. The "
        "printed number ln(failure/2)/ln(3/4) of runs, each good and light with probability 1/4, "
        "leaves failure/2.",
        Kind.LEMMA,
        failures_add_up,
        uses=("bbkn/thm-3.2",),
    ),
    Claim(
        "bbkn/thm-4.11",
        "Theorem 4.11",
        "Learners with few samples output heavy hypotheses",
        "No private learner of points with o(b) examples answers, under every distribution, with "
        "hypotheses of weight 2^o(b) with probability at least 1/2.",
        Kind.THEOREM,
        heavy,
        uses=("bbkn/thm-4.11-corrected", "bbkn/thm-4.11-reduction", "bbkn/lemma-3.9"),
        recorded=Verdict.NOT_DECIDED,
        reason="about all learners as b grows; checked is what the reduction gives for learners "
        "with 10 examples, accuracy 1/16 and failure 1/80 over 2^b points: the weight that they "
        "must exceed on some target, and that its square is no more when b is doubled",
    ),
)
