"""Strengthened variants of claims, which must fail.

Main definitions: `Variant`, `near`, `times`, `plus`, `Margin`.

The ingredients of a statement (constants, sample sizes, learners, bounds) are keyword parameters of
its function, with the stated values as defaults. A variant replaces some ingredients. Numbers and
formulas are replaced relative to the stated ingredient. So if an ingredient is weakened by mistake,
the variant holds, and the claim is reported.

A variant that multiplies an ingredient strengthens the statement by a factor. As the variant fails
at every run, the claim's margin is at most this factor; `proofs_check.margins` measures whether the
statement fails for a smaller factor too.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any, cast

from ccsim.errors import DomainError

__all__ = ["Margin", "Variant", "ingredients_of", "near", "plus", "times"]


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of a stated number, or of the values of a stated formula."""

    apply: Callable[[Any], Any]
    words: str
    factor: Fraction | None = None

    def __call__(self, stated: Any) -> Any:  # noqa: ANN401 - whatever an ingredient is
        if callable(stated):
            return lambda *given, **named: self.apply(stated(*given, **named))
        return self.apply(stated)


def times(factor: Fraction | int) -> _Change:
    """Replace an ingredient, or the values of a formula, by a multiple.

    Examples
    --------
    >>> times(2)(Fraction(1, 3)), times(2)(len)("abc")
    (Fraction(2, 3), 6)
    """
    return _Change(lambda value: value * factor, f"times {factor}", Fraction(factor))


def plus(number: Fraction | int) -> _Change:
    """Add a number to an ingredient, or to the values of a formula.

    Examples
    --------
    >>> plus(-1)(3)
    2
    """
    words = f"plus {number}" if number >= 0 else f"minus {-number}"
    return _Change(lambda value: value + number, words)


@dataclass(frozen=True, slots=True)
class Margin:
    """The factor by which a variant, which fails on the grid, strengthens a statement.

    The margin of a claim is the largest such factor.

    Attributes
    ----------
    factor : Fraction or None
        The factor, at least 1; None if no ingredient is multiplied.
    cause : str
        The multiplied ingredient, or why there is no factor.

    Examples
    --------
    >>> str(Margin(Fraction(1000, 333), "size")), str(Margin(None, "the learner is replaced"))
    ('3.01', 'no factor')
    """

    factor: Fraction | None
    cause: str

    def __str__(self) -> str:
        """Return the factor, rounded up to three digits, or ``no factor``."""
        if self.factor is None:
            return "no factor"
        digits = 2 if self.factor < 10 else 1 if self.factor < 100 else 0
        return f"{ceil(self.factor * 10**digits) / 10**digits:.{digits}f}"

    @property
    def in_words(self) -> str:
        """The factor and the multiplied ingredient, or the reason why there is no factor."""
        return f"no factor: {self.cause}" if self.factor is None else f"{self} ({self.cause})"


