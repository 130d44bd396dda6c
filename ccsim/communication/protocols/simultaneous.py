"""Protocols with simultaneous messages: both players send one message to a referee, who answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.communication.given import ProblemLike
from ccsim.communication.protocols.play import Play, number_of
from ccsim.communication.protocols.two_party import TwoPartyProtocol
from ccsim.communication.protocols.two_way import Turn, TwoWayProtocol
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import ceil_log2
from ccsim.texts.labels import check_size, is_bit


@validated
class SimultaneousProtocol(TwoPartyProtocol):
    """A deterministic protocol with simultaneous messages, as tables of messages and answers.

    Attributes
    ----------
    alice : tuple of int
        Message of each input of Alice, below ``len(answers)``.
    bob : tuple of int
        Message of each input of Bob, below ``len(answers[0])``.
    answers : tuple of tuple of int
        ``answers[i][j]`` is the answer of the referee, 0 or 1, to the messages ``i`` and ``j``.

    Examples
    --------
    >>> equal = SimultaneousProtocol((0, 1), (0, 1), ((1, 0), (0, 1)))
    >>> equal.cost_bits, equal.answer(1, 1), equal.worst_error("equality:n=2").value
    (2, 1, Fraction(0, 1))
    """

    alice: tuple[int, ...]
    bob: tuple[int, ...]
    answers: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        check_size(len(self.alice), len(self.bob), "the protocol")
        width = len(self.answers[0]) if self.answers else 0
        for i, row in enumerate(self.answers):
            if len(row) != width or not row or not all(map(is_bit, row)):
                raise DomainError(
                    f"answers must be a matrix of 0 and 1, not with the row {i}: {show_value(row)}"
                )
        for name, sent, end in (("alice", self.alice, len(self.answers)), ("bob", self.bob, width)):
            if not sent:
                raise DomainError(f"{name} must have at least one input")
            for i, message in enumerate(sent):
                if not 0 <= message < end:
                    raise DomainError(f"{name}[{i}] must be a message below {end}, not {message}")

    def __str__(self) -> str:
        sizes = f"{len(self.answers)} x {len(self.answers[0])} messages"
        return f"{self.num_alice} x {self.num_bob}, {sizes}"

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return len(self.alice)

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return len(self.bob)

    @property
    def cost_bits(self) -> int:
        """Number of bits that the two players send together; the referee sends nothing."""
        return ceil_log2(len(self.answers)) + ceil_log2(len(self.answers[0]))

    def answer(self, x: int, y: int) -> int:
        """Return the answer of the referee on inputs ``x`` and ``y``."""
        number_of(x, None, 0, self.num_alice)
        number_of(y, None, 1, self.num_bob)
        return self.answers[self.alice[x]][self.bob[y]]

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the answer as a probability, 0 or 1."""
        return Fraction(self.answer(x, y))

    def to_two_way(self) -> TwoWayProtocol:
        """Return the two-way protocol in which Alice sends her message first, and then Bob his.

        Examples
        --------
        >>> equal = SimultaneousProtocol((0, 1), (0, 1), ((1, 0), (0, 1)))
        >>> equal.to_two_way().tabulate().ones
        (1, 2)
        """
        nodes: list[Turn | int] = [Turn("alice", self.alice)]
        for row in self.answers[: max(self.alice) + 1]:
            nodes += [Turn("bob", self.bob), *row[: max(self.bob) + 1]]
        return TwoWayProtocol(tuple(nodes), self.num_alice, self.num_bob)

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Run the protocol on two inputs; see `OneWayProtocol.play`. The seed is not used."""
        return self.to_two_way().play(x, y, problem, seed=seed)

    def to_json(self) -> list[Any]:
        """Return the messages of both players and the answers, as in certificates."""
        answers = ["".join(map(str, row)) for row in self.answers]
        return [list(self.alice), list(self.bob), answers]
