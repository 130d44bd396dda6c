"""Release all halfspaces over a grid with public records: the error and its parts.

    python benchmarks/public_data_halfspaces.py [--side N] [--public M ...] [--private N]
                                                [--seeds K] [--queries Q] [--only NAME]

All releases have epsilon 1 and delta 1/10^6, on three distributions over the grid of N x N points.
Answers range from -1 to 1. The output for each run, in Markdown on standard output, is:

* ``cover``: the largest error over all queries of the cover, with respect to the distribution;
* its parts ``fit`` (with respect to the private sample) and ``sampling`` (of the sample), each the
  largest over all queries of the cover;
* ``projection``: the largest distance, over random halfspaces, of a query from its projection under
  the distribution; ``estimated`` is the estimate that the release returns;
* the largest error over the same random halfspaces: of the release (``pap``), of the same algorithm
  with an equal number of points that do not depend on the data (``private``), of the public records
  only, and of noise on the histogram of all points of the grid; ``gain`` is ``private / pap``.

The numbers are medians over the seeds. Random halfspaces have a uniform direction, and a record
from the distribution lies on their border.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ccsim.exact import Epsilon
from ccsim.privacy.noise import GeometricNoise
from ccsim.release.queries.grid_covers import Halfspace, HalfspaceCover
from ccsim.release.queries.public_data import QueryRelease, release_queries

EPSILON, DELTA = Epsilon.of(1), "1/1000000"
COLUMNS = ("concepts", "cells", "cover", "fit", "sampling", "projection", "estimated")
RELEASES = ("pap", "private", "public", "histogram", "gain")
TURNS = 1 << 20
Grid = npt.NDArray[np.float64]
Points = tuple[tuple[int, int], ...]


def distributions(side: int) -> dict[str, Grid]:
    """Return the probabilities of all points of the grid, one array for each distribution."""
    at = np.arange(side) / side

    def hill(x: float, y: float, wide: float) -> Grid:
        column, row = (np.exp(-((at - c) ** 2) / (2 * wide**2)) for c in (x, y))
        mass: Grid = np.outer(column, row)
        return mass / mass.sum()

    even = np.full((side, side), side**-2.0)
    return {
        "concentrated": 0.9 * hill(0.7, 0.3, 0.02) + 0.1 * even,
        "mixture": (hill(0.25, 0.3, 0.06) + hill(0.7, 0.75, 0.06) + hill(0.75, 0.2, 0.06)) / 3,
        "hill": hill(0.5, 0.5, 0.1),
        "broad": hill(0.5, 0.5, 0.2),
    }


def drawn(grid: Grid, number: int, rng: np.random.Generator) -> Points:
    """Return random records from a distribution on the grid."""
    chosen = rng.choice(grid.size, size=number, p=grid.ravel())
    return tuple((int(x), int(y)) for x, y in zip(*np.divmod(chosen, len(grid)), strict=True))


def random_halfspaces(grid: Grid, number: int, rng: np.random.Generator) -> list[Halfspace]:
    """Return halfspaces with integer weights, with a record on the border of each."""
    found: list[Halfspace] = []
    for x, y in drawn(grid, number, rng):
        turn = rng.uniform(0, 2 * np.pi)
        a, b = round(TURNS * np.cos(turn)), round(TURNS * np.sin(turn))
        found.append((a, b, a * x + b * y))
    return found


def labels(queries: Sequence[Halfspace], side: int) -> Iterator[Grid]:
    """Yield the signs of halfspaces on all points of the grid."""
    at = np.arange(side)
    for a, b, t in queries:
        yield 2.0 * (np.add.outer(int(a) * at, int(b) * at) >= int(t)) - 1


def nearest_distribution(values: Grid) -> Grid:
    """Return the distribution at the least Euclidean distance from the values."""
    ordered = np.sort(values.ravel())[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, ordered.size + 1)
    nearest: Grid = np.maximum(values - excess[np.flatnonzero(ordered > excess)[-1]], 0)
    return nearest


@dataclass(frozen=True)
class Run:
    """One set of records, and the errors of the releases on it."""

    grid: Grid
    public: Points
    private: Points
    queries: Sequence[Halfspace]
    rng: np.random.Generator

    def errors(self) -> dict[str, float]:
        """Return all columns of the table, and the time of the release with public records."""
        side = len(self.grid)
        true = np.array([(row * self.grid).sum() for row in labels(self.queries, side)])

        def off(release: QueryRelease[object, Halfspace]) -> float:
            return float(np.abs([release.answer(h) for h in self.queries] - true).max())

        began = time.process_time()
        cover = HalfspaceCover((side, side), self.public)
        pap = release_queries(cover, self.private, EPSILON, DELTA, self.rng)
        found = {"seconds": time.process_time() - began}
        found |= self.parts(cover, pap, true)
        even = drawn(np.full((side, side), side**-2.0), len(self.public), self.rng)
        apart = HalfspaceCover((side, side), even)
        private = release_queries(apart, self.private, EPSILON, DELTA, self.rng, method="private")
        public = release_queries(cover, [], EPSILON, 0, self.rng, method="public")
        found |= {"pap": off(pap), "private": off(private), "public": off(public)}
        counts = np.zeros_like(self.grid)
        np.add.at(counts, tuple(np.array(self.private).T), 1)
        noise = np.array(GeometricNoise(EPSILON, 2).draw(counts.size, self.rng))
        noisy = nearest_distribution((counts + noise.reshape(counts.shape)) / len(self.private))
        answers = [(row * noisy).sum() for row in labels(self.queries, side)]
        found["histogram"] = float(np.abs(answers - true).max())
        return found | {"gain": found["private"] / found["pap"]}

    def parts(
        self, cover: HalfspaceCover, pap: QueryRelease[object, Halfspace], true: Grid
    ) -> dict[str, float]:
        """Return the parts of the error of the release with public records."""
        masses = np.zeros(cover.cells)
        every = [(x, y) for x in range(len(self.grid)) for y in range(len(self.grid))]
        np.add.at(masses, [cover.cell(point) for point in every], self.grid.ravel())
        means = cover.sums(masses)
        sample = cover.sums(cover.counts(self.private) / len(self.private))
        released = np.array(pap.answers)
        projected = [cover.project(h) for h in self.queries]
        kept = [cover.kept[k] for k in projected]
        side = len(self.grid)
        missed = [
            (np.abs(row - other) * self.grid).sum()
            for row, other in zip(labels(self.queries, side), labels(kept, side), strict=True)
        ]
        return {
            "concepts": cover.concepts,
            "cells": cover.cells,
            "cover": float(np.abs(released - means).max()),
            "fit": float(np.abs(released - sample).max()),
            "sampling": float(np.abs(sample - means).max()),
            "projection": float(max(missed)),
            "estimated": pap.estimate.projection or 0.0,
        }


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--side", type=int, default=64)
    parser.add_argument("--public", type=int, nargs="+", default=[200])
    parser.add_argument("--private", type=int, default=3000)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--only")
    given = parser.parse_args()
    titles = ("distribution", "public", *COLUMNS, *RELEASES, "seconds")
    grid_name = f"{given.side} x {given.side}, {given.private} private records"
    print(f"{grid_name}; medians of {given.seeds} seeds\n")  # noqa: T201
    print(f"| {' | '.join(titles)} |\n|{' --- |' * len(titles)}")  # noqa: T201
    for name, grid in distributions(given.side).items():
        if given.only not in {None, name}:
            continue
        for number in given.public:
            runs = []
            for seed in range(given.seeds):
                rng = np.random.default_rng([seed, number, given.side])
                records = (drawn(grid, size, rng) for size in (number, given.private))
                queries = random_halfspaces(grid, given.queries, rng)
                runs.append(Run(grid, *records, queries, rng).errors())
            middle = {key: float(np.median([run[key] for run in runs])) for key in runs[0]}
            shown = [str(int(middle[key])) for key in COLUMNS[:2]]
            shown += [f"{middle[key]:.2f}" for key in (*COLUMNS[2:], *RELEASES)]
            shown.append(f"{middle['seconds']:.0f}")
            print(f"| {name} | {number} | {' | '.join(shown)} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
