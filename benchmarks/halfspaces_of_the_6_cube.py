"""Prove that the Littlestone dimension of the halfspaces on {0,1}^6 is 22.

    python benchmarks/halfspaces_of_the_6_cube.py [--depth D] [--work W] [--no-refutation]

All threshold functions are generated from integer weights ``9 >= w_1 >= .. >= w_6 >= 0`` by
permuting and negating variables. Their number is the published number 15 028 134 (OEIS A000609), so
that none is missing. For the lower bound, a mistake tree is grown, with the most balanced points
tried first, and every path is checked. For the upper bound, trees of depth 23 are refuted by the
sizes of version spaces up to symmetry, and every entry of the refutation is checked once more with
all functions.

A certificate with the whole class would have a gigabyte, four times the limit for certificates; so
this program is the proof. It takes two gigabytes of memory and some minutes. Its loops are compiled
by numba, which `pip install '.[benchmarks]'` installs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations, product

import numba
import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Literals = npt.NDArray[np.uint8]

N = 6
PUBLISHED = 15_028_134
WHOLE = 15
"""Least depth at which sets are compared up to all symmetries, not those of the 6-cube alone."""
CUBE = np.array(list(product((0, 1), repeat=N)))
SIGNS = np.hstack((np.ones((64, 1), np.int64), 2 * CUBE - 1))


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
    """Move the functions with label 0 on a point to the front; return where the others begin."""
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
    """Grow a mistake tree of the given depth for ``functions[low:high]``; return if it succeeds.

    Node ``v`` has the children ``2 v`` and ``2 v + 1``; its point is ``points[v]``. At large depths
    only a few points are tried, so that a bad choice costs little time.
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
    """Check that every path of the tree agrees with some threshold function."""
    nodes = np.ones(len(functions), np.int64)  # where each function leads
    for _ in range(depth):
        labels = functions >> points[nodes].astype(np.uint64) & np.uint64(1)
        nodes = 2 * nodes + labels.astype(np.int64)
    reached = np.unique(nodes)
    if len(reached) != 1 << depth or reached[0] != 1 << depth:
        raise SystemExit(
            f"{len(reached)} of {1 << depth} leaves are reached by threshold functions"
        )


@numba.njit(cache=True)
def ones_on(functions: Words) -> Ints:
    """Return the number of functions with label 1 on each point, counting 15 functions at once."""
    ones = np.zeros(64, np.int64)
    for begin in range(0, len(functions), 15):
        digits = np.zeros(4, np.uint64)  # of 64 counters in binary
        for carry in functions[begin : begin + 15]:
            for i in range(4):
                digits[i], carry = digits[i] ^ carry, digits[i] & carry  # noqa: PLW2901
        for x in range(64):
            for i in range(4):
                ones[x] += np.int64((digits[i] >> np.uint64(x)) & np.uint64(1)) << i
    return ones


def literal_images(order: Sequence[int], changes: Sequence[int]) -> Ints:
    """Return the images of all literals under a permutation of seven signs and changes of signs.

    Literal ``2 x + b`` is label ``b`` on point ``x``. With bits written as signs, a threshold
    function is ``F(1, x)`` for an odd threshold function ``F`` of seven signs. Permutations and
    changes of signs map such functions ``F`` to each other. The image of a literal is a literal on
    ``(1, y)``, or the opposite of one on ``(-1, -y)``.
    """
    moved = SIGNS[:, order] * np.array(changes)
    y = (moved[:, 1:] * moved[:, :1] + 1) // 2 @ (1 << np.arange(N - 1, -1, -1))
    label_of_one = (moved[:, 0] > 0).astype(np.int64)
    return np.stack((2 * y + 1 - label_of_one, 2 * y + label_of_one), 1).reshape(128)


@numba.njit(cache=True)
def moved_by(images: Ints, functions: Words) -> Words:
    """Return the functions whose literals are the images of the literals of the given functions."""
    moved = np.zeros_like(functions)
    for i in range(len(functions)):
        for x in range(64):
            label = (functions[i] >> np.uint64(x)) & np.uint64(1)
            image = images[2 * x + np.int64(label)]
            moved[i] |= np.uint64(image & 1) << np.uint64(image >> 1)
    return moved


def check_generators(functions: Words) -> None:
    """Check that exchanging two signs, or changing one, permutes the threshold functions."""
    for i in range(N + 1):
        order, changes = list(range(N + 1)), [1] * (N + 1)
        order[i], order[i - 1] = order[i - 1], order[i]
        changes[i] = -1
        for images in (literal_images(order, [1] * (N + 1)), literal_images(range(N + 1), changes)):
            if not np.array_equal(np.sort(moved_by(images, functions)), functions):
                raise SystemExit(f"moving sign {i} does not permute the threshold functions")


def signed_permutations() -> Literals:
    """Return the images of all literals under all symmetries; those that keep sign 0 come first."""
    moves = product(permutations(range(N + 1)), product((1, -1), repeat=N))
    images = np.array([literal_images(p, (1, *s)) for p, s in moves], np.uint8)
    return np.concatenate((images, images ^ 1))


@numba.njit(cache=True)
def first_image(symmetries: Literals, values: Ints, literals: Ints) -> int:
    """Return the symmetry that minimises the sum of the values of the images of some literals."""
    best, least = 0, np.int64(1) << 62
    for g in range(len(symmetries)):
        total = np.int64(0)
        for literal in literals:
            total += values[symmetries[g, literal]]
        if total < least:
            best, least = g, total
    return best


