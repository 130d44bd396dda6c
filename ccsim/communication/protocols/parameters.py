"""Validation of the parameters and inputs of protocols, which may be integers of any size."""

from __future__ import annotations

from typing import TypeGuard

from ccsim.errors import DomainError, InstanceTooLargeError


def check_parameter(name: str, value: object, least: int, most: int | None = None) -> None:
    """Refuse a parameter that is not an integer from ``least`` to ``most``."""
    if not is_integer(value) or value < least:
        raise DomainError(f"{name} must be an integer, at least {least}, not {show_number(value)}")
    if most is not None and value > most:
        raise InstanceTooLargeError(f"{name} is limited to {most}, got {show_number(value)}")


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an integer and no truth value."""
    return isinstance(value, int) and not isinstance(value, bool)


def show_number(value: object) -> str:
    """Write a value out, or its size if it is a number too long to read."""
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    return repr(value)
