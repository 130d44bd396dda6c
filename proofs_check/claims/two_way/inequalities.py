"""Inequalities between cost, leaves, covers, partitions, fooling sets and ranks."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.exact import ceil_log2
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.grid import grid
from proofs_check.claims.two_way.measured import (
    FUNCTIONS,
    MORE_FUNCTIONS,
    measured,
    number,
    one_way_messages,
)
from proofs_check.claims.variants import near, plus, times

EVERYWHERE = grid(function=FUNCTIONS).medium(function=MORE_FUNCTIONS)


@claim(
    "kn/leaves",
    "section 1.2",
    "A protocol of cost D has at most 2^D leaves",
    Kind.LEMMA,
    over=EVERYWHERE,
    near=[
        near("A protocol of cost D has at most 2^(D-1) leaves.", most=times(Fraction(1, 2))),
        near("Every protocol with L leaves has depth at least L - 1.", least=lambda L: L - 1),
    ],
)
def leaves_and_cost(
    function: str,
    *,
    most: Callable[[int], int] = lambda D: 2**D,
    least: Callable[[int], int] = ceil_log2,
) -> Decision:
    """The protocol size L and the deterministic cost D of a function satisfy L <= 2^D, that is, D
    >= ceil(log2 L).
    """
    D, L = number("deterministic_cost", function), number("protocol_size", function)
    return all_of([("L", at_most(L, most(D))), ("D", at_least(D, least(L)))])


@claim(
    "kn/partition-bound",
    "section 1.2",
    "The protocol size is at least the sum of the partition numbers",
    Kind.LEMMA,
    over=EVERYWHERE,
    near=[near("The protocol size is at least this sum plus 1.", more=1)],
)
def leaves_are_a_partition(function: str, *, more: int = 0) -> Decision:
    """The protocol size is at least the sum of the 0- and the 1-partition number."""
    both = sum(number("partition_number", function, value) for value in (0, 1))
    return at_least(number("protocol_size", function), both + more)


@claim(
    "kn/fooling-sets",
    "sections 1.3 and 2.4",
    "Fooling number <= fractional cover number <= cover number <= partition number",
    Kind.LEMMA,
    over=grid(function=FUNCTIONS, value=[0, 1]).medium(function=MORE_FUNCTIONS),
    near=[
        near("The fractional cover number is larger by 1/100.", fraction=plus(Fraction(1, 100))),
        near("The partition number is at least the cover number plus 1.", cover=plus(1)),
    ],
)
def ordered_covers(
    function: str,
    value: int,
    *,
    fraction: Callable[[Fraction], Fraction] = Fraction,
    cover: Callable[[int], int] = int,
) -> Decision:
    """For each value, the size of the largest fooling set is at most the fractional cover number,
    which is at most the cover number, which is at most the partition number."""
    fooling = number("fooling_number", function, value)
    weighed = measured("fractional_cover_number", function, value).value
    covering = number("cover_number", function, value)
    partition = number("partition_number", function, value)
    return all_of(
        [
            ("fooling set", at_most(fooling, weighed)),
            ("fractional cover", at_most(fraction(weighed), covering)),
            ("cover", at_most(cover(covering), partition)),
        ]
    )


def _inputs(function: str, value: int) -> int:
    """Count the inputs with the given value."""
    problem = measured("cover_number", function, value).problem
    rows = zip(problem.ones, problem.promise, strict=True)
    return sum((ones if value else inside & ~ones).bit_count() for ones, inside in rows)


@claim(
    "kn/lovasz",
    "section 2.4 (Lovasz 1975)",
    "The cover number is at most a logarithm times the fractional cover number",
    Kind.THEOREM,
    over=grid(function=FUNCTIONS, value=[0, 1]).medium(function=MORE_FUNCTIONS),
    near=[near("The factor is ln(N) / 4 + 1/4.", part=Fraction(1, 4))],
)
def greedy_covers(function: str, value: int, *, part: Fraction = Fraction(1)) -> Decision:
    """A function with N >= 1 inputs of a value has a cover number of at most 1 + ln N times the
    fractional cover number. Checked with H(N) in place of 1 + ln N, where H(N) is the harmonic
    number, which is at most 1 + ln N.
    """
    N = _inputs(function, value)
    harmonic = sum((Fraction(1, i) for i in range(1, N + 1)), Fraction(0))
    fractional = measured("fractional_cover_number", function, value).value
    return at_most(number("cover_number", function, value), part * harmonic * fractional)


@claim(
    "kn/rank-bound",
    "section 1.4 (Mehlhorn and Schmidt 1982)",
    "The rank bounds partitions and the cost",
    Kind.LEMMA,
    over=grid(function=["thresholds:b=0", *FUNCTIONS]).medium(function=MORE_FUNCTIONS),
    near=[
        near("The rank is smaller than the 1-partition number.", rank=plus(1)),
        near("D is at least log2(2 rank).", doubled=lambda r: 2 * r),
        near("The rank is at most the 1-cover number.", question="cover_number"),
    ],
)
def rank_bound(
    function: str,
    *,
    rank: Callable[[int], int] = int,
    doubled: Callable[[int], int] = lambda r: 2 * r - 1,
    question: str = "partition_number",
) -> Decision:
    """The rank over any field is at most the 1-partition number, and the deterministic cost D is at
    least log2(2 rank - 1) if the rank over the rationals is at least 1.
    """
    rational, binary = number("rank", function), number("rank", function, 2)
    disjoint, D = number(question, function, 1), number("deterministic_cost", function)
    cases = [
        ("over the rationals", at_most(rank(rational), disjoint)),
        ("over GF(2)", at_most(rank(binary), disjoint)),
    ]
    if rational:
        cases.append(("D", at_least(2**D, doubled(rational))))
    return all_of(cases)


@claim(
    "kn/rank-upper",
    "section 1.4",
    "The cost is at most the rank plus 1",
    Kind.LEMMA,
    over=EVERYWHERE,
    near=[
        near("D is at most the rank.", most=int),
        near("D is at most ceil(log2 rank) + 1.", most=lambda r: ceil_log2(max(1, r)) + 1),
    ],
)
def rank_plus_one(function: str, *, most: Callable[[int], int] = lambda r: r + 1) -> Decision:
    """The deterministic cost is at most the rank over GF(2) plus 1, and so at most the rank over
    the rationals plus 1."""
    D = number("deterministic_cost", function)
    ranks = [number("rank", function), number("rank", function, 2)]
    return all_of([(field, at_most(D, most(r))) for field, r in zip("Q2", ranks, strict=True)])


@claim(
    "kn/fooling-and-rank",
    "section 1.4 (Dietzfelbinger, Hromkovic and Schnitger 1996)",
    "A 1-fooling set has at most rank^2 inputs",
    Kind.THEOREM,
    over=EVERYWHERE,
    near=[near("A 1-fooling set has at most r inputs.", most=int)],
)
def fooling_and_rank(function: str, *, most: Callable[[int], int] = lambda r: r * r) -> Decision:
    """A 1-fooling set has at most r^2 inputs, where r is the rank over the rationals or over
    GF(2)."""
    size = number("fooling_number", function, 1)
    ranks = [number("rank", function), number("rank", function, 2)]
    return all_of([(field, at_most(size, most(r))) for field, r in zip("Q2", ranks, strict=True)])


@claim(
    "kn/nondeterminism",
    "section 2.3 (Aho, Ullman and Yannakakis 1983)",
    "The cost is at most a product of the nondeterministic costs",
    Kind.THEOREM,
    over=EVERYWHERE,
    near=[
        near("The cost is at most a third of the product.", product=times(Fraction(1, 3))),
    ],
)
def both_covers(
    function: str,
    *,
    product: Callable[[int, int], Fraction | int] = lambda p, b: p * (b + 2),
) -> Decision:
    """A total function with a 0-cover number C0 >= 1 and a 1-cover number C1 >= 1 has a
    deterministic cost of at most (floor(log2 C0) + 1) (ceil(log2 C1) + 2). In each phase one player
    sends a 1-rectangle that excludes half of the remaining 0-rectangles.
    """
    C0, C1 = (number("cover_number", function, value) for value in (0, 1))
    D = number("deterministic_cost", function)
    return at_most(D, product(C0.bit_length(), ceil_log2(C1)))


@claim(
    "kn/one-way",
    "section 4.2",
    "One-way protocols are two-way protocols",
    Kind.LEMMA,
    over=grid(function=["index:d=1", *FUNCTIONS]).medium(function=MORE_FUNCTIONS),
    near=[
        near("Bob need not send the value.", answer=plus(-1)),
        near("The protocol size is at most k.", leaves=times(Fraction(1, 2))),
        near("The statement with k <= 2^(L-2).", rows=times(Fraction(1, 2))),
    ],
)
def one_way_protocols(
    function: str,
    *,
    answer: Callable[[int], int] = lambda k: ceil_log2(k) + 1,
    leaves: Callable[[int], int] = lambda k: 2 * k,
    rows: Callable[[int], int] = lambda L: 2 ** (L - 1),
) -> Decision:
    """If deterministic one-way protocols need k messages, the deterministic cost is at most
    ceil(log2 k) + 1 and the protocol size is at most 2 k, in either direction. A protocol with L
    leaves has L - 1 inner nodes, and an input of a player selects one of two branches at each of
    them, so k <= 2^(L-1).
    """
    D, L = number("deterministic_cost", function), number("protocol_size", function)
    cases = []
    for k in one_way_messages(function):
        cases += [
            ("D", at_most(D, answer(k))),
            ("leaves", at_most(L, leaves(k))),
            ("messages", at_most(k, rows(L))),
        ]
    return all_of(cases)
