"""How results show themselves: as a plain dictionary, as a table in a notebook, as a data frame."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from html import escape
from importlib import import_module
from typing import Any, cast

from ccsim.appearance import in_short, in_words
from ccsim.certificates.envelope import encode_fraction
from ccsim.errors import CcsimError, DomainError

_BOUNDS = ("lower", "upper")
_INSTANCES = ("problem", "concept_class", "instance")
_MOST_ROWS = 200
_PICTURES = "ccsim.pictures.natural", "ccsim.pictures.figures"
"""Pictures stand above what they show, which therefore knows them by name alone."""


def question_of(result: object) -> str:
    """Return what a result answers, as a noun phrase."""
    kind: Any = type(result)
    return str(kind.question or kind.quantity).removeprefix("the ")


def stated(result: object) -> dict[str, object]:
    """Return the answer of a result and the parameters of its question by name, the answer first.

    The answer is ``value`` where the bounds agree, otherwise ``lower`` and ``upper``, or what the
    class of the result names.
    """
    kind: Any = type(result)
    names = kind.answered
    if not names:
        lower, upper = (getattr(result, name) for name in _BOUNDS)
        is_exact = type(lower) is type(upper) and lower == upper
        answer = {"value": lower} if is_exact else {"lower": lower, "upper": upper}
    else:
        answer = {name: getattr(result, name) for name in names}
    return answer | {name: getattr(result, name) for name in kind.asked}


def as_data(result: object) -> dict[str, Any]:
    """Return a result without its proofs as JSON values: the question, its parameters, the answer.

    ``instance`` is the name of the instance (of the class, for an evaluation problem), ``reading``
    what reading it assumed. Fractions are texts ``p/q``. Results inside are objects of their own; a
    result with bounds has ``exact``, and ``value``, which is null unless the bounds agree.
    """
    held = _held(result)
    data: dict[str, Any] = {"question": question_of(result)}
    known = stated(result)
    if (instance := _instance(known)) is not None:
        data |= about_instance(instance)
    for name, value in known.items():
        if name not in _BOUNDS and name != "value" and value is not instance:
            data[name] = _told(value)
    for name, value in held.items():
        if name in _BOUNDS or name == "method" or name in known:
            continue
        if isinstance(value, bool | int | str | Fraction):
            data[name] = _encoded(value)
        elif is_dataclass(value) and hasattr(value, "to_dict") and hasattr(value, "check"):
            data[name] = cast("Any", value).to_dict()
    lower, upper = held.get("lower"), held.get("upper")
    if isinstance(lower, int | Fraction):
        exact = lower == upper
        data |= {"value": _encoded(lower) if exact else None, "exact": exact}
        data |= {"lower": _encoded(lower), "upper": _encoded(upper)}
    elif "value" in known:
        data["value"] = _told(known["value"])
    return data


def about_instance(instance: object) -> dict[str, Any]:
    """Return the text of an instance, and how it was read if reading it assumed anything."""
    text = {"instance": _instance_text(getattr(instance, "name", ""))}
    reading: Any = getattr(instance, "reading", None)
    if reading is None or not (reading.source or reading.signs):
        return text
    return {**text, "reading": reading.to_json()}


def _told(value: object) -> object:
    """Return a parameter or an answer as a JSON value: a number, or one line of text."""
    if value is None or isinstance(value, bool | int | str | Fraction):
        return _encoded(value)
    if hasattr(value, "lower") and hasattr(value, "upper"):
        return _encoded(value.lower) if value.lower == value.upper else in_short(value)
    return _unbracketed(value)


def _instance_text(name: str) -> str:
    """Return the INSTANCE text of an object with a name: of a class for its evaluation problem."""
    return name[5:-1] if name.startswith("Eval(") else name


def _held(result: object) -> dict[str, object]:
    shown = (field for field in fields(cast("Any", result)) if field.repr)
    return {field.name: getattr(result, field.name) for field in shown}


def _instance(held: Mapping[str, object]) -> object:
    return next((held[name] for name in _INSTANCES if name in held), None)


def _encoded(value: object) -> object:
    if isinstance(value, StrEnum):
        return str(value)
    return encode_fraction(value) if isinstance(value, Fraction) else value


def result_table(result: object) -> str:
    """Return a small table in HTML: question, instance, value, proofs, and how to check them.

    All texts, of which labels and names may come from anywhere, are escaped.
    """
    known = stated(result)
    proofs = {name: value for name, value in _held(result).items() if name not in known}
    rows = _stated_rows(result)
    rows += [
        _row(name, value)
        for name, value in proofs.items()
        if name not in _BOUNDS and _says_something(value)
    ]
    rows = [row for row in rows if row[1] != "None"]
    rows.append(("check", "result.check(), or result.certificate().write(FILE)"))
    rows.append(("", "and then: proofs-check verify FILE"))
    return html_table((), rows)


def stated_table(result: object) -> str:
    """Return a table in HTML of the question of a result, its parameters and the answer."""
    return html_table((), [row for row in _stated_rows(result) if row[1] != "None"])


def _stated_rows(result: object) -> list[tuple[str, str]]:
    """Return the question of a result, the instance, the answer and the parameters."""
    known = stated(result)
    instance = _instance(known)
    rows = [("question", question_of(result))]
    if instance is not None:
        rows.append(("instance", in_words(instance)))
    if "lower" in known:
        ends = [in_short(known[name]) for name in _BOUNDS if known.get(name) is not None]
        rows.append(("value", ("at least " if len(ends) == 1 else "") + " to ".join(ends)))
    answers = cast("Any", type(result)).answered
    for name, value in known.items():
        if name not in _BOUNDS and value is not instance:
            is_open = value is None and name in answers
            rows.append(_row(name, "undecided" if is_open else value))
    return rows


def _row(name: str, value: object) -> tuple[str, str]:
    return name.replace("_", " "), value if isinstance(value, str) else _unbracketed(value)


def _unbracketed(value: object) -> str:
    """Return a value in short, without the brackets that separate it from its neighbours."""
    return in_short(value).removeprefix("<").removesuffix(">")


def _says_something(value: object) -> bool:
    """Whether a value is shown by more than the name of its type."""
    return value != "" and in_short(value) != type(value).__name__


def _in_words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def html_table(titles: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in HTML whose rows begin with a heading, all texts escaped."""
    heads = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    lines = [f"<thead><tr>{heads}</tr></thead>"] if heads else []
    body = []
    for number, (first, *rest) in enumerate(rows):
        if number == _MOST_ROWS:
            body.append("<tr><td>...</td></tr>")
            break
        cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in rest)
        body.append(f'<tr><th scope="row">{escape(str(first))}</th>{cells}</tr>')
    return f"<table>{''.join(lines)}<tbody>{''.join(body)}</tbody></table>"


def picture_of(result: object) -> str | None:
    """Return the picture of a result as SVG; None if it has none or without matplotlib."""
    natural, figures = (import_module(name) for name in _PICTURES)
    try:
        axes = natural.natural_picture(result)
        return None if axes is None else str(figures.svg_text(axes))
    except CcsimError:
        return None


def with_picture(table: str, result: object) -> str:
    """Return a table in HTML with the picture of its result below it, if there is one.

    The picture is an image of its own, so that its names do not meet those of another one.
    """
    picture = picture_of(result)
    if picture is None:
        return table
    data = b64encode(picture.encode()).decode("ascii")
    words = f"Picture of the {_in_words(type(result).__name__)}"
    return f'{table}<img alt="{words}" src="data:image/svg+xml;base64,{data}">'


def data_frame(rows: Iterable[Mapping[str, object]]) -> Any:  # noqa: ANN401 - of pandas, if it is there
    """Return rows as a frame of pandas; what is exact stays text or an integer."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise DomainError("data frames need pandas: pip install pandas") from None
    return pandas.DataFrame.from_records(list(rows))
