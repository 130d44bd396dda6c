"""Random sets, and random lines of a plane, that represent points (`bbkn` section 4.1)."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import Interval, as_fraction, binomial_tail, clopper_pearson, enclose
from ccsim.exact.probability import generator
from ccsim.representation import HypothesisSet, PointRepresentation, plane_lines

_MOST_BITS = 64


MAX_MEMBERSHIPS = 1 << 28
"""Largest number of sets times points that is drawn."""


@validated
class RandomSetSystem:
    """The distribution of the random sets of `bbkn` Lemma 4.1, with its parameters.

    Attributes
    ----------
    b : int
        At least 1; ``2**b`` points are to be represented.
    sets : int
        Number ``k`` of sets that are drawn.
    set_size : int
        Number ``s`` of points of a set, out of ``2**(b + 1)``.
    witnesses : int
        Number ``p`` of sets that must contain a good point.

    Examples
    --------
    >>> distribution = RandomSetSystem.of_lemma(8, "1/4")
    >>> distribution.witnesses, distribution.sets, distribution.set_size
    (40, 4350, 10)
    >>> float(distribution.bad_point) < 1 / 4
    True
    """

    b: int
    sets: int
    set_size: int
    witnesses: int

    def __post_init__(self) -> None:
        if self.b < 1 or self.sets < 1 or self.witnesses < 1:
            raise DomainError(
                f"b, sets and witnesses must be at least 1, not {self.b}, {self.sets} and "
                f"{self.witnesses}"
            )
        if not 1 <= self.set_size <= self.points:
            raise DomainError(f"set_size must be between 1 and {self.points}, not {self.set_size}")
        if self.sets * self.points > MAX_MEMBERSHIPS:
            raise InstanceTooLargeError(
                f"{self.sets} sets over {self.points} points exceed the limit of {MAX_MEMBERSHIPS} "
                "sets times points"
            )

    @classmethod
    def of_lemma(cls, b: int, error: Fraction | int | str) -> RandomSetSystem:
        """Return the parameters of the lemma: ``p = b (1 + ceil(1/error))``, ``k = 8 e p^2 / b``.

        Sizes are rounded up: ``k``, and ``s = 4 p T / k`` of the rounded ``k``.
        """
        import sympy

        allowed = as_fraction(error, "error", 0, 1)
        if b < 1 or allowed == 0:
            raise DomainError(
                f"b must be at least 1 and error positive, not {show_value(b)} and {allowed}"
            )
        if b > _MOST_BITS:
            raise InstanceTooLargeError(
                f"b must be at most {_MOST_BITS} for random sets over 2^b points, "
                f"not {show_value(b)}"
            )
        p = b * (1 + ceil(1 / allowed))
        sets = ceil(enclose(8 * sympy.E * sympy.Rational(p**2, b)).upper)
        size = ceil(Fraction(4 * p << b, sets))
        return cls(b, sets, size, p)

    @property
    def points(self) -> int:
        """Number of points from which the sets are drawn, ``2**(b + 1)``."""
        return 2 << self.b

    @property
    def bad_point(self) -> Fraction:
        """Exact upper bound on the probability that a given point is not good.

        The bound is the sum of a binomial tail (fewer than ``p`` sets contain the point) and of the
        probability, by a union bound over the other points, that another point lies in ``b`` of its
        first ``p`` sets.
        """
        inside = Fraction(self.set_size, self.points)
        few = binomial_tail(self.sets, 1 - inside, self.sets - self.witnesses + 1)
        beside = Fraction(self.set_size - 1, self.points - 1)
        crowded = (self.points - 1) * binomial_tail(self.witnesses, beside, self.b)
        return min(Fraction(1), few + crowded)

    @property
    def failure(self) -> Fraction:
        """Markov's upper bound on the probability that less than half of the points are good."""
        return min(Fraction(1), self.points * self.bad_point / (self.points // 2 + 1))

    def measured_failure(self, trials: int, seed: int, confidence: Fraction) -> Interval:
        """Return an interval of Clopper and Pearson for the probability of failure.

        Parameters
        ----------
        trials : int
            Number of systems drawn.
        seed : int
        confidence : Fraction
            Coverage probability of the interval.

        Examples
        --------
        >>> distribution = RandomSetSystem.of_lemma(3, "1/2")
        >>> interval = distribution.measured_failure(50, 0, Fraction(99, 100))
        >>> interval.lower <= distribution.failure
        True
        """
        rng = generator(seed)
        wanted = self.points // 2
        failures = sum(len(self.good(self.draw(rng))) < wanted for _ in range(trials))
        return clopper_pearson(failures, trials, confidence)

    def draw(self, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Draw random sets as rows of a Boolean matrix with one column for each point."""
        matrix = np.zeros((self.sets, self.points), dtype=np.bool_)
        for row in matrix:
            row[rng.choice(self.points, self.set_size, replace=False)] = True
        return matrix

    def good(
        self, matrix: npt.NDArray[np.bool_], wanted: int | None = None
    ) -> dict[int, list[int]]:
        """Return the good points, each with the first ``p`` sets that contain it.

        Parameters
        ----------
        matrix : array of bool
            From `draw`.
        wanted : int, optional
            Number of good points to find; all by default.
        """
        inside = np.array([np.flatnonzero(row) for row in matrix])
        found: dict[int, list[int]] = {}
        for j in range(self.points):
            if len(found) == wanted:
                break
            chosen = np.flatnonzero(matrix[:, j])[: self.witnesses]
            crowds = np.bincount(inside[chosen].ravel(), minlength=self.points)
            crowds[j] = 0
            if len(chosen) == self.witnesses and crowds.max() < self.b:
                found[j] = chosen.tolist()
        return found

    def representation(self, seed: int, *, tries: int = 100) -> PointRepresentation:
        """Draw sets until half of the points are good; return the sets restricted to good points.

        Raises
        ------
        NotDecidedError
            If no system drawn had enough good points.
        """
        rng = generator(seed)
        wanted = self.points // 2
        for _ in range(tries):
            matrix = self.draw(rng)
            good = self.good(matrix, wanted)
            if len(good) == wanted:
                return _cut_down(matrix, good)
        raise NotDecidedError(
            f"none of {tries} random set systems had {wanted} points with "
            f"enough witnesses (of {self.points}); raise tries or choose another seed"
        )


def _cut_down(matrix: npt.NDArray[np.bool_], good: dict[int, list[int]]) -> PointRepresentation:
    """Restrict the sets to good points; the witnesses of a point are the sets listed for it."""
    rows = [
        sum(1 << i for i, inside in enumerate(row) if inside)
        for row in matrix[:, list(good)].tolist()
    ]
    hypotheses = HypothesisSet.from_rows(rows, len(good))
    number = {row: i for i, row in enumerate(hypotheses.rows)}
    return PointRepresentation.from_witnesses(
        hypotheses, [tuple(number[rows[i]] for i in chosen) for chosen in good.values()]
    )


@checked_types
def random_set_system(
    b: int, error: Fraction | int | str, seed: int, *, tries: int = 100
) -> PointRepresentation:
    """Return random sets that represent the ``2**b`` single points with the given error.

    Parameters
    ----------
    b : int
        At least 1; 8 takes a second.
    error : Fraction, int or str
        In (0, 1].
    seed : int
        Seed of the sampling; the same seed gives the same sets.
    tries : int
        Number of systems to draw before `NotDecidedError` is raised.

    Returns
    -------
    PointRepresentation
        At most ``ceil(8 e b (1 + ceil(1/error))^2)`` hypotheses, and for each point the sets that
        prove an error below ``1 / (1 + ceil(1/error))``, with certainty.

    Raises
    ------
    NotDecidedError
        If no system drawn had enough good points; for ``b >= 6``, at least half of them have.

    Notes
    -----
    Source: `bbkn` Lemma 4.1. The proof needs only ``b >= 6``; up to ``b = 11`` the class itself is
    a smaller set of hypotheses than the lemma's bound.

    Examples
    --------
    >>> representation = random_set_system(4, "1/2", seed=0)
    >>> representation.check()
    >>> representation.hypotheses.num_points, representation.represents(Fraction(1, 2))
    (16, True)
    """
    return RandomSetSystem.of_lemma(b, error).representation(seed, tries=tries)


@checked_types
def thinned_plane_representation(
    q: int, error: Fraction | int | str, seed: int, *, tries: int = 100
) -> PointRepresentation:
    """Return random lines of a projective plane and the points that lie on enough of them.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`.
    error : Fraction, int or str
        In (0, 1]; each remaining point lies on more than ``1 / error`` of the lines drawn.
    seed : int
    tries : int
        Number of sets of lines to draw before `NotDecidedError` is raised.

    Returns
    -------
    PointRepresentation
        Over the remaining points, at least half of those of the plane.

    Raises
    ------
    NotDecidedError
        If no set of lines drawn left half of the points.

    Notes
    -----
    Source: `bbkn` section 4.1, which omits details: a line is kept with probability ``min(1, m / (q
    + 1))`` for ``m = floor(1/error) + 2``, so that on average ``m`` kept lines pass through a
    point, one more than necessary. So about ``m q = O(sqrt(T) / error)`` lines represent ``T``
    points, where ``2 T = q^2 + q + 1``.

    Examples
    --------
    >>> thinned = thinned_plane_representation(7, "1/2", seed=0)
    >>> thinned.check()
    >>> thinned.represents(Fraction(1, 2)), thinned.size < 57
    (True, True)
    """
    allowed = as_fraction(error, "error", 0, 1)
    if allowed == 0:
        raise DomainError("thinned plane: error must be positive, not 0")
    lines, need = plane_lines(q), floor(1 / allowed) + 1
    share = min(1.0, (need + 1) / (q + 1))
    rng = generator(seed)
    for _ in range(tries):
        chosen = [line for line in lines if rng.random() < share]
        degrees = [sum(line >> j & 1 for line in chosen) for j in range(len(lines))]
        kept = [j for j, degree in enumerate(degrees) if degree >= need]
        if 2 * len(kept) >= len(lines):
            rows = [sum((line >> j & 1) << i for i, j in enumerate(kept)) for line in chosen]
            hypotheses = HypothesisSet.from_rows(rows, len(kept))
            number = {row: i for i, row in enumerate(hypotheses.rows)}
            witnesses = [
                tuple(number[row] for row in rows if row >> i & 1) for i in range(len(kept))
            ]
            return PointRepresentation.from_witnesses(hypotheses, witnesses)
    raise NotDecidedError(
        f"none of {tries} random sets of lines had {need} lines through half of the {len(lines)} "
        "points; raise tries or choose another seed"
    )
