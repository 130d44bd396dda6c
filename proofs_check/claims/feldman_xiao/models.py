"""Sections 2.3 and 2.4: protocols and mistake trees, read literally on small objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from ccsim import (
    ConceptClass,
    PublicCoinProtocol,
    augmented_index,
    evaluation_problem,
    littlestone_dimension,
    minimax_error,
)
from ccsim.communication import DeterministicProtocol, expected_error
from ccsim.instances import parse_class
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grids import classes_on, random_weights

__all__ = ["CLAIMS"]


def protocols_by_definition(size: Size) -> Iterator[Instance]:
    """Public, private and no coins: output probabilities over coins, errors, cost in bits."""
    rng = np.random.default_rng(7)
    for text in ("points:b=2", "thresholds:b=2", "lines:p=2"):
        problem = evaluation_problem(parse_class(text))
        for i in range(3 if size is Size.SMALL else 10):
            protocol = _random_mixture(rng, len(problem.alice), len(problem.bob), 3)
            exact = all(
                protocol.output_probability(x, y)
                == sum(w * part.answer(x, y) for w, part in _parts(protocol))
                for x, y in problem.inputs()
            )
            rounded = 2 ** (protocol.cost_bits - 1) < protocol.messages <= 2**protocol.cost_bits
            yield Instance.of(f"{text} random={i}", exact and rounded, "mean over public coins")
        for k in () if size is Size.SMALL and text != "points:b=2" else (2,):
            public = minimax_error(problem, k, coins="public")
            private = minimax_error(problem, k, coins="private")
            recheck(private)
            name = f"{text} messages={k}"
            yield Instance.at_most(f"{name}: public, private", public.value, private.upper)


def _parts(
    protocol: PublicCoinProtocol,
) -> Iterator[tuple[Fraction, DeterministicProtocol]]:
    return zip(protocol.weights, protocol.components, strict=True)


def _random_mixture(
    rng: np.random.Generator, rows: int, columns: int, parts: int
) -> PublicCoinProtocol:
    def part() -> DeterministicProtocol:
        messages = tuple(int(m) for m in rng.integers(3, size=rows))
        answers = tuple(int(a) for a in rng.integers(1 << columns, size=3))
        return DeterministicProtocol(messages, answers, columns)

    weights = random_weights(rng, parts, least=1)
    return PublicCoinProtocol.mixture((w, part()) for w in weights)


def averaging(size: Size) -> Iterator[Instance]:
    """Find a deterministic part of a random mixture that is as good under a distribution."""
    rng = np.random.default_rng(8)
    for text in ("points:b=2", "thresholds:b=2"):
        problem = evaluation_problem(parse_class(text))
        inputs = problem.inputs()
        for i in range(5 if size is Size.SMALL else 30):
            mu = dict(zip(inputs, random_weights(rng, len(inputs)), strict=True))
            mixed = _random_mixture(rng, len(problem.alice), len(problem.bob), 4)
            best = min(expected_error(part, problem, mu) for _, part in _parts(mixed))
            yield Instance.at_most(f"{text} random={i}", best, expected_error(mixed, problem, mu))


def _tree_exists(C: ConceptClass, concepts: tuple[int, ...], depth: int) -> bool:
    """Whether some complete mistake tree of this depth is realised: the definition."""
    if depth == 0:
        return bool(concepts)
    return any(
        all(
            _tree_exists(C, tuple(c for c in concepts if c >> x & 1 == label), depth - 1)
            for label in (0, 1)
        )
        for x in range(len(C.points))
    )


def littlestone_by_definition(size: Size) -> Iterator[Instance]:
    """Every class on few points: the deepest complete mistake tree."""
    points = 2 if size is Size.SMALL else 3

    def cases() -> Iterator[tuple[object, bool]]:
        for C in classes_on(points):
            result = littlestone_dimension(C)
            result.check()
            d = result.value
            exact = _tree_exists(C, C.rows, d) and not _tree_exists(C, C.rows, d + 1)
            yield C.rows, exact

    yield Instance.all_of(f"every class on at most {points} points", cases(), "deepest tree")


def equivalence_queries(size: Size) -> Iterator[Instance]:
    """Solve the game of equivalence queries with arbitrary hypotheses, for every small class."""
    points = 2 if size is Size.SMALL else 3

    @cache
    def queries(n: int, rows: frozenset[int]) -> int:
        """Return the least number of wrong queries that every strategy can be made to ask."""
        if len(rows) <= 1:
            return 0
        best = len(rows)
        for h in range(2**n):
            answers = {frozenset(f for f in rows if (f ^ h) >> x & 1) for x in range(n)}
            if rows not in answers:  # a query that every concept refutes alike teaches nothing
                best = min(best, max(1 + queries(n, answer) for answer in answers if answer))
        return best

    yield Instance.all_of(
        f"every class on at most {points} points",
        (
            (C.rows, queries(len(C.points), frozenset(C.rows)) == littlestone_dimension(C).value)
            for C in classes_on(points)
        ),
        "queries = LDim",
    )


def augmented_index_by_definition(size: Size) -> Iterator[Instance]:
    """Compare every entry with the definition, read off the labels."""
    for d in range(1, 4 if size is Size.SMALL else 6):
        problem = augmented_index(d)
        cases = []
        for a, x in enumerate(map(str, problem.alice)):
            for b, label in enumerate(map(str, problem.bob)):
                i, prefix = label.split(":")
                value = int(x[int(i) - 1]) if x.startswith(prefix) else None
                cases.append(((x, label), problem.value(a, b) == value))
        yield Instance.all_of(f"d={d}", cases, "x_i on the prefix of x, no promise elsewhere")


def _definition(
    key: str, number: str, title: str, statement: str, check: Callable[[Size], Iterator[Instance]]
) -> Claim:
    return Claim(key, number, title, statement, Kind.DEFINITION, check)


CLAIMS = (
    _definition(
        "fx/def-cc",
        "section 2.3 (=2.4)",
        "One-way protocols and their complexity",
        "A public-coin protocol answers as the mean over its coins; private coins are no better; k "
        "messages of fixed length cost ceil(log2 k) bits.",
        protocols_by_definition,
    ),
    Claim(
        "fx/averaging",
        "section 2.3 (=2.4)",
        "Coins do not help against a fixed distribution",
        "For every distribution over inputs some fixed choice of coins errs at most as much as a "
        "randomised protocol.",
        Kind.LEMMA,
        averaging,
    ),
    _definition(
        "fx/def-ldim",
        "section 2.4 (=2.5)",
        "Mistake trees and the Littlestone dimension",
        "LDim(C) is the largest depth of a complete mistake tree whose every leaf is realised.",
        littlestone_by_definition,
    ),
    Claim(
        "fx/ldim-eq",
        "section 2.4 (=2.5)",
        "LDim is the number of equivalence queries",
        "The least number of wrong equivalence queries, with any functions as hypotheses, that "
        "identify a concept of C in the worst case is LDim(C).",
        Kind.THEOREM,
        equivalence_queries,
        uses=("fx/def-ldim",),
    ),
    _definition(
        "fx/def-augindex",
        "section 4 (before Lemma 9 =4.1)",
        "Augmented index",
        "Alice has x in {0,1}^d, Bob has i and the first i - 1 bits; the value is x_i.",
        augmented_index_by_definition,
    ),
)
