"""Equality by random partitions: public-coin protocols that attain the minimax error.

Protocols: `EqualityPartition` partitions the inputs at random into classes. Alice sends the number
of her class; Bob answers 1 iff his input lies in the same class. One class may be *rejected*: Bob
answers 0 to its number. `EqualityOptimal` mixes the even partition into ``k`` classes with a
partition that has a rejected class; `ccsim.communication.closed_forms.equality` gives the sizes and
probabilities.

The random partition is a fixed partition of the images of the inputs under a random permutation
``pi``. It is drawn from a family for which ``(pi(x), pi(y))`` is uniform among all pairs of
different elements (`protocols.permutations`), which suffices for pairs of inputs. So 256-bit inputs
need 512 public bits, whereas a uniform permutation needs about ``2**256 * 255`` bits.

Error of `EqualityPartition` with ``a`` accepted and ``r`` rejected inputs: if ``x = y``, Bob errs
iff ``pi(x)`` is rejected, with probability ``r/n``. If ``x != y``, he errs iff ``pi(x)`` and
``pi(y)`` lie in the same accepted class. This has probability ``G / (n (n-1))``, where ``G`` counts
the ordered pairs of different elements inside accepted classes, whose sizes differ by at most one.
The error of `EqualityOptimal` is the same on all inputs, and minimal by `docs/closed-forms.md`,
section 1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from ccsim.arguments.renamed import Renamed
from ccsim.budget import Budget
from ccsim.communication.closed_forms.equality import (
    EqualityValue,
    equality_error,
    pairs_inside_classes,
)
from ccsim.communication.protocols.by_rules import Batch, check_parameter
from ccsim.communication.protocols.tables import PublicCoinProtocol
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.probability import uniform_below
from protocols.binary import Words, are_below, remainders
from protocols.random_partition import RandomPartition

__all__ = ["EqualityOptimal", "EqualityPartition"]


@validated
class EqualityPartition(RandomPartition):
    """Equality of two numbers below ``n`` by a random partition, one class of which is rejected.

    Alice sends the class of her number. Bob answers 1 if his number is in the same class and the
    class is not the rejected one.

    Attributes
    ----------
    n : int
        Number of inputs: at most 512, or a prime or power of two below ``2**512``.
    messages : int
        Number of classes, at least 1.
    rejected : int
        Size of the class to which Bob always answers 0. If it is 0, there is no such class and the
        error is one-sided; if it is ``n``, there is no other class.

    Examples
    --------
    >>> protocol = EqualityPartition(n=6, messages=3, rejected=2)
    >>> protocol.error(0, 0), protocol.error(0, 1)
    (Fraction(1, 3), Fraction(2, 15))
    """

    family: ClassVar[str] = "equality_partition"

    rejected: int = 0

    def __post_init__(self) -> None:
        RandomPartition.__post_init__(self)
        check_parameter(f"{self.family}: rejected", self.rejected, 0)
        if self.rejected > self.n or (self.messages == 1 and 0 < self.rejected < self.n):
            most = self.n if self.messages > 1 else f"0 or {self.n} with one message"
            raise DomainError(
                f"{self.family}: rejected must be at most {most}, not {self.rejected}"
            )

    @property
    def _accepting(self) -> int:
        """Number of classes to which Bob answers 1."""
        return self.messages - (self.rejected > 0)

    @property
    def _errors(self) -> tuple[Fraction, Fraction]:
        """Errors on different inputs and on equal inputs."""
        accepted = self.n - self.rejected
        inside = pairs_inside_classes(accepted, self._accepting) if accepted else 0
        different = Fraction(inside, self.n * (self.n - 1)) if self.n > 1 else Fraction(0)
        return different, Fraction(self.rejected, self.n)

    @property
    def stated_error(self) -> Fraction:
        """Largest error."""
        return max(self._errors)

    def error(self, x: int, y: int) -> Fraction:
        """Return the probability of rejecting ``x = y``, or of accepting ``x != y``."""
        return self._errors[x == y]

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return random inputs, equal or different, whichever has the larger error."""
        different, equal = self._errors
        if self.n == 1 or equal > different:
            return (uniform_below(self.n, rng),) * 2
        return self._different(rng)

    def alice(self, x: int, coins: int) -> int:
        """Return the number of the class of ``x``; the last class is the rejected one."""
        image = self.permutations.image(x, coins)
        return image % max(1, self._accepting) if image < self.n - self.rejected else self._last

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return 1 iff ``y`` lies in the class of the message and this class is not rejected."""
        return int(message == self.alice(y, coins) and message < self._accepting)

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return the number of the class of ``x`` in each run."""
        return self.classes(self.permutations.images(x, self._split(coins)[1]))

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        return self.answers(messages, self.permutations.images(y, self._split(coins)[1]))

    @property
    def _last(self) -> int:
        return self.messages - 1

    def classes(self, images: Words) -> Batch:
        """Return the number of the class of each image of an input."""
        classes = remainders(images, max(1, self._accepting))
        if not self.rejected:
            return classes
        return np.where(are_below(images, self.n - self.rejected), classes, self._last)

    def answers(self, messages: Batch, images: Words) -> Batch:
        """Return Bob's answers, given the messages and the images of his input."""
        answers: Batch = (messages == self.classes(images)) & (messages < self._accepting)
        return answers.astype(np.uint8)


