"""Certificates of index and augmented index on their tables, with protocols that symmetries mix.

Flipping a bit of Alice's word, everywhere, is a symmetry of both problems. These *translations*
move every word to every other one, so that a protocol after a random one errs in each position as
on average over all words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from ccsim.certificates import Certificate
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.minimax import MinimaxResult
from ccsim.communication.partitions.proof import DistributionProof, prove_bound
from ccsim.communication.problem import CommunicationProblem, augmented_index, index
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.symmetry.matrix import Symmetry


def translations(d: int, *, prefixes: bool) -> tuple[Symmetry, ...]:
    """Return the flips of each bit, of index or, with prefixes, of augmented index."""
    found = []
    for i in range(d):
        rows, columns, flips = tuple(x ^ 1 << i for x in range(1 << d)), tuple(range(d)), 1 << i
        if prefixes:  # column 2^n - 1 + p asks for the bit behind the prefix p of length n
            asked = ((n, p) for n in range(d) for p in range(1 << n))
            columns = tuple((p ^ 1 << i if n > i else p) + (1 << n) - 1 for n, p in asked)
            flips = ((1 << (1 << i)) - 1) << (1 << i) - 1
        found.append(Symmetry(rows, columns, flips))
    return tuple(found)


def rotation(d: int) -> Symmetry:
    """Return the symmetry of index that moves each position to the next one."""
    everything = (1 << d) - 1
    rows = (x << 1 & everything | x >> d - 1 for x in range(1 << d))
    return Symmetry(tuple(rows), tuple((i + 1) % d for i in range(d)), 0)


def with_best_answers(
    problem: CommunicationProblem, partition: Sequence[int]
) -> DeterministicProtocol:
    """Return the protocol that sends the class, with the answers that are right more often."""
    number = {label: m for m, label in enumerate(sorted(set(partition)))}
    votes = [[0] * len(problem.bob) for _ in number]
    for x, y in problem.inputs():
        votes[number[partition[x]]][y] += 1 if problem.value(x, y) else -1
    bob = tuple(sum(1 << y for y, vote in enumerate(row) if vote > 0) for row in votes)
    return DeterministicProtocol(tuple(map(number.__getitem__, partition)), bob, len(problem.bob))


def on_table(
    d: int,
    messages: int,
    bounds: tuple[Fraction | None, Fraction],
    partitions: Iterable[tuple[Fraction, Sequence[int]]],
    weights: Sequence[Fraction] | None = None,
) -> Certificate:
    """Return the certificate of bounds on the least error of index, or of augmented index."""
    lower, upper = bounds
    problem = index(d) if weights is None else augmented_index(d)
    moves = translations(d, prefixes=weights is not None)
    parts = [(share, with_best_answers(problem, labels), labels) for share, labels in partitions]
    below = DistributionProof(HardDistribution(((*problem.inputs()[0], 1),)))
    if lower is not None:
        masses = {
            (x, y): Fraction(1, d) if weights is None else weights[(y + 1).bit_length() - 1]
            for x, y in problem.inputs()
        }
        mu = HardDistribution.from_mapping({cell: w / (1 << d) for cell, w in masses.items()})
        below = prove_bound(problem, mu, messages, parts[0][2], moves)
    mixed = PublicCoinProtocol.mixture((share, part) for share, part, _ in parts)
    protocol = SymmetricProtocol(mixed, moves if weights is not None else (*moves, rotation(d)))
    found = MinimaxResult(
        problem, messages, "public", lower or Fraction(0), upper, protocol, below, "closed form"
    ).certificate()
    if lower is None:
        return replace(found, statement=found.statement | {"lower": None}, lower=None)
    return found
