"""Minimax errors of two-way protocols and of protocols with simultaneous messages.

A deterministic two-way protocol is a tree. At an inner node, a player sends a bit that depends on
its own input; a leaf is an answer. With simultaneous messages, a referee answers. Protocols with
public coins are mixtures of deterministic ones.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, ClassVar, NamedTuple

from .inputs import *
from .reader import *
from .rules import *

PLAYERS = ("rows", "columns")
Rounds = Annotated[int | None, lambda value, _: None if value is None else integer(value, 1)]
Mistakes = list[int]  # for each row, the columns in which a protocol errs


class Node(NamedTuple):
    """The rows and columns of the inputs that reach a node, and what may be sent from there."""

    lines: tuple[int, int]
    bits: int
    rounds: int | None  # after the present round; null if there is no limit
    speaker: int | None


class Interactive:
    """The minimax error of protocols with public coins and a limit on the number of bits.

    All bits count, including the answer of a two-way protocol.
    """

    instance: Matrix
    bits: int
    parts: ClassVar[int]  # entries of a listed protocol, its weight included

    def least_error(self, rows: list[list[int]]) -> int:
        """Return the least weight of errors; weights of inputs are negated for the value 0."""
        raise NotImplementedError

    def mistakes(self, *protocol: object) -> Mistakes:
        """Check a deterministic protocol; return the inputs on which it errs."""
        raise NotImplementedError

    @least
    def hard_distribution(self, distribution: Distribution) -> Fraction:
        """Return the least expected error under a distribution (Yao's principle)."""
        rows, total = signed(self.instance, distribution)
        return Fraction(self.least_error(rows), total)

    @least
    def discrepancy(self, distribution: Distribution) -> Fraction:
        """Return the bound by discrepancy, as a protocol has at most 2^bits rectangles."""
        from .rectangles import heaviest

        rows, total = signed(self.instance, distribution)
        negated = [[-w for w in row] for row in rows]
        top = max(heaviest(each_way, [0] * len(rows)) for each_way in (rows, negated))
        gain = top << min(self.bits, total.bit_length())
        return Fraction(max(0, total - gain), 2 * total)

    def of_mixture(self, symmetries: list[Symmetry], listed: list[Any]) -> Fraction:
        """Return the largest error of a mixture of protocols applied after a random symmetry."""
        F, every = self.instance, (1 << self.instance.width) - 1
        alike = all(g.flips in (0, every) for g in symmetries)
        inside("symmetries", require, alike, "a symmetry must flip all columns or none")
        weights, found, errors = list[int](), list[Mistakes](), dict[Cell, int]()
        for i, entry in enumerate(listed):
            weight, *protocol = inside(i, entries, entry, self.parts)
            weights.append(inside(i, integer, weight, 1))
            found.append(inside(i, self.mistakes, *protocol))
        require(weights, "at least one protocol must be listed")
        total = sum(weights)
        for x, wrong in enumerate(zip(*found, strict=True)):
            sums, held = mixture(weights, wrong, F.width), F.defined[x]
            spend(20 + held.bit_count() * (10 + (total.bit_length() >> 6)))
            errors |= {(x, y): sums[y] for y in members(held)}
        return Fraction(max(averaged(errors, symmetries).values())) / total


class TwoWayError(Interactive, Quantity, kind="two_way_error"):
    """The minimax error of two-way protocols with a limit on the number of rounds, or without.

    A round consists of consecutive bits of one player.
    """

    instance: Problem
    bits: Natural
    rounds: Rounds
    null = "any number of {}"
    parts = 2

    def least_error(self, rows: list[list[int]]) -> int:
        """Return the least weight of errors of a tree."""
        from .least_trees import of_trees

        return of_trees(rows, self.bits, self.rounds)

    def mistakes(self, *protocol: object) -> Mistakes:
        """Check a tree in preorder; return the inputs on which it errs."""
        F, found = self.instance, [0] * len(self.instance.rows)
        sides = len(F.rows), F.width

        def split(node: object, case: Node) -> list[Node]:
            lines, bits, rounds, speaker = case
            if not isinstance(node, list):
                answer = index(node, 2)
                spend(10 + len(found) * (2 + (F.width >> 7)))
                for x in members(lines[0]):
                    found[x] |= (F.rows[x] ^ -answer) & F.defined[x] & lines[1]
                return []
            name, listed = entries(node, 2)
            p = PLAYERS.index(choice(name, PLAYERS))
            part, left = column_set(listed, sides[p]), rounds
            require(bits, "a path must have at most {} inner nodes", self.bits)
            if p != speaker and rounds is not None:
                require(rounds, "a path must have at most {} rounds", self.rounds)
                left = rounds - 1
            spend(10 + (max(sides) >> 6))
            halves = [lines[p] & part, lines[p] & ~part]
            both = [(half, lines[1]) if p == 0 else (lines[0], half) for half in halves]
            return [Node(half, bits - 1, left, p) for half in both]

        [nodes] = protocol
        full = (1 << sides[0]) - 1, (1 << sides[1]) - 1
        cases(entries(nodes), Node(full, self.bits, self.rounds, None), split)
        return found

    @most
    def protocol(self, symmetries: Symmetries, trees: Entries) -> Fraction:
        """Return the largest error of a mixture of trees."""
        return inside("trees", self.of_mixture, symmetries, trees)


class SimultaneousError(Interactive, Quantity, kind="simultaneous_error"):
    """The minimax error of simultaneous messages to a referee.

    The bits of both messages together are limited, and may be divided according to the coins.
    """

    instance: Problem
    bits: Natural
    parts = 4

    def least_error(self, rows: list[list[int]]) -> int:
        """Return the least weight of errors of two messages."""
        from .messages import of_messages

        return of_messages(rows, self.bits)

    def mistakes(self, *protocol: object) -> Mistakes:
        """Check the message for each input and the answers to all pairs; return the errors."""
        F, (rows, columns, answers) = self.instance, protocol
        table = inside("answers", each, subset, answers, width := size_of(answers))
        ours = indices(rows, len(table), len(F.rows))
        theirs = indices(columns, width, F.width)
        bits = (len(table) - 1).bit_length() + (width - 1).bit_length()
        require(bits <= self.bits, "the messages have {} bits; the limit is {}", bits, self.bits)
        spend(10 + len(table) * (F.width + width) + len(ours) * (2 + (F.width >> 7)))
        accepted = [sum(1 << y for y, m in enumerate(theirs) if row >> m & 1) for row in table]
        parts = zip(F.rows, F.defined, ours, strict=True)
        return [(row ^ accepted[m]) & held for row, held, m in parts]

    @most
    def protocol(self, symmetries: Symmetries, tables: Entries) -> Fraction:
        """Return the largest error of a mixture of pairs of messages."""
        return inside("tables", self.of_mixture, symmetries, tables)


def size_of(answers: object) -> int:
    """Return the length of the first text of a list that must have texts of at least 1 answer."""
    first = entries(answers)[:1]
    rule = "there must be at least one answer"
    require(first and isinstance(first[0], str) and first[0], rule)
    return len(first[0])
