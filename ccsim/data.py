"""Frozen data classes: `frozen`, and `validated`, whose fields are read by their annotations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Make a frozen data class with slots, whose objects print on one line."""
    return one_line(dataclass(frozen=True, slots=True)(kind))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def validated(kind: type[T]) -> type[T]:
    """Make a frozen data class whose fields are read by their annotations, or refused."""
    return checked_fields(frozen(kind))
