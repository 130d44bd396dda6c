"""What several private mechanisms with independent coins guarantee together."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon

if TYPE_CHECKING:
    import sympy

__all__ = ["advanced_composition", "basic_composition"]


def basic_composition(parts: Iterable[tuple[Epsilon, Fraction]]) -> tuple[Epsilon, Fraction]:
    """Return the sums of the epsilons and of the deltas.

    Examples
    --------
    >>> half = Epsilon.of("1/2"), Fraction(1, 100)
    >>> epsilon, delta = basic_composition([half, half])
    >>> print(epsilon, delta)
    1 1/50
    """
    epsilon, delta = Epsilon(Fraction(0)), Fraction(0)
    for part, slack in parts:
        epsilon, delta = epsilon + part, delta + slack
    return epsilon, min(delta, Fraction(1))


def advanced_composition(
    epsilon: Epsilon, delta: Fraction, times: int, slack: Fraction
) -> tuple[sympy.Expr, Fraction]:
    """Return parameters for ``times`` runs of an ``(epsilon, delta)``-private mechanism.

    Parameters
    ----------
    epsilon, delta
        Parameters of one run.
    times : int
        At least 1.
    slack : Fraction
        Positive; how much delta is spent for the smaller epsilon.

    Returns
    -------
    epsilon : sympy.Expr
        ``sqrt(2 times ln(1/slack)) epsilon + times epsilon (e^epsilon - 1)``.
    delta : Fraction
        ``times delta + slack``.

    Notes
    -----
    Source: Dwork, Rothblum and Vadhan, as cited by `bns` (Theorem 2.12).

    Examples
    --------
    >>> print(*advanced_composition(Epsilon.of("1/10"), Fraction(0), 100, Fraction(1, 1000)))
    -10 + sqrt(6)*sqrt(log(10)) + 10*exp(1/10) 1/1000
    """
    import sympy

    if times < 1:
        raise DomainError(f"times must be at least 1, not {times}")
    slack = as_fraction(slack, "slack", 0, 1)
    if not slack:
        raise DomainError("slack must be positive")
    e = sympy.Rational(str(epsilon.rational)) + sympy.log(sympy.Rational(str(epsilon.factor)))
    root = sympy.sqrt(2 * times * sympy.log(sympy.Rational(str(1 / slack))))
    return sympy.expand(root * e + times * e * (sympy.exp(e) - 1)), min(
        times * delta + slack, Fraction(1)
    )