@numba.njit(cache=True)
def with_bits(functions: Words, mask: np.uint64, bits: np.uint64) -> Words:
    """Return the functions whose bits inside a mask are the given bits."""
    found = 0
    for function in functions:
        found += function & mask == bits
    kept = np.empty(found, np.uint64)
    found = 0
    for function in functions:
        if function & mask == bits:
            kept[found] = function
            found += 1
    return kept


def agreeing(functions: Words, literals: list[int]) -> Words:
    """Return the functions that agree with all given literals."""
    ones = sum(1 << (v >> 1) for v in literals if v & 1)
    zeros = sum(1 << (v >> 1) for v in literals if not v & 1)
    return with_bits(functions, np.uint64(ones | zeros), np.uint64(ones))


def shared(functions: Words) -> tuple[list[int], Ints]:
    """Return the literals on which all functions agree, and the number of ones on each point."""
    ones = ones_on(functions)
    return [2 * x + int(n > 0) for x, n in enumerate(ones) if n in (0, len(functions))], ones


class Refutation:
    """Version spaces that have no mistake tree of a given depth, each with a proof.

    A version space has no tree of depth ``d`` if it is too small or if, for every point, the side
    of one label has no tree of depth ``d - 1``. A version space is identified, up to symmetry, by
    the literals on which all its functions agree. An entry consists of a depth, these literals and,
    for each point that sizes do not exclude, a label with the index of the entry that refutes this
    side.
    """

    def __init__(self) -> None:
        self.symmetries = signed_permutations()
        half, few = len(self.symmetries) // 2, 64 * 720
        self.fewer = np.concatenate((self.symmetries[:few], self.symmetries[half : half + few]))
        self.values = np.random.default_rng(0).integers(1, 1 << 54, 128)
        self.entries: list[tuple[int, list[int], dict[int, tuple[int, int]]]] = []
        self.known: dict[tuple[int, ...], int | None] = {}

    def orbit(self, depth: int, literals: list[int]) -> tuple[int, ...]:
        """Return the depth and an image of a set of literals, usually the same for an orbit."""
        symmetries = self.symmetries if depth >= WHOLE else self.fewer
        chosen = np.array(literals, np.int64)
        image = symmetries[first_image(symmetries, self.values, chosen), chosen]
        return (depth, *sorted(image.tolist()))

    def refute(self, functions: Words, depth: int) -> int | None:
        """Return the index of an entry that refutes a depth for a set of functions, or None."""
        literals, ones = shared(functions)
        key = self.orbit(depth, literals)
        if key not in self.known:
            smaller = np.minimum(ones, len(functions) - ones)
            steps: dict[int, tuple[int, int]] = {}
            for x in np.argsort(-smaller).tolist():
                if smaller[x] >= 1 << (depth - 1):
                    step = self._side(functions, depth, literals, ones, x)
                    if step is None:
                        self.known[key] = None
                        return None
                    steps[x] = step
            self.known[key] = len(self.entries)
            self.entries.append((depth, literals, steps))
        return self.known[key]

    def _side(
        self, functions: Words, depth: int, literals: list[int], ones: Ints, x: int
    ) -> tuple[int, int] | None:
        """Return a label of a point (smaller side first) and the entry that refutes its side."""
        first = int(2 * ones[x] <= len(functions))
        for label in (first, 1 - first):
            key = self.orbit(depth - 1, [*literals, 2 * x + label])
            if key not in self.known:
                side = agreeing(functions, [2 * x + label])
                self.known[key] = self.refute(side, depth - 1)
            if (entry := self.known[key]) is not None:
                return label, entry
        return None

    def check(self, functions: Words, depth: int) -> None:
        """Check every entry with all functions; the last entry must be that of all functions."""
        for number, (height, literals, steps) in enumerate(self.entries):
            space = agreeing(functions, literals)
            ones = ones_on(space)
            for x in range(64):
                if min(ones[x], len(space) - ones[x]) < 1 << (height - 1):
                    continue
                label, entry = steps[x]
                below, served, _ = self.entries[entry]
                side = shared(agreeing(space, [2 * x + label]))[0]
                alike = self.orbit(below, side) == self.orbit(below, served)
                if entry >= number or below != height - 1 or not alike:
                    raise SystemExit(
                        f"entry {number}: entry {entry} does not serve label {label} on point {x}"
                    )
        if self.entries[-1][:2] != (depth, []):
            raise SystemExit("the last entry is not about all functions")


def main() -> None:
    """Print the bounds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=22)
    parser.add_argument("--work", type=float, default=1e10, help="functions looked at")
    parser.add_argument("--no-refutation", action="store_true", help="grow the tree alone")
    options = parser.parse_args()
    functions = threshold_functions()
    if len(functions) != PUBLISHED:
        raise SystemExit(f"{len(functions)} threshold functions were made, not {PUBLISHED}")
    print(f"{PUBLISHED} threshold functions: Littlestone dimension at most 23")  # noqa: T201
    if not options.no_refutation:
        check_generators(functions)
        print("the symmetries permute them")  # noqa: T201
        refutation = Refutation()
        if refutation.refute(functions, 23) is None:
            raise SystemExit("depth 23 was not refuted")
        print(f"depth 23 is refuted by {len(refutation.entries)} entries")  # noqa: T201
        refutation.check(functions, 23)
        print("every entry is checked: Littlestone dimension at most 22")  # noqa: T201
    points = np.zeros(1 << options.depth, np.int64)
    work = np.array([int(options.work)])
    if not grow(functions.copy(), 0, len(functions), options.depth, 1, points, work):
        raise SystemExit(f"no mistake tree of depth {options.depth} was found")
    check(points, options.depth, functions)
    print(f"every path of a mistake tree of depth {options.depth} is realised")  # noqa: T201


if __name__ == "__main__":
    main()
