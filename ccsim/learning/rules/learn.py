"""Finite sets of rules on a table, and a private choice of a rule by its errors.

A block of ranges is a product of lists of ranges, one list for each of its columns, evaluated with
prefix sums. A block of subsets consists of bit masks over the values of one column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.appearance import in_short
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit, check_time
from ccsim.classes import ConceptClass
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.probability import randomness
from ccsim.learning.learners.representation import weighted_values
from ccsim.learning.rules.model import Accepted, RuleModel
from ccsim.learning.rules.rule import (
    Between,
    Column,
    Condition,
    Numbers,
    OneOf,
    Rule,
    Values,
    column_of,
    records_of,
)
from ccsim.learning.sample_size import check_parameters, log_ceiling
from ccsim.privacy.mechanisms.exponential import (
    ChoiceByScore,
    ExponentialMechanism,
    choose_by_score,
)
from ccsim.privacy.mechanisms.opendp import choose_with_opendp
from ccsim.texts.columns import Columns, ColumnsOfRecords, judged

MAX_RULES = 1 << 20  # maximum number of rules of a model
MAX_CELLS = 1 << 22  # maximum number of cells of a table of label counts
_CHUNK = 1 << 20  # records that are counted at a time
Counts: TypeAlias = npt.NDArray[np.int64]
Numbers32: TypeAlias = npt.NDArray[np.int32]


def _regions(kind: str, n: int) -> int:
    """Return the number of ranges of the given kind over ``n`` places."""
    several = {"tails": n, "proper": n - 1, "intervals": n * (n + 1) // 2, "one": n, "any": n + 1}
    return several.get(kind, 1)


@frozen
class Ranges:
    """Products of ranges of places, with one kind of range for each column.

    The kinds are ``none``; ``all``; ``tails``, all places from a given one; ``proper`` tails, which
    omit a place; ``intervals``; ``one`` place; ``any``, one place or all.
    """

    columns: tuple[int, ...]
    kinds: tuple[str, ...]
    places: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    def regions(self) -> int:
        """Number of products of ranges."""
        return prod(_regions(kind, n) for kind, n in zip(self.kinds, self.places, strict=True))

    def _ends(self, axis: int) -> tuple[Counts, Counts]:
        """Return the first place, and the place after the last one, of each range of a column."""
        kind, n = self.kinds[axis], self.places[axis]
        each = np.arange(n, dtype=np.int64)
        if kind == "intervals":
            first, last = np.triu_indices(n)
            return first.astype(np.int64), last.astype(np.int64) + 1
        if kind in {"tails", "proper"}:
            each = each[kind == "proper" :]
            return each, np.full_like(each, n)
        if kind == "none":
            return each[:1], each[:1]
        all_places = np.array([0], dtype=np.int64), np.array([n], dtype=np.int64)
        if kind == "all":
            return all_places
        if kind == "one":
            return each, each + 1
        first, behind = all_places
        return np.concatenate([first, each]), np.concatenate([behind, each + 1])

    def sums(self, weights: Counts) -> Counts:
        """Return, for each product of ranges, the sum of the weights of its cells."""
        for axis in range(len(self.columns)):
            check_time()
            first, behind = self._ends(axis)
            before = np.concatenate(
                [np.zeros_like(weights.take([0], axis)), np.cumsum(weights, axis)], axis
            )
            weights = before.take(behind, axis) - before.take(first, axis)
        return weights.ravel()

    def conditions(self, number: int, columns: Sequence[Column]) -> tuple[Condition, ...]:
        """Return the conditions of a product of ranges; a range of all places has no condition."""
        ends = [self._ends(axis) for axis in range(len(self.columns))]
        at = np.unravel_index(number, [len(first) for first, _ in ends])
        found: list[Condition] = []
        for place, (first, behind), index in zip(at, ends, self.columns, strict=True):
            column, low, high = columns[index], int(first[place]), int(behind[place])
            if (low, high) == (0, column.places):
                continue
            if isinstance(column, Values) or low == high:
                values = column.values[low:high] if isinstance(column, Values) else ()
                found.append(OneOf(column.name, values))
            else:
                cuts = (*column.cuts, None)
                found.append(Between(column.name, cuts[low] if low else None, cuts[high]))
        return tuple(found)


@frozen
class Subsets:
    """Sets of values of one column, as bit masks."""

    columns: tuple[int, ...]
    masks: Sequence[int]
    labels: tuple[int, ...] = (1,)

    @property
    def regions(self) -> int:
        """Number of sets."""
        return len(self.masks)

    def sums(self, weights: Counts) -> Counts:
        """Return, for each set, the sum of the weights of its values."""
        return weighted_values(self.masks, weights)

    def conditions(self, number: int, columns: Sequence[Column]) -> tuple[Condition, ...]:
        """Return the condition that a value is in a set."""
        column = columns[self.columns[0]]
        mask, values = self.masks[number], column.values if isinstance(column, Values) else ()
        return (OneOf(column.name, tuple(v for i, v in enumerate(values) if mask >> i & 1)),)


Block: TypeAlias = Ranges | Subsets
"""Rules of one shape: all its regions, with each of its labels inside."""
LEARNERS = {
    "thresholds": "a threshold on a column of numbers",
    "intervals": "an interval of a column of numbers",
    "points": "a value of a column",
    "sets": "a set of values of a column",
    "stumps": "a threshold on a column of numbers, or a value of a column, or its complement",
    "boxes": "an interval or a value of each column",
    "occam": "a concept of INSTANCE, whose points are the values of a column",
}
"""The rules from which each learner chooses."""


@validated
class RuleSet:
    """A finite set of rules."""

    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]  # which rules; made by `rules_of`

    @property
    def size(self) -> int:
        """Number of rules."""
        return sum(block.regions * len(block.labels) for block in self.blocks)

    def rule(self, number: int) -> Rule:
        """Return a rule by its number."""
        for block in self.blocks:
            size = block.regions * len(block.labels)
            if 0 <= number < size:
                label, region = divmod(number, block.regions)
                return Rule(block.conditions(region, self.columns), block.labels[label])
            number -= size
        raise DomainError(f"index of a rule must be between 0 and {self.size - 1}, not {number}")

    def errors(self, places: Sequence[Sequence[int]], labels: Sequence[int]) -> Counts:
        """Return, for each rule, the number of records that it labels incorrectly."""
        at = np.array(places, dtype=np.int32).reshape(len(labels), len(self.columns))
        return self.errors_by_column([*at.T], np.array(labels, dtype=np.int32))

    def errors_by_column(self, places: Sequence[Numbers32], labels: Numbers32) -> Counts:
        """Return, for each rule, the number of incorrect labels; places are given by column."""
        ones, found = int(labels.sum()), []
        for block in self.blocks:
            shape = tuple(self.columns[i].places for i in block.columns)
            weights = np.zeros(shape, dtype=np.int64)
            for start in range(0, len(labels), _CHUNK):
                check_time()
                part = slice(start, start + _CHUNK)
                signs = 1 - 2 * labels[part].astype(np.int64)
                np.add.at(weights, tuple(places[i][part] for i in block.columns), signs)
            inside = ones + block.sums(weights)  # zeros inside and ones outside are wrong
            found += [inside if label else len(labels) - inside for label in block.labels]
        return np.concatenate(found)


@checked_types
def rules_of(
    learner: str, columns: Sequence[Column], concept_class: ConceptClass | None = None
) -> RuleSet:
    """Return the rules from which a learner chooses; see `LEARNERS`."""
    if learner not in LEARNERS:
        raise DomainError(f"learner must be one of {', '.join(LEARNERS)}, not {in_short(learner)}")
    chosen = tuple(columns)
    if len({column.name for column in chosen}) < len(chosen) or not chosen:
        raise DomainError("columns must be one or more columns with different names")
    if (concept_class is not None) != (learner == "occam"):
        raise DomainError("a class must be given with the learner occam, and with no other learner")
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
            f"{in_short(size)} {what} exceed the limit of {most}; give larger steps, as in "
            f"{chosen[0].name}:0..100/5, or fewer columns"
        )
    return made


def _one(
    learner: str, columns: tuple[Column, ...], concept_class: ConceptClass | None
) -> list[Block]:
    """Return the rules of a learner that uses one column."""
    kind = Numbers if learner in {"thresholds", "intervals"} else Values
    column = columns[0]
    if len(columns) > 1 or not isinstance(column, kind):
        what = (
            "numbers, such as age:0..100" if kind is Numbers else "values, such as city:Bern,Rome"
        )
        raise DomainError(f"learner {learner} needs exactly one column of {what}")
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
            f"learner sets needs a column of at most {MAX_RULES.bit_length() - 1} values, not {n}"
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

LabelledCells = tuple[tuple[int, ...], int]  # the places of a record's cells, and its label


@validated
class RuleChoice(ChoiceByScore[LabelledCells, int]):
    """A mechanism that outputs the index of the rule that `learn_rule` draws, for audits."""

    rules: RuleSet
    epsilon: Epsilon
    sensitivity: Fraction = Fraction(1)  # a smaller one is a fault that an audit must catch

    symmetric = True

    @property
    def records(self) -> tuple[LabelledCells, ...]:
        """All labelled cells of the table."""
        cells = product(*(range(column.places) for column in self.rules.columns))
        return tuple(product(cells, (0, 1)))

    @property
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism that makes the choice."""

        def score(database: Sequence[LabelledCells], number: int) -> int:
            cells, labels = [x for x, _ in database], [label for _, label in database]
            return -int(self.rules.errors(cells, labels)[number])

        return ExponentialMechanism(
            self.records, tuple(range(self.rules.size)), score, self.epsilon, self.sensitivity
        )


