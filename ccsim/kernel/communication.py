"""Protocols and their errors; hard input distributions, which prove lower bounds on errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, repeat
from typing import Annotated, NamedTuple, cast

from .inputs import *
from .partitions import *
from .reader import *
from .rules import *

COINS = ("deterministic", "private", "public")  # each can do what those before it can


class Protocol(NamedTuple):
    """The number of messages of a protocol, the coins it uses, and its error on every input."""

    messages: int
    coins: int
    errors: dict[Cell, Fraction]

    @classmethod
    def read(cls, value: object, it: Quantity) -> Protocol:
        """Read a mixture of pairs of tables, for Alice and Bob, applied after a random symmetry."""
        F, errors = it.instance, dict[Cell, Fraction]()
        listed, generators = fields(value, "components", "symmetries")
        parts = inside("components", each, component, listed, F)
        moves = inside("symmetries", each, Symmetry.read, generators, F)
        require(len({len(b) for *_, b in parts}) == 1, "components must have equally many messages")
        private = any(sum(w for w, _ in u) > 1 for _, *two in parts for t in two for u in t)
        require(not private or len(parts) == 1, "private coins require a single component")
        # All answers to a message weigh as much, and where nothing is private all weigh 1.
        whole = sum(w * sum(q for q, _ in b[0]) for w, _, b in parts)
        totals = [whole * sum(p for p, _ in sent) for sent in parts[0][1]]  # 1 with several parts
        found = weights_of_ones(parts, totals, F.width)
        for x, (row, total, ones) in enumerate(zip(F.rows, totals, found, strict=True)):
            wrong = [total - w if row >> y & 1 else w for y, w in enumerate(ones)]
            shares = {hex(weight): Fraction(weight, total) for weight in different(wrong).values()}
            errors |= {(x, y): shares[hex(wrong[y])] for y in members(F.defined[x])}
        return cls(len(parts[0][2]), 2 if moves or parts[1:] else private, averaged(errors, moves))


def component(value: object, F: Matrix) -> tuple[int, list[Drawn], list[Drawn]]:
    """Read two tables: Alice's message for each input, and Bob's answers to each message."""

    def drawn(entry: object, read: Callable[[object], int]) -> Drawn:
        listed = each(entries, entry, 2) if isinstance(entry, list) else [[1, entry]]
        return [(integer(weight, 1), read(each_of)) for weight, each_of in listed]

    weight, alice, bob = fields(value, "weight", "alice", "bob")
    answers = inside("bob", each, drawn, bob, lambda row: subset(row, F.width))
    alike = all(answers) and len(different(sum(w for w, _ in row) for row in answers)) == 1
    require(alike, "every message must have answers, with the same sum of weights for all messages")
    sent = inside("alice", each, drawn, alice, lambda m: index(m, len(answers)))
    require(all(sent) and len(sent) == len(F.rows), "every input of Alice must have a message")
    # A message that is certain weighs 1, or inputs would draw components with weights of their own.
    sent = [law if len(law) > 1 else [(1, law[0][1])] for law in sent]
    return inside("weight", integer, weight, 1), sent, answers


Tables = Annotated[Protocol, Protocol.read]
Coins = Annotated[str, lambda value, _: choice(value, COINS)]


class ProtocolError(Quantity, kind="protocol_error"):
    """The maximum error of a protocol over all inputs."""

    instance: Problem
    protocol: Tables

    @least
    def input(self, cell: Raw) -> Fraction:
        """Return the error on one input, which is a lower bound."""
        return self.protocol.errors[inside("cell", self.instance.cell, cell)]

    @most
    def all_inputs(self) -> Fraction:
        """Return the maximum of the errors on all inputs."""
        return max(self.protocol.errors.values())


class DistributionalError(Quantity, kind="distributional_error"):
    """The minimum expected error, under an input distribution, of partitions of Alice's inputs."""

    instance: Problem
    messages: Positive
    distribution: Distribution

    @least
    def answers(self) -> Fraction:
        """Return the minimum error over Bob's choices of answers; Alice sends the best message."""
        rows, total = signed(self.instance, self.distribution)
        if self.messages >= len(rows):
            return Fraction(0)
        if self.messages == 1:
            return Fraction(cost(rows), 2 * total)
        k = min(self.messages, number := 1 << min(len(rows[0]), 20))
        require(number <= 64 or k < 8, "too many choices of {} out of {} answers", k, number)
        spend((number * 20 + math.comb(number, k) * (3 + k)) * len(rows))
        timed = zip(combinations(errors_of_answers(rows), k), map(spend, repeat(0)), strict=False)
        return Fraction(min(sum(map(min, zip(*q, strict=True))) for q, _ in timed), total)

    @least
    def partitions(self, symmetries: Symmetries, labels: Raw, partition: Raw) -> Fraction:
        """Return a lower bound from the minimum cost of a class for each sum of labels.

        If a partition is given, verify by search that no partition is cheaper.
        """
        (rows, total), weights = signed(self.instance, self.distribution), self.distribution
        xs, k = sorted({x for x, _ in weights}), min(self.messages, len(rows))
        rule = "{} rows have positive weight; the limit is {}"
        require(len(xs) <= MAX_ROWS, rule, len(xs), MAX_ROWS)
        generators = [[xs.index(g.rows[x]) for x in xs] for g in kept(symmetries, weights)]
        values = inside("labels", each, integer, labels)
        alike = len(values) == len(xs) and all([values[i] for i in g] == values for g in generators)
        rule = "must list a label per row of positive weight, equal for a row and its images"
        inside("labels", require, alike, rule)
        sent = []
        if partition is not None:
            sent = inside("partition", lambda: each(index, partition, k, length=len(xs)))
        return Fraction(least_cost(rows, values, generators, k, sent), 2 * total)

    @least
    def joins(self, joins: Raw) -> Fraction:
        """Check joins that connect all inputs; a class of s inputs has cost at least s - 1."""
        from .programs import join_rows

        number = inside("joins", join_rows, self.instance, self.distribution, joins)
        return Fraction(max(number - self.messages, 0), sum(self.distribution.values()))

    @least
    def choices(self, symmetries: Symmetries, bound: Raw, nodes: Raw) -> Fraction:
        """Check a tree of cases: Bob uses an answer, or he uses none of its images."""
        from .answers import choices

        rows, total = signed(self.instance, self.distribution)
        ys, moves = sorted({y for _, y in self.distribution}), kept(symmetries, self.distribution)
        return Fraction(choices(rows, ys, moves, self.messages, bound, nodes), total)

    @least
    def squares(self, unit: Positive, potentials: Raw, ends: Raw) -> Fraction:
        """Check a bound on the gains of classes by sums of squares; return a bound on the error."""
        from .squares import squares

        rows, total = signed(self.instance, self.distribution)
        return squares(rows, self.messages, unit, potentials, ends) / (2 * total)

    @most
    def protocol(self, tables: Tables) -> Fraction:
        """Return the expected error of a protocol; for some fixed coins, it is not larger."""
        k, most = tables.messages, self.messages
        require(k <= most, "the protocol has {} messages; the statement allows {}", k, most)
        total = added(w * tables.errors[cell] for cell, w in self.distribution.items())
        return total / sum(self.distribution.values())


