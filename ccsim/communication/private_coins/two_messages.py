"""The least error of private coins with two messages, for total problems of any size.

A law of Alice is a number ``a`` in [0, 1] then, and Bob's answers on an input are a linear function
of it. An error below 1/2 sorts Alice's rows along the line; `docs/closed-forms.md` (Theorems 12 and
13) says which rows can be sorted, and with how small an error.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, pairwise, permutations
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import Interval
from ccsim.exact.fractions import as_fraction

_MOST_SETS = 5000


@frozen
class UnsortedInputs:
    """Inputs of Alice in whose every order some column changes its value twice.

    With two messages and private coins they force an error of 1/2.
    """

    inputs: tuple[int, ...]  # at most 6, distinct

    def bound(self, problem: CommunicationProblem, messages: int) -> Fraction:
        """Return 1/2 after a check of all orders."""
        if messages != 2:
            raise CertificateError(f"inputs are sorted for 2 messages, not {messages}")
        known = all(0 <= x < len(problem.alice) for x in self.inputs)
        if not known or not len(set(self.inputs)) == len(self.inputs) <= 6:
            raise CertificateError(
                f"unsorted inputs must be distinct, at most 6 inputs of Alice, not {self.inputs}"
            )
        for order in permutations(self.inputs):
            if not _changes_twice(problem, order):
                raise CertificateError(f"no column changes twice along the inputs {order}")
        return Fraction(1, 2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate."""
        return {"unsorted": {"inputs": list(self.inputs)}}


def _changes_twice(problem: CommunicationProblem, order: tuple[int, ...]) -> bool:
    """Whether some column defined on all of these inputs changes its value twice along them."""
    for y in range(len(problem.bob)):
        values = [problem.value(x, y) for x in order]
        if None not in values and sum(a != b for a, b in pairwise(values)) > 1:
            return True
    return False


def unsorted_inputs(
    problem: CommunicationProblem, rows: tuple[int, ...], budget: Budget | None = None
) -> UnsortedInputs | None:
    """Return three or four of the given inputs of Alice that cannot be sorted, or None.

    For total problems four are enough if there are any: seen from one row, two others are nested,
    on one side, or disjoint, on different ones, and sides fit unless they do not for three rows.
    At most 5000 sets of either size are tried.
    """
    budget = budget or Budget()
    for size in (3, 4):
        for chosen in islice(combinations(rows, size), _MOST_SETS):
            budget.spend()
            if all(_changes_twice(problem, order) for order in permutations(chosen)):
                return UnsortedInputs(chosen)
    return None


@checked_types
def chain_of_rows(problem: CommunicationProblem) -> tuple[int, ...] | None:
    """Return Alice's inputs, one for each distinct row, sorted so that no column changes twice.

    None if there is no such order.

    Parameters
    ----------
    problem : CommunicationProblem
        A total one.

    Raises
    ------
    DomainError
        If the problem has a promise.

    Examples
    --------
    >>> from ccsim.communication.problem import greater_than, index
    >>> chain_of_rows(greater_than(3)), chain_of_rows(index(2))
    ((2, 1, 0), None)
    """
    if any(inside != (1 << len(problem.bob)) - 1 for inside in problem.promise):
        raise DomainError(
            f"two messages: the problem must be total, and {problem.name} has a promise"
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
def sorts_chain(rows: int, error: Fraction | int | str) -> bool:
    """Decide whether two messages with private coins sort a chain of rows with such an error.

    Parameters
    ----------
    rows : int
        Distinct rows, at least 1.
    error : Fraction
        In (0, 1/2).

    Returns
    -------
    bool

    Notes
    -----
    Complexity: one rational step for each row, the numbers grow by a few digits a step.

    Examples
    --------
    >>> sorts_chain(3, Fraction(1, 3)), sorts_chain(3, Fraction(33, 100))
    (True, False)
    """
    error = as_fraction(error, "error", 0, 1)
    if not error:
        return rows <= 2
    ratio = (1 - error) / error
    law = Fraction(0)
    for _ in range(rows - 1):
        law = max(ratio * law, 1 - (1 - law) / ratio)
        if law > 1:
            return False
    return True


@checked_types
def two_message_error(problem: CommunicationProblem, bits: int = 60) -> Interval:
    """Enclose the least error of private-coin protocols with two messages for a total problem.

    Parameters
    ----------
    problem : CommunicationProblem
        Without a promise.
    bits : int
        The interval is at most ``2**-bits`` wide; it is a point where the value is 0 or 1/2.

    Returns
    -------
    Interval
        Around the value, which is algebraic.

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
        if sorts_chain(len(chain), middle):
            high = middle
        else:
            low = middle
    return Interval(low, high)
