"""Frozen data classes: `frozen`, and `validated`, which converts fields by their annotations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from inspect import cleandoc
from types import NoneType
from typing import Annotated, Any, TypeVar, cast, dataclass_transform, get_args, get_origin

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.readers import annotations_of

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a frozen data class with slots and a one-line representation."""
    return one_line(dataclass(frozen=True, slots=True)(kind))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def validated(kind: type[T]) -> type[T]:
    """Make a frozen data class whose fields are converted, or refused, by their annotations.

    Fields that are declared with a `Parameter` are added to the attributes in the docstring.
    """
    made = checked_fields(frozen(kind))
    cast("Any", made).__doc__ = _Documentation(cleandoc(made.__doc__ or ""))
    return made


class _Documentation:
    """A docstring that adds declared parameters only when it is read, since this takes long."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, _: object, kind: type) -> str:
        entries = []
        for name, hint in annotations_of(kind).items():
            about = get_args(hint)[1] if get_origin(hint) is Annotated else None
            if isinstance(about, Parameter):
                kinds = get_args(get_args(hint)[0]) or get_args(hint)[:1]
                words = " or ".join("None" if k is NoneType else k.__name__ for k in kinds)
                rule = f" Must be {about.rule}." if about.rule else ""
                entries.append(f"\n{name} : {words}\n    {about.meaning}.{rule}")
        if not entries:
            return self._text
        head, *others = re.split(r"\n\n(?=(?:Notes|Examples)\n---)", self._text, maxsplit=1)
        title = "" if "\nAttributes\n" in head else "\n\nAttributes\n----------"
        return "\n\n".join(["".join([head, title, *entries]), *others])
