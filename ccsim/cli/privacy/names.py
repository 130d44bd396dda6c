"""How ``ccsim audit`` shows records and outcomes: by the labels of the class."""

from __future__ import annotations

from collections.abc import Hashable

from ccsim.classes import ConceptClass
from ccsim.pictures.labels import show_label

__all__ = ["Names"]


class Names:
    """How records and hypotheses are shown: by the labels of the class.

    Parameters
    ----------
    C : ConceptClass
    points : bool
        Whether records are points; otherwise they are labelled examples, votes, or qualities.
    qualities : bool
    """

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