def most_excess(hypotheses: int, epsilon: Epsilon, failure: Fraction) -> int:
    """Bound the errors of the chosen rule beyond the minimum, except with a failure probability."""
    return max(log_ceiling(Fraction(2), hypotheses / failure, epsilon) - 1, 0)


@checked_types
def learn_rule(  # noqa: PLR0913 - all but the records by name
    records: object,
    *,
    target: str,
    columns: Sequence[object],
    learner: str = "stumps",
    epsilon: Epsilon | Fraction | int | str = 1,
    labels: Sequence[object] = ("0", "1"),
    concept_class: ConceptClass | None = None,
    labels_only: bool = False,
    noise: str = "system",
    seed: int | None = None,
    time_limit: TimeLimit = None,
) -> RuleModel:
    """Privately learn a rule that predicts one column of a table from others (`bbkn` Theorem 3.2).

    The learner is ``epsilon``-private if the declared columns do not depend on the records.
    """
    bound = Epsilon.of(epsilon)
    check_parameters(Fraction(1, 2), Fraction(1, 2), bound)
    if noise not in {"system", "opendp"} or (seed is not None and noise != "system"):
        raise DomainError("noise must be system or opendp (only system if a seed is given)")
    pair = tuple(str(label) for label in labels)
    if len(set(pair)) != 2 or len(pair) != 2:
        raise DomainError("labels must be two different strings, such as no,yes")
    budget = Budget.of(time_limit)
    if not labels_only and concept_class is None:  # before the records are looked at
        rules_of(learner, [_declared(column, None) for column in columns])
    with budget.heard():
        table = (
            records if isinstance(records, Columns) else ColumnsOfRecords([*records_of(records)])
        )
        if not table.size:
            raise DomainError("there must be at least one record")
        held = [_column(each, concept_class, table, labels_only=labels_only) for each in columns]
        if target in {column.name for column in held}:
            raise DomainError(f"the target {target} must not be one of the columns")
        rules = rules_of(learner, held, concept_class)
        judges = {column.name: _placing(column) for column in held}
        *places, numbers = _places(table, judges | {target: _labelling(target, pair)})
        errors = rules.errors_by_column(places, numbers)
        scores = (-errors).tolist()
        if noise == "opendp":
            chosen = choose_with_opendp(scores, bound)
        else:
            chosen = choose_by_score(scores, bound, randomness(seed))
    return RuleModel(
        rules.rule(chosen), target, pair,
        tuple(
            Accepted(column.name) if labels_only and given == column.name else Accepted.of(column)
            for given, column in zip(columns, held, strict=True)
        ),
        learner, rules.size, table.size, bound, "labels" if labels_only else "records",
        noise if seed is None else "seed", seed,
    )  # fmt: skip


