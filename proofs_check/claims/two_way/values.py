"""The measures of equality, greater-than, disjointness, inner product and index."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import networkx as nx

from ccsim import CommunicationProblem, partition_number, rank
from ccsim.exact import ceil_log2
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.two_way.measured import measured, number, one_way_messages
from proofs_check.claims.variants import near, plus, times


def _antichain(n: int) -> int:
    """Return the least t for which a set of t elements has n subsets that form an antichain."""
    return next(t for t in range(n + 1) if comb(t, t // 2) >= n)


@claim(
    "kn/equality",
    "sections 1.2-1.4 and 2.1",
    "The measures of equality",
    Kind.EXAMPLE,
    over=grid(n=[2, 3, 4, 5, 6]).medium(n=[7, 8, 9]),
    near=[
        near("The cost is smaller by one bit.", cost=plus(-1)),
        near("The number of leaves is smaller by one.", leaves=plus(-1)),
        near("The 1-cover number is smaller by one.", ones=plus(-1)),
        near(
            "The 0-cover number is 2 ceil(log2 n), the size of the cover by differing bits.",
            zeros=lambda n: 2 * ceil_log2(n),
        ),
    ],
)
def equality_values(
    n: int,
    *,
    cost: Callable[[int], int] = lambda n: ceil_log2(n) + 1,
    leaves: Callable[[int], int] = lambda n: 2 * n,
    ones: Callable[[int], int] = int,
    zeros: Callable[[int], int] = _antichain,
) -> Decision:
    """Equality on n >= 2 inputs has the deterministic cost D = ceil(log2 n) + 1 and the protocol
    size 2 n. The size of its largest 1-fooling set, its ranks, its 1-cover number and its
    1-partition number are n, and its 0-cover number is min { t : C(t, floor(t/2)) >= n } (Sperner).
    """
    instance = f"equality:n={n}"
    return all_of(
        [
            ("D", equal(number("deterministic_cost", instance), cost(n))),
            ("leaves", equal(number("protocol_size", instance), leaves(n))),
            ("1-fooling set", equal(number("fooling_number", instance, 1), ones(n))),
            ("rank", equal(number("rank", instance), ones(n))),
            ("rank over GF(2)", equal(number("rank", instance, 2), ones(n))),
            ("1-cover", equal(number("cover_number", instance, 1), ones(n))),
            ("1-partition", equal(number("partition_number", instance, 1), ones(n))),
            ("0-cover", equal(number("cover_number", instance, 0), zeros(n))),
        ]
    )


@claim(
    "kn/greater-than",
    "sections 1.3 and 1.4",
    "The measures of greater-than",
    Kind.EXAMPLE,
    over=grid(n=[2, 3, 4, 5, 6, 7, 8]).medium(n=[9, 12, 16]),
    near=[
        near("The cost is smaller by one bit.", cost=plus(-1)),
        near("The number of leaves is smaller by one.", leaves=plus(-1)),
        near("The 1-partition number is smaller by one.", ones=plus(-1)),
        near("The largest 0-fooling set has n - 1 inputs.", zeros=plus(-1)),
    ],
)
def greater_than_values(
    n: int,
    *,
    cost: Callable[[int], int] = lambda n: ceil_log2(n) + 1,
    leaves: Callable[[int], int] = lambda n: 2 * n - 1,
    ones: Callable[[int], int] = lambda n: n - 1,
    zeros: Callable[[int], int] = int,
) -> Decision:
    """Greater-than on n >= 2 inputs has the deterministic cost D = ceil(log2 n) + 1 and the
    protocol size 2 n - 1. Its ranks, its largest 1-fooling set, its 1-cover number and its
    1-partition number are n - 1, and its largest 0-fooling set and its 0-cover number are n.
    """
    instance = f"greater_than:n={n}"
    return all_of(
        [
            ("D", equal(number("deterministic_cost", instance), cost(n))),
            ("leaves", equal(number("protocol_size", instance), leaves(n))),
            ("rank", equal(number("rank", instance), ones(n))),
            ("rank over GF(2)", equal(number("rank", instance, 2), ones(n))),
            ("1-fooling set", equal(number("fooling_number", instance, 1), ones(n))),
            ("1-cover", equal(number("cover_number", instance, 1), ones(n))),
            ("1-partition", equal(number("partition_number", instance, 1), ones(n))),
            ("0-fooling set", equal(number("fooling_number", instance, 0), zeros(n))),
            ("0-cover", equal(number("cover_number", instance, 0), zeros(n))),
        ]
    )


@claim(
    "kn/disjointness",
    "sections 1.3 and 1.4",
    "The measures of disjointness",
    Kind.EXAMPLE,
    over=grid(n=[1, 2, 3]).medium(n=[4]),
    near=[
        near("The cost is n.", cost=plus(-1)),
        near("The rank and the largest 1-fooling set are 2^n - 1.", size=plus(-1)),
        near("The 0-cover number is n - 1.", zeros=plus(-1)),
    ],
)
def disjointness_values(
    n: int,
    *,
    cost: Callable[[int], int] = lambda n: n + 1,
    size: Callable[[int], int] = lambda n: 2**n,
    zeros: Callable[[int], int] = int,
) -> Decision:
    """Disjointness of two subsets of n elements has the deterministic cost D = n + 1. Its ranks
    over the rationals and over GF(2) and its largest 1-fooling set are 2^n, and its 0-cover number
    is n.
    """
    instance = f"disjointness:n={n}"
    return all_of(
        [
            ("D", equal(number("deterministic_cost", instance), cost(n))),
            ("rank", equal(number("rank", instance), size(n))),
            ("rank over GF(2)", equal(number("rank", instance, 2), size(n))),
            ("1-fooling set", equal(number("fooling_number", instance, 1), size(n))),
            ("0-cover", equal(number("cover_number", instance, 0), zeros(n))),
        ]
    )


@claim(
    "kn/inner-product",
    "sections 1.4 and 3.5",
    "The measures of the inner product modulo 2",
    Kind.EXAMPLE,
    over=grid(n=[1, 2, 3]).medium(n=[4]),
    near=[
        near("The cost is n.", cost=plus(-1)),
        near("The rank over the rationals is 2^n.", rational=plus(1)),
        near("The rank over GF(2) is n + 1.", binary=plus(1)),
        near("The squared discrepancy is at most 2/5 of 2^-n.", square=times(Fraction(2, 5))),
    ],
)
def inner_product_values(
    n: int,
    *,
    cost: Callable[[int], int] = lambda n: n + 1,
    rational: Callable[[int], int] = lambda n: 2**n - 1,
    binary: Callable[[int], int] = int,
    square: Callable[[int], Fraction] = lambda n: Fraction(1, 2**n),
) -> Decision:
    """The inner product modulo 2 of words of n bits has the deterministic cost n + 1, the rank 2^n
    - 1 over the rationals, the rank n over GF(2), and a discrepancy under the uniform distribution
    of at most 2^(-n/2).
    """
    instance = f"inner_product:n={n}"
    found = measured("discrepancy", instance, "uniform")
    return all_of(
        [
            ("D", equal(number("deterministic_cost", instance), cost(n))),
            ("rank", equal(number("rank", instance), rational(n))),
            ("rank over GF(2)", equal(number("rank", instance, 2), binary(n))),
            ("discrepancy", at_most(found.value**2, square(n))),
        ]
    )


@claim(
    "kn/index-both-ways",
    "section 4.2",
    "Index in both directions and with two rounds",
    Kind.EXAMPLE,
    over=grid(d=[1, 2, 3, 4]),
    near=[
        near("Alice sends one of 2^d - 1 messages.", alice=plus(-1)),
        near("Bob sends one of d - 1 messages.", bob=plus(-1)),
        near("The two-way cost is smaller by one bit.", cost=plus(-1)),
    ],
)
def index_values(
    d: int,
    *,
    alice: Callable[[int], int] = lambda d: 2**d,
    bob: Callable[[int], int] = int,
    cost: Callable[[int], int] = lambda d: ceil_log2(d) + 1,
) -> Decision:
    """Deterministic one-way protocols for index on d positions need 2^d messages from Alice and d
    messages from Bob. The two-way cost is D = ceil(log2 d) + 1."""
    one_way, back = one_way_messages(f"index:d={d}")
    return all_of(
        [
            ("Alice to Bob", equal(one_way, alice(d))),
            ("Bob to Alice", equal(back, bob(d))),
            ("D", equal(number("deterministic_cost", f"index:d={d}"), cost(d))),
        ]
    )


GRAPHS: dict[str, Callable[[], nx.Graph[int]]] = {
    "path 4": lambda: nx.path_graph(4),
    "cycle 4": lambda: nx.cycle_graph(4),
    "cycle 5": lambda: nx.cycle_graph(5),
    "bull": nx.bull_graph,
    "house": nx.house_graph,
    "star 4": lambda: nx.star_graph(4),
    "cycle 6": lambda: nx.cycle_graph(6),
}


def _clique_problem(name: str) -> CommunicationProblem:
    """Return the problem of whether a maximal clique intersects a maximal independent set."""
    graph = GRAPHS[name]()
    cliques = sorted(map(frozenset, nx.find_cliques(graph)), key=sorted)
    independent = sorted(map(frozenset, nx.find_cliques(nx.complement(graph))), key=sorted)
    return CommunicationProblem.from_matrix([[len(c & s) for s in independent] for c in cliques])


@claim(
    "kn/clique-independent-set",
    "section 4.4 (Yannakakis 1991)",
    "A clique and an independent set share at most one vertex",
    Kind.EXAMPLE,
    over=grid(graph=list(GRAPHS)[:5]).medium(graph=list(GRAPHS)[5:]),
    near=[near("The 1-partition number is at most n - 1.", size=plus(-1))],
)
def clique_values(graph: str, *, size: Callable[[int], int] = int) -> Decision:
    """The function that states whether a clique and an independent set of a graph with n vertices
    intersect has a 1-partition number of at most n, with one rectangle for each vertex. So its rank
    is at most n. Checked for the maximal cliques and independent sets.
    """
    problem = _clique_problem(graph)
    n = size(len(GRAPHS[graph]()))
    return all_of(
        [
            ("1-partition", at_most(recheck(partition_number(problem, 1)), n)),
            ("rank", at_most(recheck(rank(problem)), n)),
        ]
    )
