"""Section 5.2: learners that add independent noise to a concept."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real, rational
from ccsim.learning import PrivateOccam, SubsampledPoint
from ccsim.learning.learners.occam import Example
from ccsim.learning.sample_size import log_ceiling
from proofs_check.claims.beimel_brenner.constructions.independent_noise import IndependentNoise
from proofs_check.claims.beimel_brenner.constructions.segments import initial_segments
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
ONE = Epsilon.of(1)


@claim(
    "bbkn/def-5.6",
    "Definition 5.6",
    "Independent-noise learners",
    Kind.DEFINITION,
    over=grid(points=[2, 3], noise=[Fraction(1, 5)]).medium(points=[4]),
    near=[
        near("Only values 0 are flipped.", flips=lambda h, c: (h & ~c).bit_count()),
        near("Noise is also added to outputs that are not concepts of the class.", fail=False),
    ],
)
def definition(
    points: int,
    noise: Fraction,
    *,
    flips: Callable[[int, int], int] = lambda h, c: (h ^ c).bit_count(),
    fail: bool = True,
) -> Decision:
    """An independent-noise learner runs an inner learner and flips each value of the concept that
    it outputs independently, with a probability that does not depend on the sample; an output that
    is not a concept of the class counts as a failure. Checked against the sum over all concepts,
    for an inner learner that sometimes outputs no segment, on all databases of one example.
    """
    C = initial_segments(points)
    inner = PrivateOccam(points, (*C.rows[1:], 0b10), Epsilon.of("ln 4"))
    outer = IndependentNoise(inner, points, C.rows, noise)

    def literal(z: Example) -> dict[int | None, Real]:
        found = dict.fromkeys([None, *range(2**points)], Fraction(0))
        for c, p in inner.distribution((z,)).items:
            if fail and c not in C.rows:
                found[None] += rational(p)
                continue
            for h in range(2**points):
                n = flips(h, c)
                found[h] += rational(p) * noise**n * (1 - noise) ** (points - n)
        return {h: p for h, p in found.items() if p}

    same = ((z, outer.distribution((z,)).as_mapping() == literal(z)) for z in inner.records)
    return all_of(same, "sum over concepts c of Pr[c] noise^flips (1 - noise)^(others)")


def _points_only(points: int) -> tuple[int, ...]:
    return tuple(1 << j for j in range(points))


def _points_or_zero(points: int) -> tuple[int, ...]:
    return (0, *_points_only(points))


def _is_noise(
    points: int, samples: int, accuracy: Fraction, concepts: tuple[int, ...], noise: Fraction
) -> Decision:
    """Check on all databases that A2 adds independent noise to the concept of its inner learner."""
    inner = SubsampledPoint(points, accuracy, flip=Fraction(0))
    outer = IndependentNoise(inner, points, concepts, noise)
    learner = SubsampledPoint(points, accuracy)
    databases = combinations_with_replacement(learner.records, samples)
    same = (
        (z, outer.distribution(z).as_mapping() == learner.distribution(z).as_mapping())
        for z in databases
    )
    return all_of(same, "A2 adds independent noise to a concept of the class")


@claim(
    "bbkn/ex-5.7-printed",
    "Example 5.7, as printed",
    "An independent-noise learner of points",
    Kind.ERRATUM,
    over=table("points samples", (2, 1), (2, 2), (3, 1)),
    near=near(
        "The statement for the point functions and the zero function.", concepts=_points_or_zero
    ),
    recorded=Verdict.FAILS,
    survives="yes: with the zero function as an additional concept",
)
def noise_on_points(
    points: int, samples: int, *, concepts: Callable[[int], tuple[int, ...]] = _points_only
) -> Decision:
    """As printed: algorithm A2 is an independent-noise learner for the point functions, so the
    output of its inner learner is a point function or a failure. Checked for accuracy 2/5."""
    accuracy = Fraction(2, 5)
    return _is_noise(points, samples, accuracy, concepts(points), accuracy / 8)


@claim(
    "bbkn/ex-5.7",
    "Example 5.7, corrected",
    "An independent-noise learner of points, with the zero function",
    Kind.EXAMPLE,
    over=table(
        "points samples accuracy",
        *[(2, 1, Fraction(2, 5)), (2, 2, Fraction(2, 5)), (3, 1, Fraction(1, 4))],
    ).medium((2, 3, Fraction(2, 5)), (3, 2, Fraction(2, 5))),
    near=[
        near("The statement for the point functions only.", concepts=_points_only),
        near("The noise is 11/80 accuracy.", noise=times(Fraction(11, 10))),
        near(
            "The inner learner fails with probability at most 1/20.", missed=times(Fraction(2, 15))
        ),
        near("6 ln 4 / accuracy^2 examples are enough.", size=times(Fraction(3, 16))),
    ],
    uses=["bbkn/def-5.6", "bbkn/alg-A2"],
    corrects="bbkn/ex-5.7-printed",
)
def noise_on_points_or_zero(
    points: int,
    samples: int,
    accuracy: Fraction,
    *,
    concepts: Callable[[int], tuple[int, ...]] = _points_or_zero,
    noise: Fraction = Fraction(1, 8),
    missed: Fraction = Fraction(3, 8),
    size: Fraction = Fraction(32),
) -> Decision:
    """Algorithm A2 is an independent-noise learner, with noise accuracy/8, for the point functions
    and the zero function, which its inner learner may output. For point targets the inner learner
    has error at most accuracy/2 from 32 ln(4) / accuracy^2 examples, except with probability at
    most 3/8. (On the zero function it gives no answer if every point was drawn.) The point of the
    worst target has mass accuracy/2, and the inner learner fails if no example of this point is
    kept.
    """

    def failure(m: int) -> Fraction:
        return accuracy / 8 + (1 - accuracy / 8) * (1 - accuracy**2 / 8) ** m

    def exact(m: int) -> Fraction:
        """Return the probability that the inner learner's answer from m examples is wrong."""
        mass, inner = accuracy / 2, SubsampledPoint(3, accuracy, flip=Fraction(0))
        found = (
            comb(m, k) * mass**k * (1 - mass) ** (m - k)
            * rational(inner.distribution([(0, 1)] * k + [(1, 0)] * (m - k))[1])
            for k in range(m + 1)
        )  # fmt: skip
        return 1 - sum(found, Fraction(0))

    enough = log_ceiling(size / accuracy**2, Fraction(4), ONE)
    return all_of(
        [
            ("noise", _is_noise(points, samples, accuracy, concepts(points), noise * accuracy)),
            ("few examples", all_of((m, equal(exact(m), failure(m))) for m in (1, 2, 3))),
            (f"{enough} examples", at_most(failure(enough), missed, trivial=1)),
        ]
    )
