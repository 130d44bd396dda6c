"""A learned rule as a JSON file with a digest, which detects accidental changes (no signature)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from ccsim.appearance import in_short
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates.files import read_json, write_text_atomically
from ccsim.data import validated
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.learning.rules.rule import (
    Between,
    Column,
    Condition,
    Numbers,
    OneOf,
    Rule,
    number_between,
    records_of,
)

FORMAT, VERSION = "ccsim-rule", 1
NOISES = ("system", "opendp", "seed")
"""Source of the noise: the operating system, OpenDP, or a seed, which may be publicly known."""
PRIVATE = ("records", "labels")
"""Difference between neighbours: one whole record, or the label of one record."""
_REMEMBERED = 1 << 16  # different records whose labels are remembered


@validated
class Accepted:
    """The allowed values of a column in the records to label."""

    name: str
    least: Fraction | None = None
    most: Fraction | None = None
    values: tuple[str, ...] | None = None  # without these and a range anything is accepted

    @classmethod
    def of(cls, column: Column) -> Accepted:
        """Return the allowed values of a declared column."""
        if isinstance(column, Numbers):
            return cls(column.name, column.cuts[0], column.last)
        return cls(column.name, values=column.values)

    def check(self, cell: object) -> None:
        """Refuse a cell whose value is not allowed."""
        if self.values is not None and str(cell) not in self.values:
            raise DomainError(
                f"{self.name} must be one of the values declared when the rule was learned"
            )
        if self.least is not None and self.most is not None:
            number_between(cell, self.name, self.least, self.most)

    def to_dict(self) -> dict[str, Any]:
        """Return the column for JSON."""
        ends = {"least": self.least, "most": self.most}
        return {
            "name": self.name,
            **{key: None if end is None else str(end) for key, end in ends.items()},
            "values": None if self.values is None else list(self.values),
        }


class Labels(dict[tuple[str, ...], str]):
    """The labels of records, cached by the cells that determine them."""

    def __init__(self, label: Callable[[tuple[str, ...]], str]) -> None:
        super().__init__()
        self.label = label

    def __missing__(self, cells: tuple[str, ...]) -> str:
        found = self.label(cells)
        if len(self) < _REMEMBERED:
            self[cells] = found
        return found

    def refuses(self, cells: tuple[str, ...]) -> bool:
        """Whether the cells of a record are invalid, so that the record has no label."""
        try:
            self[cells]
        except DomainError:
            return True
        return False


@validated
class RuleModel:
    """A rule with the names of its columns and labels, and a statement of its privacy."""

    rule: Rule
    target: str  # the column that it predicts
    labels: tuple[str, ...]  # what stands for 0 and 1 there
    columns: tuple[Accepted, ...]  # what the columns may hold, as it was declared
    learner: str
    hypotheses: int  # number of rules among which was chosen
    records: int  # number of records from which was learned
    epsilon: Epsilon
    private: str  # ``records`` or ``labels``
    noise: str  # ``system``, ``opendp`` or ``seed``
    seed: int | None

    def __post_init__(self) -> None:
        if len(self.labels) != 2 or self.labels[0] == self.labels[1] or "" in self.labels:
            raise DomainError("labels must be two different strings, such as no,yes")
        if self.noise not in NOISES:
            raise DomainError(f"noise must be one of {', '.join(NOISES)}")
        if (self.noise == "seed") != (self.seed is not None):
            raise DomainError("seed must be an integer if noise is seed, and null otherwise")
        if self.private not in PRIVATE:
            raise DomainError(f"private must be {' or '.join(PRIVATE)}")
        if min(self.hypotheses, self.records) < 1:
            raise DomainError("the numbers of hypotheses and of records must be at least 1")
        known = [column.name for column in self.columns]
        if len(set(known)) < len(known) or not set(self.rule.columns) <= set(known):
            raise DomainError("columns must be distinct and include those of the rule")
        if self.target in known:
            raise DomainError(f"the target {self.target} must not be one of the columns")

    @property
    def is_private(self) -> bool:
        """Whether the noise was drawn from a secret source, not from a seed."""
        return self.noise != "seed"

    @property
    def privacy(self) -> str:
        """The privacy guarantee as text."""
        if not self.is_private:
            return f"none: anyone who knows the seed {self.seed} can compute the noise"
        what = "one record is" if self.private == "records" else "the label of one record is"
        return f"epsilon = {self.epsilon}, delta = 0, if {what} replaced"

    @property
    def in_words(self) -> str:
        """The rule as text."""
        return self.rule.in_words((self.labels[0], self.labels[1]))

    @checked_types
    def predict(self, records: object) -> list[str]:
        """Return the label of each record."""
        names, found = self.rule.columns, list[str]()
        labels = Labels(lambda cells: self._label(dict(zip(names, cells, strict=True))))
        for number, record in enumerate(records_of(records), 1):
            try:
                if all(name in record for name in names):
                    found.append(labels[tuple(str(record[name]) for name in names)])
                else:
                    found.append(self._label(record))
            except DomainError as error:
                raise DomainError(f"record {number}: {error}") from None
        return found

    def predict_rows(
        self, header: Sequence[str], blocks: Iterable[Sequence[Sequence[str]]]
    ) -> Iterator[list[str]]:
        """Yield the labels of the rows in each block of a table, whose cells may have blanks."""
        at = {name: header.index(name) for name in self.rule.columns if name in header}
        labels = Labels(
            lambda cells: self._label(dict(zip(at, map(str.strip, cells), strict=True)))
        )
        before = 0
        for rows in blocks:
            keys = [tuple(row[i] for i in at.values()) for row in rows]
            try:
                yield list(map(labels.__getitem__, keys))
            except DomainError as error:
                number = next(i for i, key in enumerate(keys, 1) if labels.refuses(key))
                raise DomainError(f"record {before + number}: {error}") from None
            before += len(rows)

    def _label(self, record: Mapping[str, object]) -> str:
        """Return the label of a record."""
        for column in self.columns:
            if column.name in self.rule.columns and column.name in record:
                column.check(record[column.name])
        return self.labels[self.rule.predict(record)]

    def to_dict(self) -> dict[str, Any]:
        """Return the model for JSON."""
        document = {
            "format": FORMAT,
            "version": VERSION,
            "target": self.target,
            "labels": list(self.labels),
            "rule": {
                "inside": self.rule.inside,
                "conditions": [condition.to_dict() for condition in self.rule.conditions],
            },
            "columns": [column.to_dict() for column in self.columns],
            "learner": self.learner,
            "hypotheses": self.hypotheses,
            "records": self.records,
            "epsilon": str(self.epsilon),
            "delta": "0",
            "private": self.private,
            "noise": self.noise,
            "seed": None if self.seed is None else str(self.seed),
            "privacy": self.privacy,
        }
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        return document | {"digest": hashlib.sha256(text.encode()).hexdigest()}

    def write(self, path: Path | str) -> None:
        """Write the model to a JSON file atomically."""
        write_text_atomically(path, json.dumps(self.to_dict(), indent=1) + "\n")


@checked_types
def read_model(path: Path | str) -> RuleModel:
    """Return the model in a file, or in standard input if the file is ``-``."""
    source, document = str(path), read_json(path, Budget())
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UnreadableInputError(f"{source}: expected a model written by ccsim learn --data")
    if document.get("version") != VERSION:
        raise UnreadableInputError(
            f"{source}: the version of a model must be {VERSION}, not "
            f"{in_short(document.get('version'))}"
        )
    try:
        model = _model(document)
        same = _text_of(model.to_dict()) == _text_of(document)  # 1 and true are equal in Python
    except (DomainError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = error if isinstance(error, DomainError) else "a value has the wrong type"
        reason = f"the key {error.args[0]} is missing" if isinstance(error, KeyError) else reason
        raise UnreadableInputError(
            f"{source}: the model is incomplete or invalid: {reason}"
        ) from None
    if not same:
        raise UnreadableInputError(
            f"{source}: the model was changed after it was written; create it again with ccsim "
            "learn"
        )
    return model


def _text_of(document: object) -> str:
    return json.dumps(document, sort_keys=True)


def _model(document: Mapping[str, Any]) -> RuleModel:
    conditions = tuple(_condition(each) for each in document["rule"]["conditions"])
    columns = tuple(
        Accepted(
            _text(each["name"]),
            _end(each["least"]),
            _end(each["most"]),
            None if each["values"] is None else tuple(_text(v) for v in each["values"]),
        )
        for each in document["columns"]
    )
    inside, seed = document["rule"]["inside"], document["seed"]
    if inside not in (0, 1):
        raise DomainError(f"rule: inside must be 0 or 1, not {in_short(inside)}")
    return RuleModel(
        Rule(conditions, inside),
        _text(document["target"]),
        tuple(_text(label) for label in document["labels"]),
        columns,
        _text(document["learner"]),
        document["hypotheses"],
        document["records"],
        Epsilon.of(_text(document["epsilon"])),
        document["private"],
        document["noise"],
        None if seed is None else int(as_fraction(_text(seed), "seed", 0)),
    )


def _condition(data: Mapping[str, Any]) -> Condition:
    if "values" in data:
        return OneOf(_text(data["column"]), tuple(_text(value) for value in data["values"]))
    return Between(_text(data["column"]), _end(data["least"]), _end(data["below"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise DomainError(f"expected text, found {in_short(value)}")
    return value


def _end(value: object) -> Fraction | None:
    return None if value is None else as_fraction(_text(value), "number")
