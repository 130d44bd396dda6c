"""Hypothesis strategies for the objects of the package, from the smallest sizes on; budgets."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from hypothesis import strategies as st

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation

__all__ = [
    "budgets",
    "concept_classes",
    "deterministic_protocols",
    "distributions",
    "hypothesis_sets",
    "matrices",
    "private_coin_protocols",
    "probabilistic_representations",
    "probabilities",
    "problems",
    "public_coin_protocols",
]


def budgets() -> Iterator[Budget]:
    """Yield budgets that expire after 0, 1, 2, ... readings of their clocks, later with gaps."""
    looks = 0
    while True:
        yield Budget(looks, clock=count().__next__)
        looks += 1 + looks // 8


LABELS = st.one_of(st.integers(-9, 99), st.text("abc", min_size=1, max_size=2))


def labels(size):
    """Return a strategy for distinct labels, integers and texts mixed."""
    return st.lists(LABELS, min_size=size, max_size=size, unique_by=str)


def matrices(entries, max_rows=4, max_columns=4, min_rows=1, min_columns=1):
    """Return a strategy for rectangular tables as lists of lists."""
    return st.tuples(
        st.integers(min_rows, max_rows), st.integers(min_columns, max_columns)
    ).flatmap(
        lambda shape: st.lists(
            st.lists(entries, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )


@st.composite
def concept_classes(draw, max_points=3, min_points=0, min_concepts=0):
    """Draw a class over few points, possibly without concepts or without points."""
    n = draw(st.integers(min_points, max_points))
    rows = draw(st.lists(st.integers(0, (1 << n) - 1), min_size=min_concepts, unique=True))
    return ConceptClass.from_rows(rows, draw(labels(n)), draw(labels(len(rows))))


@st.composite
def problems(draw, max_alice=4, max_bob=4):
    """Draw a problem with a nonempty promise; rows may lie entirely outside the promise."""
    entries = st.sampled_from([0, 1, None])
    matrix = draw(
        matrices(entries, max_alice, max_bob).filter(
            lambda rows: any(entry is not None for row in rows for entry in row)
        )
    )
    return CommunicationProblem.from_matrix(matrix)


def probabilities(denominator=6):
    """Return a strategy for fractions in [0, 1], including both ends."""
    return st.integers(0, denominator).map(lambda p: Fraction(p, denominator))


def distributions(size, largest=5):
    """Return a strategy for probability vectors; entries may be zero."""
    weights = st.lists(st.integers(0, largest), min_size=size, max_size=size)
    return weights.filter(any).map(lambda ws: tuple(Fraction(w, sum(ws)) for w in ws))


@st.composite
def deterministic_protocols(draw, num_alice, num_bob, messages):
    """Draw a protocol with exactly the given sizes; not every message need be sent."""
    alice = draw(st.lists(st.integers(0, messages - 1), min_size=num_alice, max_size=num_alice))
    bob = draw(st.lists(st.integers(0, (1 << num_bob) - 1), min_size=messages, max_size=messages))
    return DeterministicProtocol(tuple(alice), tuple(bob), num_bob)


@st.composite
def private_coin_protocols(draw, num_alice, num_bob, messages):
    """Draw two stochastic tables with exactly the given sizes."""
    alice = tuple(draw(distributions(messages)) for _ in range(num_alice))
    bob = tuple(tuple(draw(probabilities()) for _ in range(num_bob)) for _ in range(messages))
    return PrivateCoinProtocol(alice, bob)


@st.composite
def public_coin_protocols(draw, num_alice, num_bob, messages, max_components=3):
    """Draw a mixture of protocols with exactly the given sizes."""
    parts = draw(
        st.lists(
            deterministic_protocols(num_alice, num_bob, messages),
            min_size=1,
            max_size=max_components,
        )
    )
    weights = draw(distributions(len(parts)))
    return PublicCoinProtocol.mixture(zip(weights, parts, strict=True))


@st.composite
def hypothesis_sets(draw, num_points, max_size=3):
    """Return a strategy for non-empty sets of hypotheses over the given number of points."""
    rows = st.lists(st.integers(0, (1 << num_points) - 1), min_size=1, max_size=max_size)
    return HypothesisSet.from_rows(draw(rows), num_points)


@st.composite
def probabilistic_representations(draw, num_points, max_sets=4, max_size=3):
    """Draw a distribution over sets of hypotheses."""
    sets = draw(st.lists(hypothesis_sets(num_points, max_size), min_size=1, max_size=max_sets))
    weights = draw(distributions(len(sets)))
    return ProbabilisticRepresentation.mixture(zip(weights, sets, strict=True))
