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
from typing import Any, Self, TypeAlias

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import counted, members
from ccsim.errors import CertificateError, DomainError
from ccsim.exact.bounds import check_fields
from ccsim.symmetry.matrix import Symmetry

__all__ = ["LittlestoneRefutation", "RefutationEntry", "Step"]

Step: TypeAlias = "tuple[int, int, int] | tuple[int, int, int, tuple[int, ...]]"
"""Point, label, number of an entry, and in a refutation up to symmetry a word."""


@dataclass(frozen=True, slots=True)
class RefutationEntry:
    """The claim that a version space has no complete mistake tree of a depth.

    Attributes
    ----------
    version_space : tuple of (point, label)
        The concepts that agree with this partial assignment.
    depth : int
        At least 1.
    steps : tuple of (point, label, entry) or (point, label, entry, word)
        At the point, the side with the label is refuted at ``depth - 1`` by the entry of that
        number, or by its image under the symmetries that the word names, one after the other;
        points that are missing are decided by size.
    """

    version_space: tuple[tuple[int, int], ...]
    depth: int
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the entry as a JSON object."""
        steps: list[list[Any]] = [*map(list, self.steps)]
        for step in steps:
            if len(step) > 3:
                step[3] = list(step[3])
        space = [*map(list, self.version_space)]
        return {"version_space": space, "depth": self.depth, "steps": steps}


@dataclass(frozen=True, slots=True)
class LittlestoneRefutation:
    """A list of entries, each resting on earlier ones, that ends with the whole class.

    Attributes
    ----------
    entries : tuple of RefutationEntry
        Empty when the number of concepts alone decides.
    symmetries : tuple of Symmetry, optional
        Of the class; then every step has a word.

    Examples
    --------
    >>> C = ConceptClass.from_matrix([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> LittlestoneRefutation((RefutationEntry((), 2, ()),)).check(C, 1)
    """

    entries: tuple[RefutationEntry, ...]
    symmetries: tuple[Symmetry, ...] = ()

    def check(self, concept_class: ConceptClass, bound: int, budget: Budget | None = None) -> None:
        """Check that the class has no complete mistake tree of depth ``bound + 1``.

        Complexity: one pass over the points for each entry.

        Raises
        ------
        CertificateError
            At the first entry and point that is not refuted.
        OutOfTimeError
            If the time is over.
        """
        check_fields(self)
        budget = budget or Budget()
        size = len(concept_class)
        if bound < -1:
            raise CertificateError(
                f"a bound on the Littlestone dimension is at least -1, not {bound}"
            )
        if not self.entries:
            if size >> (bound + 1):
                raise CertificateError(
                    f"{size} concepts are not too few for a tree of depth {bound + 1}"
                )
            return
        last = self.entries[-1]
        found = _Check(concept_class, self)
        if not found.is_everything(last) or last.depth != bound + 1:
            raise CertificateError(
                f"the last entry must refute the whole class at depth {bound + 1}, "
                f"not {dict(last.version_space)} at depth {last.depth}"
            )
        for number, symmetry in enumerate(self.symmetries):
            budget.spend()
            try:
                symmetry.verify(concept_class.rows, len(concept_class.points))
            except CertificateError as error:
                raise CertificateError(f"symmetry {number}: {error}") from None
        found.run(budget)

    def to_json(self) -> dict[str, Any]:
        """Return the proof of an upper bound as a JSON object (`docs/certificates.md`)."""
        proof: dict[str, Any] = {"refutation": [entry.to_json() for entry in self.entries]}
        if self.symmetries:
            proof["symmetries"] = [symmetry.to_json() for symmetry in self.symmetries]
        return proof

    @classmethod
    def from_json(cls, value: Any) -> Self:  # noqa: ANN401 - any JSON value
        """Return the refutation of a JSON object, or of the list of entries alone.

        Raises
        ------
        DomainError
            If the value has another shape.
        """
        try:
            proof = value if isinstance(value, dict) else {"refutation": value}
            symmetries = tuple(map(Symmetry.from_json, proof.get("symmetries", ())))
            return cls(tuple(map(_entry, proof["refutation"])), symmetries)
        except (KeyError, TypeError, ValueError) as error:
            raise DomainError(
                f"a refutation is a list of entries with version_space, depth and steps: {error}"
            ) from None


def _entry(value: Any) -> RefutationEntry:  # noqa: ANN401 - any JSON value
    """Return the entry of a JSON object."""
    return RefutationEntry(
        tuple((_integer(x), _integer(b)) for x, b in value["version_space"]),
        _integer(value["depth"]),
        tuple(_step(*step) for step in value["steps"]),
    )


def _step(point: object, label: object, entry: object, *word: list[object]) -> Step:
    """Return the step of the entries of a JSON list."""
    step = _integer(point), _integer(label), _integer(entry)
    if not word:
        return step
    (letters,) = word
    return *step, tuple(map(_integer, letters))


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is not an integer")
    return value


class _Check:
    """Re-derivation of every entry from the definition, in the order of the list."""

    def __init__(self, concept_class: ConceptClass, refutation: LittlestoneRefutation) -> None:
        self.concept_class = concept_class
        self.entries, self.symmetries = refutation.entries, refutation.symmetries
        self.full = (1 << len(concept_class)) - 1
        self.sides = [(self.full & ~ones, ones) for ones in columns(concept_class)]
        self.spaces: list[int] = []

    def is_everything(self, entry: RefutationEntry) -> bool:
        """Say whether the version space of an entry holds the whole class."""
        return self._space(entry.version_space) == self.full

    def run(self, budget: Budget) -> None:
        """Check the entries one after the other."""
        for number, entry in enumerate(self.entries):
            budget.spend()
            try:
                self._entry(number, entry)
            except CertificateError as error:
                raise CertificateError(f"entry {number}: {error}") from None

    def _entry(self, number: int, entry: RefutationEntry) -> None:
        if entry.depth < 1:
            raise CertificateError(f"depth {entry.depth} is below 1")
        space = self._space(entry.version_space)
        covered: set[int] = set()
        for x, label, earlier, *word in entry.steps:
            if x in covered:
                raise CertificateError(f"point {self._name(x)} has two steps")
            covered.add(x)
            side = space & self._side(x, label)
            self._step(side, x, entry.depth - 1, earlier, number, *word)
        for x in self._undecided(space, 1 << (entry.depth - 1)):
            if x not in covered:
                few = min((space & side).bit_count() for side in self.sides[x])
                raise CertificateError(
                    f"point {self._name(x)} leaves at least {few} concepts on each side, "
                    f"enough for depth {entry.depth - 1}, and has no step"
                )
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

    def _step(
        self,
        side: int,
        x: int,
        depth: int,
        earlier: int,
        number: int,
        word: tuple[int, ...] = (),
    ) -> None:
        """Check that an earlier entry, or an image of it, refutes one side of a point."""
        if not 0 <= earlier < number:
            raise CertificateError(
                f"point {self._name(x)} rests on entry {earlier}, which is not an earlier one"
            )
        if self.entries[earlier].depth > depth:
            raise CertificateError(
                f"point {self._name(x)} needs a refutation at depth {depth}, "
                f"entry {earlier} has depth {self.entries[earlier].depth}"
            )
        space = self._image(earlier, word) if word else self.spaces[earlier]
        if outside := side & ~space:
            c = (outside & -outside).bit_length() - 1
            raise CertificateError(
                f"point {self._name(x)}: concept {c} ({self.concept_class.concepts[c]}) "
                f"does not lie in the version space of entry {earlier}"
            )

    def _image(self, earlier: int, word: tuple[int, ...]) -> int:
        """Return the image of a version space under symmetries, one after the other."""
        assignment = self.entries[earlier].version_space
        for letter in word:
            if not 0 <= letter < len(self.symmetries):
                raise CertificateError(
                    f"there is no symmetry {letter}, there are {len(self.symmetries)}"
                )
            s = self.symmetries[letter]
            assignment = tuple((s.columns[x], b ^ (s.flips >> x & 1)) for x, b in assignment)
        return self._space(assignment)

    def _space(self, assignment: tuple[tuple[int, int], ...]) -> int:
        """Return the concepts that agree with a partial assignment."""
        space = self.full
        for x, label in assignment:
            space &= self._side(x, label)
        return space

    def _side(self, x: int, label: int) -> int:
        """Return the concepts of the class with a label on a point."""
        if not 0 <= x < len(self.sides) or label not in (0, 1):
            raise CertificateError(
                f"({x}, {label}) is not a point below {len(self.sides)} with a label 0 or 1"
            )
        return self.sides[x][label]

    def _name(self, x: int) -> str:
        return f"{x} ({self.concept_class.points[x]})"
