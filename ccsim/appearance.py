"""One-line representations of objects, shortened to their values and sizes if necessary."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sized
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeVar, cast

from ccsim.arguments.values import show_value

T = TypeVar("T")

MOST_CHARACTERS = 110  # longest representation of an object
MOST_OF_A_RESULT = 240  # longest representation of a result, with answer and parameters
_MOST_OF_A_FIELD = 48
_MOST_OF_AN_INSTANCE = 60
_LONGEST_NUMBER = 64
_BRACKETS: Mapping[type, tuple[str, str]] = MappingProxyType(
    {
        tuple: ("(", ")"),
        list: ("[", "]"),
        dict: ("{", "}"),
        set: ("{", "}"),
        frozenset: ("frozenset({", "})"),
    }
)
_NOTHING_TO_SAY = (None, "", ())
_MISSING = object()


def one_line(kind: type[T]) -> type[T]:
    """Give a data class a ``repr`` on one line of at most `MOST_CHARACTERS` characters.

    Small objects are shown in full, results by answer and parameters (at most `MOST_OF_A_RESULT`
    characters), others by value, instance, numbers and sizes. An object of a class with a
    ``__str__`` is shown as this text.
    """
    made = cast("Any", kind)
    made.__repr__ = _representation
    return kind


def in_short(value: object) -> str:
    """Return a value or a description of it on one line of at most 48 characters."""
    return _cut(_short(value), _MOST_OF_A_FIELD)


def in_words(thing: object) -> str:
    """Return the text of an object, or its type, on one line of at most 60 characters."""
    return _cut(_said(thing) or type(thing).__name__, _MOST_OF_AN_INSTANCE)


def show_label(label: object) -> str:
    """Return a label as one line of text, with unprintable characters escaped."""
    text = str(label)
    return text if text.isprintable() else ascii(text)


def counted(number: int | str, one: str, many: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{number} {one if str(number) == '1' else many}"


def _representation(thing: object) -> str:
    if hasattr(type(thing), "stated") and (text := _result(thing)):
        return text
    whole = _whole(thing, MOST_CHARACTERS)
    if whole is not None:
        return whole
    name = type(thing).__name__
    said = _said(thing)
    parts = [_cut(said, MOST_CHARACTERS - len(name) - 2)] if said else _parts(thing)
    room = MOST_CHARACTERS - len(f"{name}()")
    kept = list[str]()
    for part in parts:
        needed = sum(map(len, kept)) + 2 * len(kept) + len(part)
        if needed + (len(", ...") if part is not parts[-1] else 0) > room:
            kept.append("...")
            break
        kept.append(part)
    return f"{name}({', '.join(kept)})"


def _result(thing: Any) -> str:  # noqa: ANN401 - a result
    """Return the answer and the parameters of a result, shortened if they are too long."""
    try:
        known = thing.stated()
    except Exception:  # it is half made or wrong, and somebody looks for the fault
        return ""
    name = type(thing).__name__
    for room in (_MOST_OF_A_FIELD, 24, 12):
        text = ", ".join(f"{key}={_cut(_short(value), room)}" for key, value in known.items())
        if len(name) + len(text) + 2 <= MOST_OF_A_RESULT:
            break
    return f"{name}({text})"


def _said(thing: object) -> str:
    """Return the first line of the text of an object.

    The result is '' if its class does not define ``__str__``.
    """
    if type(thing).__str__ is object.__str__:
        return ""
    try:
        return show_label(str(thing).partition("\n")[0])
    except Exception:  # it is half made or wrong, and somebody looks for the fault
        return ""


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3]}..."


def _parts(thing: object) -> list[str]:
    """Return the fields of an object: its value, its instance, numbers, then collections."""
    shown = {f.name: getattr(thing, f.name, _MISSING) for f in fields(cast("Any", thing)) if f.repr}
    there = {name: v for name, v in shown.items() if v is not _MISSING and not _is_empty(v)}
    value = _bounds(there)
    ordered = {**value, **dict(sorted(there.items(), key=lambda pair: _rank(pair[1])))}
    known = {"lower", "upper"} if "value" in value else set[str]()
    return [f"{name}={in_short(v)}" for name, v in ordered.items() if name not in known]


def _rank(value: object) -> int:
    """Return the rank of a field in the output: instances first, then numbers, then all others."""
    if isinstance(value, int | float | Fraction | str):
        return 1
    return 0 if is_dataclass(value) and type(value).__str__ is not object.__str__ else 2


def _bounds(held: Mapping[str, object]) -> dict[str, object]:
    """Return the value of an object, or the bounds on it; empty if there are none."""
    lower, upper = held.get("lower"), held.get("upper")
    if not isinstance(lower, int | Fraction):
        return {}
    if type(lower) is type(upper) and lower == upper:
        return {"value": lower}
    return {name: held[name] for name in ("lower", "upper") if name in held}


def _is_empty(value: object) -> bool:
    return any(type(value) is type(nothing) and value == nothing for nothing in _NOTHING_TO_SAY)


def _short(value: object) -> str:
    whole = _whole(value, _MOST_OF_A_FIELD)
    if isinstance(value, bool | int | Fraction | str):
        return show_value(value) if isinstance(value, Fraction) or whole is None else whole
    if whole is not None:
        return whole
    if is_dataclass(value) and not isinstance(value, type):
        bounds = _bounds({f.name: getattr(value, f.name, None) for f in fields(value)})
        ends = [in_short(end) for end in bounds.values()]
        if said := _said(value):
            return f"<{_cut(said, _MOST_OF_A_FIELD - 2)}>"
        return " to ".join(ends) or _told(value)
    if isinstance(value, Sized) and not isinstance(value, type):
        return f"<{len(value)} entries>"
    return str(getattr(value, "__name__", type(value).__name__))


def _told(value: object) -> str:
    """Return the representation of a contained object, or its type if this is too long."""
    text = repr(value) if type(value).__repr__ is _representation else ""
    return text if 0 < len(text) <= _MOST_OF_A_FIELD else type(value).__name__


def _whole(value: object, room: int) -> str | None:
    """Return the ``repr`` of a value, or None if it has more than ``room`` characters."""
    text = _written(value, room) if room >= 0 else None
    return text if text is not None and len(text) <= room and text.isprintable() else None


def _written(value: object, room: int) -> str | None:
    if value is None or isinstance(value, bool | float | int | Fraction):
        exact = Fraction(value) if isinstance(value, int | Fraction) else Fraction(0)
        bits = max(exact.numerator.bit_length(), exact.denominator.bit_length())
        return repr(value) if bits <= _LONGEST_NUMBER else None
    if isinstance(value, str):
        return repr(str(value)) if len(value) <= room else None
    if is_dataclass(value) and type(value).__repr__ is _representation:
        held = [(f"{f.name}=", getattr(value, f.name, _MISSING)) for f in fields(value) if f.repr]
        inside = _joined(held, room)
        return None if inside is None else f"{type(value).__name__}({inside})"
    if type(value) not in _BRACKETS or len(cast("Sized", value)) > room // 2:
        return None
    return _collected(cast("Collection[object]", value), room)


def _collected(values: Collection[object], room: int) -> str | None:
    """Return the ``repr`` of a collection, or None if it has more than ``room`` characters."""
    if isinstance(values, Mapping):
        keys = [_whole(key, room) for key in values]
        known = [(f"{key}: ", entry) for key, entry in zip(keys, values.values(), strict=True)]
        entries = None if None in keys else _joined(known, room)
    else:
        entries = _joined([("", entry) for entry in values], room)
    if entries is None:
        return None
    if not values and isinstance(values, set | frozenset):
        return f"{type(values).__name__}()"
    opened, closed = _BRACKETS[type(values)]
    lonely = "," if isinstance(values, tuple) and len(values) == 1 else ""
    return f"{opened}{entries}{lonely}{closed}"


def _joined(entries: list[tuple[str, object]], room: int) -> str | None:
    """Return entries, each after its prefix, or None if they have more than ``room`` characters."""
    texts = list[str]()
    for before, entry in entries:
        text = _whole(entry, room)
        if text is None:
            return None
        texts.append(before + text)
        room -= len(before) + len(text)
        if room < 0:
            return None
    return ", ".join(texts)
