"""Protocols for lines, and exact distributions of a point on the line given the message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import numpy as np

from ccsim import distributional_error, evaluation_problem, lines, worst_error
from ccsim.exact import Distribution
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grids import partitions
from protocols import LinesHashing


@dataclass(frozen=True, slots=True)
class Message:
    """A set of lines ``y = a x + b``, numbered ``p a + b``, that Alice sends as one message.

    ``incidences`` contains, for every point ``p x + y``, the number of these lines through the
    point.
    """

    p: int
    lines: tuple[int, ...]
    incidences: tuple[int, ...]

    @classmethod
    def of(cls, p: int, numbers: Iterable[int]) -> Message:
        """Return the message sent for exactly the given lines."""
        chosen = tuple(numbers)
        incidences = [0] * p**2
        for a, b in (divmod(number, p) for number in chosen):
            for x in range(p):
                incidences[p * x + (a * x + b) % p] += 1
        return cls(p, chosen, tuple(incidences))

    def point(self) -> Distribution[tuple[int, int]]:
        """Return the distribution of the point under ``mu_1``, given the message."""
        return Distribution.proportional(
            {divmod(i, self.p): n for i, n in enumerate(self.incidences)}
        )

    def distance(self) -> int:
        """Return the message's share of the distance of ``mu_0`` and ``mu_1``, times ``2 p**4``."""
        return sum(abs(self.p * n - len(self.lines)) for n in self.incidences)

    def error(self) -> int:
        """Return the message's share of Bob's least error under ``mu``, times ``2 p**4``."""
        size = len(self.lines)
        return sum(min((self.p + 1) * n, size - n) for n in self.incidences)


@dataclass(frozen=True, slots=True)
class Protocol:
    """A protocol with its error, under ``mu`` or in the worst case.

    The name of a deterministic protocol lists the message of every line; its distance is that of
    (message, point) under ``mu_1`` and ``mu_0``.
    """

    name: tuple[int, ...] | str
    p: int
    messages: int
    error: Fraction
    distance: Fraction = Fraction(1)


Family: TypeAlias = Callable[[int, int], tuple[Protocol, ...]]


def messages_of(p: int, blocks: Iterable[int]) -> list[Message]:
    """Return the messages of a partition, given by the message number of each line."""
    sets: dict[int, list[int]] = {}
    for line, block in enumerate(blocks):
        sets.setdefault(block, []).append(line)
    return [Message.of(p, numbers) for numbers in sets.values()]


def _of_partition(p: int, blocks: tuple[int, ...]) -> Protocol:
    unit, parts = Fraction(1, 2 * p**4), messages_of(p, blocks)
    distance, error = sum(m.distance() for m in parts), sum(m.error() for m in parts)
    return Protocol(blocks, p, len(parts), error * unit, distance * unit)


@cache
def all_partitions(p: int, most: int) -> tuple[Protocol, ...]:
    """Return all partitions of the lines into at most the given number of messages."""
    return tuple(_of_partition(p, blocks) for blocks in partitions(p**2, most))


@cache
def random_partitions(p: int, number: int) -> tuple[Protocol, ...]:
    """Return the given number of random partitions of the lines."""
    rng = np.random.default_rng(p)
    sizes = rng.integers(2, p**2, size=number)
    return tuple(_of_partition(p, tuple(rng.integers(k, size=p**2).tolist())) for k in sizes)


@cache
def parabolas(p: int, pieces: int) -> tuple[Protocol, ...]:
    """Return the partition by ``b - a**2`` and by the given number of intervals of ``a``.

    No three lines of a message have a common point, so that messages are maximally informative.
    """
    field = range(p)
    blocks = ((b - a * a) % p * pieces + a * pieces // p for a in field for b in field)
    return (_of_partition(p, tuple(blocks)),)


@cache
def least_under_mu(p: int, most: int) -> tuple[Protocol, ...]:
    """Return the least error under ``mu`` for each number of messages up to the given one."""
    problem, numbers = evaluation_problem(lines(p)), range(p**2)
    mu = {
        (x, y): Fraction(1, 2 * p**4) + Fraction(problem.value(x, y) or 0, 2 * p**3)
        for x in numbers
        for y in numbers
    }
    return tuple(
        Protocol("the best", p, k, recheck(distributional_error(problem, mu, k)).value)
        for k in range(1, most + 1)
    )


@cache
def least_of_public_coins(p: int, messages: int) -> tuple[Protocol, ...]:
    """Return the least worst-case error with the given number of messages."""
    error = least_error(evaluation_problem(lines(p)), messages).value
    return (Protocol("the best", p, messages, error),)


@cache
def hashing(p: int, bits: int) -> tuple[Protocol, ...]:
    """Return the protocol that sends the slope and a hash.

    Its error is computed only for small p.
    """
    sent = LinesHashing(p=p, bits=bits)
    error = worst_error(sent.tabulate(), sent.problem()).value if p < 7 else sent.stated_error
    return (Protocol("slope and hash", p, sent.messages, error),)
