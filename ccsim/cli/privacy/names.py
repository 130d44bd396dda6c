"""How ``ccsim audit`` shows records and outcomes: by the labels of the class."""

from __future__ import annotations

from collections.abc import Hashable

import click

from ccsim.classes import ConceptClass
from ccsim.cli.privacy.public_points import what_is_private
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import Excess
from ccsim.exact.exponentials import Real
from ccsim.pictures import draw_privacy, save_figure
from ccsim.pictures.labels import show_label
from ccsim.privacy import AuditResult, QualityNeighbours


class Names:
    """How records and hypotheses are shown: by the labels of the class."""

    def __init__(self, C: ConceptClass, *, points: bool = False, qualities: bool = False) -> None:
        self._points, self._are_points, self._are_qualities = C.points, points, qualities
        self._concepts = dict(zip(C.rows, C.concepts, strict=True))

    def hypothesis(self, h: Hashable) -> str:
        """Return a concept's label, or the points on which a hypothesis is 1."""
        if h is None:
            return "no answer"
        if not isinstance(h, int):
            return str(h)
        if h in self._concepts:
            return show_label(self._concepts[h])
        ones = ", ".join(show_label(p) for x, p in enumerate(self._points) if h >> x & 1)
        return f"1 on {{{ones}}}"

    def record(self, record: Hashable) -> str:
        """Return a labelled example, a point, a vote, a quality function or the null record."""
        if record is None:
            return "*"
        if self._are_points and isinstance(record, int):
            return show_label(self._points[record])
        if isinstance(record, tuple):
            if self._are_qualities:
                return f"({', '.join(map(str, record))})"
            x, label = record
            return f"({show_label(self._points[x])}, {label})"
        return self.hypothesis(record)

    def outcome(self, outcome: Hashable) -> str:
        """Return a hypothesis, or a tuple of reported records."""
        if isinstance(outcome, tuple):
            return " ".join(self.record(r) for r in outcome)
        return self.hypothesis(outcome)


def qualities_of(result: AuditResult) -> QualityNeighbours | None:
    """Return the quality functions that were compared, if they were."""
    return result.neighbours if isinstance(result.neighbours, QualityNeighbours) else None


def show_compared(result: AuditResult) -> str:
    """Return what was compared, behind the number of pairs."""
    if (qualities := qualities_of(result)) is None:
        private = what_is_private(result.neighbours)
        only = "" if private is None else f" that differ in {private} alone"
        return f"{result.pairs} of neighbouring databases{only}, both ways"
    growth = "" if qualities.growth is None else f", growth {qualities.growth}"
    return f"{result.pairs} of quality functions at distance at most 1{growth}, both ways"


def draw_curve(name: str, points: list[tuple[Epsilon, Real | Excess | None]], out: str) -> None:
    """Draw what was decided of a curve."""
    decided = [(epsilon, delta) for epsilon, delta in points if delta is not None]
    if decided:
        save_figure(out, draw_privacy({name: decided}))
    else:
        click.echo("no picture was written: no least delta was decided", err=True)
