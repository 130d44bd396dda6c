"""The public-coin minimax error of equality; proofs: `docs/closed-forms.md`, section 1."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers, weights_of
from ccsim.communication.closed_forms.families import check_digits, family_certificate
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.problem import check_positive
from ccsim.data import frozen

if TYPE_CHECKING:
    import sympy


def pairs_inside_classes(n: int, classes: int) -> int:
    """Return the minimum number of ordered pairs of distinct inputs in a common class.

    The minimum is over all partitions of ``n`` inputs into at most `classes` classes.
    """
    c, r = divmod(n, classes)
    return c * (n + r - classes)


@frozen
class EqualityValue(Answer[Fraction]):
    """The minimax error of equality, with parameters of an optimal protocol and hard distribution.

    The protocol draws one of two random partitions of Alice's inputs; the message is the class of
    her input. The first partition has ``k`` classes of nearly equal sizes. The second has ``k - 1``
    classes of size ``t``, and a class of the remaining inputs, on which Bob always answers 0.

    Attributes
    ----------
    n : int
        Number of inputs of each player.
    messages : int
        Number ``k`` of messages.
    lower, upper : Fraction
        Bounds on the minimax error with public coins, which are equal.
    size : int
        The size ``t``.
    full : Fraction
        Probability of the first partition.
    ratio : Fraction
        Probability of a cell ``(x, x)`` under the hard distribution, divided by that of a cell
        ``(x, y)`` with ``x != y``.
    """

    asked = ("n", "messages")
    quantity: ClassVar[str] = "the minimax error of equality"

    n: int
    messages: int
    lower: Fraction
    upper: Fraction
    size: int
    full: Fraction
    ratio: Fraction

    @property
    def rejected(self) -> int:
        """Number of inputs in the rejected class, in the partition that has a rejected class."""
        return self.n - (self.messages - 1) * self.size

    def hard_distribution(self) -> HardDistribution:
        """Return the hard distribution on all ``n**2`` cells.

        Examples
        --------
        >>> equality_error(4, 2).hard_distribution().weights[:3]
        ((0, 0, 4), (0, 1, 3), (0, 2, 3))
        """
        a, b = self.ratio.numerator, self.ratio.denominator
        cells = ((x, y) for x in range(self.n) for y in range(self.n))
        return HardDistribution.from_integers((x, y, a if x == y else b) for x, y in cells)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, which checks both bounds in integers.

        Raises
        ------
        InstanceTooLargeError
            If a number has more than 4000 digits.
        """
        check_digits(self.n, self.messages, self.lower, self.upper, self.ratio, self.full)
        slope, kept = encode_integers(
            [
                -(-self.ratio // 2) if self.messages == 1 else self.size,
                0 if self.full == 1 else self.size,
            ]
        )
        below = {"size": slope, "ratio": encode_fraction(self.ratio)}
        above = {"size": kept, "weights": weights_of([self.full, 1 - self.full])}
        return family_certificate(
            "equality",
            self.n,
            self.messages,
            (self.lower, {"slope": below}),
            (self.upper, {"random_classes": above}),
        )


@checked_types
def equality_error(n: int, messages: int) -> EqualityValue:
    """Return the public-coin minimax error of equality of two numbers below ``n``.

    Parameters
    ----------
    n, messages : int
        Numbers of inputs and of messages, at least 1; ``n`` may have thousands of bits.

    Examples
    --------
    >>> equality_error(4, 2).value
    Fraction(3, 13)
    >>> result = equality_error(2**256, 3)
    >>> result.check()
    >>> round(float(result.value), 6)
    0.234305
    """
    check_positive("equality", n=n, messages=messages)
    k = messages
    if k >= n:
        return EqualityValue(n, k, Fraction(0), Fraction(0), 1, Fraction(1), Fraction(1))
    even = pairs_inside_classes(n, k)
    t = _least_size(k - 1, 2 * n - k + 1, even) if k > 1 else 0
    inside, u = (k - 1) * t * (t - 1), n - (k - 1) * t
    ratio = Fraction(even - inside, u)
    full = Fraction((n - 1) * u - inside, (n - 1) * u - inside + even)
    value = even / (n * (n - 1 + ratio))
    return EqualityValue(n, k, value, value, t, full, ratio)


def _least_size(a: int, b: int, c: int) -> int:
    """Return the least integer ``t`` that is at least the smaller root of ``a t**2 - b t + c``."""
    return -(-(b - isqrt(b * b - 4 * a * c)) // (2 * a))


@checked_types
def equality_limit(messages: int) -> sympy.Expr:
    """Return the limit of the minimax error of equality as the number of inputs grows.

    For ``k`` messages it is ``(sqrt k + 1) / (sqrt k (k + sqrt k + 2))``. The minimax error for
    ``n`` inputs is at most this limit, and at least ``1 - k/n`` times this limit if ``4 n**2 >=
    k**3`` (`docs/closed-forms.md`, section 1).

    Parameters
    ----------
    messages : int
        Number of messages, at least 1.

    Examples
    --------
    >>> equality_limit(1), equality_limit(4)
    (1/2, 3/16)
    """
    import sympy

    root = sympy.sqrt(sympy.Integer(messages))
    return (root + 1) / (root * (messages + root + 2))
