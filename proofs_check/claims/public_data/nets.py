"""Lemma 11 for thresholds: the exact number of public points for a cover."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count

from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least
from proofs_check.claims.grid import table
from proofs_check.claims.public_data.constructions.quality.net_families import (
    line_net_probability,
    threshold_net_probability,
)
from proofs_check.claims.variants import near, plus, times


def _distribution(kind: str, points: int) -> list[Fraction]:
    """Return the uniform distribution, or one whose probabilities grow linearly."""
    weights = [1] * points if kind == "uniform" else list(range(points))
    return [Fraction(w, sum(weights)) for w in weights]


def _by_gaps(alpha: Fraction, beta: Fraction) -> int:
    """Return the least m from ``1/alpha`` on for which ``(m + 1) (1 - alpha)^m <= beta``."""
    start = int(1 / alpha)
    return next(m for m in count(start) if (m + 1) * (1 - alpha) ** m <= beta)


@claim(
    "pap/lemma-11-thresholds",
    "Lemma 11, for thresholds",
    "Public points give a cover of thresholds",
    Kind.LEMMA,
    over=table(
        "alpha beta",
        ("1/4", "1/20"),
        ("1/8", "1/100"),
        ("1/16", "1/1000"),
        ("1/40", "1/20"),
    ),
    near=[
        near("One record fewer is enough.", records=plus(-1)),
        near(
            "For distributions with atoms the points give a 9 alpha/10-cover.",
            share=times(Fraction(9, 10)),
        ),
    ],
    uses=["pap/lemma-11"],
)
def public_points_cover_thresholds(
    alpha: str,
    beta: str,
    *,
    records: Callable[[Fraction, Fraction], int] = _by_gaps,
    share: Fraction = Fraction(1),
) -> Decision:
    """For the least m with (m + 1) (1 - alpha)^m <= beta, m public points give an alpha-cover of
    the thresholds on a line with probability 1 - beta, under every distribution; the worst
    distributions are those without atoms. Checked for distributions without atoms, and for 8, 60
    and 100 points with equal or increasing probabilities.
    """
    accuracy, failure = Fraction(alpha), Fraction(beta)
    m = records(accuracy, failure)

    def cases() -> Iterator[tuple[object, Decision]]:
        smooth = line_net_probability(m, accuracy)
        yield "a line", at_least(smooth, 1 - failure, f"{m} public points")
        for kind, points in (("uniform", 8), ("uniform", 60), ("growing", 8), ("uniform", 100)):
            for size in (m, max(1, m // 3)):
                worst = line_net_probability(size, accuracy)
                distribution = _distribution(kind, points)
                found = threshold_net_probability(distribution, size, share * accuracy)
                yield (kind, points, size), at_least(found, worst)

    return all_of(cases())
