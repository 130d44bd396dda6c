"""Sample sizes for releases stated in `pap`, as printed or with explicit constants.

Main definitions: `StatedSize`, `weights_size`, `assisted_sizes`, `public_size`.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TypeAlias

import flint

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.intervals import Interval, ball_interval

__all__ = ["StatedSize", "assisted_sizes", "cover_logarithms", "public_size", "weights_size"]

Number: TypeAlias = Fraction | int | str

_PRECISION = 256

WARNING = (
    "the constant 200 does not follow from the theorem that is cited, and runs need about a "
    "thousandth of this"
)


@frozen
class StatedSize:
    """A number of records required by a statement.

    Attributes
    ----------
    records : int
        Rounded up.
    warning : str
        An error of the statement, or the empty text.
    """

    records: int
    warning: str = ""


def _ball(number: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _between(value: Number, name: str) -> Fraction:
    number = as_fraction(value, name)
    if not 0 < number < 1:
        raise DomainError(f"{name} must be strictly between 0 and 1, not {number}")
    return number


def _rounded_up(size: flint.arb) -> int:
    """Return the upper bound of an enclosure, rounded up to an integer."""
    return ceil(ball_interval(size).upper)


@checked_types
def weights_size(
    cells: int,
    queries: int,
    alpha: Number,
    beta: Number,
    epsilon: Epsilon | Fraction | int | str,
    delta: Number,
) -> StatedSize:
    """Return the number of private records of Lemma 7, with natural logarithms.

    ``200 / (epsilon alpha^2) sqrt(ln |X| ln(2/delta)) (ln |H| + ln(128 ln |X| / (alpha^2 beta)))``
    records give error ``alpha`` on every query with probability ``1 - beta``.

    Parameters
    ----------
    cells, queries : int
        At least 2 and at least 1.
    alpha, beta, delta : Fraction, int or str
        Between 0 and 1.
    epsilon : Epsilon, Fraction, int or str
        Positive.

    Returns
    -------
    StatedSize
        With a warning: the constant 200 belongs to [0,1]-valued queries with error ``alpha``, but
        the cited theorem has error ``3 alpha``, and queries from -1 to 1 double the error.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Source: `pap` Lemma 7.

    Examples
    --------
    >>> size = weights_size(200, 200, "1/10", "1/10", Epsilon.of(1), "1/1000000")
    >>> round(size.records / 1e6, 1), bool(size.warning)
    (3.3, True)
    """
    epsilon = Epsilon.of(epsilon)
    if cells < 2 or queries < 1:
        raise DomainError(
            f"cells must be at least 2 and queries at least 1, not {cells} and {queries}"
        )
    with flint.ctx.workprec(_PRECISION):
        logs = flint.arb(cells).log(), flint.arb(queries).log()
        return StatedSize(_rounded_up(_weights(*logs, alpha, beta, epsilon, delta)), WARNING)


def _weights(
    log_cells: flint.arb,
    log_queries: flint.arb,
    alpha: Number,
    beta: Number,
    epsilon: Epsilon,
    delta: Number,
) -> flint.arb:
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    accuracy, failure = _between(alpha, "alpha"), _between(beta, "beta")
    log_delta = _ball(2 / _between(delta, "delta")).log()
    ends = epsilon.enclose(_PRECISION)
    front = _ball(200 / (ends.lower * accuracy**2)) * (log_cells * log_delta).sqrt()
    return front * (log_queries + (_ball(128 / (accuracy**2 * failure)) * log_cells).log())


@checked_types
def public_size(vc_dimension: int, alpha: Number, beta: Number) -> StatedSize:
    """Return a number of public records for an ``alpha/4``-cover with probability ``1 - beta/2``.

    ``max((16 / alpha) log2(4 / beta), (64 d / alpha) log2(48 / alpha))``: the double-sample bound
    ``2 (2 e m / d)^(2 d) 2^(-alpha m / 8) <= beta / 2`` for symmetric differences of two concepts.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Source: `pap` Lemma 11, which has no constants; these are explicit ones.

    Examples
    --------
    >>> public_size(1, "1/10", "1/10").records
    5701
    """
    if vc_dimension < 1:
        raise DomainError(f"VC dimension must be at least 1, not {vc_dimension}")
    accuracy, failure = _between(alpha, "alpha"), _between(beta, "beta")
    with flint.ctx.workprec(_PRECISION):
        two = flint.arb(2).log()
        first = _ball(16 / accuracy) * _ball(4 / failure).log() / two
        second = _ball(64 * vc_dimension / accuracy) * _ball(48 / accuracy).log() / two
        return StatedSize(max(_rounded_up(first), _rounded_up(second)))


def cover_logarithms(
    vc_dimension: int, dual_dimension: int, public: int
) -> tuple[Interval, Interval]:
    """Return bounds on the logarithms of the numbers of concepts and of cells of a cover.

    ``d ln(e m / d)`` (Sauer and Shelah) and ``p ln(e |H| / p)`` (`pap` Claim 3).

    Raises
    ------
    DomainError
        If the public records are fewer than the VC dimension, or a dimension is below 1.

    Examples
    --------
    >>> [round(float(x.upper), 2) for x in cover_logarithms(1, 1, 100)]
    [5.61, 6.61]
    """
    if min(vc_dimension, dual_dimension) < 1 or public < vc_dimension:
        raise DomainError(
            "dimensions must be at least 1 and public records at least the VC dimension, "
            f"not {vc_dimension}, {dual_dimension} and {public}"
        )
    with flint.ctx.workprec(_PRECISION):
        concepts = vc_dimension * (1 + _ball(Fraction(public, vc_dimension)).log())
        cells = dual_dimension * (1 + concepts - flint.arb(dual_dimension).log())
        return ball_interval(concepts), ball_interval(cells)


@checked_types
def assisted_sizes(
    vc_dimension: int,
    dual_dimension: int,
    alpha: Number,
    beta: Number,
    epsilon: Epsilon | Fraction | int | str,
    delta: Number,
) -> tuple[StatedSize, StatedSize]:
    """Return the numbers of private and public records of Theorem 10, with explicit constants.

    The former is that of Lemma 7 with ``alpha / 2`` and ``beta / 2``, for the largest numbers of
    concepts and cells that the public records of `public_size` allow.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Source: `pap` Theorem 10; the private size has the constant of Lemma 7, and its warning.

    Examples
    --------
    >>> private, public = assisted_sizes(1, 1, "1/10", "1/10", Epsilon.of(1), "1/1000000")
    >>> round(private.records / 1e6, 1), public.records
    (25.7, 5701)
    """
    epsilon = Epsilon.of(epsilon)
    public = public_size(vc_dimension, alpha, beta)
    logs = cover_logarithms(vc_dimension, dual_dimension, public.records)
    with flint.ctx.workprec(_PRECISION):
        concepts, cells = (_ball(log.upper) for log in logs)
        halves = _between(alpha, "alpha") / 2, _between(beta, "beta") / 2
        private = _weights(cells, concepts, *halves, epsilon, delta)
        return StatedSize(_rounded_up(private), WARNING), public
