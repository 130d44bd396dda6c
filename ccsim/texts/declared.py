"""The declared parameters of data classes, for command lines, help and documentation."""

from __future__ import annotations

from dataclasses import MISSING, fields
from fractions import Fraction
from inspect import Signature, getdoc, signature
from types import NoneType
from typing import Annotated, Any, cast, get_args, get_origin

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.readers import annotations_of
from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import as_fraction


@frozen
class Declared:
    """A declared parameter of a data class."""

    name: str  # on the command line
    field: str
    kind: type  # Fraction, int, str or bool
    about: Parameter
    default: Any  # None if there is none

    @property
    def in_words(self) -> str:
        """The meaning, the range and the default value as text."""
        default = "" if self.default is None else f"default {self.shown}"
        return "; ".join(part for part in (self.about.meaning, self.about.rule, default) if part)

    @property
    def shown(self) -> str:
        """The default value in the form used on the command line; empty if there is none."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return "" if self.default is None else str(self.default)

    def read(self, text: str) -> Any:  # noqa: ANN401 - of the declared type
        """Return the value of a text on the command line."""
        if self.kind is bool:
            if text not in {"true", "false"}:
                raise DomainError(f"{self.name} must be true or false, not {show_value(text)}")
            return text == "true"
        if self.kind is str:
            return self.about.check(text, self.name)
        number: Fraction | int = as_fraction(text, self.name)
        if self.kind is int:
            if number.denominator != 1:
                raise DomainError(f"{self.name} must be an integer, not {number}")
            number = int(number)
        return self.about.check(number, self.name)


def declared(kind: type, method: str) -> dict[str, Declared]:
    """Return the declared fields of a class and keyword parameters of its method, by name."""
    make = getattr(kind, method).__func__
    hints = annotations_of(kind) | annotations_of(make)
    defaults = {field.name: field.default for field in fields(kind)}
    defaults |= {p.name: p.default for p in signature(make).parameters.values()}
    found = {}
    for field, default in defaults.items():
        hint = hints.get(field)
        about = get_args(hint)[1] if get_origin(hint) is Annotated else None
        if isinstance(about, Parameter):
            name, plain = about.called or field, _plain(get_args(hint)[0])
            given = None if default in (MISSING, Signature.empty) else default
            found[name] = Declared(name, field, plain, about, given)
    return found


def summary(kind: object) -> str:
    """Return the first line of the docstring of a class or function, without code marks."""
    return (getdoc(kind) or "").partition("\n")[0].replace("`", "")


def _plain(hint: Any) -> type:  # noqa: ANN401 - an annotation
    """Return the type of a field whose annotation may include None."""
    parts = [part for part in get_args(hint) if part is not NoneType]
    return cast("type", parts[0] if parts else hint)
