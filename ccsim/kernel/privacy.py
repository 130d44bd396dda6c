"""Privacy of a mechanism: its output distributions on neighbouring databases, in Q or Q(t)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Annotated, Any

from .mechanisms import Event, Mechanism, Place
from .powers import Ratio, Value
from .reader import *
from .rules import *


def _sum(values: Iterable[Value]) -> Value:
    return sum(values, Value(0, 0, 0, 0))


def _bound(value: object, it: Quantity) -> Any:  # noqa: ANN401 - a ratio
    return it.instance.powers.number(value, infinite=True)


Bound = Annotated[Ratio, _bound]
Given = Annotated[Ratio | None, lambda v, it: None if v is None else it.instance.powers.number(v)]


class Privacy(Quantity, kind="privacy"):
    """The least delta, or the least factor >= 1, with p(E) <= factor q(E) + delta for all events E.

    The bounds are on the parameter that is null; p and q are the distributions on two neighbours.
    """

    instance: Annotated[Mechanism, Mechanism.read]
    factor: Given
    delta: Given
    number = staticmethod(_bound)

    @least
    def event(self, database: Place, neighbour: Place, outcomes: Event, bound: Bound) -> Ratio:
        """Check an event that proves the bound: p(E) - delta = factor q(E), and p(E) > delta."""
        M, f, d = self.instance, *self._both(bound)
        spend(sum(map(len, M.near)) + 60 * len(M.laws[0]))
        near = any(database in block and neighbour in block for block in M.near)
        near = near or database == neighbour
        require(near, "databases {} and {} are not neighbours", database, neighbour)
        p, q, sign = M.laws[database], M.laws[neighbour], M.powers.sign
        more = _sum(p[o] for o in outcomes) * d.under - d.over * _sum(p)
        less = _sum(q[o] for o in outcomes) * d.under * f.over * _sum(p)
        asked = not sign(more * f.under * _sum(q) - less) and (d is bound or sign(more) > 0)
        require(
            asked or (f is bound and not sign(f.over - f.under)),
            "the event E must prove the bound: p(E) = factor q(E) + delta",
        )
        return bound

    @most
    def all_neighbours(self, bound: Bound) -> Ratio:
        """Compare all pairs of neighbours on the worst event, the outputs with p above factor q."""
        M, f, d = self.instance, *self._both(bound)
        known: dict[tuple[Value, ...], int] = {}
        spend(20 * len(M.near) + 20 * sum(map(len, M.laws)))
        number = [known.setdefault(tuple(law), i) for i, law in enumerate(M.laws)]
        sums, seen = {i: _sum(law) for law, i in known.items()}, set[str]()
        for around in ({number[i] for i in block} for block in M.near):
            spend(len(around) ** 2)
            for i, j in permutations(around, 2):
                if (pair := f"{i} {j}") in seen:
                    continue
                seen.add(pair)
                a, b = f.under * sums[j], f.over * sums[i]
                allowed = d.over * sums[i] * a
                spend(60 + len(M.laws[i]) * (10 + (allowed.high.bit_length() >> 8) ** 2))
                pairs = zip(M.laws[i], M.laws[j], strict=True)
                most = [(x, y) for x, y in pairs if a.high * x.high > b.low * y.low]
                high = sum(a.high * x.high - b.low * y.low for x, y in most)
                if high * d.under.high > allowed.low:
                    spend(len(most) * (50 + (allowed.image.bit_length() >> 8) ** 2))
                    apart = (a * x - b * y for x, y in most)
                    likelier = _sum(v for v in apart if M.powers.sign(v) > 0)
                    above = M.powers.sign(likelier * d.under - allowed) > 0
                    require(not above, "databases {} and {} violate the stated bound", i, j)
        return bound

    def _both(self, bound: Ratio) -> tuple[Ratio, Ratio]:
        f, d = self.factor, self.delta
        require((f is None) != (d is None), "exactly one of factor and delta must be null")
        f, d = bound if f is None else f, bound if d is None else d
        require(self.instance.powers.sign(f.over - f.under) >= 0, "the factor must be at least 1")
        return f, d
