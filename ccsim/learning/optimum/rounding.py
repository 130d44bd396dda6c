"""Laws of a private learner from floats that a solver took for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

_UNIT = 1 << 44
_SHARES = (40, 34, 30, 27, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0)


def private_laws(
    values: Sequence[float],
    laws: Sequence[Sequence[int]],
    is_private: Callable[[Sequence[int]], bool],
) -> list[Fraction]:
    """Return laws near to given ones that are private, by mixing them with the uniform law."""
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
