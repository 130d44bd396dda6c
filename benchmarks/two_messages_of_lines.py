"""Search for sets of lines over Z_p that refute a claimed error with two messages.

    python benchmarks/two_messages_of_lines.py [--prime P] [--weights W V] [--error A/B]

A line and a point have weight `W` if the point is on the line, and `V` otherwise. The gain of a
class of lines depends on the numbers `n(x)` of its lines through the points `x`. In a class of `s`
lines, `s_a` of them with slope `a`, these numbers sum to `s` on every vertical line, and their
squares sum to `p s + s^2 - sum s_a^2` over all points. A dynamic program computes the largest gain
of integers with these sums. If it exceeds the gain that the error allows, all classes with these
`s_a` are tried, up to translations, multiples of both coordinates, and affine maps of the slopes.
One integer holds the gains of all classes that differ only in the lines of the last two slopes,
each in its own bit field. A class and its complement have the same gain.

By default the error is 211/525 over Z_7, for the weights 204 and 41. No checker verifies the
result; see `docs/benchmarks-minimax.md`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product
from operator import add

Slopes = tuple[int, ...]
Table = dict[int, int]  # of sums of squares: what is gained at most


class Lines:
    """The lines over Z_p and their weights, for two messages."""

    def __init__(self, p: int, on: int, off: int) -> None:
        self.p, self.step, self.off = p, on + off, off
        self.total = p**3 * on + p**3 * (p - 1) * off
        self.column = p * on - p * (p - 1) * off
        self.points = [(x, y) for x in range(p) for y in range(p)]

    def gain(self, n: int, s: int) -> int:
        """Return the gain of both classes at a point on ``n`` of the ``s`` lines of one class."""
        return max(abs(self.column), abs(2 * (self.step * n - self.off * s) - self.column))

    def on_vertical(self, s: int) -> Table:
        """Return the largest gain on a vertical line, for each sum of squares."""
        best = {(0, 0): 0}
        for _ in range(self.p):
            longer = dict[tuple[int, int], int]()
            for (sums, squares), gained in best.items():
                for n in range(min(self.p, s - sums) + 1):
                    key = sums + n, squares + n * n
                    longer[key] = max(longer.get(key, 0), gained + self.gain(n, s))
            best = longer
        return {squares: gained for (sums, squares), gained in best.items() if sums == s}

    def most(self, s: int) -> Table:
        """Return the largest gain of a class of ``s`` lines, for each sum of squares."""
        one, best = self.on_vertical(s), {0: 0}
        for _ in range(self.p):
            longer = Table()
            for (q, gained), (r, more) in product(best.items(), one.items()):
                longer[q + r] = max(longer.get(q + r, 0), gained + more)
            best = longer
        return best

    def left(self, allowed: int) -> Iterator[Slopes]:
        """Yield the decreasing numbers of lines of each slope whose gain may exceed ``allowed``."""
        p = self.p
        for s in range(p * p // 2 + 1):
            most = self.most(s)
            for slopes in decreasing(s, p, p):
                squares = p * s + s * s - sum(a * a for a in slopes)
                if most.get(squares, 0) > allowed:
                    yield slopes

    def orders(self, slopes: Slopes) -> list[Slopes]:
        """Return orders of the numbers, one for each orbit under affine maps of the slopes.

        A map `(x, y) -> (x, a x + b y)` sends slope `c` to `a + b c`.
        """
        p, found, seen = self.p, list[Slopes](), set[Slopes]()
        for order in sorted(set(permutations(slopes))):
            if order not in seen:
                found.append(order)
                maps = product(range(p), range(1, p))
                seen |= {tuple(order[(a + b * c) % p] for c in range(p)) for a, b in maps}
        return found

    def exceeded(self, slopes: Slopes, allowed: int) -> tuple[bool, int]:
        """Return whether some class has a larger gain, and the number of partial classes tried."""
        p, s, beginnings = self.p, sum(slopes), 0
        choices = [[*combinations(range(p), number)] for number in slopes]
        vectors = [
            {S: [int((y - a * x) % p in S) for x, y in self.points] for S in sets}
            for a, sets in enumerate(choices)
        ]
        ends = [[*map(add, v, w)] for v, w in product(vectors[-1].values(), vectors[-2].values())]
        bits = max(allowed, self.total).bit_length() + 2
        ones = sum(1 << bits * i for i in range(len(ends)))
        spare = (1 << bits - 1) - 1 - allowed

        @lru_cache(None)
        def gains(first: int, *numbers: int) -> int:
            """Return the gain at points with the given numbers of lines, for all completions."""
            return sum(
                sum(self.gain(n + end[first + j], s) for j, n in enumerate(numbers)) << bits * i
                for i, end in enumerate(ends)
            )

        def walk(a: int, numbers: list[int], moves: list[tuple[int, int, int]]) -> bool:
            """Return whether some completion has a larger gain; ``moves`` fix the chosen lines."""
            nonlocal beginnings
            if a == p - 2:
                beginnings += 1
                parts = (gains(i, *numbers[i : i + 3]) for i in range(0, p * p, 3))
                return sum(parts, spare * ones) >> bits - 1 & ones > 0
            for S in choices[a]:
                images = [tuple(sorted((t * b + v - a * u) % p for b in S)) for t, u, v in moves]
                if min(images) == S:
                    kept = [move for move, T in zip(moves, images, strict=True) if T == S]
                    if walk(a + 1, [*map(add, numbers, vectors[a][S])], kept):
                        return True
            return False

        return walk(0, [0] * (p * p), [*product(range(1, p), range(p), range(p))]), beginnings


def say(line: str) -> None:
    """Print a line immediately."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def decreasing(total: int, number: int, most: int) -> Iterator[Slopes]:
    """Yield the decreasing sequences of ``number`` integers up to ``most`` with the given sum."""
    if number == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most), -1, -1):
        for rest in decreasing(total - first, number - 1, first):
            yield (first, *rest)


def main() -> None:
    """Print the remaining numbers of lines of each slope, and whether a class has a larger gain."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--prime", type=int, default=7, help="at least 3")
    parser.add_argument("--weights", type=int, nargs=2, default=[204, 41], metavar=("W", "V"))
    parser.add_argument("--error", type=Fraction, default=Fraction(211, 525))
    given = parser.parse_args()
    lines, start = Lines(given.prime, *given.weights), time.process_time()
    allowed = lines.total * (1 - 2 * given.error)
    say(f"{lines.total} in all, of which classes may gain {allowed}")
    found = False
    for slopes in lines.left(int(allowed)):
        for order in lines.orders(slopes):
            more, beginnings = lines.exceeded(order, int(allowed))
            found |= more
            verdict = "one gains more" if more else "none gains more"
            seconds = time.process_time() - start
            say(f"{sum(order)} lines, {order}: {beginnings} beginnings, {verdict}, {seconds:.1f} s")
    say("the error is smaller" if found else "no protocol errs less")


if __name__ == "__main__":
    main()
