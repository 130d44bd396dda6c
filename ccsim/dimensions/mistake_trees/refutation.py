"""Refutations of mistake trees: what proves a Littlestone dimension from above.

Implementation notes: an entry says that a version space has no complete mistake tree of a depth
``d``. Whatever point stands at the root, one of the two sides has no tree of depth ``d - 1``: it
has fewer than ``2**(d - 1)`` concepts, or an earlier entry refutes a set that contains it. Read as
a learner, the table predicts the other label at each point and so makes fewer than ``d`` mistakes:
it is the standard optimal algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import Any, Self, TypeAlias

from ccsim.certificates import Certificate, no_cycles, verify
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import CertificateError
from ccsim.kernel import Rejected
from ccsim.symmetry.matrix import Symmetry

Step: TypeAlias = "tuple[int, int, int] | tuple[int, int, int, tuple[int, ...]]"
"""Point, label, number of an entry, and in a refutation up to symmetry a word."""


@validated
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


@validated
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
    >>> LittlestoneRefutation((RefutationEntry((), 2, ()),)).to_json(1)
    {'refutation': {'symmetries': [], 'spaces': [[2, [], [], []]]}}
    """

    entries: tuple[RefutationEntry, ...]
    symmetries: tuple[Symmetry, ...] = ()
    _listed: Callable[[], Iterable[RefutationEntry]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    @classmethod
    def when_asked(
        cls, listed: Callable[[], Iterable[RefutationEntry]], symmetries: Sequence[Symmetry] = ()
    ) -> Self:
        """Return a refutation whose entries are made when they are first asked for.

        A search has them in arrays, and many objects take as long to make as to find.

        Parameters
        ----------
        listed : callable
            Returns the entries.
        symmetries : sequence of Symmetry, optional
        """
        made = object.__new__(cls)
        object.__setattr__(made, "symmetries", tuple(symmetries))
        object.__setattr__(made, "_listed", listed)
        return made

    def __getattr__(self, name: str) -> tuple[RefutationEntry, ...]:
        listed = self._listed if name == "entries" else None
        if listed is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        entries = no_cycles()(lambda: tuple(listed()))()
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "_listed", None)
        return entries

    def to_json(self, upper: int) -> dict[str, Any]:
        """Return the proof of an upper bound as it stands in a certificate.

        An image under a word is listed letter by letter, and once for all steps that rest on it.

        Parameters
        ----------
        upper : int
            The bound; the last entry refutes one more.
        """
        entries = self.entries or (RefutationEntry((), upper + 1, ()),)
        spaces: list[list[Any]] = []
        place: dict[tuple[int, ...], int] = {}  # of an entry and a word

        def image(entry: int, word: tuple[int, ...]) -> int:
            key = (entry, *word)
            if key not in place:
                if not word:
                    raise CertificateError(f"entry {entry} is not an earlier one")
                spaces.append([image(entry, word[:-1]), word[-1]])
                place[key] = len(spaces) - 1
            return place[key]

        for number, entry in enumerate(entries):
            below = [image(step[2], step[3] if len(step) > 3 else ()) for step in entry.steps]
            literals = [2 * x + b for x, b in entry.version_space]
            turns = [2 * step[0] + step[1] for step in entry.steps]
            place[(number,)] = len(spaces)
            spaces.append([entry.depth, literals, turns, below])
        symmetries = [symmetry.to_json() for symmetry in self.symmetries]
        return {"refutation": {"symmetries": symmetries, "spaces": spaces}}

    def check(self, concept_class: ConceptClass, bound: int) -> None:
        """Have the kernel check that a class has no complete mistake tree of depth ``bound + 1``.

        Raises
        ------
        CertificateError
            At the first entry and point that is not refuted.
        """
        statement, proof = {"lower": None, "upper": bound}, self.to_json(bound)
        kind, instance = "littlestone_dimension", concept_class.to_json()
        try:
            verify(Certificate(kind, instance, statement, None, proof).to_dict())
        except Rejected as error:
            raise CertificateError(str(error)) from None
