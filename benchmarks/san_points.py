"""Compare the records required by Theorem 4.6 for SanPoints with the exact failure probability.

    python benchmarks/san_points.py

The failure probability is exact, on the worst of several families of records: 1, 2, 5 or 9 points
each have just over the accuracy as their share of the records, and the other records are on one
point, on 20 points, or all on different points. Epsilon is 1, delta 1/10^6, accuracy and failure
are 1/10. The least number is found by bisection; the table is printed to standard output.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

from ccsim.exact import Epsilon
from ccsim.release.sanitizers.budget import san_points_sample_size
from ccsim.release.sanitizers.frequent_points import SanPoints
from ccsim.release.sanitizers.points import histogram_sample_size
from proofs_check.claims.beimel_nissim_stemmer.constructions.shares_failure import (
    san_points_failure,
)

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
MOST = 1 << 20


def families(size: int) -> Iterator[tuple[str, list[int]]]:
    """Yield families of counts with the given number of records, with their names."""
    heavy = int(TENTH * size) + 1
    for number in (1, 2, 5, 9):
        rest = size - number * heavy
        if rest < 0:
            continue
        name = f"{number} heavy points"
        for way, count in (("one point", rest), ("20 points", rest // 20), ("single records", 1)):
            parts = [count] * (rest // count) if count else []
            left = rest - sum(parts)
            yield f"{name}, rest on {way}", [*[heavy] * number, *parts, *([left] if left else [])]


def worst(sanitizer: SanPoints, size: int) -> tuple[Fraction, str]:
    """Return the largest upper bound on the failure over the families, with the family's name."""
    return max((san_points_failure(sanitizer, c).upper, name) for name, c in families(size))


def least(sanitizer: SanPoints) -> int:
    """Return the least sufficient number of records, by bisection."""
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        enough = worst(sanitizer, middle)[0] <= TENTH
        low, high = (low, middle) if enough else (middle, high)
    return high


def main() -> None:
    """Print the table."""
    start = time.process_time()
    asked = san_points_sample_size(TENTH, TENTH, ONE, DELTA)
    print(f"{'sanitizer':<36} {'least':>7} {'theorem':>8}  worst just below")  # noqa: T201
    print(f"{'stability histogram':<36} {histogram_sample_size(TENTH, TENTH, ONE, DELTA):>7}")  # noqa: T201
    for accounting in ("counted", "printed"):
        for threshold in ("fixed", "paper"):
            made = SanPoints.for_budget(2**64 - 1, TENTH, TENTH, ONE, DELTA, accounting, threshold)
            proved = made.needed
            free = SanPoints(
                *(made.last, TENTH, TENTH, made.epsilon, made.delta, made.slack, threshold),
                any_size=True,
            )
            found = least(free)
            name = f"SanPoints, {accounting}, {threshold} threshold"
            private = f"; private from {proved} on" if proved else ""
            print(  # noqa: T201
                f"{name:<36} {found:>7} {asked:>8}  {worst(free, found - 1)[1]}{private}",
                flush=True,
            )
    print(f"{time.process_time() - start:.1f} s of processor time")  # noqa: T201


if __name__ == "__main__":
    main()
