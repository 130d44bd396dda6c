"""Compositions of mechanisms: the delta, or the factor, that several runs require together.

For events E of two distributions, the points (Q(E), P(E)) lie below a least concave curve. A pair
whose outcomes are the edges of this curve requires, at each factor, as much as all compared pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import accumulate, pairwise, permutations
from math import inf, lcm
from typing import Annotated, Any

from .losses import Edge, Grid, Ratios, Table
from .mechanisms import Mechanism
from .reader import *
from .rules import *

MAX_RUNS = 1 << 20  # most runs of all mechanisms together
MAX_BITS = 1 << 12  # most bits of a rounded mass
Pair = tuple[int, int]


@dataclass(slots=True)
class Runs:
    """The mechanisms, and the number of runs of each."""

    title: str
    mechanisms: list[Mechanism]
    times: list[int]
    adaptive: bool

    @classmethod
    def read(cls, value: object, _: object) -> Runs:
        """Read the mechanisms, which need common databases unless they are chosen adaptively."""
        keys = "type", "name", "adaptive", "times", "mechanisms"
        kind, name, adaptive, times, listed = fields(value, *keys)
        require(kind == "composition", "type must be composition, not {}", kind)
        inside("name", naming, name)
        require(type(adaptive) is bool, "adaptive must be true or false, not {}", adaptive)
        found = inside("mechanisms", each, Mechanism.read, listed, None)
        runs = inside("times", lambda: each(integer, times, 1, length=len(found)))
        rule = f"there must be from 1 to {MAX_RUNS} runs, not {{}}"
        require(0 < sum(runs) <= MAX_RUNS, rule, sum(runs))
        alike = all((len(M.laws), M.near) == (len(found[0].laws), found[0].near) for M in found)
        require(adaptive or alike, "the mechanisms must have the same pairs of databases")
        listed = [f"{k} of {M.title}" for k, M in zip(runs, found, strict=True)]
        how = "adaptive runs" if adaptive else "runs on one pair of neighbours"
        return cls(f"{how}, {' and '.join(listed)}", found, runs, adaptive)


def distinct_pairs(mechanisms: list[Mechanism]) -> list[Pair]:
    """Return ordered pairs of neighbours, one for each combination of distributions."""
    numbers, known = list[list[int]](), dict[str, Pair]()
    for M in mechanisms:
        spend(5 * sum(map(len, M.laws)))
        texts = [" ".join(hex(id(w)) for w in law) for law in M.laws]
        first = {text: i for i, text in reversed([*enumerate(texts)])}
        numbers.append([first[text] for text in texts])
    for around in mechanisms[0].near:
        spend(len(around) ** 2 * (25 + 5 * len(numbers)))
        for i, j in permutations(around, 2):
            known.setdefault(" ".join(f"{n[i]} {n[j]}" for n in numbers), (i, j))
    return list(known.values())


def _by_falling_ratio(x: Edge, y: Edge) -> int:
    return y[0] * x[1] - x[0] * y[1]


def edges_of(M: Mechanism, pairs: Iterable[Pair], *, up: bool) -> tuple[list[Edge], int]:
    """Return the edges of the curve above all events of ordered pairs, and the mass of 1."""
    sums = [(sum(w.low for w in law), sum(w.high for w in law)) for law in M.laws]
    used = [*different(n for ends in sums for n in ends).values()]
    exact = all(low == high for low, high in sums)
    spend(sum(n.bit_length() for n in used) ** 2 >> 10 if exact else 0)
    unit = lcm(*used) if exact else 1 << M.powers.bits
    size = (unit.bit_length() >> 5) ** 2
    spend(sum(map(len, M.laws)) * (10 + size))
    laws = [*zip(M.laws, sums, strict=True)]
    high = [[-(-w.high * unit // s) for w in law] for law, (s, _) in laws]
    low = [[w.low * unit // s for w in law] for law, (_, s) in laws]
    (over, under), curve = (high, low) if up else (low, high), list[Edge]()
    for i, j in pairs:
        spend((len(over[i]) + len(curve)) * (80 + size))
        outcomes = [(p, q) for p, q in zip(over[i], under[j], strict=True) if p]
        outcomes.sort(key=cmp_to_key(_by_falling_ratio))
        masses = (
            accumulate(each_mass)
            for each_mass in ([q for _, q in outcomes], [p for p, _ in outcomes])
        )
        curve = concave([*curve, *zip(*masses, strict=True)])
    return [(y - b, x - a) for (a, b), (x, y) in pairwise([(0, 0), *curve])], unit


def concave(points: Iterable[Edge]) -> list[Edge]:
    """Return the corners, after the origin, of the least concave curve above points (q, p)."""
    found = [(0, 0)]
    for x, y in sorted(points):
        while len(found) > 1 and y > found[-1][1]:
            (a, b), (c, d) = found[-2:]
            if (c - a) * (y - b) < (d - b) * (x - a):
                break
            found.pop()
        found += [(x, y)] * (y > found[-1][1])
    return found[1:]


def _rounding(value: object, _: object) -> Callable[..., Ratios]:
    """Read null, for exact masses, or a number of bits and the number of a grid, or null."""
    if value is None:
        return partial(Ratios, None)
    bits, grid = inside(0, integer, entries(value, 2)[0], 8), entries(value)[1]
    require(bits <= MAX_BITS, f"bits must be at most {MAX_BITS}, not {{}}", bits)
    return (
        partial(Ratios, bits) if grid is None else partial(Grid, inside(1, integer, grid, 1), bits)
    )


Bound = Annotated[Any, lambda v, _: inf if v == "infinity" else fraction(v)]
Given = Annotated[Fraction | None, lambda value, _: None if value is None else fraction(value)]
Rounding = Annotated[Callable[..., Ratios], _rounding]
Two = Annotated[list[int] | None, lambda v, _: None if v is None else each(integer, v, length=2)]


class Composition(Quantity, kind="composition"):
    """The least delta at a factor, or the least factor >= 1 at a delta, of several runs.

    The bounds are on the parameter that is null.
    """

    instance: Annotated[Runs, Runs.read]
    factor: Given
    delta: Given
    number = staticmethod(Bound.__metadata__[0])

    @least
    def losses_down(self, pair: Two, rounding: Rounding, bound: Bound) -> Any:  # noqa: ANN401
        """Compute the excess of a product of losses, rounded down, at the pair or adaptively."""
        runs = self.instance
        require((pair is None) == runs.adaptive, "pair must be null exactly for adaptive runs")
        near = runs.mechanisms[0].near
        known = pair is None or any(all(i in around for i in pair) for around in near)
        require(known, "the pair must consist of neighbours")
        pairs = None if pair is None else [(pair[0], pair[1])]
        p, q, factor = self._event(pairs, rounding(up=False), bound)
        excess = max(p - factor * q, 0) if q else p
        if self.factor is None:
            known = bound == 1 or excess >= (self.delta or 0) < p
            require(
                known, "at the bound, the runs are proved to require only a delta of {}", excess
            )
        else:
            require(excess >= bound, "the runs are proved to require only a delta of {}", excess)
        return bound

    @most
    def losses_up(self, rounding: Rounding, bound: Bound) -> Any:  # noqa: ANN401
        """Compute the excess of each product of losses, rounded up."""
        runs = self.instance
        pairs = [None] if runs.adaptive else [[pair] for pair in distinct_pairs(runs.mechanisms)]
        d, rule = bound if self.delta is None else self.delta, rounding(up=True)
        for each_one in pairs:
            p, q, factor = self._event(each_one, rule, bound)
            excess = p - factor * q if q else p
            require(excess <= d, "the runs may require a delta of {}, more than {}", excess, d)
        return bound

    def _event(self, pairs: list[Pair] | None, rule: Ratios, bound: Bound) -> Any:  # noqa: ANN401
        """Return both probabilities of the likelier event of some pairs, or all, and the factor."""
        only = "exactly one of factor and delta must be null"
        require((self.factor is None) != (self.delta is None), only)
        factor, up = bound if self.factor is None else self.factor, rule.up
        require(factor >= 1, "the factor must be at least 1")
        halves, odd = [rule.power(Table([], 0, rule.unit), 0) for _ in range(2)], 0
        for M, times in zip(self.instance.mechanisms, self.instance.times, strict=True):
            table = rule.table(*edges_of(M, pairs or distinct_pairs([M]), up=up))
            first = (times + odd) // 2
            odd ^= times % 2
            for half, k in enumerate((first, times - first)):
                halves[half] = (
                    rule.product(halves[half], rule.power(table, k)) if k else halves[half]
                )
        return *rule.event(halves[0], halves[1], None if factor == inf else factor), factor
