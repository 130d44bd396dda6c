"""Bound the Littlestone dimension of the halfspaces on {0,1}^6 by an explicit mistake tree.

    python benchmarks/halfspaces_of_the_6_cube.py [--depth D] [--work W] [--refute]

The threshold functions are made from integer weights ``9 >= w_1 >= .. >= w_6 >= 0`` by permuting
and negating variables, so that each of them is one; their number is the published 15 028 134 (OEIS
A000609), so that none is missing. As it is below ``2**24``, no mistake tree is deeper than 23. From
below a tree is grown, most balanced point first, and every one of its paths is checked. Needs about
a gigabyte and some minutes. With ``--refute`` it is tried first to exclude a tree of depth 23 by
the sizes of sides, up to the symmetries of the cube, which takes much longer.
"""

from __future__ import annotations

import argparse
from itertools import combinations_with_replacement, permutations, product

import numba
import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

N = 6
PUBLISHED = 15_028_134
LEAST = 8
"""Depth below which no further points are tried to refute a set."""
CUBE = np.array(list(product((0, 1), repeat=N)))


def threshold_functions() -> Words:
    """Return all threshold functions on the cube, point ``x`` being bit ``x``, in order."""
    ordered = set()
    for weights in combinations_with_replacement(range(9, -1, -1), N):
        values = CUBE @ np.array(weights)
        for threshold in (*np.unique(values), values.max() + 1):
            ordered.add((values >= threshold).astype(np.uint8).tobytes())
    place = 1 << np.arange(N - 1, -1, -1)
    moves = np.array([(CUBE[:, p] ^ s) @ place for p in permutations(range(N)) for s in CUBE])
    found = []
    for function in sorted(ordered):
        images = np.packbits(np.frombuffer(function, np.uint8)[moves], axis=1, bitorder="little")
        found.append(np.unique(images.view(np.uint64)))
    return np.unique(np.concatenate(found))


@numba.njit(cache=True)
def partition(functions: Words, low: int, high: int, x: int) -> int:
    """Put the functions with label 0 on a point first and return where those with 1 begin."""
    bit, i, j = np.uint64(x), low, high - 1
    while i <= j:
        if (functions[i] >> bit) & np.uint64(1):
            functions[i], functions[j] = functions[j], functions[i]
            j -= 1
        else:
            i += 1
    return i


@numba.njit(cache=True)
def grow(
    functions: Words, low: int, high: int, depth: int, node: int, points: Ints, work: Ints
) -> bool:
    """Grow a tree of a depth for ``functions[low:high]`` at a node, or give up.

    Node ``v`` has the children ``2 v`` and ``2 v + 1``; its point is ``points[v]``. Far from the
    leaves few points are tried, so that a wrong choice costs little.
    """
    size = high - low
    if size < 1 << depth or work[0] < 0:
        return False
    if depth == 0:
        return True
    work[0] -= size
    ones = np.zeros(64, np.int64)
    for i in range(low, high):
        for x in range(64):
            ones[x] += np.int64((functions[i] >> np.uint64(x)) & np.uint64(1))
    smaller = np.minimum(ones, size - ones)
    choices = 64 if depth < 10 else 4 if depth < 14 else 2
    for x in np.argsort(-smaller)[:choices]:
        if smaller[x] < 1 << (depth - 1):
            return False
        middle = partition(functions, low, high, x)
        points[node] = x
        sides = [(low, middle, 2 * node), (middle, high, 2 * node + 1)]
        if high - middle < middle - low:
            sides.reverse()
        served = True
        for begin, end, child in sides:
            served = served and grow(functions, begin, end, depth - 1, child, points, work)
        if served:
            return True
    return False


def check(points: Ints, depth: int, functions: Words) -> None:
    """Check every path: some threshold function agrees with all nodes on it."""
    nodes = np.ones(len(functions), np.int64)  # where each function leads
    for _ in range(depth):
        labels = functions >> points[nodes].astype(np.uint64) & np.uint64(1)
        nodes = 2 * nodes + labels.astype(np.int64)
    reached = np.unique(nodes)
    if len(reached) != 1 << depth or reached[0] != 1 << depth:
        msg = f"{len(reached)} of {1 << depth} leaves are reached by threshold functions"
        raise SystemExit(msg)