def _declared(given: object, cells: Sequence[object] | None) -> Column:
    """Return the declared column, given as a column or a text; a text may need the cells."""
    if isinstance(given, str):
        return column_of(given, cells)
    if isinstance(given, Column):
        return given
    raise DomainError(f"a column must be a string such as age:0..100, not {in_short(given)}")


def _column(
    given: object, concept_class: ConceptClass | None, table: Columns, *, labels_only: bool
) -> Column:
    if concept_class is not None and isinstance(given, str) and ":" not in given:
        return Values(given, tuple(str(point) for point in concept_class.points))
    if concept_class is not None:
        raise DomainError(
            "learner occam needs the name of exactly one column, whose values are the points of "
            "the class"
        )
    public = labels_only and isinstance(given, str) and ":" not in given
    if not public:
        return _declared(given, None)
    found = table.column(str(given))
    if found is None:
        raise DomainError(_gap(table, str(given))[1])
    return _declared(given, found.texts)


def _gap(table: Columns, name: str) -> tuple[int, str]:
    """Return the number of the first record that lacks a column, and an error message."""
    number, names = table.gap(name)
    return (
        number,
        f"there is no column {name}; the columns are {in_short(', '.join(map(str, names)))}",
    )


def _places(table: Columns, judges: Mapping[str, Callable[[str], int]]) -> list[Numbers32]:
    """Return, for each column, the places of its cells.

    Raise an error for the first record with an invalid cell.
    """
    found, refused = list[Numbers32](), list[tuple[int, str]]()
    for name, judge in judges.items():
        check_time()
        column = table.column(name)
        if column is None:
            refused.append(_gap(table, name))
            continue
        places, first, reason = judged(column, judge, DomainError)
        if first is not None:
            refused.append((first, reason))
        found.append(places[column.numbers])
    if refused:
        number, reason = min(refused, key=lambda each: each[0])
        raise DomainError(f"record {number + 1}: {reason}")
    return found


def _placing(column: Column) -> Callable[[str], int]:
    """Return the function that maps a cell of a column to its place."""
    known = (
        {value: i for i, value in enumerate(column.values)} if isinstance(column, Values) else {}
    )
    return lambda cell: known[cell] if cell in known else column.place(cell)


def _labelling(target: str, labels: tuple[str, ...]) -> Callable[[str], int]:
    def label(cell: str) -> int:
        if cell not in labels:
            raise DomainError(
                f"{target} must be {labels[0]} or {labels[1]}; "
                "labels (--labels no,yes) are the two strings that stand for 0 and 1"
            )
        return labels.index(cell)

    return label
