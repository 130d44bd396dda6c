"""Releases with and without public records at equal sample sizes: thresholds and boxes.

    python benchmarks/public_data_comparison.py [--seeds K] [--only thresholds|boxes]
                                                [--plot FILE.svg]

All releases have epsilon 1 and delta 1/10^6. Answers range from -1 to 1. Each error is the largest
difference from the true answer under the distribution, over all thresholds or over 400 random
boxes. The table contains medians over the seeds.

* thresholds over 2^64: log-normal records; the middle 95 % extend over a factor of 2^29;
* boxes over 64 x 64 points: a mixture of three hills, each of standard deviation 4 points. A random
  box is spanned by two records.

The method ``pap`` uses both samples. ``private`` uses only the private sample: for thresholds with
the points of a quantile tree, for boxes with the same algorithm and a cover from an equal number of
points that do not depend on the data. ``histogram`` adds noise to the counts of the cells that the
public points determine. ``public`` uses only the public sample. ``both`` returns the means over
both samples together and is not private.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import NormalDist, median

import numpy as np

from ccsim.exact import Epsilon
from ccsim.release.queries.covers import ThresholdCover
from ccsim.release.queries.grid_covers import Box, BoxCover
from ccsim.release.queries.public_data import QueryRelease, release_queries
from ccsim.release.sanitizers.thresholds import QuantileTree

EPSILON, DELTA = Epsilon.of(1), "1/1000000"
COLUMNS = ("pap", "histogram", "private", "public", "both")
SIZES = {
    "thresholds": ((300, 1000, 3000, 10_000), (50, 200, 400)),
    "boxes": ((1000, 3000, 10_000, 30_000), (25, 50)),
}
LAST, SIDE, BOXES = 2**64 - 1, 64, 400
DEVIATION = 29 * math.log(2) / (2 * NormalDist().inv_cdf(0.975))
HILLS = ((16, 20), (44, 48), (48, 12))
Point = tuple[int, int]
Errors = dict[str, float]


def log_normal(number: int, rng: np.random.Generator) -> list[int]:
    """Return records of the long range with a log-normal distribution."""
    logs = 32 * math.log(2) + DEVIATION * rng.normal(size=number)
    return [min(int(math.exp(x)), LAST) for x in logs]


def threshold_mean(threshold: int) -> float:
    """Return the answer to a threshold under the distribution."""
    if threshold in {0, LAST + 1}:
        return 1.0 if threshold else -1.0
    return 2 * NormalDist().cdf((math.log(threshold) - 32 * math.log(2)) / DEVIATION) - 1


def threshold_error(release: QueryRelease[int, int]) -> float:
    """Return the largest error over all thresholds, which occurs at the end of a step."""
    points = set(release.cover.public)
    cuts = {0, LAST + 1, *points, *(x + 1 for x in points)}
    return max(abs(release.answer(t) - threshold_mean(t)) for t in cuts)


def thresholds(private: int, public: int, seed: int) -> Errors:
    """Return the errors of one run on thresholds."""
    rng = np.random.default_rng(seed)
    known, records = log_normal(public, rng), log_normal(private, rng)
    cover = ThresholdCover(LAST, tuple(known))
    found = {
        method: threshold_error(release_queries(cover, records, EPSILON, DELTA, rng, method=method))
        for method in ("pap", "histogram", "public")
    }
    tree = QuantileTree(LAST, EPSILON)
    apart = ThresholdCover(LAST, tree.release(tree.draw(records, rng)))
    together = ThresholdCover(LAST, tuple(known + records))
    for name, used in {"private": apart, "both": together}.items():
        release = release_queries(used, [], EPSILON, 0, rng, method="public")
        found[name] = threshold_error(release)
    return found


def hills() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the probabilities of all points of the grid."""
    at = np.arange(SIDE)
    parts = [np.outer(*(np.exp(-((at - c) ** 2) / 32) for c in centre)) for centre in HILLS]
    mass = sum(part / part.sum() for part in parts) / len(parts)
    return np.asarray(mass)


