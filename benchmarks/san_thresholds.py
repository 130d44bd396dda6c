"""Run SanThresholds over 2^64 points with 10^5 records, and find the records that budgets need.

    python benchmarks/san_thresholds.py [--runs N]

The first table is for epsilon 1 in each mechanism of a call, on several families of 10^5 records:
calls, the largest error over all thresholds, events of the proof that failed, and seconds of
processor time. The second table is for a total epsilon of 1, divided as printed or as counted, and
increasing numbers of records: the number of runs with an error above the accuracy. Delta is 1/10^6,
accuracy and failure are 1/10; runs have the seeds 0, 1, ... The tables are printed to standard
output.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ccsim.exact import Epsilon
from ccsim.release.sanitizers.budget import san_thresholds_sample_size
from ccsim.release.sanitizers.threshold_recursion import SanThresholds, ThresholdRun
from proofs_check.claims.beimel_nissim_stemmer.constructions.sanitizer_events import (
    threshold_events,
)

TENTH, DELTA, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
LAST = 2**64 - 1
RECORDS = 10**5
SIZES = tuple(x * 10**e for e in (5, 6, 7) for x in (1, 2, 3, 4, 5, 6, 8))


def families() -> Iterator[tuple[str, list[int]]]:
    """Yield records that are uniform, on few points, on all scales, or close together."""
    rng = np.random.default_rng(0)
    yield "uniform", rng.integers(0, 2**64, size=RECORDS, dtype=np.uint64).tolist()
    yield "30 points", [int(x) << 50 for x in rng.integers(30, size=RECORDS)]
    yield "uniform logarithm", [int(2 ** float(x)) for x in rng.uniform(0, 64, size=RECORDS)]
    yield "powers of two", [1 << int(x) for x in rng.integers(64, size=RECORDS)]
    yield "geometric", np.minimum(rng.geometric(0.01, size=RECORDS), 10**6).tolist()
    near = [2**63 + int(x) for x in rng.integers(100, size=RECORDS // 2)]
    yield "two clusters", [7] * (RECORDS // 2) + near


def row(name: str, runs: list[ThresholdRun], seconds: float) -> str:
    """Return the line of the table for several runs."""
    failed = sorted(
        {event for run in runs for event, happened in threshold_events(run).items() if not happened}
    )
    worst = max(run.error.error for run in runs)
    calls = max(len(run.calls) for run in runs)
    above = sum(run.error.error > TENTH for run in runs)
    bottoms = sum(call.bottom for run in runs for call in run.calls)
    return (
        f"{name:<34} {calls:>5} {float(worst):>8.4f} {above:>5} {bottoms:>7} "
        f"{seconds / len(runs):>7.1f}  {' '.join(failed)}"
    )


def measured(sanitizer: SanThresholds, records: list[int] | dict[int, int], count: int) -> str:
    """Run a sanitizer several times, and return the line of the table."""
    size = len(records) if isinstance(records, list) else sum(records.values())
    start = time.process_time()
    runs = [sanitizer.sanitize(records, np.random.default_rng(seed)) for seed in range(count)]
    name = f"m = {size:.1e}, m eps = {size * float(sanitizer.epsilon):.1e}"
    return row(name, runs, time.process_time() - start)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    count = parser.parse_args().runs
    head = f"{'':<34} {'calls':>5} {'error':>8} {'above':>5} {'bottoms':>7} {'s':>7}  events missed"
    listed = list(families())
    for accounting in ("counted", "printed"):
        print(f"epsilon 1 for each mechanism, RecConcave {accounting}\n{head}")  # noqa: T201
        sanitizer = SanThresholds(LAST, TENTH, TENTH, ONE, DELTA, accounting=accounting)
        for name, records in listed:
            line = measured(sanitizer, records, count)
            print(f"{name:<34}{line[34:]}", flush=True)  # noqa: T201
    asked = san_thresholds_sample_size(TENTH, TENTH, ONE, DELTA, 64)
    values = listed[0][1][: RECORDS // 10]
    for accounting in ("printed", "counted"):
        kept = SanThresholds.for_budget(LAST, TENTH, TENTH, ONE, DELTA, accounting)
        print(  # noqa: T201
            f"\nepsilon 1 in all, {accounting}: {float(kept.epsilon):.5f} for each of four "
            f"mechanisms in {kept.allowed} calls; the theorem asks {asked:.1e} records\n{head}"
        )
        for size in SIZES:
            records = dict.fromkeys(values, size // len(values))
            print(measured(kept, records, count), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
