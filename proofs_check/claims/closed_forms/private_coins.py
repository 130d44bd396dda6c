"""Private coins: equality of many inputs, and every total problem with two messages."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ccsim import CommunicationProblem, equality, greater_than, index, minimax_error
from ccsim.communication import radon_partitions, two_message_error
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

GAP = Fraction(1, 25)


def radon(size: Size) -> Iterator[Instance]:
    """Find the partitions, and for few messages compare with the best protocol."""
    most = {Size.SMALL: 4, Size.MEDIUM: 5, Size.LARGE: 6}[size]
    for k in range(1, most + 1):
        stated = Fraction(1, 1 + (k + 1) // 2)
        for n in (k + 1, k + 2):
            name = f"equality:n={n} messages={k}"
            proof = radon_partitions(equality(n), k, range(n))
            if proof is None:
                yield Instance.of(name, holds=None, detail="no partition was found")
                continue
            proof.check(equality(n), k, stated)
            proved = proof.bound(equality(n), k)
            yield Instance.of(name, proved == stated, f"proved {proved}, stated {stated}")
    for n, k in ((3, 2), (5, 2), (5, 4)):
        result = minimax_error(equality(n), k, "private")
        recheck(result)
        detail = f"between {result.lower} and {result.upper}"
        reached = result.upper == Fraction(1, 1 + (k + 1) // 2)
        yield Instance.of(f"equality:n={n} messages={k}: reached", reached, detail)


def _enclosed(problem: CommunicationProblem, name: str) -> Instance:
    value = two_message_error(problem)
    result = minimax_error(problem, 2, "private", gap=GAP)
    recheck(result)
    found = f"search [{float(result.lower):.6f}, {float(result.upper):.6f}]"
    holds = result.lower <= value.upper and value.lower <= result.upper
    return Instance.of(name, holds, f"{found}, stated about {float(value.upper):.6f}")


def chains(size: Size) -> Iterator[Instance]:
    """Compare the stated value with the interval that the search proves."""
    for n in range(2, {Size.SMALL: 5, Size.MEDIUM: 6, Size.LARGE: 7}[size] + 1):
        yield _enclosed(greater_than(n), f"greater_than:n={n}")


def total_problems(size: Size) -> Iterator[Instance]:
    """Do the same for problems whose rows cannot be sorted, and for random ones."""
    yield _enclosed(index(2), "index:d=2")
    yield _enclosed(equality(4), "equality:n=4")
    for seed in range({Size.SMALL: 6, Size.MEDIUM: 15, Size.LARGE: 40}[size]):
        matrix = np.random.default_rng(seed).integers(0, 2, (4, 2 + seed % 2)).tolist()
        problem = CommunicationProblem.from_matrix(matrix)
        rows = " ".join("".join(map(str, row)) for row in matrix)
        yield _enclosed(problem, f"rows {rows}")


CLAIMS = (
    Claim(
        "ccsim/private-equality",
        "closed-forms.md, Theorem 11",
        "Private coins err by a constant on equality",
        "With private coins and k messages, equality of more than k inputs errs at least "
        "1/(1 + floor((k+1)/2)); for k <= 2, and for 5 inputs and k = 4, this is the least error.",
        Kind.THEOREM,
        radon,
    ),
    Claim(
        "ccsim/private-chain",
        "closed-forms.md, Theorem 12",
        "Greater-than with two messages and private coins",
        "The least error is 1/(1 + r) for the largest r such that a_1 = 0 and a_{i+1} = max(r a_i, "
        "1 - (1 - a_i)/r) lead to a_n <= 1: 1/3, (3 - sqrt 5)/2, sqrt 2 - 1 for n = 3, 4, 5.",
        Kind.THEOREM,
        chains,
    ),
    Claim(
        "ccsim/private-two-messages",
        "closed-forms.md, Theorem 13",
        "Total problems with two messages and private coins",
        "The least error is 1/2 unless the distinct rows can be sorted so that no column changes "
        "twice; then it is that of greater-than of as many inputs.",
        Kind.THEOREM,
        total_problems,
        uses=("ccsim/private-chain",),
    ),
)
