"""Count the members that the tracing attack finds in exact, rounded and private marginals.

    python benchmarks/tracing.py [--runs N] [--plot FILE]

The false-positive rate is 1 %. Each estimate is printed with twice its standard error over the
runs, which have consecutive seeds from 0. The tables contain exact means and means rounded to
multiples of 0.1; Gaussian releases that are ``(1, 1/(4n))``-private, with the upper bound on every
attack; and the errors of releases of private records only, of public records only, and of both.
With ``--plot``, the curves of true against false positives are drawn. The tables are printed to
standard output.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

import numpy as np

from ccsim.exact import Epsilon
from proofs_check.claims.public_data.constructions.tracing.scores import (
    score_moments,
    tracing_bound,
)
from proofs_check.claims.public_data.constructions.tracing.simulation import (
    Estimate,
    TracingRuns,
    simulate_tracing,
)
from proofs_check.claims.public_data.constructions.tracing.stumps import (
    MarginalRelease,
    StumpRelease,
    exact_means,
    private_records_needed,
    public_records_needed,
    rounded_means,
)

RATE, ONE, TENTH = Fraction(1, 100), Epsilon.of(1), Fraction(1, 10)


def shown(estimate: Estimate) -> str:
    """Return a mean with twice its standard error."""
    return f"{estimate[0]:.3f} +- {estimate[1]:.3f}"


def row(name: str, runs: TracingRuns, seconds: float, last: str) -> str:
    """Return a line of a table."""
    parts = (runs.error, runs.power(RATE), runs.area, runs.separation)
    return f"{name:<38}" + "".join(f"{shown(x):<18}" for x in parts) + f"{last:<10}{seconds:.1f}"


def releases(runs: int) -> Iterator[tuple[str, StumpRelease, int, int, int, str]]:
    """Yield the name, release, records, signs, runs and score of each experiment."""
    few = max(2, runs // 5)
    rounded = rounded_means(TENTH)
    for n, p, count in ((50, 1000, runs), (316, 1000, runs), (1000, 20_000, few)):
        yield f"exact {n} x {p}", exact_means, n, p, count, "centred"
        yield f"rounded {n} x {p}", rounded, n, p, count, "centred"
    yield "exact 2000 x 40000", exact_means, 2000, 40_000, few, "centred"
    yield "rounded 2000 x 40000", rounded, 2000, 40_000, few, "centred"
    yield "exact 50 x 1000, robust", exact_means, 50, 1000, runs, "robust"
    yield "exact 1000 x 1000", exact_means, 1000, 1000, few, "centred"


def tables(runs: int) -> Iterator[str]:
    """Yield the lines of the tables."""
    head = f"{'':<38}" + "".join(
        f"{x:<18}" for x in ("error", "found at 1 %", "area", "separation")
    )
    yield head + f"{'formula':<10}s"
    for name, release, n, p, count, score in releases(runs):
        start = time.process_time()
        found = simulate_tracing(release, n, p, count, 0, score=score)
        formula = f"{score_moments(n, p, score).separation:.3f}"
        yield row(name, found, time.process_time() - start, formula)
    yield "\n" + head + f"{'bound':<10}s"
    for n in (100, 316, 1000, 4000, 10_000, 11_000, 16_000):
        start, slack = time.process_time(), Fraction(1, 4 * n)
        release = MarginalRelease.private_for(1000, ONE, slack)
        found = simulate_tracing(release, n, 1000, max(2, runs // 2), 0)
        bound = f"{float(tracing_bound(RATE, ONE, slack)):.4f}"
        yield row(f"private {n} x 1000", found, time.process_time() - start, bound)
    yield (
        f"\nrecords that suffice for error 0.1 with failure 0.1, 1000 signs: public "
        f"{public_records_needed(1000, TENTH, TENTH)}, private "
        f"{private_records_needed(1000, TENTH, TENTH, ONE)}; sqrt(p)/alpha is "
        f"{sqrt(1000) * 10:.0f}"
    )
    yield f"\n{'n private, m public, 1000 signs':<38}{'error':<18}{'found at 1 %':<18}"
    for n in (1000, 4000, 16_000):
        for m in (0, 50, 200, 500, 2000):
            slack = Fraction(1, 4 * n)
            release = MarginalRelease.private_for(1000, ONE, slack, public=m)
            found = simulate_tracing(release, n, 1000, max(2, runs // 4), 0, public=m)
            line = "".join(f"{shown(x):<18}" for x in (found.error, found.power(RATE)))
            yield f"{f'n = {n}, m = {m}':<38}{line}"
    for m in (50, 200, 500, 2000):
        alone = simulate_tracing(exact_means, m, 1000, max(2, runs // 4), 0)
        yield f"{f'public alone, m = {m}':<38}{shown(alone.error)}"


def plot(file: str, runs: int) -> None:
    """Draw true against false positives."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    rates = [
        Fraction(k, 1000) for k in (1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 200, 300, 500, 700)
    ]
    cases: list[tuple[str, StumpRelease, int, str]] = [
        ("exact, n = 50", exact_means, 50, "centred"),
        ("exact, n = 50, robust score", exact_means, 50, "robust"),
        ("exact, n = 316", exact_means, 316, "centred"),
        ("exact, n = 1000", exact_means, 1000, "centred"),
    ]
    private = MarginalRelease.private_for(1000, ONE, Fraction(1, 400))
    cases.append(("(1, 1/(4n))-private, n = 100", private, 100, "centred"))
    for name, release, n, score in cases:
        found = simulate_tracing(release, n, 1000, runs, 0, score=score)
        curve = [(float(rate), *estimate) for rate, estimate in found.curve(rates)]
        x, y, width = (np.array(column) for column in zip(*curve, strict=True))
        axes.plot(x, y, label=name)
        axes.fill_between(x, np.maximum(y - width, 1e-4), np.minimum(y + width, 1), alpha=0.3)
    ends = np.array([float(rate) for rate in rates])
    top = [float(tracing_bound(rate, ONE, Fraction(1, 400))) for rate in rates]
    axes.plot(ends, top, "k--", label="bound at eps = 1, n = 100")
    axes.plot(ends, ends, "k:", label="guessing")
    axes.set(xscale="log", xlabel="outsiders called members", ylabel="members found")
    axes.legend(fontsize="small")
    figure.savefig(file, metadata={"Date": None})


def main() -> None:
    """Print the tables, and draw the plot if requested."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--plot")
    asked = parser.parse_args()
    for line in tables(asked.runs):
        print(line, flush=True)  # noqa: T201
    if asked.plot:
        plot(asked.plot, asked.runs)


if __name__ == "__main__":
    main()
