"""Bounds for private coins from theorems: Radon's theorem, sorted rows, and sign rank.

Sources: `docs/closed-forms.md`, Theorems 12, 13 (two messages sort rows) and 16 (sign vectors).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, islice, pairwise, permutations
from operator import and_
from typing import Any

import flint
import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.certificates import Certificate, verify
from ccsim.certificates.envelope import encode_integers
from ccsim.classes.masks import members
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.sign_ranks import (
    Obstruction,
    Signs,
    chirotope_obstruction,
    first_obstruction,
)
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import Interval, common_denominator
from ccsim.exact.fractions import as_fraction
from ccsim.kernel import Rejected
from ccsim.programs.game import solve_integer_game
from ccsim.programs.sign_vectors import realised

Separation = tuple[tuple[int, int], ...]

_MOST_MESSAGES = 8
_MOST_SETS = 2000
_MOST_GAMES = 2000
_MOST_UNSORTED = 5000
_WORK = (500, 40_000)  # cases of a tree before vectors are sought, and after them
_MOST_SIGNS = 1 << 14


@validated
class RadonPartitions:
    """A lower bound for private coins, proved by Radon's theorem.

    For every split of some inputs of Alice into two sets, weights of the columns separate the sets.

    Attributes
    ----------
    inputs : tuple of int
        Distinct inputs, one more than the number of messages.
    separations : tuple of tuple of (int, int)
        For split number ``i``, counted from 1: columns in increasing order with integer weights.
        The inputs at positions ``j`` for which bit ``j`` of ``i`` is 1 have larger weighted sums of
        values than the other inputs.

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
        """Return the least lower bound on the error over all splits (`docs/certificates.md`).

        Raises
        ------
        CertificateError
            If inputs or separations are too few, repeated or outside the promise.
        """
        known = all(0 <= x < len(problem.alice) for x in self.inputs)
        if not known or not len(set(self.inputs)) == len(self.inputs) == messages + 1:
            raise CertificateError(
                f"inputs must be {messages + 1} distinct inputs of Alice, not {self.inputs}"
            )
        if len(self.separations) != 2**messages - 1:
            raise CertificateError(
                f"there must be a separation for each of {2**messages - 1} splits, not "
                f"{len(self.separations)}"
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
                f"split {number}: columns must be distinct and in increasing order, and weights "
                "nonzero"
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
        """Return the proof for use in a certificate: column weights for each split of inputs."""
        dense = []
        for separation in self.separations:
            weights = dict(separation)
            if len(weights) < len(separation) or not set(weights) <= set(range(len(problem.bob))):
                raise CertificateError(
                    f"a separation must weigh distinct columns, not {separation}"
                )
            dense.append(encode_integers(weights.get(y, 0) for y in range(len(problem.bob))))
        return {"radon": {"inputs": list(self.inputs), "separations": dense}}


@checked_types
def radon_partitions(
    problem: CommunicationProblem, messages: int, rows: Sequence[int], budget: Budget | None = None
) -> RadonPartitions | None:
    """Return the best lower bound for private coins found from Radon's theorem, or None.

    Parameters
    ----------
    problem : CommunicationProblem
    messages : int
        Number of messages. There are ``2**messages - 1`` splits, so the result is None for more
        than 8 messages.
    rows : sequence of int
        Inputs of Alice to choose from.
    budget : Budget, optional
        When it is used up, the best proof found so far is returned.

    Notes
    -----
    Complexity: at most 2000 sets of ``messages + 1`` inputs are tried, with up to ``2**messages``
    matrix games for each.

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
    seen: set[frozenset[int]] = set()
    with budget:
        for inputs in islice(combinations(rows, messages + 1), _MOST_SETS):
            splits = _column_splits(problem, inputs)
            if splits in seen or not _is_independent(splits, messages):
                continue
            seen.add(splits)
            found: list[Separation] = []
            smallest = Fraction(1)
            for number in budget.each(range(1, 2**messages)):
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


def _column_splits(problem: CommunicationProblem, inputs: tuple[int, ...]) -> frozenset[int]:
    """Return the splits of inputs by columns, which determine the gaps of all separations.

    A column and its complement give the same split. Bit ``t - 1`` of a split is 1 if input ``t`` is
    on the other side than input 0.
    """
    found = set()
    for y in members(reduce(and_, (problem.promise[x] for x in inputs))):
        first, *others = (problem.ones[x] >> y & 1 for x in inputs)
        found.add(sum((value ^ first) << t for t, value in enumerate(others)))
    return frozenset(found - {0})


def _is_independent(splits: frozenset[int], messages: int) -> bool:
    """Return whether the rows of the inputs are affinely independent.

    Otherwise some split cannot be separated, by Radon's theorem.
    """
    bits = [split >> t & 1 for split in splits for t in range(messages)]
    return bool(flint.fmpz_mat(len(splits), messages, bits).rank() == messages)


def _separate(
    problem: CommunicationProblem, inputs: tuple[int, ...], number: int
) -> tuple[Fraction, Separation]:
    """Return the largest gap between the sets of a split, and column weights that attain it.

    The gap is for weights whose absolute values sum to 1; they are returned as integers.
    """
    everywhere = list(members(reduce(and_, (problem.promise[x] for x in inputs))))
    inside = [x for t, x in enumerate(inputs) if number >> t & 1]
    outside = [x for t, x in enumerate(inputs) if not number >> t & 1]
    ones = problem.ones
    differences = [
        [(ones[x] >> y & 1) - (ones[z] >> y & 1) for x in inside for z in outside]
        for y in everywhere
    ]
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


@frozen
class UnsortedInputs:
    """Inputs of Alice that prove that the error with two messages is 1/2.

    In every order of these inputs, the values in some column change at least twice.

    Attributes
    ----------
    inputs : tuple of int
        The inputs of Alice.
    """

    inputs: tuple[int, ...]

    def bound(self, problem: CommunicationProblem, messages: int) -> Fraction:
        """Return the lower bound 1/2 on the error, after checking all orders."""
        if messages != 2:
            raise CertificateError(f"messages must be 2 for this form of proof, not {messages}")
        known = all(0 <= x < len(problem.alice) for x in self.inputs)
        if not known or not len(set(self.inputs)) == len(self.inputs) <= 6:
            raise CertificateError(
                f"inputs must be at most 6 distinct inputs of Alice, not {self.inputs}"
            )
        for order in permutations(self.inputs):
            if not _changes_twice(problem, order):
                raise CertificateError(
                    f"no column changes twice in the order {order}, so the inputs prove no bound"
                )
        return Fraction(1, 2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the proof for use in a certificate."""
        return {"unsorted": {"inputs": list(self.inputs)}}


def _changes_twice(problem: CommunicationProblem, order: tuple[int, ...]) -> bool:
    """Return whether some column, defined on all these inputs, changes twice in this order."""
    for y in range(len(problem.bob)):
        values = [problem.value(x, y) for x in order]
        if None not in values and sum(a != b for a, b in pairwise(values)) > 1:
            return True
    return False


def unsorted_inputs(
    problem: CommunicationProblem, rows: tuple[int, ...], budget: Budget | None = None
) -> UnsortedInputs | None:
    """Return three or four of the given inputs that cannot be sorted, or None if none are found."""
    budget = budget or Budget()
    for size in (3, 4):
        for chosen in budget.each(islice(combinations(rows, size), _MOST_UNSORTED)):
            if all(_changes_twice(problem, order) for order in permutations(chosen)):
                return UnsortedInputs(chosen)
    return None


@checked_types
def chain_of_rows(problem: CommunicationProblem) -> tuple[int, ...] | None:
    """Return one input of Alice for each distinct row, ordered as a chain.

    In this order each column changes at most once. Return None if there is no such order.

    Parameters
    ----------
    problem : CommunicationProblem
        A total problem.

    Examples
    --------
    >>> from ccsim.communication.problem import greater_than, index
    >>> chain_of_rows(greater_than(3)), chain_of_rows(index(2))
    ((2, 1, 0), None)
    """
    if any(inside != (1 << len(problem.bob)) - 1 for inside in problem.promise):
        raise DomainError(
            f"problem must be total for two messages, but {problem.name} has a promise"
        )
    first = {row: x for x, row in reversed(list(enumerate(problem.ones)))}
    start = problem.ones[0]
    # seen from one row, the rows on either side differ in more and more columns, and the columns
    # of one side are not those of the other
    sides: tuple[list[int], list[int]] = ([], [])
    for row in sorted(first, key=lambda row: (row ^ start).bit_count()):
        change = row ^ start
        if not change:
            continue
        inner = [side[-1] if side else 0 for side in sides]
        fitting = [i for i in (0, 1) if inner[i] & ~change == 0 and not change & inner[1 - i]]
        if not fitting:
            return None
        sides[max(fitting, key=lambda i: inner[i].bit_count())].append(change)
    left, right = ([first[change ^ start] for change in side] for side in sides)
    return (*reversed(left), first[start], *right)


@checked_types
def two_messages_suffice(rows: int, error: Fraction | int | str) -> bool:
    """Return whether two messages with private coins attain a given error on a chain of rows.

    Parameters
    ----------
    rows : int
        Number of distinct rows, at least 1.
    error : Fraction
        The given error, in (0, 1/2).

    Returns
    -------
    bool

    Examples
    --------
    >>> two_messages_suffice(3, Fraction(1, 3)), two_messages_suffice(3, Fraction(33, 100))
    (True, False)
    """
    error = as_fraction(error, "error", 0, 1)
    if not error:
        return rows <= 2
    ratio = (1 - error) / error
    distribution = Fraction(0)
    for _ in range(rows - 1):
        distribution = max(ratio * distribution, 1 - (1 - distribution) / ratio)
        if distribution > 1:
            return False
    return True


@checked_types
def two_message_error(problem: CommunicationProblem, bits: int = 60) -> Interval:
    """Return an interval around the private-coin minimax error with two messages.

    Parameters
    ----------
    problem : CommunicationProblem
        A total problem.
    bits : int
        The interval is at most ``2**-bits`` wide; it is a point if the value is 0 or 1/2.

    Returns
    -------
    Interval
        An interval that contains the value, an algebraic number.

    Examples
    --------
    >>> from ccsim.communication.problem import equality, greater_than
    >>> two_message_error(equality(3)).lower
    Fraction(1, 2)
    >>> round(float(two_message_error(greater_than(4)).upper), 9)  # (3 - sqrt 5) / 2
    0.381966011
    """
    chain = chain_of_rows(problem)
    half = Fraction(1, 2)
    if chain is None:
        return Interval(half, half)
    if len(chain) <= 2:
        return Interval(Fraction(0), Fraction(0))
    low, high = Fraction(0), half
    while high - low > Fraction(1, 1 << bits):
        middle = (low + high) / 2
        low, high = (low, middle) if two_messages_suffice(len(chain), middle) else (middle, high)
    return Interval(low, high)


@frozen
class ExcludedSigns:
    """A proof that no vectors with one entry per message realise the signs of a problem.

    Attributes
    ----------
    obstruction : Obstruction
        Proof that the sign rank is too large for the number of messages.
    """

    obstruction: Obstruction

    def bound(self, problem: CommunicationProblem, messages: int) -> Fraction:
        """Return the lower bound 1/2 on the error, after the kernel has checked the proof."""
        statement = {"messages": messages, "coins": "private", "lower": "1/2", "upper": None}
        lower = self.lower_proof(problem, messages)
        made = Certificate("minimax_error", problem.to_json(), statement, lower, None)
        try:
            verify(made.to_dict(), time_limit=Budget())
        except Rejected as error:
            raise CertificateError(str(error)) from None
        return Fraction(1, 2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the proof for use in a certificate."""
        return {"sign_rank": {"proof": self.obstruction.to_json()}}


def excluded_signs(
    problem: CommunicationProblem, messages: int, budget: Budget | None = None
) -> ExcludedSigns | None:
    """Return a proof that the private-coin error is at least 1/2, or None if none is found."""
    rows, width = len(problem.alice), len(problem.bob)
    if rows * (width + 1) > _MOST_SIGNS:
        return None
    ones, inside = (
        tuple([row | 1 << width for row in side]) for side in (problem.ones, problem.promise)
    )
    bob = tuple(range(width + 1))
    signs = Signs.of(CommunicationProblem(tuple(range(rows)), bob, ones, inside))
    with budget or Budget() as within:
        dimension, found = first_obstruction(signs, within)
        if dimension > messages:
            return ExcludedSigns(found)
        for work in _WORK:
            tree = chirotope_obstruction(signs, messages, work, within)
            if tree is not None:
                return ExcludedSigns(tree)
            if realised(np.array(signs.entries), messages, within, seeds=1) is not None:
                return None
    return None
