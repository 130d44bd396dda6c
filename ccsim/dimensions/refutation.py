"""Refutations of mistake trees: what proves a Littlestone dimension from above.

Main definitions: `RefutationEntry`, `LittlestoneRefutation`.

Implementation notes: an entry says that a version space has no complete mistake tree of a depth
``d``. Whatever point stands at the root, one of the two sides has no tree of depth ``d - 1``: it
has fewer than ``2**(d - 1)`` concepts, or an earlier entry refutes a set that contains it. Read as
a learner, the table predicts the other label at each point and so makes fewer than ``d`` mistakes:
it is the standard optimal algorithm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.dimensions.masks import counted, members
from ccsim.errors import CertificateError, DomainError

__all__ = ["LittlestoneRefutation", "RefutationEntry"]


@dataclass(frozen=True, slots=True)
class RefutationEntry:
    """The claim that a version space has no complete mistake tree of a depth.

    Attributes
    ----------
    version_space : tuple of (point, label)
        The concepts that agree with this partial assignment.
    depth : int
        At least 1.
    steps : tuple of (point, label, entry)
        At the point, the side with the label is refuted at ``depth - 1`` by the entry of that
        number; points that are missing are decided by size.
    """

    version_space: tuple[tuple[int, int], ...]
    depth: int
    steps: tuple[tuple[int, int, int], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the entry as a JSON object."""
        return {
            "version_space": [list(pair) for pair in self.version_space],
            "depth": self.depth,
            "steps": [list(step) for step in self.steps],
        }


@dataclass(frozen=True, slots=True)
class LittlestoneRefutation:
    """A list of entries, each resting on earlier ones, that ends with the whole class.

    Attributes
    ----------
    entries : tuple of RefutationEntry
        Empty when the number of concepts alone decides.

    Examples
    --------
    >>> C = ConceptClass.from_matrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> LittlestoneRefutation((RefutationEntry((), 2, ()),)).check(C, 1)
    """

    entries: tuple[RefutationEntry, ...]

    def check(self, concept_class: ConceptClass, bound: int) -> None:
        """Check that the class has no complete mistake tree of depth ``bound + 1``.

        Complexity: one pass over the points for each entry.

        Raises
        ------
        CertificateError
            At the first entry and point that is not refuted.
        """
        size = len(concept_class)
        if not self.entries:
            if size >= 1 << max(bound + 1, 0):
                msg = f"{size} concepts are not too few for a tree of depth {bound + 1}"
                raise CertificateError(msg)
            return
        last = self.entries[-1]
        if last.version_space or last.depth != bound + 1:
            msg = (
                f"the last entry must refute the whole class at depth {bound + 1}, "
                f"not {dict(last.version_space)} at depth {last.depth}"
            )
            raise CertificateError(msg)
        _Check(concept_class, self.entries).run()

    def to_json(self) -> list[dict[str, Any]]:
        """Return the list of entries (`docs/certificates.md`)."""
        return [entry.to_json() for entry in self.entries]

    @classmethod
    def from_json(cls, value: Any) -> Self:  # noqa: ANN401 - any JSON value
        """Return the refutation of a list of JSON objects.

        Raises
        ------
        DomainError
            If the value has another shape.
        """
        try:
            return cls(
                tuple(
                    RefutationEntry(
                        tuple((_integer(x), _integer(b)) for x, b in entry["version_space"]),
                        _integer(entry["depth"]),
                        tuple(
                            (_integer(x), _integer(b), _integer(e)) for x, b, e in entry["steps"]
                        ),
                    )
                    for entry in value
                )
            )
        except (KeyError, TypeError, ValueError) as error:
            msg = f"a refutation is a list of entries with version_space, depth and steps: {error}"
            raise DomainError(msg) from None


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        msg = f"{value!r} is not an integer"
        raise TypeError(msg)
    return value


class _Check:
    """Re-derivation of every entry from the definition, in the order of the list."""

    def __init__(self, concept_class: ConceptClass, entries: tuple[RefutationEntry, ...]) -> None:
        self.concept_class = concept_class
        self.entries = entries
        self.full = (1 << len(concept_class)) - 1
        self.sides = [(self.full & ~ones, ones) for ones in columns(concept_class)]
        self.spaces: list[int] = []

    def run(self) -> None:
        """Check the entries one after the other."""
        for number, entry in enumerate(self.entries):
            try:
                self._entry(number, entry)
            except CertificateError as error:
                msg = f"entry {number}: {error}"
                raise CertificateError(msg) from None

    def _entry(self, number: int, entry: RefutationEntry) -> None:
        if entry.depth < 1:
            msg = f"depth {entry.depth} is below 1"
            raise CertificateError(msg)
        space = self.full
        for x, label in entry.version_space:
            space &= self._side(x, label)
        covered: set[int] = set()
        for x, label, earlier in entry.steps:
            if x in covered:
                msg = f"point {self._name(x)} has two steps"
                raise CertificateError(msg)
            covered.add(x)
            self._step(space & self._side(x, label), x, entry.depth - 1, earlier, number)
        for x in self._undecided(space, 1 << (entry.depth - 1)):
            if x not in covered:
                few = min((space & side).bit_count() for side in self.sides[x])
                msg = (
                    f"point {self._name(x)} leaves at least {few} concepts on each side, "
                    f"enough for depth {entry.depth - 1}, and has no step"
                )
                raise CertificateError(msg)
        self.spaces.append(space)

    def _undecided(self, space: int, need: int) -> Iterator[int]:
        """Yield the points that leave at least so many concepts on each side."""
        total = space.bit_count()
        if total < 2 * need:
            return
        if 4 * total < len(self.sides):  # fewer rows than columns: count all points at once
            rows = [self.concept_class.rows[c] for c in members(space)]
            everywhere = (1 << len(self.sides)) - 1
            ones = counted(rows, need)
            zeros = counted((everywhere ^ row for row in rows), need)
            yield from members(ones & zeros)
            return
        for x, (_, column) in enumerate(self.sides):
            if need <= (space & column).bit_count() <= total - need:
                yield x

    def _step(self, side: int, x: int, depth: int, earlier: int, number: int) -> None:
        """Check that an earlier entry refutes one side of a point."""
        if not 0 <= earlier < number:
            msg = f"point {self._name(x)} rests on entry {earlier}, which is not an earlier one"
            raise CertificateError(msg)
        if self.entries[earlier].depth > depth:
            msg = (
                f"point {self._name(x)} needs a refutation at depth {depth}, "
                f"entry {earlier} has depth {self.entries[earlier].depth}"
            )
            raise CertificateError(msg)
        if outside := side & ~self.spaces[earlier]:
            c = (outside & -outside).bit_length() - 1
            msg = (
                f"point {self._name(x)}: concept {c} ({self.concept_class.concepts[c]}) "
                f"does not lie in the version space of entry {earlier}"
            )
            raise CertificateError(msg)

    def _side(self, x: int, label: int) -> int:
        """Return the concepts of the class with a label on a point."""
        if not 0 <= x < len(self.sides) or label not in (0, 1):
            msg = f"({x}, {label}) is not a point below {len(self.sides)} with a label 0 or 1"
            raise CertificateError(msg)
        return self.sides[x][label]

    def _name(self, x: int) -> str:
        return f"{x} ({self.concept_class.points[x]})"
