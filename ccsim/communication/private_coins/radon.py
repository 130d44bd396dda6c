"""Radon's theorem as a lower bound on the error of private-coin protocols.

With ``k`` messages the laws of ``k + 1`` inputs of Alice are points of dimension ``k - 1``. Some
split of them into two sets has averages that coincide, and Bob cannot tell these apart; a column
that separates the sets is then answered wrongly. Equality with ``n > k`` inputs needs an error of
``1 / (1 + floor((k + 1) / 2))``, whatever ``n`` is.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator
from ccsim.programs.game import solve_integer_game

Separation = tuple[tuple[int, int], ...]

_MOST_MESSAGES = 8
_MOST_SETS = 2000
_MOST_GAMES = 2000


@validated
class RadonPartitions:
    """Inputs of Alice all of whose splits into two sets are separated by columns.

    Attributes
    ----------
    inputs : tuple of int
        One more than there are messages, distinct.
    separations : tuple of tuple of (int, int)
        For split number ``i`` from 1 columns in increasing order with integer weights: on the
        inputs at the positions of the ones of ``i`` the weighted value is larger than on others.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> proof = RadonPartitions((0, 1, 2), (((0, 1),), ((1, 1),), ((2, -1),)))
    >>> proof.bound(equality(3), 2)
    Fraction(1, 2)
    """

    inputs: tuple[int, ...]
    separations: tuple[Separation, ...]

    def bound(self, problem: CommunicationProblem, messages: int) -> Fraction:
        """Return the error that the worst split forces; see `docs/certificates.md` for why.

        Raises
        ------
        CertificateError
            If inputs or separations are too few, repeated or outside the promise.
        """
        known = all(0 <= x < len(problem.alice) for x in self.inputs)
        if not known or not len(set(self.inputs)) == len(self.inputs) == messages + 1:
            raise CertificateError(
                f"Radon's theorem needs {messages + 1} distinct inputs, not {self.inputs}"
            )
        if len(self.separations) != 2**messages - 1:
            raise CertificateError(
                f"there are {2**messages - 1} splits, but {len(self.separations)} separations"
            )
        return min(
            self._forced(problem, number, separation)
            for number, separation in enumerate(self.separations, 1)
        )

    def _forced(
        self, problem: CommunicationProblem, number: int, separation: Separation
    ) -> Fraction:
        columns = [y for y, _ in separation]
        if columns != sorted(set(columns)) or any(w == 0 for _, w in separation):
            raise CertificateError(
                f"split {number}: columns must be distinct and in order, weights not 0"
            )
        heights = []
        for x in self.inputs:
            values = [problem.value(x, y) if 0 <= y < len(problem.bob) else None for y in columns]
            if None in values:
                y = columns[values.index(None)]
                raise CertificateError(f"split {number}: input ({x}, {y}) lies outside the promise")
            heights.append(
                sum(w for (_, w), value in zip(separation, values, strict=True) if value)
            )
        inside = [h for t, h in enumerate(heights) if number >> t & 1]
        outside = [h for t, h in enumerate(heights) if not number >> t & 1]
        gap = min(inside) - max(outside)
        return Fraction(gap, gap + sum(abs(w) for _, w in separation)) if gap > 0 else Fraction(0)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate: weights of all columns for every split."""
        dense = []
        for separation in self.separations:
            weights = dict(separation)
            if len(weights) < len(separation) or not set(weights) <= set(range(len(problem.bob))):
                raise CertificateError(f"{separation} does not weigh distinct columns")
            dense.append(encode_integers(weights.get(y, 0) for y in range(len(problem.bob))))
        return {"radon": {"inputs": list(self.inputs), "separations": dense}}


@checked_types
def radon_partitions(
    problem: CommunicationProblem,
    messages: int,
    rows: Sequence[int],
    budget: Budget | None = None,
) -> RadonPartitions | None:
    """Return the best proof found from sets of the given inputs of Alice, or None.

    Parameters
    ----------
    problem : CommunicationProblem
    messages : int
        At most 8 are tried, since there are ``2**messages - 1`` splits.
    rows : sequence of int
        Inputs of Alice to choose from.
    budget : Budget, optional
        When it is over, the best proof found by then is returned.

    Notes
    -----
    Complexity: for each of at most 2000 sets of ``messages + 1`` inputs up to ``2**messages`` games
    of columns against pairs of inputs; a set is left when a split forces no more than the best so
    far. For each split the separation is optimal.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> radon_partitions(equality(5), 3, range(5)).bound(equality(5), 3)
    Fraction(1, 3)
    """
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    if messages > _MOST_MESSAGES:
        return None
    best: RadonPartitions | None = None
    least, games = Fraction(0), 0
    budget = budget or Budget()
    with budget:
        for inputs in islice(combinations(rows, messages + 1), _MOST_SETS):
            found: list[Separation] = []
            smallest = Fraction(1)
            for number in range(1, 2**messages):
                budget.spend()
                gap, separation = _separate(problem, inputs, number)
                games += 1
                smallest = min(smallest, gap / (1 + gap))
                found.append(separation)
                if smallest <= least:
                    break
            else:
                best, least = RadonPartitions(inputs, tuple(found)), smallest
            if games > _MOST_GAMES:
                break
    return best


def _separate(
    problem: CommunicationProblem, inputs: tuple[int, ...], number: int
) -> tuple[Fraction, Separation]:
    """Return the largest gap of a split under column weights of total 1, and integer weights."""
    everywhere = [
        y for y in range(len(problem.bob)) if all(problem.promise[x] >> y & 1 for x in inputs)
    ]
    inside = [x for t, x in enumerate(inputs) if number >> t & 1]
    outside = [x for t, x in enumerate(inputs) if not number >> t & 1]
    differences = []
    for y in everywhere:
        row = [
            (problem.ones[x] >> y & 1) - (problem.ones[z] >> y & 1) for x in inside for z in outside
        ]
        differences.append(row)
    if not differences:
        return Fraction(0), ()
    signed = differences + [[-entry for entry in row] for row in differences]
    value, strategy, _, _ = solve_integer_game(signed)
    if value <= 0:
        return Fraction(0), ()
    half = len(everywhere)
    scale = common_denominator(strategy)
    weights = [int((strategy[i] - strategy[half + i]) * scale) for i in range(half)]
    return value, tuple((y, w) for y, w in zip(everywhere, weights, strict=True) if w)
