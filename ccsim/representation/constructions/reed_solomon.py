"""A small representation of point functions from a Reed-Solomon code.

A point is a polynomial of degree below ``k`` over a finite field; its code word lists the values at
``length`` places. The hypothesis ``(i, v)`` is 1 on the points whose word has symbol ``v`` at place
``i``. Two points agree at fewer than ``k`` places, so that the uniform mixture of a point's own
``length`` hypotheses is 1 on the point and at most ``(k - 1) / length`` on average on any other:
the hypotheses represent the point functions with that error (`bbkn` section 4.1 in explicit form).
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import flint
import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.fractions import next_prime
from ccsim.representation.constructions.finite_field import finite_field
from ccsim.representation.constructions.points import PointRepresentation, containing_sets
from ccsim.representation.hypotheses import HypothesisSet

_NAME = "Reed-Solomon code"
_MAX_POINTS = 1 << 12  # of a code whose sets are listed


@frozen
class SymbolSet:
    """The hypothesis that is 1 where the code word has a given symbol at a given place."""

    sets: ReedSolomonSets
    place: int
    symbol: int

    def predict(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return the value on each point."""
        return np.asarray(self.sets.words(points)[:, self.place] == self.symbol, dtype=np.bool_)


@frozen
class ReedSolomonSets:
    """The sets ``{x : symbol i of the word of x is v}``."""

    field: int  # order ``q`` of the field: a prime, or a small prime power
    dimension: int  # number of coefficients ``k``; ``q**k`` points have words
    length: int  # number of places, at most ``q``

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.field * self.length

    @property
    def error(self) -> Fraction:
        """Error with which the hypotheses represent the point functions."""
        return Fraction(self.dimension - 1, self.length)

    def words(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the words of the points, one row each."""
        digits = np.empty((len(points), self.dimension), dtype=np.int64)
        rest = points.copy()
        for k in range(self.dimension):
            digits[:, k] = rest % np.uint64(self.field)
            rest //= np.uint64(self.field)
        return finite_field(self.field, _NAME).values(digits, self.length)

    def hypothesis(self, place: int, symbol: int) -> SymbolSet:
        """Return the hypothesis of a symbol at a place."""
        return SymbolSet(self, place, symbol)


@checked_types
def reed_solomon_representation(q: int, dimension: int, length: int) -> PointRepresentation:
    """Return ``q * length`` sets that represent ``q**dimension`` points.

    A point is a polynomial of degree below ``dimension`` over the field with ``q`` elements, and a
    set holds the polynomials with a given value in a given place. Two polynomials agree in at most
    ``dimension - 1`` of the ``length`` places, so that the error is ``(dimension - 1) / length``.

    Parameters
    ----------
    q : int
        A prime power of at most 64, or a prime.
    dimension : int
        At least 1; ``q**dimension`` is at most ``2**12``.
    length : int
        Number of places, between ``dimension`` and ``q``.

    Notes
    -----
    An explicit alternative to `bbkn` Lemma 4.1: 64 sets for 256 points at error 1/4.

    Examples
    --------
    >>> code = reed_solomon_representation(4, 2, 4)
    >>> code.hypotheses.num_points, code.size, code.value
    (16, 16, Fraction(1, 4))
    """
    if not 1 <= dimension <= length <= q or q**dimension > _MAX_POINTS:
        raise DomainError(
            f"{_NAME}: need 1 <= dimension <= length <= q and at most {_MAX_POINTS} points, "
            f"not {dimension}, {length}, {q}"
        )
    words = ReedSolomonSets(q, dimension, length).words(np.arange(q**dimension, dtype=np.uint64))
    rows = [
        sum(1 << int(x) for x in np.flatnonzero(words[:, place] == symbol))
        for place in range(length)
        for symbol in range(q)
    ]
    hypotheses = HypothesisSet.from_rows(rows, q**dimension)
    return PointRepresentation.from_witnesses(hypotheses, containing_sets(hypotheses))


@cache
def reed_solomon_sets(bits: int, error: Fraction) -> ReedSolomonSets:
    """Return the smallest such representation of ``2**bits`` points with at most a given error."""
    if error <= 0:
        raise DomainError(f"error must be positive, not {error}")
    best: ReedSolomonSets | None = None
    for dimension in range(1, bits + 1):  # the first has few sets, however small the error
        length = max(-(-(dimension - 1) // error), 1)
        least = max(length, _root(1 << bits, dimension))
        if best is None or least * length <= best.size:
            sets = ReedSolomonSets(next_prime(least), dimension, int(length))
            best = sets if best is None or sets.size <= best.size else best
    if best is None:
        raise DomainError(f"bits must be at least 1, not {bits}")
    return best


def _root(number: int, degree: int) -> int:
    """Return the least integer whose power is at least the number."""
    root = int(flint.fmpz(number).root(degree))
    return root if root**degree >= number else root + 1