def drawn(number: int, rng: np.random.Generator) -> list[Point]:
    """Return random records from the hills."""
    chosen = rng.choice(SIDE * SIDE, size=number, p=hills().ravel())
    return [(int(x) // SIDE, int(x) % SIDE) for x in chosen]


def mass_of(box: Box, mass: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """Return the answer to a box under the distribution, from -1 to 1."""
    (left, right), (low, high) = box
    return float(2 * mass[left : right + 1, low : high + 1].sum() - 1)


def boxes(private: int, public: int, seed: int) -> Errors:
    """Return the errors of one run on boxes."""
    rng = np.random.default_rng(seed)
    known, records = drawn(public, rng), drawn(private, rng)
    corners = zip(drawn(BOXES, rng), drawn(BOXES, rng), strict=True)
    asked: list[Box] = [
        ((min(a, c), max(a, c)), (min(b, d), max(b, d))) for (a, b), (c, d) in corners
    ]
    true = [mass_of(box, hills()) for box in asked]

    def off(answer: Callable[[Box], float]) -> float:
        return max(abs(answer(box) - mean) for box, mean in zip(asked, true, strict=True))

    cover = BoxCover((SIDE, SIDE), tuple(known))
    found = {
        method: off(release_queries(cover, records, EPSILON, DELTA, rng, method=method).answer)
        for method in ("pap", "histogram", "public")
    }
    even = tuple((int(x), int(y)) for x, y in rng.integers(SIDE, size=(public, 2)))
    apart = BoxCover((SIDE, SIDE), even)
    release = release_queries(apart, records, EPSILON, DELTA, rng, method="private")
    counts = np.zeros((SIDE, SIDE))
    np.add.at(counts, tuple(np.array(known + records).T), 1)
    found["private"] = off(release.answer)
    found["both"] = off(partial(mass_of, mass=counts / counts.sum()))
    return found


RUNS = {"thresholds": thresholds, "boxes": boxes}


def medians(name: str, seeds: int) -> Iterator[tuple[int, int, Errors]]:
    """Yield the median errors for each pair of sample sizes."""
    for m in SIZES[name][1]:
        for n in SIZES[name][0]:
            runs = [RUNS[name](n, m, seed) for seed in range(seeds)]
            yield n, m, {c: median(run[c] for run in runs) for c in COLUMNS}


def plot(path: str, found: Mapping[str, Sequence[tuple[int, int, Errors]]]) -> None:
    """Draw errors against private records, one panel for each class and public sample."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "comparison"
    panels = [(name, m) for name in found for m in sorted({m for _, m, _ in found[name]})]
    figure = Figure(figsize=(2.3 * len(panels), 3.6), layout="constrained")
    for axes, (name, m) in zip(
        figure.subplots(1, len(panels), sharey=True, squeeze=False)[0], panels, strict=True
    ):
        rows = [(n, errors) for n, public, errors in found[name] if public == m]
        for column in COLUMNS:
            label = "both, not private" if column == "both" else column
            axes.loglog([n for n, _ in rows], [e[column] for _, e in rows], marker="o", label=label)
        axes.set(title=f"{name}, {m} public", xlabel="private records")
    figure.axes[0].set_ylabel("largest error")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Print the tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", choices=RUNS)
    parser.add_argument("--plot")
    given = parser.parse_args()
    found: dict[str, list[tuple[int, int, Errors]]] = {}
    for name in [given.only] if given.only else RUNS:
        head = f"| public | private | {' | '.join(COLUMNS)} |"
        sys.stdout.write(f"\n{name}\n\n{head}\n{'|---' * (2 + len(COLUMNS))}|\n")
        for n, m, errors in medians(name, given.seeds):
            found.setdefault(name, []).append((n, m, errors))
            values = " | ".join(f"{errors[c]:.3f}" for c in COLUMNS)
            sys.stdout.write(f"| {m} | {n} | {values} |\n")
            sys.stdout.flush()
    if given.plot:
        plot(given.plot, found)


if __name__ == "__main__":
    main()
