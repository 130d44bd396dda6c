"""Greater-than by binary search for the first bit in which the numbers differ.

Protocol: both players maintain an interval of places that contains the first difference, if there
is any; it starts with all places, from the highest bit down. In a round, Alice sends the bits of
the first half of the interval, or a public random hash of these bits. Bob sends whether his bits,
or hash, are the same. If they are, the second half remains, otherwise the first half. When a single
place remains, Alice sends her bit there, and Bob sends whether it is larger than his, which is the
answer.

Error with hashes of ``t`` bits: a round fails only if the halves differ and their hashes agree,
which has probability exactly ``2**-t`` (`protocols.hashing`), independently of the other rounds. So
the probability of the answer 1 on an interval is that on the second half if the first halves are
equal; otherwise it is ``1 - 2**-t`` times that on the first half, plus ``2**-t`` times that on the
second half. The largest error is ``1 - (1 - 2**-t)**R`` for ``R = ceil(log2 bits)`` rounds: a
run has at most ``R`` rounds, and for ``x = 10..0`` and ``y = 01..1`` every failure gives the wrong
answer.

Reference: Nisan (1993), "The communication complexity of threshold gates", which repairs failures
of the search, and therefore needs only hashes of constant length.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.communication.problem import CommunicationProblem, greater_than
from ccsim.communication.protocols.by_rules import MAX_BITS, check_parameter
from ccsim.communication.protocols.interactive import InteractiveProtocol
from ccsim.data import frozen, validated
from ccsim.exact import ceil_log2
from ccsim.exact.probability import uniform_below
from protocols.hashing import InnerProductHash

__all__ = ["GreaterThanBisection", "GreaterThanHashing"]


@frozen
class _Bisection(InteractiveProtocol):
    """Greater-than of two numbers by bisection; subclasses define the messages."""

    bits: int

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return 1 << self.bits

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return 1 << self.bits

    @property
    def rounds(self) -> int:
        """Largest number of rounds."""
        return ceil_log2(self.bits)

    def value(self, x: int, y: int) -> int:
        """Return 1 iff ``x > y``."""
        return int(x > y)

    def _problem(self) -> CommunicationProblem:
        return greater_than(self.num_alice)

    def _length(self, half: int) -> int:
        """Return the number of bits that Alice sends for half an interval of the given length."""
        return half

    def _sent(self, part: int, number: int, coins: int) -> int:
        """Return Alice's message for the first half of an interval in a round."""
        return part

    def _interval(self, sent: tuple[int, ...]) -> tuple[int, int]:
        """Return the remaining interval of places, counted from the highest bit."""
        low, high = 0, self.bits
        for same in sent[1::2]:
            middle = _middle(low, high)
            low, high = (middle, high) if same else (low, middle)
        return low, high

    def _part(self, own: int, sent: tuple[int, ...], coins: int) -> int:
        """Return Alice's message for an input."""
        low, high = self._interval(sent)
        if high - low == 1:
            return own >> self.bits - high & 1
        middle = _middle(low, high)
        part = own >> self.bits - middle & (1 << middle - low) - 1
        return self._sent(part, len(sent) // 2, coins)

    def turn(self, sent: tuple[int, ...], coins: int) -> tuple[str, int] | int:
        """Return the speaker and the length of the message in bits, or the answer."""
        if len(sent) % 2:
            return "bob", 1
        before = self._interval(sent[:-2])
        if sent and before[1] - before[0] == 1:
            return sent[-1]
        low, high = self._interval(sent)
        return "alice", 1 if high - low == 1 else self._length(_middle(low, high) - low)

    def message(self, own: int, sent: tuple[int, ...], coins: int) -> int:
        """Return Alice's bits or hash, or Bob's comparison with his own."""
        if len(sent) % 2 == 0:
            return self._part(own, sent, coins)
        low, high = self._interval(sent[:-1])
        mine = self._part(own, sent[:-1], coins)
        return int(sent[-1] > mine if high - low == 1 else sent[-1] == mine)


def _middle(low: int, high: int) -> int:
    return (low + high + 1) // 2


@validated
class GreaterThanBisection(_Bisection):
    """Deterministic greater-than of binary numbers by binary search for the first difference.

    In each round, Alice sends half of the bits in the interval that contains the first difference,
    and Bob sends whether his bits are the same.

    Attributes
    ----------
    bits : int
        Length of the inputs, at least 1.

    Examples
    --------
    >>> print(GreaterThanBisection(bits=2).play(2, 1))
    greater_than_bisection:bits=2 on x = 2, y = 1
      1. Alice sends 1  Alice: 2, 3 (2 of 4); Bob: all 4
      2. Bob sends 0    Alice: 2, 3 (2 of 4); Bob: 0, 1 (2 of 4)
      3. Alice sends 1  Alice: 2, 3 (2 of 4); Bob: 0, 1 (2 of 4)
      4. Bob sends 1    Alice: 2, 3 (2 of 4); Bob: 0, 1 (2 of 4)
    answer: 1 (correct) after 4 bits
    """

    family: ClassVar[str] = "greater_than_bisection"

    bits: int

    def __post_init__(self) -> None:
        check_parameter("greater_than_bisection: bits", self.bits, 1, MAX_BITS)

    @property
    def num_coins(self) -> int:
        """Size of the coin space: 1, since the protocol is deterministic."""
        return 1

    @property
    def cost_bits(self) -> int:
        """Number of bits on the worst input, where every first half differs."""
        total, length = 2, self.bits
        while length > 1:
            length = _middle(0, length)
            total += length + 1
        return total

    @property
    def stated_error(self) -> Fraction:
        """Largest error, 0."""
        return Fraction(0)

    def error(self, x: int, y: int) -> Fraction:
        """Return 0."""
        return Fraction(0)

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs; there are no errors."""
        return uniform_below(self.num_alice, rng), uniform_below(self.num_bob, rng)


@validated
class GreaterThanHashing(_Bisection):
    """Greater-than of binary numbers by binary search for the first difference, with hashes.

    The protocol is `GreaterThanBisection`, except that Alice sends a hash of the bits.

    Attributes
    ----------
    bits : int
        Length of the inputs, at least 1.
    repetitions : int
        Number ``t`` of bits of a hash, at least 1.

    Examples
    --------
    >>> protocol = GreaterThanHashing(bits=256, repetitions=10)
    >>> protocol.cost_bits, protocol.rounds, float(protocol.stated_error)
    (90, 8, 0.0077858...)
    >>> GreaterThanHashing(bits=4, repetitions=1).tabulate().output_probability(8, 7)
    Fraction(1, 4)
    """

    family: ClassVar[str] = "greater_than_hashing"

    bits: int
    repetitions: int

    def __post_init__(self) -> None:
        name = "greater_than_hashing"
        check_parameter(f"{name}: bits", self.bits, 1, MAX_BITS)
        most = MAX_BITS // (self.bits * max(1, self.rounds))
        check_parameter(f"{name}: repetitions", self.repetitions, 1, most)

    @property
    def _hash(self) -> InnerProductHash:
        return InnerProductHash(_middle(0, self.bits), self.repetitions)

    @property
    def num_coins(self) -> int:
        """Number of choices of the hashes of all rounds."""
        return 1 << self.rounds * self._hash.length * self.repetitions

    @property
    def cost_bits(self) -> int:
        """Number of bits in the longest run."""
        return self.rounds * (self.repetitions + 1) + 2

    @property
    def stated_error(self) -> Fraction:
        """Largest error, ``1 - (1 - 2**-t)**R``."""
        return 1 - (1 - Fraction(1, 1 << self.repetitions)) ** self.rounds

    def _length(self, half: int) -> int:
        return self.repetitions

    def _sent(self, part: int, number: int, coins: int) -> int:
        hashes = self._hash
        return hashes.hash(part, coins >> number * hashes.length * hashes.count)

    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer, by recursion over the intervals."""
        one = self._one(x, y, 0, self.bits)
        return 1 - one if x > y else one

    def _one(self, x: int, y: int, low: int, high: int) -> Fraction:
        """Return the probability of the answer 1 on the remaining interval."""
        a, b = (own >> self.bits - high & (1 << high - low) - 1 for own in (x, y))
        if high - low == 1 or a == b:
            return Fraction(int(a > b))
        middle = _middle(low, high)
        second = self._one(x, y, middle, high)
        if a >> high - middle == b >> high - middle:
            return second
        first, fails = self._one(x, y, low, middle), Fraction(1, 1 << self.repetitions)
        return (1 - fails) * first + fails * second

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return ``10..0`` and ``01..1``, in random order."""
        top = 1 << self.bits - 1
        return (top, top - 1) if uniform_below(2, rng) else (top - 1, top)