@validated
class EqualityOptimal(RandomPartition):
    """Equality of two numbers below ``n``, with the least possible error.

    Attributes
    ----------
    n : int
        Number of inputs: at most 512, or a prime or power of two below ``2**512``.
    messages : int
        Number of messages, at least 1.

    Examples
    --------
    >>> protocol = EqualityOptimal(n=4, messages=2)
    >>> protocol.stated_error, len(protocol.tabulate().components)
    (Fraction(3, 13), 7)
    >>> round(float(EqualityOptimal(n=2**256, messages=4).stated_error), 9)
    0.1875
    """

    family: ClassVar[str] = "equality_optimal"

    @property
    def optimum(self) -> EqualityValue:
        """The minimax error, with the sizes and probabilities of the partitions."""
        return equality_error(self.n, self.messages)

    @property
    def partitions(self) -> tuple[EqualityPartition, EqualityPartition]:
        """The even partition, and the partition with a rejected class."""
        rejected = self.optimum.rejected if self.optimum.full < 1 else 0
        return (
            EqualityPartition(self.n, self.messages),
            EqualityPartition(self.n, self.messages, rejected),
        )

    parts = Renamed("partitions")

    @property
    def _num_parts(self) -> int:
        """Denominator of the probability of the first partition."""
        return self.optimum.full.denominator

    @property
    def stated_error(self) -> Fraction:
        """Largest error; every input has this error."""
        return self.optimum.value

    def error(self, x: int, y: int) -> Fraction:
        """Return the minimax error of equality; every input has this error."""
        return self.stated_error

    def hard_input(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return two distinct random inputs if ``n > 1``; all inputs are equally hard."""
        return self._different(rng) if self.n > 1 else (0, 0)

    def alice(self, x: int, coins: int) -> int:
        """Return the number of the class of ``x``."""
        part, permutation = self._part(coins)
        return part.alice(x, permutation)

    def bob(self, message: int, y: int, coins: int) -> int:
        """Return 1 iff ``y`` lies in the class of the message and this class is not rejected."""
        part, permutation = self._part(coins)
        return part.bob(message, y, permutation)

    def _part(self, coins: int) -> tuple[EqualityPartition, int]:
        """Return the partition drawn, and the number of the permutation."""
        part, permutation = divmod(coins, self.permutations.size)
        return self.partitions[part >= self.optimum.full.numerator], permutation

    def alice_batch(self, x: int, coins: Batch) -> Batch:
        """Return the number of the class of ``x`` in each run."""
        is_even, images = self._images(x, coins)
        even, rejecting = (part.classes(images) for part in self.partitions)
        return np.where(is_even, even, rejecting)

    def bob_batch(self, messages: Batch, y: int, coins: Batch) -> Batch:
        """Return Bob's answer in each run."""
        is_even, images = self._images(y, coins)
        even, rejecting = (part.answers(messages, images) for part in self.partitions)
        return np.where(is_even, even, rejecting)

    def _images(self, x: int, coins: Batch) -> tuple[Batch, Words]:
        """Return, for each run, whether the first partition is drawn, and the image of an input."""
        parts, members = self._split(coins)
        is_even = are_below(parts, self.optimum.full.numerator)
        return is_even, self.permutations.images(x, members)

    def tabulate(self, budget: Budget | None = None) -> PublicCoinProtocol:
        """Return the mixture of the tables of the two partitions."""
        full = self.optimum.full
        weighted = zip((full, 1 - full), self.partitions, strict=True)
        return PublicCoinProtocol.mixture((w, part.tabulate(budget)) for w, part in weighted)
