"""Readers of hypotheses for `ccsim represent`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from ccsim.appearance import counted
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.files import read_json
from ccsim.classes import ConceptClass
from ccsim.classes.given import class_from_table
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact import as_fraction
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.texts.files import read_table
from ccsim.texts.json import known_keys, table_from_json
from ccsim.texts.reading import name_of_file
from ccsim.texts.tables import Table, found

_STATEMENT = ("hypotheses", "support", "error", "lower", "upper")


def read_hypotheses(
    path: str, C: ConceptClass, time_limit: TimeLimit = None
) -> HypothesisSet | ProbabilisticRepresentation:
    """Return the hypotheses in a file, over the points of a class."""
    budget = Budget.of(time_limit)
    if Path(name_of_file(path)).suffix.lower() != ".json":
        return _set(read_table(path, budget), C, budget)
    value = read_json(name_of_file(path), budget, exact=True)
    if isinstance(value, dict) and isinstance(value.get("statement"), dict):
        value = value["statement"]
        known_keys(value, _STATEMENT, path)
    if not isinstance(value, dict) or not {"support", "hypotheses"} & value.keys():
        return _set(read_table(path, budget), C, budget)
    if "support" not in value:
        return _set(table_from_json(value["hypotheses"], path, path, budget), C, budget)
    return _mixture(value["support"], path, C, budget)


def _set(table: Table, C: ConceptClass, budget: Budget) -> HypothesisSet:
    rows = class_from_table(table, budget)
    points = [str(label) for label in C.points]
    if len(rows.points) != len(points):
        raise UnreadableInputError(
            f"{table.source}: rows have {counted(len(rows.points), 'entry', 'entries')}, "
            f"the class {counted(len(points), 'point', 'points')}"
        )
    if table.column_labels is not None and [str(label) for label in rows.points] != points:
        raise UnreadableInputError(
            f"{table.source}: the labels of the columns must be the points of the class"
        )
    try:
        return HypothesisSet.from_rows(rows.rows, len(points))
    except DomainError as error:
        raise UnreadableInputError(f"{table.source}: {error}") from None


def _mixture(
    support: object, path: str, C: ConceptClass, budget: Budget
) -> ProbabilisticRepresentation:
    if isinstance(support, dict) and support.keys() == {"sets", "weights"}:
        support = _listed(support["sets"], support["weights"], path)
    if not isinstance(support, Sequence) or isinstance(support, str):
        raise UnreadableInputError(
            f"{path}: support must be a list of weights and hypotheses, not {found(support)}"
        )
    parts = []
    for number, part in enumerate(support, 1):
        source = f"{path}: set {number} of the support"
        if not isinstance(part, dict) or part.keys() != {"weight", "hypotheses"}:
            raise UnreadableInputError(
                f"{source}: expected the keys weight and hypotheses, found {found(part)}"
            )
        table = table_from_json(part["hypotheses"], source, path, budget)
        parts.append((part["weight"], _set(table, C, budget)))
    try:
        return ProbabilisticRepresentation.mixture(parts)
    except DomainError as error:
        raise UnreadableInputError(f"{path}: support: {error}") from None


def _listed(sets: object, weights: object, path: str) -> list[dict[str, object]]:
    """Return the weighted sets of a support given as in certificates, with integer weights."""
    if not isinstance(sets, list) or not isinstance(weights, list) or len(sets) != len(weights):
        raise UnreadableInputError(f"{path}: support must have one weight for each set")
    try:
        shares = [as_fraction(weight, "weight", 0) for weight in weights]
    except DomainError as error:
        raise UnreadableInputError(f"{path}: support: {error}") from None
    total = sum(shares) or Fraction(1)
    return [
        {"weight": share / total, "hypotheses": rows}
        for share, rows in zip(shares, sets, strict=True)
    ]
