"""Linear programs with rational data: minimise a linear form under linear constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import iterated
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction

SENSES = ("<=", "=", ">=")

Coefficients = Sequence[object] | Mapping[Any, object]
"""Coefficients of all variables in order, or a map from the numbers of some to theirs."""

Bounds = int | str | Fraction | Sequence[object] | None


@validated
class LinearConstraint:
    """A linear form compared with a number.

    Attributes
    ----------
    terms : tuple of (int, Fraction)
        Number and coefficient of each variable that occurs, by rising number.
    sense : str
        One of ``"<="``, ``"="``, ``">="``.
    bound : Fraction
        What the form is compared with.
    """

    terms: tuple[tuple[int, Fraction], ...]
    sense: str
    bound: Fraction

    def __str__(self) -> str:
        """Return the constraint as one writes it."""
        form = " + ".join(f"{a} x{j}" for j, a in self.terms) or "0"
        return f"{form} {self.sense} {self.bound}"


@validated
class LinearProgram:
    """Minimise ``sum_j objective[j] x_j`` under constraints and ``lower <= x <= upper``.

    Attributes
    ----------
    objective : tuple of Fraction, one for each variable
    constraints : tuple of LinearConstraint
    lower, upper : tuple of Fraction or None, one for each variable
        None for no bound.

    Examples
    --------
    >>> program = LinearProgram.minimise([2, 3], [([1, 1], ">=", "1/2"), ({1: 3}, "<=", 5)])
    >>> program.num_variables, str(program.constraints[0]), program.lower
    (2, '1 x0 + 1 x1 >= 1/2', (Fraction(0, 1), Fraction(0, 1)))
    """

    objective: tuple[Fraction, ...]
    constraints: tuple[LinearConstraint, ...]
    lower: tuple[Fraction | None, ...]
    upper: tuple[Fraction | None, ...]

    @classmethod
    def minimise(
        cls,
        objective: Coefficients,
        constraints: Iterable[tuple[Coefficients, str, object]],
        lower: Bounds = 0,
        upper: Bounds = None,
    ) -> LinearProgram:
        """Return a program from loose input.

        Parameters
        ----------
        objective : sequence of int, Fraction or str
            One coefficient for each variable; this fixes their number.
        constraints : iterable of (coefficients, sense, bound)
            Coefficients are a sequence with one entry for each variable, or a map from numbers of
            variables to coefficients; the sense is ``"<="``, ``"="`` or ``">="``.
        lower, upper : rational, None, or sequence of these
            Bounds of the variables; a single one is that of all. None is no bound.

        Raises
        ------
        DomainError
            If a number is not rational, a sense is unknown, a length or a variable does not fit,
            or a lower bound exceeds the upper one.
        """
        if isinstance(objective, Mapping):
            raise DomainError(
                "objective must be a sequence with one coefficient for each variable, not a map"
            )
        costs = tuple(
            as_fraction(c, f"objective[{j}]")
            for j, c in enumerate(iterated(objective, "objective", "coefficients"))
        )
        rows = tuple(_constraint(k, given, len(costs)) for k, given in enumerate(constraints))
        lows, highs = _bounds(lower, "lower", len(costs)), _bounds(upper, "upper", len(costs))
        for j, (low, high) in enumerate(zip(lows, highs, strict=True)):
            if low is not None and high is not None and low > high:
                raise DomainError(f"lower[{j}] must be at most upper[{j}], not {low} > {high}")
        return cls(costs, rows, lows, highs)

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.objective)


def _constraint(
    k: int, given: tuple[Coefficients, str, object], variables: int
) -> LinearConstraint:
    name = f"constraints[{k}]"
    try:
        coefficients, sense, bound = given
    except (TypeError, ValueError):
        raise DomainError(f"{name} must be a triple (coefficients, sense, bound)") from None
    if sense not in SENSES:
        raise DomainError(f"{name} must have one of the senses <=, =, >=, not {sense!r}")
    pairs: Iterable[tuple[Any, object]]
    if isinstance(coefficients, Mapping):
        pairs = coefficients.items()
    else:
        listed = list(iterated(coefficients, name, "coefficients"))
        if len(listed) != variables:
            raise DomainError(f"{name} must have {variables} coefficients, not {len(listed)}")
        pairs = enumerate(listed)
    terms = []
    for j, coefficient in pairs:
        if type(j) is not int or not 0 <= j < variables:
            raise DomainError(f"{name} must name variables in [0, {variables}), not {j!r}")
        if value := as_fraction(coefficient, f"{name}[{j}]"):
            terms.append((j, value))
    return LinearConstraint(tuple(sorted(terms)), sense, as_fraction(bound, f"bound of {name}"))


def _bounds(given: object, name: str, variables: int) -> tuple[Fraction | None, ...]:
    if given is None or isinstance(given, int | str | Fraction):
        bound = None if given is None else as_fraction(given, name)
        return (bound,) * variables
    if not isinstance(given, Sequence) or len(given) != variables:
        raise DomainError(
            f"{name} must be one bound or a sequence of {variables}, not {given!r:.60}"
        )
    return tuple(
        None if bound is None else as_fraction(bound, f"{name}[{j}]")
        for j, bound in enumerate(given)
    )
