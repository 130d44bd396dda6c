"""Laws of a private learner from floats that a solver took for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

__all__ = ["private_laws"]

_UNIT = 1 << 44
_SHARES = (40, 34, 30, 27, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0)


def private_laws(
    values: Sequence[float],
    laws: Sequence[Sequence[int]],
    is_private: Callable[[Sequence[int]], bool],
) -> list[Fraction]:
    """Return laws near to given ones that are private, by mixing them with the uniform law.

    Parameters
    ----------
    values : sequence of float
        About the probabilities. Variable ``o`` may occur many times in one of the laws.
    laws : sequence of sequence of int
        The variables of each law, as many as there are functions; each belongs to one law.
    is_private : callable
        Decides from the probabilities in parts of some unit; accepts the uniform laws.

    Examples
    --------
    >>> laws = private_laws([0.75, 0.2500001], [(0, 1)], lambda p: p[0] <= 3 * p[1])
    >>> sum(laws), laws[0] <= 3 * laws[1], abs(laws[0] - Fraction(3, 4)) < Fraction(1, 10**6)
    (Fraction(1, 1), True, True)
    """
    functions = len(laws[0])
    for share in _SHARES:
        mixed = [
            max(0, round(Fraction(v) * (_UNIT - (_UNIT >> share)))) + (_UNIT >> share) // functions
            for v in values
        ]
        exact = [functions * w for w in mixed]
        for law in laws:
            lacking = _UNIT - sum(times * mixed[o] for o, times in Counter(law).items())
            for o in set(law):
                exact[o] += lacking
        if min(exact) >= 0 and is_private(exact):
            return [Fraction(w, functions * _UNIT) for w in exact]
    return [Fraction(1, functions)] * len(values)
