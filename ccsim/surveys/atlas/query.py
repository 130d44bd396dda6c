"""Which classes of the atlas have a property: the smallest ones, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.surveys.atlas.expressions import read_question
from ccsim.surveys.atlas.quantities import MOST_POINTS, QUANTITIES, write_span
from ccsim.surveys.atlas.sums import value_of
from ccsim.surveys.atlas.table import Entry, atlas


@frozen
class QueryResult:
    """The classes that a question holds for."""

    question: str
    asked: tuple[str, ...]  # the quantities in it
    most_points: int  # classes on so many points and fewer were looked at
    # A quantity that kept it from looking at more points that were asked for, or ``""``
    not_known: str
    looked_at: int  # number of those classes, up to isomorphism
    # those for which it holds, the smallest first: by points, concepts, and then order
    matches: tuple[Entry, ...]
    undecided: tuple[Entry, ...]  # those about which the bounds leave it open

    @property
    def count(self) -> int:
        """Number of classes for which it holds, up to isomorphism."""
        return sum(entry.classes for entry in self.matches)

    def to_dict(self, limit: int | None = None) -> dict[str, Any]:
        """Return what ``ccsim atlas query --json`` prints, with so many classes of each kind."""
        return {
            "question": self.question,
            "points": self.most_points,
            "looked_at": self.looked_at,
            "count": self.count,
            "matches": [_row(entry, self.asked) for entry in self.matches[:limit]],
            "undecided_count": sum(entry.classes for entry in self.undecided),
            "undecided": [_row(entry, self.asked) for entry in self.undecided[:limit]],
        }


@checked_types
def query_atlas(
    question: str, *, points: int | None = None, entries: Sequence[Entry] | None = None
) -> QueryResult:
    """Return the classes of the atlas that a question holds for.

    A tenth of a second.
    """
    if points is not None and not 1 <= points <= MOST_POINTS:
        raise DomainError(f"points: the atlas has 1 to {MOST_POINTS}, not {points}")
    read = read_question(question)
    wanted = MOST_POINTS if points is None else points
    most = min(wanted, read.most_points)
    missing = ""
    if most < wanted:
        missing = next(
            name
            for name in read.asked
            if QUANTITIES[name.partition("(")[0]].most_points == read.most_points
        )
    chosen = [e for e in (atlas() if entries is None else entries) if e.points <= most]
    matches, undecided = [], []
    for entry in chosen:
        verdict = read.holds(entry.values)
        if verdict is None:
            undecided.append(entry)
        elif verdict:
            matches.append(entry)
    number = sum(entry.classes for entry in chosen)
    return QueryResult(
        read.text, read.asked, most, missing, number, tuple(matches), tuple(undecided)
    )


def shown_value(name: str, entry: Entry) -> str:
    """Return a quantity of a class as people read it."""
    if name.startswith(("drdim", "prdim")):
        return f"log2({shown_value(name.replace('dim', 'size'), entry)})"
    return write_span(value_of(name, entry.values))


def _row(entry: Entry, asked: Sequence[str]) -> dict[str, Any]:
    return {
        "instance": entry.instance,
        "classes": entry.classes,
        "concepts": list(entry.concepts),
        "values": {name: shown_value(name, entry) for name in asked},
    }
