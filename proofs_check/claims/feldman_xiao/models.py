"""Sections 2.3 and 2.4: protocols and mistake trees, checked literally on small instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import cast

import numpy as np

from ccsim import (
    ConceptClass,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    augmented_index,
    distributional_error,
)
from ccsim.communication import DeterministicProtocol, expected_error
from ccsim.instances import parse_class, parse_problem
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.evidence import least_error, littlestone_dimension, recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.grids import classes_on, random_weights
from proofs_check.claims.variants import near, plus, times

INSTANCES = ["equality:n=3", "greater_than:n=3", "thresholds:b=2", "points:b=2", "lines:p=2"]


@cache
def _optimal(instance: str) -> tuple[PublicCoinProtocol, PrivateCoinProtocol]:
    """Return the best known protocols with two messages, for public coins and for private coins."""
    problem = parse_problem(instance)
    private = least_error(problem, 2, "private").protocol
    public = least_error(problem, 2).protocol.to_public_coin()
    return public, cast("PrivateCoinProtocol", private)


@claim(
    "fx/def-cc",
    "section 2.3 (=2.4)",
    "One-way protocols and their complexity",
    Kind.DEFINITION,
    over=grid(instance=INSTANCES),
    near=[
        near(
            "The deterministic error equals the error with public coins.",
            first=("deterministic", "private"),
        ),
        near(
            "The error with private coins equals the error with public coins.",
            last=("private", "public"),
        ),
        near("c bits suffice for 2^(c+1) - 1 messages.", strings=lambda c: 2 ** (c + 1) - 1),
        near("Alice draws her message uniformly.", sent=lambda row: (Fraction(1, 2),) * 2),
        near("Every outcome of the coins has probability 1/4.", weight=lambda w: Fraction(1, 4)),
    ],
)
def protocols(
    instance: str,
    *,
    first: tuple[str, str] = ("public", "private"),
    last: tuple[str, str] = ("private", "deterministic"),
    strings: Callable[[int], int] = lambda c: 2**c,
    sent: Callable[[tuple[Fraction, ...]], tuple[Fraction, ...]] = tuple,
    weight: Callable[[Fraction], Fraction] = Fraction,
) -> Decision:
    """A public-coin protocol answers 1 with the total probability of the coins for which Bob
    answers 1. A private-coin protocol answers 1 with the sum, over messages, of Alice's probability
    times Bob's. The cost of k messages is the least c with 2^c >= k, as all messages have equal
    length. For a given number of messages, the error with public coins is at most that with private
    coins, which is at most the deterministic error.
    """
    problem, (public, private) = parse_problem(instance), _optimal(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        parts = list(zip(public.weights, public.components, strict=True))
        for x, y in problem.inputs():
            ones = [weight(w) for w, P in parts if P.bob[P.alice[x]] >> y & 1]
            yield ("public", x, y), equal(public.output_probability(x, y), sum(ones, Fraction(0)))
            pairs = zip(sent(private.alice[x]), private.bob, strict=True)
            one = sum((p * row[y] for p, row in pairs), Fraction(0))
            yield ("private", x, y), equal(private.output_probability(x, y), one)
        for k in range(1, 10):
            cost = DeterministicProtocol((0,), (0,) * k, 1).cost_bits
            yield f"{k} messages", equal(cost, next(c for c in range(k) if strings(c) >= k))
        for pair in (first, last):
            better, worse = (least_error(problem, 2, coins) for coins in pair)
            yield pair, at_most(better, worse)

    return all_of(cases())


@claim(
    "fx/averaging",
    "section 2.3 (=2.4)",
    "Coins do not help against a fixed distribution",
    Kind.LEMMA,
    over=grid(instance=INSTANCES, seed=range(3)),
    near=[
        near("Every outcome of the coins has at most the error of the protocol.", choice=max),
        near("The error of some outcome is smaller by 1/100.", factor=times(Fraction(99, 100))),
    ],
)
def averaging(
    instance: str,
    seed: int,
    *,
    choice: Callable[[list[Fraction]], Fraction] = min,
    factor: Fraction | int = 1,
) -> Decision:
    """For every distribution over inputs, some fixed outcome of a protocol's coins, public or
    private, has at most the error of the protocol. Hence coins do not change D_eps(g; mu). Checked
    for random distributions, and for the hard input distribution, under which every outcome has the
    same error.
    """
    problem, hard = parse_problem(instance), least_error(parse_problem(instance), 2).distribution
    shares = random_weights(np.random.default_rng(seed), len(problem.inputs()))
    distributions = [dict(zip(problem.inputs(), shares, strict=True))]
    distributions += [] if hard is None else [dict(hard.as_mapping())]
    tried: list[PublicCoinProtocol | PrivateCoinProtocol] = [*_optimal(instance)]

    def cases() -> Iterator[tuple[object, Decision]]:
        for protocol, mu in product(tried, distributions):
            error = expected_error(protocol, problem, mu)
            parts = protocol.to_public_coin().components
            fixed = choice([expected_error(part, problem, mu) for part in parts])
            yield "choice", at_most(fixed, factor * error)
            least = recheck(distributional_error(problem, mu, protocol.messages)).value
            yield "no coins", at_most(least, factor * error)

    return all_of(cases())


def _deepest_tree(C: ConceptClass) -> int:
    """Return the maximum depth of a complete mistake tree in which every leaf has a concept."""

    @cache
    def exists(concepts: frozenset[int], depth: int) -> bool:
        if depth == 0:
            return bool(concepts)
        sides = (
            [frozenset(f for f in concepts if f >> x & 1 == label) for label in (0, 1)]
            for x in range(len(C.points))
        )
        return any(all(exists(side, depth - 1) for side in both) for both in sides)

    return max(d for d in range(len(C)) if exists(frozenset(C.rows), d))


def _deepest_level_tree(C: ConceptClass) -> int:
    """Return the maximum depth of mistake trees with the same point at all nodes of a level."""
    subsets = range(1 << len(C.points))
    shattered = (S for S in subsets if len({f & S for f in C.rows}) == 1 << S.bit_count())
    return max(S.bit_count() for S in shattered)


def _classes(family: object) -> Iterator[ConceptClass]:
    """Yield every class on the given number of points, or the class with the given name."""
    if isinstance(family, int):
        yield from (C for C in classes_on(family) if len(C.points) == family)
    else:
        yield parse_class(str(family))


FAMILIES = [1, 2, 3, "points:b=2", "thresholds:b=3", "lines:p=2", "random:m=9,n=5,seed=0"]


@claim(
    "fx/def-ldim",
    "section 2.4 (=2.5)",
    "Mistake trees and the Littlestone dimension",
    Kind.DEFINITION,
    over=grid(family=FAMILIES).medium(family=["intervals:n=4", "random:m=16,n=6,seed=0"]),
    near=[
        near("The statement for trees with one point for each level.", tree=_deepest_level_tree),
        near("LDim(C) is larger by one.", tree=plus(1)),
    ],
)
def littlestone_by_definition(
    family: object, *, tree: Callable[[ConceptClass], int] = _deepest_tree
) -> Decision:
    """LDim(C) is the largest depth of a complete binary tree whose inner nodes are points and whose
    leaves are concepts of C, such that the concept of a leaf gives the point of every node above it
    the label of the edge towards the leaf. Checked on every class on at most 3 points."""
    return all_of((C.rows, equal(littlestone_dimension(C), tree(C))) for C in _classes(family))


def _all_functions(C: ConceptClass) -> tuple[int, ...]:
    return tuple(range(1 << len(C.points)))


def _queries(C: ConceptClass, hypotheses: tuple[int, ...]) -> int:
    """Return the worst-case number of wrong equivalence queries of an optimal strategy."""

    @cache
    def left(rows: frozenset[int]) -> int:
        if len(rows) <= 1:
            return 0
        best = len(rows)
        for h in hypotheses:
            points = range(len(C.points))
            answers = {frozenset(f for f in rows if (f ^ h) >> x & 1) for x in points}
            if rows not in answers:  # a query that every concept refutes alike teaches nothing
                best = min(best, max(1 + left(answer) for answer in answers if answer))
        return best

    return left(frozenset(C.rows))


@claim(
    "fx/ldim-eq",
    "section 2.4 (=2.5)",
    "LDim is the number of equivalence queries",
    Kind.THEOREM,
    over=grid(family=FAMILIES[:-1]),
    near=[
        near("The statement if only concepts of C may be queried.", hypotheses=lambda C: C.rows),
        near("The last query, which is correct, is counted too.", counted=plus(1)),
    ],
    uses=["fx/def-ldim"],
)
def equivalence_queries(
    family: object,
    *,
    hypotheses: Callable[[ConceptClass], tuple[int, ...]] = _all_functions,
    counted: Callable[[int], int] = int,
) -> Decision:
    """The least number of wrong equivalence queries that identify a concept of C in the worst case
    is LDim(C), if any function may be queried. Checked by solving the game, on every class on at
    most 3 points and on some other classes.
    """
    return all_of(
        (C.rows, equal(counted(_queries(C, hypotheses(C))), littlestone_dimension(C)))
        for C in _classes(family)
    )


@claim(
    "fx/def-augindex",
    "section 4 (before Lemma 9 =4.1)",
    "Augmented index",
    Kind.DEFINITION,
    over=grid(d=range(1, 5)).medium(d=[5, 6]),
    near=[
        near("The value is x_{i-1}, and x_d for i = 1.", bit=plus(-1)),
        near("Bob has the first i bits.", known=plus(1)),
        near("Outside the promise the value is 0.", outside=0),
    ],
)
def augmented_index_by_definition(
    d: int,
    *,
    bit: Callable[[int], int] = lambda i: i - 1,
    known: Callable[[int], int] = lambda i: i - 1,
    outside: int | None = None,
) -> Decision:
    """Alice has x in {0,1}^d; Bob has i from 1 to d and the first i - 1 bits of x. The value is
    x_i. Inputs in which Bob has other bits are outside the promise."""
    strings = ["".join(word) for word in product("01", repeat=d)]
    prefixes = {(i, x[: known(i)]) for i in range(1, d + 1) for x in strings}
    values = {
        (x, f"{i}:{prefix}"): int(x[bit(i)]) if x.startswith(prefix) else outside
        for x in strings
        for i, prefix in prefixes
    }
    problem = augmented_index(d)
    found = {
        (str(x), str(y)): problem.value(a, b)
        for a, x in enumerate(problem.alice)
        for b, y in enumerate(problem.bob)
    }
    return holds(found == values, f"{len(values)} entries")
