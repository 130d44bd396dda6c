"""Base class of results with bounds, and type checks of their fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache, lru_cache
from reprlib import Repr
from types import UnionType
from typing import (
    Any,
    ClassVar,
    ForwardRef,
    Generic,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ccsim.errors import CcsimError, CertificateError, NotDecidedError

N = TypeVar("N", int, Fraction)
Rule: TypeAlias = Callable[[Any], bool]
_SHORT = Repr()
_SHORT.maxlevel, _SHORT.maxother, _SHORT.maxlong, _SHORT.maxstring = 3, 60, 60, 60


class Bounds(Generic[N]):
    """Base class of results with fields ``lower`` and ``upper``."""

    __slots__ = ()

    quantity: ClassVar[str]
    """The quantity between the bounds, as a noun phrase."""
    lower: N
    upper: N | None
    """Upper bound. None if no upper bound is known."""

    @property
    def exact(self) -> bool:
        """Whether the two bounds coincide."""
        return self.lower == self.upper

    @property
    def value(self) -> N:
        """The common value of the two bounds; raises `NotDecidedError` if they differ."""
        if not self.exact:
            known = f"lies between {self.lower} and {self.upper}"
            known = f"is at least {self.lower}" if self.upper is None else known
            raise NotDecidedError(f"{self.quantity} {known}")
        return self.lower


def check_fields(result: object, refusal: type[CcsimError] = CertificateError) -> None:
    """Raise an error unless all fields of a result, and their entries, have the declared types."""
    kind: Any = type(result)
    for name, (declared, rule) in _rules_of(kind).items():
        if not rule(value := getattr(result, name)):
            shown = " ".join(_SHORT.repr(value).split())
            raise refusal(f"{name} of {type(result).__name__} must be {declared}, not {shown}")


@cache
def _rules_of(kind: Any) -> dict[str, tuple[str, Rule]]:  # noqa: ANN401 - a data class
    """Return, for each field of a data class, the name of its type and the rule for its values."""
    hints = get_type_hints(kind)
    return {field.name: (str(field.type), _rule(hints[field.name])) for field in fields(kind)}


@lru_cache(maxsize=512)
def _rule(hint: Any) -> Rule:  # noqa: ANN401 - a type, or what stands for one
    """Return the rule that checks values of one type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        rules = [_rule(part) for part in parts]
        return lambda value: any(rule(value) for rule in rules)
    if origin is tuple:
        return _tuple_rule(parts)
    if origin is list:
        entry = _rule(parts[0])
        return lambda value: type(value) is list and all(map(entry, value))
    is_open = hint is Any or isinstance(hint, TypeVar | ForwardRef)
    return _plain_rule(object if is_open else origin or hint)


def _plain_rule(kind: type) -> Rule:
    if kind in (int, bool):
        return lambda value: type(value) is kind
    if kind is Fraction:
        return lambda value: isinstance(value, Fraction) or type(value) is int
    if is_dataclass(kind) and not hasattr(kind, "check"):
        return lambda value: isinstance(value, kind) and _is_sound(value)
    return lambda value: isinstance(value, kind)


def _tuple_rule(parts: tuple[Any, ...]) -> Rule:
    """Return the rule for tuples: of fixed length, or of any length with one type of entries."""
    if parts[-1:] != (...,):
        rules = [_rule(part) for part in parts]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(rules)
            and all(rule(entry) for rule, entry in zip(rules, value, strict=True))
        )
    entry = _rule(parts[0])
    if _is_of_types(parts[0]):  # one entry of each type is enough
        return lambda value: (
            isinstance(value, tuple)
            and all(
                entry(next(v for v in value if type(v) is kind)) for kind in {*map(type, value)}
            )
        )
    return lambda value: isinstance(value, tuple) and all(map(entry, value))


def _is_of_types(hint: Any) -> bool:  # noqa: ANN401 - a type, or what stands for one
    """Whether the check depends only on the type of a value."""
    if get_origin(hint) in (Union, UnionType):
        return all(map(_is_of_types, get_args(hint)))
    looked_into = is_dataclass(hint) and not hasattr(hint, "check")
    return isinstance(hint, type) and get_origin(hint) is None and not looked_into


def _is_sound(part: object) -> bool:
    kind: Any = type(part)
    return all(rule(getattr(part, name)) for name, (_, rule) in _rules_of(kind).items())
