"""Bounds on labellings, points and dual dimensions by Sauer and Shelah, and by Assouad."""

from __future__ import annotations

from math import comb

import flint

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.intervals import Interval, ball_interval

_PRECISION = 128


@checked_types
def most_labellings(vc_dimension: int, points: int) -> int:
    """Return the maximum number of concepts for given VC dimension and number of points.

    It is ``C(points, 0) + ... + C(points, d)``, attained by the class of all sets of at most ``d``
    points.

    Parameters
    ----------
    vc_dimension, points : int
        At least -1 (of the empty class) and at least 0.

    Raises
    ------
    DomainError
        If a parameter is out of range.

    Notes
    -----
    Source: Sauer (1972), Shelah (1972).

    Examples
    --------
    >>> most_labellings(2, 5), most_labellings(-1, 5), most_labellings(5, 5)
    (16, 0, 32)
    """
    if vc_dimension < -1 or points < 0:
        raise DomainError(
            "VC dimension must be at least -1 and points at least 0, "
            f"not {vc_dimension} and {points}"
        )
    return sum(comb(points, i) for i in range(min(vc_dimension, points) + 1))


@checked_types
def most_representatives(dual_dimension: int, concepts: int) -> Interval:
    """Return an interval around ``(e concepts / p)^p``, a bound on the distinguishable points.

    Parameters
    ----------
    dual_dimension, concepts : int
        ``p`` from 1 to the number of concepts.

    Raises
    ------
    DomainError
        If the dimension is out of range.

    Notes
    -----
    Source: `pap` Claim 3. By the lemma of Sauer and Shelah for the dual class there are at most
    ``most_labellings(p, concepts)``, an integer that is never larger.

    Examples
    --------
    >>> round(float(most_representatives(1, 5).upper), 3), most_labellings(1, 5)
    (13.591, 6)
    """
    if not 1 <= dual_dimension <= concepts:
        raise DomainError(
            f"dual VC dimension must be between 1 and the number of concepts {concepts}, "
            f"not {dual_dimension}"
        )
    with flint.ctx.workprec(_PRECISION):
        ratio = flint.arb(concepts) / flint.arb(dual_dimension)
        return ball_interval((flint.arb.const_e() * ratio) ** dual_dimension)


@checked_types
def largest_dual_dimension(vc_dimension: int) -> int:
    """Return the largest dual VC dimension of a class of VC dimension ``d``: ``2^(d+1) - 1``.

    Parameters
    ----------
    vc_dimension : int
        At least 0.

    Raises
    ------
    DomainError
        If the dimension is negative.

    Notes
    -----
    Source: Assouad (1983), `pap` Fact 4. Decision stumps on ``2^(d+1) - 1`` coordinates attain it.

    Examples
    --------
    >>> from ccsim.classes import decision_stumps
    >>> from ccsim.dimensions import dual_vc_dimension, vc_dimension
    >>> C = decision_stumps(7)
    >>> vc_dimension(C).value, dual_vc_dimension(C).value, largest_dual_dimension(2)
    (2, 7, 7)
    """
    if vc_dimension < 0:
        raise DomainError(f"VC dimension must be at least 0, not {vc_dimension}")
    return (1 << vc_dimension + 1) - 1
