"""Private coins: equality of many inputs, and every total problem with two messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np

from ccsim import CommunicationProblem, equality, greater_than, minimax_error
from ccsim.communication import MinimaxResult, radon_partitions, two_message_error
from ccsim.exact import Interval
from ccsim.exact.exponentials import Real, power
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, undecided
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

GAP = Fraction(1, 1000)


def _radon_bound(k: int) -> Fraction:
    return Fraction(1, 1 + (k + 1) // 2)


@claim(
    "ccsim/private-equality",
    "closed-forms.md, Theorem 11",
    "Lower bound on the private-coin error of equality",
    Kind.THEOREM,
    over=table(
        "n messages reached",
        (2, 1, True),
        (3, 2, True),
        (5, 2, True),
        (5, 4, True),
        (4, 3, False),
        (5, 3, False),
        (6, 4, False),
    ).medium((6, 5, False), (7, 5, False)),
    near=[
        near(
            "The error is at least 10001/10000 of the bound.", bound=times(Fraction(10001, 10000))
        ),
        near("Radon's theorem proves 9999/10000 of the bound.", bound=times(Fraction(9999, 10000))),
    ],
)
def radon(
    n: int,
    messages: int,
    reached: bool,  # noqa: FBT001
    *,
    bound: Callable[[int], Fraction] = _radon_bound,
) -> Decision:
    """With private coins and k messages, the error of equality of more than k inputs is at least
    1/(1 + floor((k+1)/2)), by Radon's theorem. For k <= 2, and for 5 inputs and k = 4, this is the
    minimax error.
    """
    proof = radon_partitions(equality(n), messages, range(n))
    if proof is None:
        return undecided("no partition was found")
    proved = proof.bound(equality(n), messages)
    cases = [("Radon", equal(proved, bound(messages)))]
    if reached:
        cases.append(
            ("search", equal(least_error(equality(n), messages, "private"), bound(messages)))
        )
    return all_of(cases)


def _chain_value(n: int) -> Interval:
    """Enclose ``1/(1 + r)`` for the largest ``r`` whose chain ends with a term of at most 1."""

    def ends(r: Fraction) -> bool:
        a = Fraction(0)
        for _ in range(n - 1):
            a = max(r * a, 1 - (1 - a) / r)
        return a <= 1

    low, high = Fraction(1), Fraction(3)
    while high - low > Fraction(1, 1 << 20):
        middle = (low + high) / 2
        low, high = (middle, high) if ends(middle) else (low, middle)
    return Interval(1 / (1 + high), 1 / (1 + low))


def _searched(problem: CommunicationProblem) -> MinimaxResult:
    found = _FOUND.get(problem)
    if found is None:
        found = _FOUND[problem] = recheck(minimax_error(problem, 2, "private", gap=GAP))
    return found


_FOUND: dict[CommunicationProblem, MinimaxResult] = {}


def _agree(problem: CommunicationProblem, value: Interval, shift: Fraction) -> Decision:
    """Decide whether the interval of the search and the interval of the formula contain a value."""
    result = _searched(problem)
    ours = two_message_error(problem)
    return all_of(
        [
            ("from below", at_most(result.lower, value.upper + shift)),
            ("from above", at_least(result.upper, value.lower + shift)),
            ("the gap", at_most(result.upper - result.lower, GAP)),
            ("formula from below", at_most(ours.lower, value.upper + shift)),
            ("formula from above", at_least(ours.upper, value.lower + shift)),
        ]
    )


NAMED: dict[int, Real] = {
    3: Fraction(1, 3),
    4: (3 - power(Fraction(5), Fraction(1, 2))) * Fraction(1, 2),
    5: power(Fraction(2), Fraction(1, 2)) - 1,
}
"""Values of the chain that have a closed form."""
SHIFTED = [
    near("The error is larger by a millionth.", shift=plus(Fraction(1, 10**6))),
    near("The error is smaller by a millionth.", shift=plus(Fraction(-1, 10**6))),
]


@claim(
    "ccsim/private-chain",
    "closed-forms.md, Theorem 12",
    "Private-coin error of greater-than with two messages",
    Kind.THEOREM,
    over=grid(n=[3, 4, 5]).medium(n=[6]).large(n=[7]),
    near=[*SHIFTED, near("The chain has one step fewer.", inputs=plus(-1))],
)
def chains(
    n: int, *, shift: Fraction = Fraction(0), inputs: Callable[[int], int] = int
) -> Decision:
    """The private-coin error of greater-than of n inputs with two messages is 1/(1 + r) for the
    largest r such that the sequence a_1 = 0, a_{i+1} = max(r a_i, 1 - (1 - a_i)/r) has a_n <= 1. It
    is 1/3, (3 - sqrt 5)/2, sqrt 2 - 1 for n = 3, 4, 5. Compared with the search within 1/1000 and
    with the formula within 10^-6.
    """
    value = _chain_value(inputs(n))
    cases = [("search and formula", _agree(greater_than(n), value, shift))]
    if n in NAMED:
        cases.append(("by roots, from below", at_most(value.lower + shift, NAMED[n])))
        cases.append(("by roots, from above", at_least(value.upper + shift, NAMED[n])))
    return all_of(cases)


def _sorted_rows(rows: Iterable[Sequence[int]]) -> int | None:
    """Return the number of distinct rows if they have an order in which no column changes twice.

    Return None if they have no such order.
    """
    distinct = sorted(set(map(tuple, rows)))
    for order in permutations(distinct):
        changes = (sum(a != b for a, b in pairwise(column)) for column in zip(*order, strict=True))
        if all(number <= 1 for number in changes):
            return len(distinct)
    return None


def _two_message_value(rows: Iterable[Sequence[int]]) -> Interval:
    number = _sorted_rows(rows)
    if number is None:
        return Interval(Fraction(1, 2), Fraction(1, 2))
    return _chain_value(number) if number > 2 else Interval(Fraction(0), Fraction(0))


def _random_rows(seed: int) -> str:
    matrix = np.random.default_rng(seed).integers(0, 2, (4, 2 + seed % 2)).tolist()
    return "/".join("".join(map(str, row)) for row in matrix)


EQUALITY_4, INDEX_2 = "1000/0100/0010/0001", "00/10/01/11"


@claim(
    "ccsim/private-two-messages",
    "closed-forms.md, Theorem 13",
    "Private-coin error of total problems with two messages",
    Kind.THEOREM,
    over=grid(rows=[INDEX_2, EQUALITY_4, *map(_random_rows, range(6))])
    .medium(rows=[_random_rows(seed) for seed in range(6, 15)])
    .large(rows=[_random_rows(seed) for seed in range(15, 40)]),
    near=[
        *SHIFTED,
        near(
            "Any order of the rows is allowed.",
            value=lambda rows: _chain_value(max(3, len(set(map(tuple, rows))))),
        ),
    ],
    uses=["ccsim/private-chain"],
)
def total_problems(
    rows: str,
    *,
    shift: Fraction = Fraction(0),
    value: Callable[[Iterable[Sequence[int]]], Interval] = _two_message_value,
) -> Decision:
    """With two messages, the private-coin error of a total problem is 1/2 unless its distinct rows
    can be sorted such that no column changes twice. In this case the error is that of greater-than
    with as many inputs, and 0 for at most two rows. Compared with the search within 1/1000 and with
    the formula within 10^-6.
    """
    matrix = [[int(c) for c in row] for row in rows.split("/")]
    return _agree(CommunicationProblem.from_matrix(matrix), value(matrix), shift)
