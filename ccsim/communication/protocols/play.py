"""A run of a protocol step by step: coins, messages, remaining inputs and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from ccsim.appearance import counted, show_label
from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.arguments.values import show_value
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import ceil_log2
from ccsim.texts.labels import Label

PLAYERS = ("alice", "bob")
MOST_LISTED = 1 << 10  # inputs of a player up to which those that remain are listed
_WIDTH = 79  # characters of a line
_MOST_DIGITS = 24  # characters of a number that are printed


@validated
class PlayedMessage:
    """A message in a run of a protocol, and the inputs that remain possible after it.

    Attributes
    ----------
    speaker : str
        ``"alice"`` or ``"bob"``.
    message : int
        Number of the message.
    bits : str
        The message in bits; the empty text if only one message is possible.
    alice, bob : tuple of int, or None
        The remaining inputs of Alice and of Bob: with these inputs and the same public coins, the
        players send the same messages up to this one. None if a player has too many inputs to list.
    """

    speaker: str
    message: int
    bits: str
    alice: tuple[int, ...] | None
    bob: tuple[int, ...] | None


@validated
class Play:
    """One run of a protocol: the coins, each message with the remaining inputs, and the answer.

    Attributes
    ----------
    name : str
        Name of the protocol or of the problem; may be empty.
    x, y : int
        Numbers of the inputs.
    seed : int
        Seed of the coins.
    coins : str
        Description of the public coins that were drawn; ``"none"`` without public coins.
    messages : tuple of PlayedMessage
    answer : int
        0 or 1.
    expected : int or None
        The correct answer; None if it is unknown or the inputs are outside the promise.
    sides : tuple of int
        Numbers of inputs of Alice and of Bob.
    problem : CommunicationProblem or None
        The problem whose labels are printed; ignored by ``==``.

    Examples
    --------
    >>> from ccsim import deterministic_cost
    >>> protocol = deterministic_cost("greater_than:n=4").protocol
    >>> print(protocol.play(2, 1))
    greater_than:n=4 on x = 2, y = 1
      1. Alice sends 1  Alice: 2, 3 (2 of 4); Bob: all 4
      2. Alice sends 0  Alice: 2 (1 of 4); Bob: all 4
      3. Bob sends 0    Alice: 2 (1 of 4); Bob: 0, 1 (2 of 4)
    answer: 1 (correct) after 3 bits
    """

    name: str
    x: int
    y: int
    seed: int
    coins: str
    messages: tuple[PlayedMessage, ...]
    answer: int
    expected: int | None
    sides: tuple[int, int]
    problem: CommunicationProblem | None = field(default=None, compare=False)

    @property
    def is_correct(self) -> bool | None:
        """Whether the answer is correct; None if the correct answer is unknown."""
        return None if self.expected is None else self.answer == self.expected

    @property
    def bits(self) -> int:
        """Number of bits that were sent."""
        return sum(len(sent.bits) for sent in self.messages)

    @property
    def is_outside(self) -> bool:
        """Whether the inputs are known to lie outside the promise."""
        return self.problem is not None and self.problem.value(self.x, self.y) is None

    def label(self, side: int, number: int) -> Label:
        """Return the label of an input of Alice (side 0) or Bob (side 1), by its number."""
        labels = None if self.problem is None else (self.problem.alice, self.problem.bob)[side]
        return number if labels is None else labels[number]

    def to_dict(self) -> dict[str, Any]:
        """Return the play as a JSON object, with labels in place of numbers of inputs."""
        return {
            "x": self.label(0, self.x),
            "y": self.label(1, self.y),
            "seed": self.seed,
            "coins": self.coins,
            "messages": [
                {"speaker": sent.speaker, "message": sent.message, "bits": sent.bits}
                | {
                    player: None if left is None else [self.label(i, each) for each in left]
                    for i, (player, left) in enumerate((("alice", sent.alice), ("bob", sent.bob)))
                }
                for sent in self.messages
            ],
            "answer": self.answer,
            "expected": self.expected,
            "correct": self.is_correct,
            "bits": self.bits,
        }

    def __str__(self) -> str:
        return "\n".join([self._title(), *self._middle(), self._ending()])

    def _title(self) -> str:
        x, y = (_cut(show_label(self.label(i, n))) for i, n in enumerate((self.x, self.y)))
        inputs = f"x = {x}, y = {y}"
        return f"{_cut(self.name, _WIDTH - 4 - len(inputs))} on {inputs}" if self.name else inputs

    def _middle(self) -> list[str]:
        lines = [] if self.coins == "none" else [f"coins: {self.coins}"]
        for i, sent in enumerate(self.messages, 1):
            text = sent.bits if 0 < len(sent.bits) <= _MOST_DIGITS else _number(sent.message)
            start = f"{i:3}. {sent.speaker.capitalize()} sends {text}".ljust(18)
            whole = f"{start}  {self._rectangle(sent, 10**6)}"
            if len(whole) <= _WIDTH:
                lines.append(whole)
            else:
                room = (_WIDTH - len("     Alice: ; Bob: ")) // 2
                lines += [start.rstrip(), f"     {self._rectangle(sent, room)}"]
        return lines

    def _rectangle(self, sent: PlayedMessage, room: int) -> str:
        alice, bob = self._left(0, sent.alice, room), self._left(1, sent.bob, room)
        return f"Alice: {alice}; Bob: {bob}"

    def _left(self, side: int, numbers: tuple[int, ...] | None, room: int) -> str:
        """Return the remaining inputs of a side, truncated to the available room."""
        size = self.sides[side]
        if numbers is None:
            return "not listed"
        if len(numbers) == size and size > 1:
            return f"all {size}"
        end, shown = f" ({len(numbers)} of {size})", ""
        for i, number in enumerate(numbers):
            label = _cut(
                show_label(self.label(side, number)), min(_MOST_DIGITS, room - len(end) - 4)
            )
            more = f"{shown}, {label}" if i else label
            dots = "" if i == len(numbers) - 1 else ", .."
            if i and len(more) + len(dots) + len(end) > room:
                return f"{shown}, ..{end}"
            shown = more
        return f"{shown}{end}"

    def _ending(self) -> str:
        verdict = {True: "correct", False: f"WRONG: the value is {self.expected}"}
        words = verdict.get(self.is_correct is True) if self.expected is not None else None
        words = words or ("outside the promise" if self.is_outside else "")
        after = f" after {counted(self.bits, 'bit', 'bits')}"
        return f"answer: {self.answer}{f' ({words})' if words else ''}{after}"


def number_of(text: int | str, labels: Sequence[Label] | None, side: int, size: int) -> int:
    """Return the number of an input, given by its number or by a label that is a text."""
    player = PLAYERS[side].capitalize()
    if isinstance(text, str):
        found = [] if labels is None else [i for i, label in enumerate(labels) if label == text]
        if not found:
            known = "" if labels is None else f"; the labels are {_some(labels)}"
            raise DomainError(
                f"{show_value(text)} is not a label of an input of {player}{known}; alternatively, "
                f"give a number from 0 to {_number(size - 1)}"
            )
        return found[0]
    if not 0 <= text < size:
        raise DomainError(
            f"{'xy'[side]} must be at least 0 and below {_number(size)}, the number of inputs of "
            f"{player}, not {_number(text)}"
        )
    return text


def labelled(text: str, labels: Sequence[Label] | None, side: int, size: int) -> int:
    """Return the number of the input with a given label, written as text."""
    if labels is None:
        number = text.strip()
        if number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS:
            return number_of(int(number), None, side, size)
    else:
        for i, label in enumerate(labels):
            if str(label) == text:
                return i
    known = f"numbers from 0 to {_number(size - 1)}" if labels is None else _some(labels)
    raise DomainError(
        f"{PLAYERS[side].capitalize()} has no input {show_value(text)}; the inputs are {known}"
    )


def bits_of(message: int, messages: int) -> str:
    """Return a message in binary, with the number of bits that all messages need."""
    length = ceil_log2(messages)
    return format(message, f"0{length}b") if length else ""


def _some(labels: Sequence[Label]) -> str:
    shown = [_cut(show_label(label)) for label in labels[:6]]
    return ", ".join(shown) + (f", .. ({len(labels)} in all)" if len(labels) > len(shown) else "")


def _cut(text: str, room: int = _MOST_DIGITS) -> str:
    half = (room - 2) // 2
    return text if len(text) <= room else f"{text[:half]}..{text[-half:]}"


def _number(number: int) -> str:
    if number.bit_length() <= 3 * _MOST_DIGITS:
        return str(number)
    return f"a number of {number.bit_length()} bits"