@dataclass(frozen=True, slots=True)
class Variant:
    """A statement with some ingredients replaced.

    Attributes
    ----------
    statement : str
        The changed statement.
    replaced : mapping of str to object
        Ingredients by name: new values, or changes made by `times` and `plus`.
    """

    statement: str
    replaced: Mapping[str, object]

    def ingredients(self, stated: Mapping[str, object]) -> dict[str, object]:
        """Return the replaced ingredients.

        Raises
        ------
        DomainError
            If a name is not an ingredient, or nothing changes.
        """
        found = {}
        for name, value in self.replaced.items():
            if name not in stated:
                raise DomainError(
                    f"variant {self.statement!r} replaces {name}, which is not an ingredient"
                )
            found[name] = value(stated[name]) if isinstance(value, _Change) else value
            if found[name] is stated[name] or found[name] == stated[name]:
                raise DomainError(f"variant {self.statement!r} does not change {name}")
        return found

    def strength(self, stated: Mapping[str, object]) -> str:
        """Return a description of the replacements, with the factor between numbers.

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

    def _multiple(self, stated: Mapping[str, object]) -> Fraction | None:
        """Return the common factor of all replaced ingredients.

        The result is None if they have no common factor.
        """
        found = {_quotient(stated[name], change) for name, change in self.replaced.items()}
        return found.pop() if len(found) == 1 else None

    def margin(self, stated: Mapping[str, object]) -> Margin:
        """Return the factor by which the ingredients are multiplied or divided.

        An integer that changes by one has no factor.

        Examples
        --------
        >>> near("a third", bound=times(Fraction(1, 3))).margin({"bound": 3}).in_words
        '3.00 (bound)'
        >>> near("one less", bound=plus(-1)).margin({"bound": 3}).in_words
        'no factor: bound changes by one'
        """
        multiple = self._multiple(stated)
        if multiple is not None:
            return Margin(max(multiple, 1 / multiple), " and ".join(self.replaced))
        causes = [_cause(name, stated[name], change) for name, change in self.replaced.items()]
        return Margin(None, ", ".join(causes))

    def scaled(self, stated: Mapping[str, object], factor: Fraction) -> Variant | None:
        """Return the variant with the given factor instead of the recorded factor.

        Integers remain integers, rounded towards the recorded value.

        Returns
        -------
        Variant or None
            None if no factor is recorded, or no value lies between the stated and the recorded
            value.

        Examples
        --------
        >>> near("a fifth", size=100).scaled({"size": 500}, Fraction(3, 2)).replaced["size"]
        333
        """
        multiple = self._multiple(stated)
        if multiple is None:
            return None
        ratio = factor if multiple > 1 else 1 / factor
        found: dict[str, object] = {}
        for name, replaced in self.replaced.items():
            old, change = stated[name], _moved(stated[name], replaced)
            if isinstance(change, _Change):
                found[name] = times(ratio)
                continue
            new: Fraction | int = Fraction(cast("Fraction", old)) * ratio
            if isinstance(old, int) and isinstance(change, int):
                new = ceil(new) if change > old else floor(new)
            if new in (old, change):
                return None
            found[name] = new
        return Variant(f"{self.statement} (by {factor})", MappingProxyType(found))


def _number(value: object) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _moved(old: object, change: object) -> object:
    """Return an ingredient after its change; changes by addition are applied to numbers."""
    added = isinstance(change, _Change) and change.factor is None
    return change(old) if added and _number(old) else change  # type: ignore[operator]


def _quotient(old: object, change: object) -> Fraction | None:
    """Return the positive number by which an ingredient is multiplied; None if there is none."""
    change = _moved(old, change)
    if isinstance(change, _Change):
        return change.factor if change.factor is not None and change.factor > 0 else None
    if not (_number(old) and _number(change)):
        return None
    a, b = Fraction(cast("Fraction", old)), Fraction(cast("Fraction", change))
    if a * b <= 0 or (isinstance(old, int) and isinstance(change, int) and abs(a - b) == 1):
        return None
    return b / a


def _cause(name: str, old: object, change: object) -> str:
    """Return the reason why a change has no factor."""
    change = _moved(old, change)
    if isinstance(change, _Change) and change.factor is None:
        by = change.words.removeprefix("plus ").removeprefix("minus ")
        return f"{name} changes by {'one' if by == '1' else by}"
    if _number(old) and _number(change):
        step = abs(Fraction(cast("Fraction", change)) - Fraction(cast("Fraction", old)))
        return f"{name} changes by {'one' if step == 1 else step}"
    return f"{name} is replaced"


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
        The changed statement, a sentence.
    **replaced : object
        Ingredients by name; `times` and `plus` are relative to the stated values.

    Raises
    ------
    DomainError
        If nothing is replaced.
    """
    if not replaced:
        raise DomainError(
            f"variant {statement!r} must replace a keyword parameter of the statement"
        )
    return Variant(statement, MappingProxyType(replaced))


def ingredients_of(function: Callable[..., object]) -> dict[str, object]:
    """Return the stated ingredients of a function: its keyword parameters with their defaults."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