@numba.njit(cache=True)
def ones_on(functions: Words) -> Ints:
    """Return the number of functions with label 1 on each point."""
    ones = np.zeros(64, np.int64)
    for function in functions:
        for x in range(64):
            ones[x] += np.int64((function >> np.uint64(x)) & np.uint64(1))
    return ones


class Refutation:
    """The search for a proof that there is no mistake tree of a depth.

    A set of functions has none if it is too small, or if every point has a side that has no tree of
    depth one less. A set is known by the literals ``2 x + b`` that all its functions share, up to
    the symmetries of the cube and complement: those permute the threshold functions.
    """

    def __init__(self) -> None:
        place = 1 << np.arange(N - 1, -1, -1)
        moved = [(CUBE[:, p] ^ s) @ place for p in permutations(range(N)) for s in CUBE]
        points = np.array(moved, np.int16)
        literals = np.stack((2 * points, 2 * points + 1), axis=2).reshape(len(points), 128)
        self.moves = np.concatenate((literals, literals ^ 1))
        self.values = np.random.default_rng(0).integers(1, 1 << 56, 128)
        self.known: dict[tuple[int, ...], bool] = {}

    def image(self, shared: list[int]) -> tuple[int, ...]:
        """Return one image of a set of literals, the same for most sets of an orbit."""
        images = self.moves[:, shared]
        best = images[np.argmin(self.values[images].sum(axis=1))]
        return tuple(sorted(best.tolist()))

    def holds(self, functions: Words, depth: int) -> bool:
        """Say whether a set is seen to have no tree of a depth."""
        size = len(functions)
        if size < 1 << depth:
            return True
        ones = ones_on(functions)
        shared = [2 * x + 1 for x in range(64) if ones[x] == size]
        key = (depth, *self.image(shared + [2 * x for x in range(64) if ones[x] == 0]))
        if key not in self.known:
            smaller = np.minimum(ones, size - ones)
            left = np.flatnonzero(smaller >= 1 << (depth - 1))
            if not shared and size == PUBLISHED:
                left = left[:1]  # all points are alike
            self.known[key] = len(left) == 0 or (
                depth > LEAST and all(self._side(functions, depth, x, ones) for x in left)
            )
        return self.known[key]

    def _side(self, functions: Words, depth: int, x: int, ones: Ints) -> bool:
        held = (functions >> np.uint64(x)) & np.uint64(1) == 1
        small = 2 * ones[x] <= len(functions)
        return self.holds(functions[held == small], depth - 1) or self.holds(
            functions[held != small], depth - 1
        )


def main() -> None:
    """Print the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=22)
    parser.add_argument("--work", type=float, default=1e10, help="functions looked at")
    parser.add_argument("--refute", action="store_true", help="try to refute depth 23")
    options = parser.parse_args()
    functions = threshold_functions()
    if len(functions) != PUBLISHED:
        msg = f"{len(functions)} threshold functions were made, not {PUBLISHED}"
        raise SystemExit(msg)
    print(f"{PUBLISHED} threshold functions: Littlestone dimension at most 23")  # noqa: T201
    if options.refute:
        refutation = Refutation()
        seen = refutation.holds(functions, 23)
        print(f"depth 23 {'is' if seen else 'is not'} refuted, {len(refutation.known)} sets")  # noqa: T201
    points = np.zeros(1 << options.depth, np.int64)
    work = np.array([int(options.work)])
    if not grow(functions.copy(), 0, len(functions), options.depth, 1, points, work):
        msg = f"no mistake tree of depth {options.depth} was found"
        raise SystemExit(msg)
    check(points, options.depth, functions)
    print(f"every path of a mistake tree of depth {options.depth} is realised")  # noqa: T201


if __name__ == "__main__":
    main()
