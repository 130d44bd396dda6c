"""Strengthened variants: a statement a little stronger than the claim, which must fail.

Main definitions: `Variant`, `near`, `times`, `plus`.

The ingredients of a statement (constants, sample sizes, learners, bounds) are keyword parameters of
its function, with the stated ones as defaults. A variant replaces some of them. It is told
relative to the stated ingredient where that is a number or a formula, so that a falsified
ingredient moves the variant too: one that is weakened lets it hold, which is noticed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from ccsim.errors import DomainError

__all__ = ["Variant", "ingredients_of", "near", "plus", "times"]


@dataclass(frozen=True, slots=True)
class _Change:
    """A replacement that depends on what is stated: a number, or a formula that gives numbers."""

    apply: Callable[[Any], Any]
    words: str

    def __call__(self, stated: Any) -> Any:  # noqa: ANN401 - whatever an ingredient is
        if callable(stated):
            return lambda *given, **named: self.apply(stated(*given, **named))
        return self.apply(stated)


def times(factor: Fraction | int) -> _Change:
    """Replace an ingredient by a multiple of it; of a formula, what it gives.

    Examples
    --------
    >>> times(2)(Fraction(1, 3)), times(2)(len)("abc")
    (Fraction(2, 3), 6)
    """
    return _Change(lambda value: value * factor, f"times {factor}")


def plus(number: Fraction | int) -> _Change:
    """Replace an ingredient by its sum with a number; of a formula, what it gives.

    Examples
    --------
    >>> plus(-1)(3)
    2
    """
    words = f"plus {number}" if number >= 0 else f"minus {-number}"
    return _Change(lambda value: value + number, words)


@dataclass(frozen=True, slots=True)
class Variant:
    """A statement with some ingredients replaced.

    Attributes
    ----------
    statement : str
        What is said instead, in words.
    replaced : mapping of str to object
        Ingredients by name: others, or changes made by `times` and `plus`.
    """

    statement: str
    replaced: Mapping[str, object]

    def ingredients(self, stated: Mapping[str, object]) -> dict[str, object]:
        """Return the ingredients that stand in place of the stated ones.

        Raises
        ------
        DomainError
            If a name is none of an ingredient, or nothing changes.
        """
        found = {}
        for name, value in self.replaced.items():
            if name not in stated:
                raise DomainError(
                    f"variant {self.statement!r} replaces {name}, which is not stated"
                )
            found[name] = value(stated[name]) if isinstance(value, _Change) else value
            if found[name] is stated[name] or found[name] == stated[name]:
                raise DomainError(f"variant {self.statement!r} leaves {name} as it is")
        return found

    def strength(self, stated: Mapping[str, object]) -> str:
        """Return in words what is replaced by what, with the factor between numbers.

        Examples
        --------
        >>> near("twice as much", bound=times(2)).strength({"bound": 3})
        'bound: 3 -> 6 (times 2)'
        """
        words = []
        for name, new in self.ingredients(stated).items():
            old, change = stated[name], self.replaced[name]
            if callable(old):
                how = change.words if isinstance(change, _Change) else _name(new)
                words.append(f"{name}: {how}")
                continue
            factor = ""
            if isinstance(old, int | Fraction) and isinstance(new, int | Fraction) and old:
                factor = f" (times {Fraction(new) / Fraction(old)})"
            words.append(f"{name}: {_name(old)} -> {_name(new)}{factor}")
        return ", ".join(words)


def _name(value: object) -> str:
    if not callable(value):
        return str(value)
    name = getattr(value, "__name__", type(value).__name__)
    return "another" if name == "<lambda>" else name.strip("_").replace("_", " ")


def near(statement: str, **replaced: object) -> Variant:
    """Return the variant that replaces some ingredients.

    Parameters
    ----------
    statement : str
        What is said instead, a sentence.
    **replaced : object
        Ingredients by name; `times` and `plus` tell them relative to the stated ones.

    Raises
    ------
    DomainError
        If nothing is replaced.
    """
    if not replaced:
        raise DomainError(f"variant {statement!r} must replace an ingredient")
    return Variant(statement, MappingProxyType(replaced))


def ingredients_of(function: Callable[..., object]) -> dict[str, object]:
    """Return the stated ingredients of a function: its keyword parameters with their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
