"""The probability with which a private mechanism can release the more frequent of two points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from .powers import Powers, Ratio
from .reader import *
from .rules import *


@dataclass(slots=True)
class Releases:
    """The number in whose powers the parameters of privacy are written."""

    title: str
    powers: Powers

    @classmethod
    def read(cls, value: object, _: object) -> Releases:
        """Read the number."""
        kind, t = fields(value, "type", "t")
        require(kind == "releases", "type must be releases, not {}", kind)
        powers = inside("t", Powers, t)
        return cls(f"the best of two points by a private mechanism{powers.title}", powers)


Real = Annotated[Ratio, lambda value, it: it.instance.powers.number(value)]
Weights = Annotated[list[int], lambda value, _: each(integer, value)]


class ReleaseProbability(Quantity, kind="release_probability"):
    """The largest probability that a private mechanism releases the more frequent of two points.

    It never releases the other point; `lead` is the difference between their numbers of records.
    """

    instance: Annotated[Releases, Releases.read]
    factor: Real
    delta: Real
    lead: Natural

    @most
    def chain(self, unit: Positive, bounds: Weights) -> Fraction:
        """Check bounds for the leads 0, 2, 4, ...; exchanging one record changes the lead by 2."""
        number, needed = len(bounds), -(-self.lead // 2)
        rule = "there must be {} bounds (half the lead) or more, not {}"
        require(number >= needed, rule, needed, number)
        is_positive = self.instance.powers.sign(self.factor.over) > 0
        require(is_positive, "the factor must be above 0")
        steps = table(bounds, lambda q, p: self._after((p or [0])[-1], q, unit))
        return Fraction((steps or [0])[-1], unit)

    def _after(self, p: int, q: int, unit: int) -> int:
        """Require that bound q may follow p: q >= f p + d, or 1 - p >= f (1 - q) + d; return q."""
        spend(100 + (self.factor.over.high.bit_length() + unit.bit_length() >> 7) ** 2)
        value, shares = self.instance.powers.value, ((q, p), (unit - p, unit - q))
        f, g, d = self.factor.over, self.factor.under, self.delta
        rests = (value(x) * g * d.under - value(y) * f * d.under for x, y in shares)
        rest = value(unit) * g * d.over
        known = q >= unit or any(self.instance.powers.sign(r - rest) >= 0 for r in rests)
        require(known, "privacy allows a probability above the bound {}/{}", q, unit)
        return q
