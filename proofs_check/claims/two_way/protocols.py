"""Two-way protocols: their trees, and greater-than with public coins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim import worst_error
from ccsim.communication.protocols.two_way import TwoWayProtocol
from ccsim.exact import ceil_log2
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.grid import grid
from proofs_check.claims.two_way.measured import FUNCTIONS, MORE_FUNCTIONS, measured
from proofs_check.claims.variants import near, plus, times
from protocols import GreaterThanHashing


@claim(
    "kn/greater-than-public-coins",
    "chapter 3 (Nisan 1993)",
    "Greater-than by binary search with public hashes",
    Kind.EXAMPLE,
    over=grid(bits=[1, 2, 3], repetitions=[1, 2]).medium(bits=[4], repetitions=[1, 2]),
    near=[
        near("The error is half as large.", error=times(Fraction(1, 2))),
        near("The cost is one bit less.", cost=plus(-1)),
    ],
)
def bisection_with_hashes(
    bits: int,
    repetitions: int,
    *,
    error: Callable[[int, int], Fraction] = lambda R, t: Fraction(R, 2**t),
    cost: Callable[[int, int], int] = lambda R, t: R * (t + 1) + 2,
) -> Decision:
    """Binary search for the first bit in which two numbers of b bits differ takes R = ceil(log2 b)
    rounds. With public hashes of t bits, it decides greater-than with at most R (t + 1) + 2 bits
    and an error of at most R 2^-t.
    """
    rounds = ceil_log2(bits)
    trees = GreaterThanHashing(bits, repetitions).tabulate()
    worst = worst_error(trees, f"greater_than:n={2**bits}").value
    return all_of(
        [
            ("error", at_most(worst, error(rounds, repetitions))),
            ("cost", at_most(trees.cost_bits, cost(rounds, repetitions))),
        ]
    )


@claim(
    "kn/trees",
    "section 1.1",
    "Every protocol tree partitions the inputs into rectangles of one value",
    Kind.LEMMA,
    over=grid(function=FUNCTIONS).medium(function=MORE_FUNCTIONS),
    near=[
        near("The statement for a tree in which one leaf has the opposite answer.", flipped=1),
        near("Every run sends fewer bits than the cost D.", fewer=1),
    ],
)
def trees_are_right(function: str, *, flipped: int = 0, fewer: int = 0) -> Decision:
    """The tree of an optimal protocol answers every input inside the promise correctly, and no run
    sends more bits than the cost D.
    """
    result = measured("deterministic_cost", function)
    protocol: TwoWayProtocol = result.protocol
    nodes = list(protocol.nodes)
    first, answer = next((i, n) for i, n in enumerate(nodes) if isinstance(n, int))
    nodes[first] = answer ^ flipped
    run = TwoWayProtocol(tuple(nodes), protocol.num_alice, protocol.num_bob, protocol.problem)
    plays = [run.play(x, y) for x, y in result.problem.inputs()]
    return all_of(
        [
            ("wrong answers", at_most(sum(not play.is_correct for play in plays), 0)),
            ("bits", at_most(max(play.bits for play in plays), result.upper - fewer)),
        ]
    )
