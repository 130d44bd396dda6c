"""Values that a noise program computes with: integer linear forms of noise, and comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from numbers import Number
from typing import Any, NoReturn, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.privacy.noise_programs.lattice_sums import Constraint

Decide: TypeAlias = Callable[["Comparison"], bool]
Plain: TypeAlias = int | Fraction


def plain(value: object) -> Fraction | None:
    """Return an exact number as a fraction; None for other values."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A noisy number: a rational linear form of the noise of a run, plus a rational constant.

    Attributes
    ----------
    terms : tuple of (int, Fraction)
        The number of each draw of noise with its coefficient, which is not 0.
    constant : Fraction
        The constant.
    decide : callable
        Function that decides a comparison in the run.
    """

    terms: tuple[tuple[int, Fraction], ...]
    constant: Fraction
    decide: Decide

    def _with(self, other: object, sign: int) -> Value | None:
        if isinstance(other, Value):
            own = dict(self.terms)
            for z, a in other.terms:
                own[z] = own.get(z, Fraction(0)) + sign * a
            terms = tuple(sorted((z, a) for z, a in own.items() if a))
            return Value(terms, self.constant + sign * other.constant, self.decide)
        number = plain(other)
        if number is None:
            return None
        return Value(self.terms, self.constant + sign * number, self.decide)

    def __add__(self, other: object) -> Value:
        return self._combined(other, 1, "+")

    __radd__ = __add__

    def __sub__(self, other: object) -> Value:
        return self._combined(other, -1, "-")

    def __rsub__(self, other: object) -> Value:
        return (-self)._combined(other, 1, "-")

    def __neg__(self) -> Value:
        return self * -1

    def __pos__(self) -> Value:
        return self

    def __mul__(self, other: object) -> Value:
        number = plain(other)
        if number is None:
            self._refuse("*", other)
        terms = tuple((z, a * number) for z, a in self.terms) if number else ()
        return Value(terms, self.constant * number, self.decide)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Value:
        number = plain(other)
        if not number:
            self._refuse("/", other)
        return self * (1 / number)

    def __abs__(self) -> Value:
        return self if self >= 0 else -self

    def __ge__(self, other: object) -> bool:
        return self.decide(Comparison(self._combined(other, -1, ">="), strict=False))

    def __gt__(self, other: object) -> bool:
        return self.decide(Comparison(self._combined(other, -1, ">"), strict=True))

    def __le__(self, other: object) -> bool:
        return self.decide(Comparison(-self._combined(other, -1, "<="), strict=False))

    def __lt__(self, other: object) -> bool:
        return self.decide(Comparison(-self._combined(other, -1, "<"), strict=True))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value) or plain(other) is not None:
            return self >= other and self <= other
        if isinstance(other, Number):
            self._refuse("==", other)
        return False

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _combined(self, other: object, sign: int, shown: str) -> Value:
        found = self._with(other, sign)
        return self._refuse(shown, other) if found is None else found

    def _refuse(self, shown: str, other: object) -> NoReturn:
        if isinstance(other, float):
            why = (
                f"the float {other!r}; write Fraction(1, 10) instead of 0.1 or 1 / 10, since a "
                "float is not exact"
            )
        elif isinstance(other, Value):
            why = "a noisy value; products of two noisy values are not linear in the noise"
        else:
            why = show_value(other)
        self._fail(f"a noisy value cannot be combined by {shown} with {why}")

    def _fail(self, message: str) -> NoReturn:
        """Raise an error, which the run repeats if the program suppresses it."""
        error = DomainError(message)
        if hasattr(self.decide, "failure"):
            self.decide.failure = error
        raise error

    def _not_linear(self, *_: object) -> NoReturn:
        self._fail(
            "a noisy value can be added, compared, and multiplied by exact numbers; it cannot be "
            "rounded, used as an index, or converted to int or float"
        )

    __int__ = __float__ = __index__ = __round__ = __floor__ = __ceil__ = __trunc__ = _not_linear
    __floordiv__ = __mod__ = __pow__ = __rpow__ = __rtruediv__ = _not_linear

    def _not_text(self, *_: object) -> NoReturn:
        self._fail("a noisy value has no text; output the value itself")

    __str__ = __repr__ = __format__ = _not_text

    def __hash__(self) -> int:  # noqa: PLE0309 - it refuses
        self._fail("a noisy value cannot be a key of a mapping or an element of a set")


@frozen
class Comparison:
    """Whether a noisy value is at least 0, or above 0."""

    value: Value
    strict: bool

    @property
    def constraint(self) -> Constraint:
        """The comparison as a linear inequality with coprime integer coefficients."""
        return constraint_of(self.value, strict=self.strict)

    @property
    def opposite(self) -> Constraint:
        """The negation of the comparison."""
        return constraint_of(-self.value, strict=not self.strict)


def constraint_of(value: Value, *, strict: bool) -> Constraint:
    """Return the condition that a value is at least 0, or above 0, over the integers."""
    scale = lcm(*(a.denominator for _, a in value.terms))
    form = tuple((z, int(a * scale)) for z, a in value.terms)
    constant = value.constant * scale
    common = gcd(*(a for _, a in form)) if form else 1
    constant /= common
    least = constant.numerator // constant.denominator
    if strict and least == constant:
        least -= 1
    return tuple((z, a // common) for z, a in form), least


def integer_forms(values: Sequence[Value]) -> tuple[Constraint, ...]:
    """Return integer forms that are the same multiple of the values."""
    numbers = [a for value in values for a in (value.constant, *(a for _, a in value.terms))]
    scale = lcm(*(a.denominator for a in numbers))
    return tuple(
        (tuple((z, int(a * scale)) for z, a in value.terms), int(value.constant * scale))
        for value in values
    )


@checked_types
def argmax(values: Sequence[Any]) -> int:
    """Return the index of the largest value, the first of equal ones.

    In a noise program it decides all comparisons with the largest value at once, which needs fewer
    cases than a loop.

    Parameters
    ----------
    values : sequence of numbers or noisy values
        At least one value.

    Raises
    ------
    DomainError
        If there are no values.

    Examples
    --------
    >>> argmax([3, 5, 5])
    1
    """
    listed = list(values)
    if not listed:
        raise DomainError("argmax must have at least one value")
    noisy = next((v for v in listed if isinstance(v, Value)), None)
    if noisy is None:
        return max(range(len(listed)), key=lambda i: (listed[i], -i))
    zero = noisy * 0
    return noisy.decide.first_largest([zero + v for v in listed])  # type: ignore[attr-defined,no-any-return]
