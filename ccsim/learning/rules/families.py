"""Finite sets of rules over declared columns, and the errors of all of them at once.

Main definitions: `RuleSet`, `rules_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from ccsim.appearance import in_short, one_line
from ccsim.border import checked_fields, checked_types
from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.learning.rules.blocks import Block, Counts, Ranges, Subsets
from ccsim.learning.rules.columns import Column, Numbers, Values
from ccsim.learning.rules.rule import Rule

__all__ = ["LEARNERS", "MAX_RULES", "RuleSet", "rules_of"]

LEARNERS = {
    "thresholds": "one column of numbers: at least a number, or below it",
    "intervals": "one column of numbers: between two numbers",
    "points": "one column of values: a value",
    "sets": "one column of values: any set of values",
    "stumps": "a threshold on a column of numbers, or a value of a column, or not that value",
    "boxes": "on each column an interval, or a value; those on all",
    "occam": "one column, whose values are the points of INSTANCE: a concept of INSTANCE",
}
"""What each learner chooses among."""
MAX_RULES = 1 << 20
"""Most rules of a set."""
MAX_CELLS = 1 << 22
"""Most cells of the table that a block of rules counts labels in."""


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class RuleSet:
    """A finite set of rules.

    Attributes
    ----------
    columns : tuple of Numbers or Values
    blocks : tuple
        Which rules; made by `rules_of`.

    Examples
    --------
    >>> stumps = rules_of(
    ...     "stumps", (Numbers.between("age", 0, 3), Values("city", ("Bern", "Rome")))
    ... )
    >>> stumps.size, stumps.rule(2).in_words(("no", "yes"))
    (10, 'yes if age >= 1, else no')
    >>> errors = stumps.errors([(0, 0), (2, 1), (3, 0)], [0, 1, 1])
    >>> errors.tolist()
    [1, 2, 0, 0, 1, 3, 3, 2, 1, 2]
    """

    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]

    @property
    def size(self) -> int:
        """Number of rules."""
        return sum(block.regions * len(block.labels) for block in self.blocks)

    def rule(self, number: int) -> Rule:
        """Return a rule by its number.

        Raises
        ------
        DomainError
            If there is none of this number.
        """
        for block in self.blocks:
            size = block.regions * len(block.labels)
            if 0 <= number < size:
                label, region = divmod(number, block.regions)
                return Rule(block.conditions(region, self.columns), block.labels[label])
            number -= size
        raise DomainError(f"the set has {self.size} rules")

    def errors(self, places: Sequence[Sequence[int]], labels: Sequence[int]) -> Counts:
        """Return for each rule how many records it labels wrongly.

        Parameters
        ----------
        places : sequence of sequences of int
            For each record the places of its cells, in the order of the columns.
        labels : sequence of int
            0 or 1 for each record.
        """
        at = np.array(places, dtype=np.int64).reshape(len(labels), len(self.columns))
        signs = 1 - 2 * np.array(labels, dtype=np.int64)
        ones = int((signs < 0).sum())
        found = []
        for block in self.blocks:
            shape = tuple(self.columns[i].places for i in block.columns)
            weights = np.zeros(shape, dtype=np.int64)
            np.add.at(weights, tuple(at[:, i] for i in block.columns), signs)
            inside = ones + block.sums(weights)  # zeros inside and ones outside are wrong
            found += [inside if label else len(labels) - inside for label in block.labels]
        return np.concatenate(found)


@checked_types
def rules_of(
    learner: str, columns: Sequence[Column], concept_class: ConceptClass | None = None
) -> RuleSet:
    """Return the rules that a learner chooses among; `LEARNERS` says which.

    Raises
    ------
    DomainError
        If there is no such learner, or the columns are not what it takes.
    InstanceTooLargeError
        If there are more than `MAX_RULES` rules, or too many cells.
    """
    if learner not in LEARNERS:
        raise DomainError(f"learner must be one of {', '.join(LEARNERS)}, not {in_short(learner)}")
    chosen = tuple(columns)
    if len({column.name for column in chosen}) < len(chosen) or not chosen:
        raise DomainError("columns must be at least one, and distinct")
    if (concept_class is not None) != (learner == "occam"):
        raise DomainError("a class is for the learner occam, which asks for one")
    blocks = _BOXES[learner](chosen) if learner in _BOXES else _one(learner, chosen, concept_class)
    made = RuleSet(chosen, tuple(block for block in blocks if block.regions))
    cells = max(prod(chosen[i].places for i in block.columns) for block in made.blocks)
    if made.size > MAX_RULES or cells > MAX_CELLS:
        size, most, what = (
            (made.size, MAX_RULES, "rules")
            if made.size > MAX_RULES
            else (cells, MAX_CELLS, "cells")
        )
        raise InstanceTooLargeError(
            f"{in_short(size)} {what} are above the limit of {most}; give larger steps, as in "
            f"{chosen[0].name}:0..100/5, or fewer columns"
        )
    return made


def _one(
    learner: str, columns: tuple[Column, ...], concept_class: ConceptClass | None
) -> list[Block]:
    """Return the rules of a learner that looks at one column."""
    kind = Numbers if learner in {"thresholds", "intervals"} else Values
    column = columns[0]
    if len(columns) > 1 or not isinstance(column, kind):
        what = "numbers, as age:0..100" if kind is Numbers else "values, as city:Bern,Rome"
        raise DomainError(f"{learner} takes one column of {what}")
    n = column.places
    if learner == "thresholds":
        return [Ranges((0,), ("tails",), (n,), (1, 0))]
    if learner == "intervals":
        return [Ranges((0,), ("intervals",), (n,), (1,)), Ranges((0,), ("none",), (n,), (1,))]
    if learner == "points":
        return [Ranges((0,), ("one",), (n,), (1,))]
    if concept_class is not None:
        return [Subsets((0,), concept_class.rows)]
    if n > MAX_RULES.bit_length() - 1:
        raise InstanceTooLargeError(
            f"sets takes at most {MAX_RULES.bit_length() - 1} values, not {n}"
        )
    return [Subsets((0,), range(1 << n))]


def _stumps(columns: tuple[Column, ...]) -> list[Block]:
    blocks: list[Block] = [Ranges((0,), ("all",), (columns[0].places,), (1, 0))]
    for i, column in enumerate(columns):
        # of two values one is not the other
        both = isinstance(column, Numbers) or column.places == 2
        kind = "proper" if both else "one"
        if column.places > 1:
            blocks.append(Ranges((i,), (kind,), (column.places,), (1, 0)))
    return blocks


def _boxes(columns: tuple[Column, ...]) -> list[Block]:
    kinds = tuple("intervals" if isinstance(column, Numbers) else "any" for column in columns)
    places, axes = tuple(column.places for column in columns), tuple(range(len(columns)))
    return [
        Ranges(axes, kinds, places, (1,)),
        Ranges((0,), ("none",), places[:1], (1,)),
    ]


_BOXES = {"stumps": _stumps, "boxes": _boxes}
