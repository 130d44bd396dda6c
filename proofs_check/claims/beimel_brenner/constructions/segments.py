"""Initial segments of a line, and the switching points of arbitrary functions on it.

`bbkn` section 5: the concept ``j`` of `INTERVAL_d` is 1 on the first ``j`` points. If a function
has few switching points, the segment of one of them has at most the error of the function.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ccsim.classes import ConceptClass
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.learning.learner import Bits, Points

__all__ = ["InitialSegment", "initial_segments", "segment", "switch_within", "switching_points"]


@frozen
class InitialSegment:
    """The function that is 1 on the points below ``end``."""

    end: int

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        return np.asarray(points < np.uint64(self.end), dtype=np.bool_)


def segment(end: int) -> int:
    """Return the initial segment as a bit mask over points.

    Examples
    --------
    >>> f"{segment(2):b}", segment(0)
    ('11', 0)
    """
    return (1 << end) - 1


@cache
def initial_segments(size: int) -> ConceptClass:
    """Return the ``size + 1`` initial segments of the points ``0 .. size - 1``, the shortest first.

    `bbkn` Definition 5.1 with ``size = 2^d``; its concept ``c_j`` is the segment of ``j - 1``
    points.

    Examples
    --------
    >>> initial_segments(2).rows, initial_segments(2).concepts
    ((0, 1, 3), (0, 1, 2))
    """
    if size < 1:
        raise DomainError(f"initial segments: size must be at least 1, not {size}")
    rows = [segment(end) for end in range(size + 1)]
    return ConceptClass.from_rows(
        rows, range(size), range(size + 1), name=f"initial segments of {size} points"
    )


def switching_points(hypothesis: int, size: int) -> tuple[int, ...]:
    """Return both ends, and each point on which a function differs from its value just before.

    Parameters
    ----------
    hypothesis : int
        Bit mask over the points ``0 .. size - 1``.
    size : int
        At least 1.

    Returns
    -------
    tuple of int
        In increasing order, from 0 to ``size`` (`bbkn` Definition 5.3, counted from 0).

    Examples
    --------
    >>> switching_points(0b0011, 4), switching_points(0b0100, 4)
    ((0, 2, 4), (0, 2, 3, 4))
    """
    changes = (hypothesis ^ hypothesis << 1) & segment(size)
    return (0, *members(changes & ~1), size)


def switch_within(hypothesis: int, target: int, size: int) -> int:
    """Return a switching point whose segment errs only where the function does.

    The segment of the returned point agrees with the segment of ``target`` wherever ``hypothesis``
    does, so that its error is at most that of the hypothesis under every distribution and on every
    sample (proof of `bbkn` Theorem 5.4).

    Notes
    -----
    Between two neighbouring switching points ``j <= target <= k`` the function is constant. If its
    value there is 0, it errs from ``j`` to the target, and so does the segment of ``j``; if its
    value is 1, it errs from the target to ``k``, and so does the segment of ``k``.

    Examples
    --------
    >>> switch_within(0b1001, 2, 4)
    1
    """
    if not 0 <= target <= size:
        raise DomainError(f"target must be a segment of at most {size} points, not {target}")
    switches = switching_points(hypothesis, size)
    before = max(j for j in switches if j <= target)
    after = min(k for k in switches if k >= target)
    if before == after:
        return before
    return after if hypothesis >> before & 1 else before