class MinimaxError(Quantity, kind="minimax_error"):
    """The minimax error of protocols with a given number of messages."""

    instance: Problem
    messages: Positive
    coins: Coins
    elsewhere = dict.fromkeys(
        ("boxes", "conflicts", "dependencies", "radon", "simplices", "unsorted"), "private_coins"
    )

    @least
    def hard_distribution(self, distribution: Distribution, proof: Raw) -> Fraction:
        """Return a bound on the expected error under a hard distribution (Yao's principle)."""
        it = DistributionalError.of(**vars(self) | {"distribution": distribution})
        return cast(Fraction, inside("proof", it.proved, "lower", proof))

    @least
    def sign_rank(self, proof: Raw) -> Fraction:
        """Return 1/2 if the sign rank with a column of 1 added exceeds the number of messages."""
        from .sign_ranks import SignRank

        require(self.coins != "public", "this form of proof is not valid for public coins")
        more = Matrix("", [row + "1" for row in self.instance.texts], self.instance.width + 1)
        rank = inside("proof", SignRank.of(instance=more).proved, "lower", proof)
        return Fraction(rank > self.messages, 2)

    @most
    def protocol(self, tables: Tables) -> Fraction:
        """Return the maximum error of a protocol within the stated limits on messages and coins."""
        k, most = tables.messages, self.messages
        require(k <= most, "the protocol has {} messages; the statement allows {}", k, most)
        used = COINS[tables.coins]
        allowed = tables.coins <= COINS.index(self.coins)
        require(allowed, "the protocol uses {} coins; the statement allows {}", used, self.coins)
        return max({id(error): error for error in tables.errors.values()}.values())


class CommunicationComplexity(Quantity, kind="communication_complexity"):
    """The minimum number of messages of a protocol with at most the given error on each input."""

    number = staticmethod(lambda value, _: integer(value, 1))
    instance: Problem
    error: Probability
    coins: Coins

    @least
    def trivial(self) -> int:
        """Return 1: every protocol has at least one message."""
        return 1

    @least
    def too_few(self, messages: Positive, proof: Raw) -> int:
        """Return k + 1 if every protocol with k messages has error above the stated one."""
        it = MinimaxError.of(instance=self.instance, messages=messages, coins=self.coins)
        forced = inside("proof", it.proved, "lower", proof)
        require(forced > self.error, "the proved error {} must be above the stated error", forced)
        return messages + 1

    @most
    def protocol(self, tables: Tables) -> int:
        """Return the number of messages of a protocol whose error is at most the stated one."""
        worst = MinimaxError.of(**vars(self) | {"messages": tables.messages}).protocol(tables)
        require(worst <= self.error, "the protocol has error {}, above the stated error", worst)
        return tables.messages
