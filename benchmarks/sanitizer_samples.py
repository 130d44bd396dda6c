"""Compute the records that sanitizers of points and thresholds need over 2^d points.

    python benchmarks/sanitizer_samples.py [--bits D ...] [--plot FILE.svg]

Epsilon is 1, delta 1/10^6, accuracy and failure are 1/10. All columns except `measured` are proved:
that of the stability histogram by its exact failure on the worst database, the others by bounds on
their failures. The column `measured` is the least power of two of records for which SanThresholds,
within the budget, had an error of at most the accuracy in all of five runs on evenly spread
records. The tables are printed to standard output.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from ccsim.exact import Epsilon
from ccsim.exact.epsilon import BallArithmetic
from ccsim.exact.exponentials import enclose_log
from ccsim.privacy.mechanisms.noisy_answers import geometric_tail
from ccsim.release.sanitizers.budget import san_points_sample_size, san_thresholds_sample_size
from ccsim.release.sanitizers.points import histogram_sample_size
from ccsim.release.sanitizers.threshold_recursion import SanThresholds
from ccsim.release.sanitizers.thresholds import QuantileTree
from proofs_check.claims.beimel_nissim_stemmer.constructions.histogram_failure import (
    worst_histogram_failure,
)

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
ASKED = (TENTH, TENTH, ONE, DELTA)
BITS = (8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 512)
_RUNS = 5
_MOST_MEASURED = 1 << 28
_DISTINCT = 1 << 12


def stability_records() -> int:
    """Return the least number of records from which the stability histogram is accurate.

    All numbers from `histogram_sample_size` on are proved; smaller numbers are tried one by one.
    """
    records = histogram_sample_size(*ASKED)
    while worst_histogram_failure(records - 1, TENTH, ONE, DELTA).upper <= TENTH:  # type: ignore[union-attr]
        records -= 1
    return records


def pure_histogram_records(bits: int) -> int:
    """Return a sufficient number of records for noise of ratio e^(-epsilon / 2) on 2^bits counts.

    Let ``A = floor(accuracy m)``. A point without a record fails if its noise is above ``A``, and
    each of at most ``m`` other points fails if the absolute value of its noise is. So ``(2^bits + 2
    m) t(A + 1) <= failure`` suffices, where ``t`` is the tail probability.
    """
    balls = BallArithmetic(ONE)
    with balls.working():
        ratio, most = balls.exp(Fraction(-1, 2)), 1
        while True:
            records = ceil(most / TENTH)
            places = (1 << bits) + 2 * (records + ceil(1 / TENTH))
            if geometric_tail(ratio, most + 1) * places <= balls.number(TENTH):
                return records
            most += 1


def tree_records(bits: int) -> int:
    """Return a proved sufficient number of records for a quantile tree of the best depth."""
    return min(
        QuantileTree((1 << bits) - 1, ONE, levels).sample_size(TENTH, TENTH)
        for levels in range(3, 8)
    )


def pure_lower_bound(bits: int) -> int:
    """Return a lower bound on the records of pure sanitizers of points and thresholds.

    Both classes distinguish all ``2^bits`` points, so that the bound of Lemma 4.15 is ``(1 / (3
    epsilon accuracy)) (ln(2^bits - 1) + ln((1 - failure) / failure))``.
    """
    needed = enclose_log(((1 << bits) - 1) * (1 - TENTH) / TENTH).lower / (3 * TENTH)
    return ceil(needed)


def measured_records(bits: int) -> int | None:
    """Return the least tried power of two for which all runs of SanThresholds were accurate."""
    last = (1 << bits) - 1
    sanitizer = SanThresholds.for_budget(last, *ASKED)
    values = sorted({i * last // (_DISTINCT - 1) for i in range(_DISTINCT)})
    records = 1 << 20
    while records <= _MOST_MEASURED:
        counts = dict.fromkeys(values, records // len(values))
        counts[values[0]] += records - sum(counts.values())
        runs = (sanitizer.sanitize(counts, np.random.default_rng(seed)) for seed in range(_RUNS))
        if all(run.error.error <= TENTH for run in runs):
            return records
        records *= 2
    return None


def plot(
    name: str, bits: Sequence[int], points: Sequence[Sequence[int]], cuts: Sequence[Sequence[int]]
) -> None:
    """Write one of the two comparisons as an SVG picture."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    shown = (
        (left, "points", points, ("SanPoints, formula", "stability histogram", "pure histogram")),
        (right, "thresholds", cuts, ("SanThresholds, formula", "quantile tree, pure")),
    )
    for axes, title, rows, labels in shown:
        for column, label in enumerate(labels):
            axes.plot(bits, [row[column] for row in rows], "o-", markersize=3, label=label)
        axes.plot(bits, [row[len(labels)] for row in rows], "k:", label="any pure sanitizer")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel("d, for records below $2^d$")
        axes.set_ylabel("records")
        axes.set_title(title)
        axes.legend(fontsize=8)
    with rc_context({"svg.hashsalt": "ccsim"}):
        figure.savefig(name, format="svg", metadata={"Date": None})


def main() -> None:
    """Print the tables, and draw them if requested."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bits", type=int, nargs="+", default=list(BITS))
    parser.add_argument("--plot")
    asked = parser.parse_args()
    bits = asked.bits
    formula, stability = san_points_sample_size(*ASKED), stability_records()
    print("| d | SanPoints, Theorem 4.6 | stability histogram, exact | pure histogram | any pure |")  # noqa: T201
    print("|---|---|---|---|---|")  # noqa: T201
    points = []
    for d in bits:
        row = formula, stability, pure_histogram_records(d), pure_lower_bound(d)
        points.append(row)
        print("|", " | ".join(map(str, (d, *row))), "|", flush=True)  # noqa: T201
    print("\n| d | SanThresholds, Theorem 4.13 | measured | quantile tree, pure | any pure |")  # noqa: T201
    print("|---|---|---|---|---|")  # noqa: T201
    cuts = []
    for d in bits:
        theorem, tree = san_thresholds_sample_size(*ASKED, d), tree_records(d)
        cuts.append((theorem, tree, pure_lower_bound(d)))
        seen = measured_records(d) if d <= 64 else None
        shown = (d, f"{theorem:.2g}", seen or "-", tree, pure_lower_bound(d))
        print("|", " | ".join(map(str, shown)), "|", flush=True)  # noqa: T201
    if asked.plot:
        plot(asked.plot, bits, points, cuts)


if __name__ == "__main__":
    main()
