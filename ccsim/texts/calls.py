"""Calls by name, ``name:key=value,key=value``: parsing and checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.arguments.numbers import integer_of
from ccsim.errors import UnreadableInputError

T = TypeVar("T")

MAX_PARAMETER_DIGITS = 18
"""Maximum number of digits of a number in an INSTANCE text."""

MAX_POWER_BITS = 4096  # maximum number of bits of a power in an INSTANCE text


@checked_types
def parse_call(text: str) -> tuple[str, dict[str, int]]:
    """Return the name and the integer parameters of ``name:key=value,key=value``.

    Large numbers may be written as powers, ``2^256``.

    Parameters
    ----------
    text : str
        The text of the call.

    Examples
    --------
    >>> parse_call("random:m=3,n=2,seed=0"), parse_call("equality")
    (('random', {'m': 3, 'n': 2, 'seed': 0}), ('equality', {}))
    """
    name, _, rest = text.partition(":")
    values: dict[str, int] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key:
            raise UnreadableInputError(
                f"{name}: parameters must be written key=value, not {part!r}"
            )
        if key in values:
            raise UnreadableInputError(f"{name}: {key} is given twice")
        values[key] = _integer(value, name, key)
    return name.strip(), values


def _integer(value: str, name: str, key: str) -> int:
    """Read an integer, or a power written ``2^256``."""
    if "^" in value:
        base, exponent = (_integer(part, name, key) for part in value.split("^", 1))
        if exponent < 0 or abs(base).bit_length() * exponent > MAX_POWER_BITS:
            raise UnreadableInputError(
                f"{name}: {key}={value[:40]} must be an integer below 2^{MAX_POWER_BITS}"
            )
        return int(base**exponent)
    number = integer_of(value)
    if number is None and not (value.isascii() and value.isdecimal()):
        raise UnreadableInputError(f"{name}: {key} must be an integer, not {value[:40]!r}")
    digits = len(value) if number is None else len(str(abs(number)))
    if number is None or digits > MAX_PARAMETER_DIGITS:
        raise UnreadableInputError(
            f"{name}: {key} has {digits} digits; the limit is {MAX_PARAMETER_DIGITS}"
        )
    return number


@checked_types
def check_keys(
    name: str,
    given: Iterable[str] | Mapping[str, object],
    known: Sequence[str],
    required: Sequence[str],
) -> None:
    """Raise `UnreadableInputError` if parameters are unknown or missing.

    Parameters
    ----------
    name : str
        Name of the family, for the message.
    given : iterable of str
        Names of the given parameters.
    known, required : sequence of str
        Names of all parameters, and of those that must be given.

    Examples
    --------
    >>> check_keys("points", ["n"], ["b"], ["b"])
    Traceback (most recent call last):
    ...
    ccsim.errors.UnreadableInputError: points: unknown parameter n; write points:b=...
    """
    given = list(given)
    unknown = [key for key in given if key not in known]
    missing = [key for key in required if key not in given]
    if not unknown and not missing:
        return
    problem = f"unknown parameter {unknown[0]}" if unknown else f"parameter {missing[0]} is missing"
    usage = f"{name}:{','.join(f'{key}=...' for key in known)}" if known else name
    raise UnreadableInputError(f"{name}: {problem}; write {usage}")


@checked_types
def look_up(table: Mapping[str, T], what: str, name: str) -> T:
    """Return the entry of a table, or raise `UnreadableInputError` for an unknown name.

    Parameters
    ----------
    table : mapping of str
        The entries by name.
    what : str
        Kind of the entries, for the message.
    name : str
        Name of the entry.

    Examples
    --------
    >>> look_up({"lines": 1, "points": 2}, "family", "point")
    Traceback (most recent call last):
    ...
    ccsim.errors.UnreadableInputError: unknown family 'point' (points?); known: lines, points
    """
    if name in table:
        return table[name]
    near = "".join(f" ({match}?)" for match in get_close_matches(name, table, n=1))
    raise UnreadableInputError(
        f"unknown {what} {name[:40]!r}{near}; known: {', '.join(sorted(table))}"
    )
