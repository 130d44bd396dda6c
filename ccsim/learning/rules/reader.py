"""Reading a learned rule from its file, which is not trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from ccsim.appearance import in_short
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates import read_json
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.learning.rules.model import FORMAT, VERSION, Accepted, RuleModel
from ccsim.learning.rules.rule import Between, Condition, OneOf, Rule


@checked_types
def read_model(path: Path | str) -> RuleModel:
    """Return the model in a file, ``-`` for standard input."""
    source, document = str(path), read_json(path, Budget())
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UnreadableInputError(
            f"{source}: expected a model that ccsim learn --data has written"
        )
    if document.get("version") != VERSION:
        raise UnreadableInputError(
            f"{source}: version {in_short(document.get('version'))} of models is not known, "
            f"{VERSION} is"
        )
    try:
        model = _model(document)
        same = _text_of(model.to_dict()) == _text_of(document)  # 1 and true are equal in Python
    except (DomainError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}" if not isinstance(error, DomainError) else error
        _refuse(source, f"not a whole model: {reason}")
    if not same:
        _refuse(source, "the model is not as it was written: its digest or a text is another")
    return model


def _text_of(document: object) -> str:
    return json.dumps(document, sort_keys=True)


def _refuse(source: str, reason: str) -> NoReturn:
    raise UnreadableInputError(f"{source}: {reason}") from None


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
        raise DomainError("inside must be 0 or 1")
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
        raise DomainError(f"expected a text, found {in_short(value)}")
    return value


def _end(value: object) -> Fraction | None:
    return None if value is None else as_fraction(_text(value), "number")
