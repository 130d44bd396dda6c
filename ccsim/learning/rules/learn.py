"""The exponential mechanism over the rules on a table: a private hypothesis for new records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product

from ccsim.appearance import in_short
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit, check_time
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.probability import randomness
from ccsim.learning.rules.families import RuleSet, rules_of
from ccsim.learning.rules.model import Accepted, RuleModel
from ccsim.learning.rules.rule import Column, Values, column_of, records_of
from ccsim.learning.sample_size import check_parameters, log_ceiling
from ccsim.privacy.mechanisms.exponential import (
    ChoiceByScore,
    ExponentialMechanism,
    choose_by_score,
)
from ccsim.privacy.mechanisms.opendp import choose_with_opendp

LabelledCells = tuple[tuple[int, ...], int]
"""The places of a record's cells, and its label."""


@validated
class RuleChoice(ChoiceByScore[LabelledCells, int]):
    """The number of a rule, with probability proportional to ``e^(-epsilon errors / 2)``.

    It is ``epsilon``-private: one record changes the errors of a rule by at most 1. This is the
    exact law of what `learn_rule` draws, for audits on few places and records.
    """

    rules: RuleSet
    epsilon: Epsilon
    # 1; a smaller value makes a faulty mechanism that an audit must catch
    sensitivity: Fraction = Fraction(1)

    symmetric = True

    @property
    def records(self) -> tuple[LabelledCells, ...]:
        """All labelled cells of the table."""
        cells = product(*(range(column.places) for column in self.rules.columns))
        return tuple(product(cells, (0, 1)))

    @property
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism by which it chooses."""

        def score(database: Sequence[LabelledCells], number: int) -> int:
            cells, labels = [x for x, _ in database], [label for _, label in database]
            return -int(self.rules.errors(cells, labels)[number])

        return ExponentialMechanism(
            self.records, tuple(range(self.rules.size)), score, self.epsilon, self.sensitivity
        )


def most_excess(hypotheses: int, epsilon: Epsilon, failure: Fraction) -> int:
    """Return how many records more than the best rule's the chosen one labels wrongly, at most.

    Except with probability ``failure``; whatever the records are: a rule with ``t`` more errors
    than the best one is chosen with probability at most ``e^(-epsilon t / 2)``.
    """
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
    """Learn a rule that predicts one column of a table from others, privately.

    The exponential mechanism over the rules (`bbkn` Theorem 3.2) is ``epsilon``-private, provided
    that the declared columns do not depend on the records; except with probability ``failure`` the
    rule has at most ``most_excess(...)`` more errors on the records than the best one.

    Complexity: linear in records and rules; 10^5 records and as many rules take two seconds.
    """
    bound = Epsilon.of(epsilon)
    check_parameters(Fraction(1, 2), Fraction(1, 2), bound)
    if noise not in {"system", "opendp"} or (seed is not None and noise != "system"):
        raise DomainError("noise must be system or opendp, and system with a seed")
    pair = tuple(str(label) for label in labels)
    if len(set(pair)) != 2 or len(pair) != 2:
        raise DomainError("labels must be two different texts, as no,yes")
    budget = Budget.of(time_limit)
    if not labels_only and concept_class is None:  # before the records are looked at
        rules_of(learner, [_declared(column, None) for column in columns])
    with budget.heard():
        listed = list(records_of(records))
        if not listed:
            raise DomainError("records must be at least one")
        held = [_column(each, concept_class, listed, labels_only=labels_only) for each in columns]
        if target in {column.name for column in held}:
            raise DomainError(f"the target {target} must not be one of the columns")
        rules = rules_of(learner, held, concept_class)
        wanted = [*(_placing(column) for column in held), _labelling(target, pair)]
        cells = []
        for number, record in enumerate(listed, 1):
            check_time()
            try:
                cells.append([place(record) for place in wanted])
            except DomainError as error:
                raise DomainError(f"record {number}: {error}") from None
        errors = rules.errors([cell[:-1] for cell in cells], [cell[-1] for cell in cells])
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
        learner, rules.size, len(listed), bound, "labels" if labels_only else "records",
        noise if seed is None else "seed", seed,
    )  # fmt: skip


def _declared(given: object, cells: Sequence[object] | None) -> Column:
    """Return a column that is given, or described."""
    if isinstance(given, str):
        return column_of(given, cells)
    if isinstance(given, Column):
        return given
    raise DomainError(f"a column is a text such as age:0..100, not {in_short(given)}")


def _column(
    given: object,
    concept_class: ConceptClass | None,
    records: Sequence[Mapping[str, object]],
    *,
    labels_only: bool,
) -> Column:
    if concept_class is not None and isinstance(given, str) and ":" not in given:
        return Values(given, tuple(str(point) for point in concept_class.points))
    if concept_class is not None:
        raise DomainError("occam takes the name of one column, whose values are the class's points")
    public = labels_only and isinstance(given, str) and ":" not in given
    return _declared(given, [_cell(each, str(given)) for each in records] if public else None)


def _cell(record: Mapping[str, object], name: str) -> object:
    if name not in record:
        raise DomainError(f"there is no column {name} in {in_short(', '.join(map(str, record)))}")
    return record[name]


def _placing(column: Column) -> Callable[[Mapping[str, object]], int]:
    """Return what finds the place of a record in a column; what was seen is remembered."""
    known: dict[object, int] = {}
    if isinstance(column, Values):
        known.update({value: place for place, value in enumerate(column.values)})

    def place(record: Mapping[str, object]) -> int:
        cell = str(_cell(record, column.name))
        if cell not in known:
            known[cell] = column.place(cell)
        return known[cell]

    return place


def _labelling(target: str, labels: tuple[str, ...]) -> Callable[[Mapping[str, object]], int]:
    def label(record: Mapping[str, object]) -> int:
        cell = str(_cell(record, target))
        if cell not in labels:
            raise DomainError(
                f"{target} must be {labels[0]} or {labels[1]}; "
                "labels are the two texts that stand for 0 and 1"
            )
        return labels.index(cell)

    return label
