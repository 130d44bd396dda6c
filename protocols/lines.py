"""Lines in the plane over ``Z_p``: the value is 1 if Bob's point lies on Alice's line.

Alice's input number ``p a + b`` is the line ``Y = a X + b``; Bob's input number ``p u + v`` is the
point ``(u, v)``.

Protocols: `LinesSendAll` sends ``a`` and ``b``. `LinesHashing` sends ``a`` and a public random hash
of ``b``; Bob compares it with the hash of ``v - a u``.

Error of `LinesHashing`: the point is on the line iff ``b = v - a u``, so there is no error on
points of the line. For other points, two different numbers below ``p`` are hashed, and their
``bits``-bit hashes agree with probability exactly ``2**-bits`` (`protocols.hashing`).

References: the class of Feldman & Xiao section 4.2 (``fx/thm-2``). Its Littlestone dimension is 2,
but every protocol needs ``log2 p`` bits up to a constant.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.classes.families.elementary import lines
from ccsim.communication.problem import CommunicationProblem, evaluation_problem
from ccsim.communication.protocols.by_rules import MAX_BITS, Batch, check_parameter
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.data import validated
from ccsim.exact import ceil_log2
from ccsim.exact.fractions import check_prime
from ccsim.exact.probability import uniform_below
from protocols.binary import bits_as_int
from protocols.hashing import InnerProductHash
from protocols.send_all import SendAll

__all__ = ["MAX_P", "LinesHashing", "LinesSendAll"]

MAX_P = (1 << 31) - 1
"""Largest prime: products of two residues fit into 63 bits."""


def _check_prime(name: str, p: int) -> None:
    check_parameter(name, p, 2, MAX_P)
    check_prime(name, p)


def _on_line(p: int, line: int, point: int) -> int:
    (a, b), (u, v) = divmod(line, p), divmod(point, p)
    return int((a * u + b - v) % p == 0)


@validated
class LinesSendAll(SendAll):
    """Deterministic evaluation of a line at a point; Alice sends slope and intercept.

    Attributes
    ----------
    p : int
        A prime, at most `MAX_P`.

    Examples
    --------
    >>> protocol = LinesSendAll(p=5)
    >>> protocol.messages, protocol.cost_bits
    (25, 5)
    >>> protocol.value(5 * 2 + 3, 5 * 1 + 0)  # 2 * 1 + 3 = 0 modulo 5
    1
    """

    family: ClassVar[str] = "lines"

    p: int

    def __post_init__(self) -> None:
        _check_prime("lines: p", self.p)

    @property
    def num_alice(self) -> int:
        """Number of lines."""
        return self.p**2

    @property
    def num_bob(self) -> int:
        """Number of points."""
        return self.p**2

    def value(self, x: int, y: int) -> int:
        """Return 1 iff point ``y`` lies on line ``x``."""
        return _on_line(self.p, x, y)

    def _problem(self) -> CommunicationProblem:
        return evaluation_problem(lines(self.p))


@validated
class LinesHashing(ProceduralProtocol):
    """Evaluation of a line at a point; Alice sends the slope and a hash of the intercept.

    Attributes
    ----------
    p : int
        A prime, at most `MAX_P`.
    bits : int
        Length of the hash, at least 1.

    Examples
    --------
    >>> protocol = LinesHashing(p=5, bits=2)
    >>> protocol.messages, protocol.cost_bits, protocol.stated_error
    (20, 5, Fraction(1, 4))
    """

    family: ClassVar[str] = "lines_hashing"

    p: int
    bits: int

    def __post_init__(self) -> None:
        _check_prime("lines_hashing: p", self.p)
        check_parameter("lines_hashing: bits", self.bits, 1, MAX_BITS // ceil_log2(self.p))

    @property
    def _hash(self) -> InnerProductHash:
        return InnerProductHash(ceil_log2(self.p), self.bits)

    @property
    def num_alice(self) -> int:
        """Number of lines."""
        return self.p**2

    @property
    def num_bob(self) -> int:
        """Number of points."""
        return self.p**2

    @property
    def messages(self) -> int:
        """Number of messages: pairs of a slope and a hash."""
        return self.p << self.bits

    @property
    def num_coins(self) -> int:
        """Number of choices of the hash vectors."""
        return self._hash.num_maps

    @property
    def stated_error(self) -> Fraction:
        """Largest error, ``2**-bits``."""
        return Fraction(1, 1 << self.bits)

    def alice(self, x: int, coins: int) -> int:
        """Return the slope, followed by the hash of the intercept."""
        a, b = divmod(x, self.p)
        return a << self.bits | self._hash.hash(b, coins)

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return 1 iff the line through Bob's point with the sent slope has the sent hash."""
        a, (u, v) = message >> self.bits, divmod(y, self.p)
        wanted = self._hash.hash((v - a * u) % self.p, coins)
        return int(wanted == message & (1 << self.bits) - 1)

    def value(self, x: int, y: int) -> int:
        """Return 1 iff point ``y`` lies on line ``x``."""
        return _on_line(self.p, x, y)

    def error(self, x: int, y: int) -> Fraction:
        """Return 0 for a point on the line, otherwise ``2**-bits``."""
        return Fraction(0) if self.value(x, y) else self.stated_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return a random line and a random point that is not on it."""
        a, b, u = (uniform_below(self.p, rng) for _ in range(3))
        above = 1 + uniform_below(self.p - 1, rng)
        return self.p * a + b, self.p * u + (a * u + b + above) % self.p

    def _problem(self) -> CommunicationProblem:
        return evaluation_problem(lines(self.p))

    @property
    def run_bytes(self) -> int:
        """Memory in bytes of one run of a batch: the vectors and their masked copies."""
        return 32 * self.bits

    def sample_coins(self, runs: int, rng: np.random.Generator) -> Batch:
        """Return the hash vectors for each run."""
        return self._hash.sample(runs, rng)

    def coins_from_int(self, coins: Iterable[int]) -> Batch:
        """Return the given coins as a batch."""
        return self._hash.from_int(coins)

    def coins_as_int(self, coins: Batch) -> int:
        """Return one entry of a batch of coins as an integer."""
        return self._hash.as_int(coins)

    def message_as_int(self, message: Batch) -> int:
        """Return one entry of a batch of messages as an integer."""
        return int(message[0]) << self.bits | bits_as_int(message[1:])

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return the slope and the bits of the hash of the intercept in each run."""
        a, b = divmod(x, self.p)
        slopes = np.full((len(coins), 1), a, dtype=np.int64)
        return np.hstack((slopes, self._hash.hash_batch(b, coins)))

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        u, v = divmod(y, self.p)
        wanted = self._hash.hash_batch((v - messages[:, 0] * u) % self.p, coins)
        agree: Batch = np.all(wanted == messages[:, 1:], axis=1)
        return agree
