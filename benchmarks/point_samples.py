"""Compare sample sizes of learners of points in theorems with exact failure probabilities.

    python benchmarks/point_samples.py [--plot FILE.svg]

For each d, the table contains the least number of examples for which the failure probability on the
worst target and distribution is at most 1/10, at accuracy 1/10, epsilon 1 and delta 1/10^6. The
learners are the learner by A_dist, and the exponential mechanism over all points, which is purely
private. All probabilities are rigorous, and the numbers are found by bisection. Further columns
contain the numbers in the lemmas, and a lower bound for every purely private proper learner. The
table is printed to standard output.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from ccsim.exact import Epsilon
from ccsim.learning import ApproximatePointLearner, least_point_samples
from ccsim.learning.learners.points import worst_exponential_point_failure
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.learning.sample_size import occam_sample_size, stable_point_sample_size

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
BITS = (8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
_LONG = 64


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers of examples over ``2**bits`` points.

    Attributes
    ----------
    bits : int
    formula, corrected, optimal : int
        With approximate privacy: of the corrected Lemma 3.2; exactly, with the corrected threshold
        of A_dist, and with the most that privacy allows.
    pure_formula, pure, pure_from : int
        Of the exponential mechanism: of its theorem, and exactly; or the latter two enclose it.
    necessary : int
        Of every pure proper learner.
    """

    bits: int
    formula: int
    corrected: int
    optimal: int
    pure_formula: int
    pure: int
    pure_from: int
    necessary: int


def approximate(bits: int, variant: str) -> int:
    """Return the least number of examples of the learner by A_dist.

    For more than 2^64 points, the number lies between that for 2^64 points and that of the learner
    that returns the zero function, and fails, whenever nothing is released.
    """
    given = TENTH, TENTH, ONE, min(bits, _LONG), 0, DELTA, variant
    learner = ApproximatePointLearner(*given)
    least = least_point_samples(learner)
    if bits > _LONG:
        most = least_point_samples(replace(learner, proper=False))
        assert least == most  # noqa: S101 - otherwise the number has to be found for this d
    return least


def pure(bits: int, *, surely: bool) -> int:
    """Return the least number of examples of the exponential mechanism, by bisection.

    The failure probability is enclosed in an interval. The result is the least number for which the
    upper end (``surely``) or the lower end of this interval is small enough.
    """

    def enough(samples: int) -> bool:
        failure = worst_exponential_point_failure(bits, samples, ONE, TENTH).failure
        return (failure.upper if surely else failure.lower) <= TENTH

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def row(bits: int) -> Row:
    """Return the row of the table for ``2**bits`` points."""
    return Row(
        bits,
        stable_point_sample_size(TENTH, TENTH, ONE, DELTA),
        approximate(bits, "corrected"),
        approximate(bits, "optimal"),
        occam_sample_size(1 << bits, ONE, TENTH, TENTH),
        pure(bits, surely=True),
        pure(bits, surely=False),
        proper_point_lower_bound(1 << bits, ONE, TENTH, TENTH),
    )


def main() -> None:
    """Print the table, and draw it if requested."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--plot", type=Path)
    picture = parser.parse_args().plot
    start = time.process_time()
    heads = "d", "Lemma 3.2, corrected", "exact", "exact, optimal A_dist"
    heads = (*heads, "pure: theorem", "pure: exact", "any pure proper learner")
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")  # noqa: T201
    rows = []
    for bits in BITS:
        r = row(bits)
        rows.append(r)
        exactly = r.pure if r.pure == r.pure_from else f"{r.pure_from} to {r.pure}"
        numbers = r.bits, r.formula, r.corrected, r.optimal, r.pure_formula, exactly, r.necessary
        print("| " + " | ".join(map(str, numbers)) + " |", flush=True)  # noqa: T201
    print(f"{time.process_time() - start:.1f} s of processor time")  # noqa: T201
    if picture is not None:
        _plot(picture, rows)


def _plot(path: Path, rows: list[Row]) -> None:
    from ccsim.pictures import Curve, draw_curves, save_figure  # matplotlib is optional

    bits = tuple(r.bits for r in rows)
    curves = [
        Curve("A_dist, exact", bits, tuple(r.corrected for r in rows), "-", 0),
        Curve("A_dist, corrected Lemma 3.2", bits, tuple(r.formula for r in rows), "--", 0),
        Curve("exponential mechanism, exact", bits, tuple(r.pure for r in rows), "-", 1),
        Curve("exponential mechanism, theorem", bits, tuple(r.pure_formula for r in rows), "--", 1),
        Curve("needed by any pure proper learner", bits, tuple(r.necessary for r in rows), ":", 1),
    ]
    title = "Examples to learn points: exact (solid), by formula (dashed)"
    save_figure(path, draw_curves(curves, title))


if __name__ == "__main__":
    main()
