"""One-way protocols as exact tables: deterministic, private-coin, public-coin and symmetric.

A protocol with ``k`` messages costs ``ceil(log2 k)`` bits: messages have a fixed length, as `fx`
Theorem 3.1 requires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any, Self, TypeAlias, cast, final

import numpy as np

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types, iterated
from ccsim.arguments.renamed import renamed_arguments
from ccsim.arguments.values import show_value
from ccsim.certificates import Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers, weights_of
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
from ccsim.communication.protocols.play import Play
from ccsim.communication.protocols.two_party import IntegerErrors
from ccsim.communication.protocols.two_way import PublicCoinTwoWayProtocol, Turn, TwoWayProtocol
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.exact.fractions import as_fraction
from ccsim.exact.probability import check_parts, draw, weighted
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry, cell_orbits
from ccsim.texts.labels import check_size, is_bit, listed, text_row

_Tables: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]  # messages, and Bob's answers

Coins: TypeAlias = Iterable[Any] | Mapping[Any, Fraction | int | str]
"""Equally likely outcomes, or outcomes with their probabilities."""

MAX_IMAGES = 1 << 16  # maximum number of images of components under symmetries


@validated
class DeterministicProtocol(OneWayProtocol):
    """A deterministic one-way protocol: Alice's map to messages and Bob's table of answers.

    Attributes
    ----------
    alice : tuple of int
        Message of each input of Alice, below ``len(bob)``.
    bob : tuple of int
        For each message, the bit mask of Bob's inputs on which he answers 1.
    num_bob : int
        Number of inputs of Bob.

    Examples
    --------
    >>> P = DeterministicProtocol(alice=(0, 1, 1), bob=(0b001, 0b110), num_bob=3)
    >>> P.messages, P.cost_bits, P.output_probability(2, 1)
    (2, 1, Fraction(1, 1))
    """

    alice: tuple[int, ...]
    bob: tuple[int, ...]
    num_bob: int = field()  # so that the abstract property is not its default

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        check_size(1, self.num_bob, "Bob's side")
        if not self.bob or self.num_bob < 0:
            raise DomainError(
                "a protocol must have at least one message, and num_bob must be at least 0"
            )
        for x, message in enumerate(self.alice):
            if not 0 <= message < len(self.bob):
                raise DomainError(
                    f"alice[{x}] must be a message below {len(self.bob)}, not {message}"
                )
        for m, answers in enumerate(self.bob):
            if not 0 <= answers < 1 << self.num_bob:
                raise DomainError(
                    f"bob[{m}] must be at least 0 and below 2**{self.num_bob}, not {answers}"
                )

    def __str__(self) -> str:
        messages = counted(self.messages, "message", "messages")
        return f"{self.num_alice} x {self.num_bob}, {messages}"

    @classmethod
    def from_functions(
        cls,
        alice: Callable[[Any], Hashable],
        bob: Callable[[Any, Any], int],
        alice_inputs: Iterable[Any],
        bob_inputs: Iterable[Any],
    ) -> Self:
        """Return the protocol with message ``alice(x)`` and answer ``bob(message, y)``.

        Messages may be any hashable objects; they are numbered in order of first appearance.

        Examples
        --------
        >>> P = DeterministicProtocol.from_functions(
        ...     lambda x: x % 2, lambda message, y: message == y % 2, range(4), range(4)
        ... )
        >>> P.alice, P.bob
        ((0, 1, 0, 1), (5, 10))
        """
        xs, ys = _sides(alice, bob, alice_inputs, bob_inputs)
        check_size(len(xs), len(ys), "the protocol")
        sent, messages = sent_messages(alice, ((x,) for x in xs))
        masks = [answer_mask(bob, i, ((m, y) for y in ys)) for i, m in enumerate(messages)]
        return cls(sent, tuple(masks), len(ys))

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return len(self.alice)

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.bob)

    def answer(self, x: int, y: int) -> int:
        """Return Bob's answer on inputs ``x`` and ``y``."""
        return self.bob[self.alice[x]] >> y & 1

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the answer as a probability, 0 or 1."""
        return Fraction(self.answer(x, y))

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol; no coins are used."""
        return Transcript(x, y, None, self.alice[x], self.answer(x, y))

    def _senders(self, run: Transcript) -> tuple[int, ...]:
        return tuple(x for x, message in enumerate(self.alice) if message == run.message)

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        return self.to_public_coin()._integer_errors(problem)

    def to_private_coin(self) -> PrivateCoinProtocol:
        """Return the same protocol as a private-coin protocol, with probabilities 0 and 1."""
        alice = tuple(
            tuple(Fraction(m == sent) for m in range(self.messages)) for sent in self.alice
        )
        of_bit = Fraction(0), Fraction(1)
        bob = tuple(
            tuple(of_bit[answers >> y & 1] for y in range(self.num_bob)) for answers in self.bob
        )
        return PrivateCoinProtocol(alice, bob)

    def to_two_way(self) -> TwoWayProtocol:
        """Return the two-way protocol in which Bob replies with the answer, unless Alice knows it.

        Examples
        --------
        >>> DeterministicProtocol((0, 1), (0b01, 0b10), 2).to_two_way().cost_bits
        2
        """
        nodes: list[Turn | int] = [Turn("alice", self.alice)]
        for answers in self.bob[: max(self.alice) + 1]:
            said = tuple(answers >> y & 1 for y in range(self.num_bob))
            nodes += [said[0]] if len({*said}) == 1 else [Turn("bob", said), 0, 1]
        return TwoWayProtocol(tuple(nodes), self.num_alice, self.num_bob)

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the same protocol as a mixture with one component."""
        return PublicCoinProtocol((Fraction(1),), (self,))

    def to_json(self) -> dict[str, Any]:
        """Return the protocol for use in a certificate."""
        return {"components": [{"weight": 1, **self.table_json()}], "symmetries": []}

    def table_json(self) -> dict[str, Any]:
        """Return the two tables only, as in a component of a mixture."""
        return {
            "alice": list(self.alice),
            "bob": [text_row(answers, self.num_bob) for answers in self.bob],
        }


@validated
class PrivateCoinProtocol(OneWayProtocol):
    """A private-coin protocol, given by two tables of probabilities.

    Attributes
    ----------
    alice : tuple of tuple of Fraction
        ``alice[x][m]`` is the probability that Alice sends message ``m`` on input ``x``; rows sum
        to 1.
    bob : tuple of tuple of Fraction
        ``bob[m][y]`` is the probability that Bob answers 1 to message ``m`` on input ``y``.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> P = PrivateCoinProtocol(alice=((1, 0), (half, half)), bob=((1,), (0,)))
    >>> P.output_probability(1, 0), P.messages
    (Fraction(1, 2), 2)
    """

    alice: tuple[tuple[Fraction, ...], ...]
    bob: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        rows = tuple(iterated(self.alice, "alice", "rows"))
        alice = tuple(probability_vector(row, f"alice[{x}]") for x, row in enumerate(rows))
        found: dict[int, Fraction] = {}  # by object: many probabilities are the same
        tables = [
            [*iterated(row, f"bob[{m}]", "probabilities")]
            for m, row in enumerate(iterated(self.bob, "bob", "rows"))
        ]
        for m, row in enumerate(tables):
            for y, p in enumerate(row):
                if id(p) not in found:
                    found[id(p)] = as_fraction(p, f"bob[{m}][{y}]", 0, 1)
        bob = tuple(tuple(found[id(p)] for p in row) for row in tables)
        if not bob or not alice:
            raise DomainError("a protocol must have at least one input of Alice and one message")
        if any(len(row) != len(bob) for row in alice) or any(len(r) != len(bob[0]) for r in bob):
            raise DomainError(
                f"every row of alice must have {len(bob)} entries, and every row of bob "
                f"{len(bob[0])}"
            )
        object.__setattr__(self, "alice", alice)
        object.__setattr__(self, "bob", bob)

    @classmethod
    def from_functions(
        cls,
        alice: Callable[[Any, Any], Hashable],
        bob: Callable[..., int],
        alice_inputs: Iterable[Any],
        bob_inputs: Iterable[Any],
        coins: Coins,
        bob_coins: Coins | None = None,
    ) -> Self:
        """Return the protocol with message ``alice(x, coin)`` and answer ``bob(message, y)``.

        Parameters
        ----------
        alice, bob : callable
            Functions that return Alice's message, of any hashable type, and Bob's answer, 0 or 1.
            If ``bob_coins`` is given, Bob's coin is the third argument of ``bob``.
        alice_inputs, bob_inputs : iterable
            Inputs of each player, in order.
        coins, bob_coins : iterable or mapping
            Equally likely outcomes, or outcomes with their probabilities.

        Examples
        --------
        >>> P = PrivateCoinProtocol.from_functions(
        ...     lambda x, coin: x[coin], lambda bit, y: bit == "1", ["01", "11"], [0], coins=[0, 1]
        ... )
        >>> P.output_probability(0, 0), P.output_probability(1, 0)
        (Fraction(1, 2), Fraction(1, 1))
        """
        xs, ys = _sides(alice, bob, alice_inputs, bob_inputs)
        hers = weighted_coins(coins, "coins")
        his = () if bob_coins is None else weighted_coins(bob_coins, "bob_coins")
        check_size(len(xs) * len(hers), len(ys) * max(len(his), 1), "the protocol")
        sent, messages = sent_messages(alice, ((x, coin) for x in xs for coin, _ in hers))
        distributions = [[Fraction(0)] * len(messages) for _ in xs]
        for call, m in enumerate(sent):
            x, coin = divmod(call, len(hers))
            distributions[x][m] += hers[coin][1]
        table = []
        for i, message in enumerate(messages):
            masks = [
                (answer_mask(bob, i, ((message, y, coin) for y in ys)), w) for coin, w in his
            ] or [(answer_mask(bob, i, ((message, y) for y in ys)), Fraction(1))]
            ones = (sum((w for s, w in masks if s >> y & 1), Fraction(0)) for y in range(len(ys)))
            table.append(tuple(ones))
        return cls(tuple(map(tuple, distributions)), tuple(table))

    def __str__(self) -> str:
        messages = counted(self.messages, "message", "messages")
        return f"{self.num_alice} x {self.num_bob}, {messages}"

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return len(self.alice)

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return len(self.bob[0])

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.bob)

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""
        return sum(
            (sent * self.bob[m][y] for m, sent in enumerate(self.alice[x]) if sent), Fraction(0)
        )

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the protocol once with exact coins from ``rng``."""
        message = draw(self.alice[x], rng)
        one = self.bob[message][y]
        return Transcript(x, y, None, message, draw((1 - one, one), rng))

    def _senders(self, run: Transcript) -> tuple[int, ...]:
        return tuple(x for x, row in enumerate(self.alice) if row[run.message])

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        grid = common_denominator(p for row in self.bob for p in row)
        bob = [[p.numerator * (grid // p.denominator) for p in row] for row in self.bob]
        for distribution, ones, inside in zip(
            self.alice, problem.ones, problem.promise, strict=True
        ):
            unit = common_denominator(distribution)
            answers = [0] * self.num_bob
            for p, row in zip(distribution, bob, strict=True):
                if share := int(p * unit):
                    answers = [one + share * a for one, a in zip(answers, row, strict=True)]
            scale = unit * grid
            yield (
                [(y, scale - answers[y] if ones >> y & 1 else answers[y]) for y in members(inside)],
                scale,
            )

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the public-coin protocol with the same error on every input.

        The mixture has at most ``a * b`` components. Here ``a`` is the number of distinct positive
        cumulative probabilities of Alice's messages, and ``b`` that of distinct positive
        probabilities of Bob, including 1.
        """
        messages = [list(accumulate(row)) for row in self.alice]
        cuts_alice = sorted({cut for row in messages for cut in row} | {Fraction(0)})
        cuts_bob = sorted({p for row in self.bob for p in row} | {Fraction(0), Fraction(1)})
        tables = []
        for low, high in pairwise(cuts_bob):
            masks = (sum(1 << y for y, p in enumerate(row) if p > low) for row in self.bob)
            tables.append((high - low, tuple(masks)))
        mixture = []
        for low, high in pairwise(cuts_alice):
            sent = tuple(next(m for m, cut in enumerate(row) if low < cut) for row in messages)
            mixture += [
                ((high - low) * weight, DeterministicProtocol(sent, bob, self.num_bob))
                for weight, bob in tables
            ]
        return PublicCoinProtocol.mixture(mixture)

    def to_json(self) -> dict[str, Any]:
        """Return the protocol for use in a certificate."""
        unit = common_denominator(p for row in self.bob for p in row)
        alice = [
            [[w, m] for m, w in enumerate(weights_of(distribution)) if w not in {0, "0"}]
            for distribution in self.alice
        ]
        whole = [[p.numerator * (unit // p.denominator) for p in row] for row in self.bob]
        bob = [_accepted_sets(row, unit) for row in whole]
        component = {"weight": 1, "alice": alice, "bob": bob}
        return {"components": [component], "symmetries": []}


@final
@validated
class PublicCoinProtocol(OneWayProtocol):
    """A public-coin protocol: a finite mixture of deterministic protocols.

    Attributes
    ----------
    weights : tuple of Fraction
        Probabilities of the components; positive, with sum 1.
    components : tuple of DeterministicProtocol
        The deterministic protocols, all with the same numbers of inputs and messages.

    Examples
    --------
    >>> P = DeterministicProtocol((0, 1), (0b01, 0b10), 2)
    >>> Q = DeterministicProtocol((0, 0), (0b00, 0b00), 2)
    >>> PublicCoinProtocol.mixture([("1/3", P), ("2/3", Q)]).output_probability(0, 0)
    Fraction(1, 3)
    """

    weights: tuple[Fraction, ...]
    components: tuple[DeterministicProtocol, ...]

    def __post_init__(self) -> None:
        weights = probability_vector(self.weights, "weights")
        check_parts(self.components, DeterministicProtocol, "components")
        if len(weights) != len(self.components) or 0 in weights:
            raise DomainError("every component must have a positive weight")
        if len({(P.num_alice, P.num_bob, P.messages) for P in self.components}) != 1:
            raise DomainError("components must have the same numbers of inputs and messages")
        object.__setattr__(self, "weights", weights)

    @classmethod
    def from_functions(
        cls,
        alice: Callable[[Any, Any], Hashable],
        bob: Callable[[Any, Any, Any], int],
        alice_inputs: Iterable[Any],
        bob_inputs: Iterable[Any],
        coins: Coins,
    ) -> Self:
        """Return the protocol with message ``alice(x, coin)`` and answer ``bob(message, y, coin)``.

        Parameters
        ----------
        alice, bob : callable
            Functions that return Alice's message, of any hashable type, and Bob's answer, 0 or 1.
        alice_inputs, bob_inputs : iterable
            Inputs of each player, in order.
        coins : iterable or mapping
            Equally likely outcomes of the public coin, or a mapping from outcomes to probabilities.

        Notes
        -----
        For each outcome, messages are numbered in order of first appearance. The number of messages
        is the maximum over the outcomes.

        Examples
        --------
        >>> alice = lambda x, r: (x & r).bit_count() % 2
        >>> bob = lambda message, y, r: message == alice(y, r)
        >>> hashing = PublicCoinProtocol.from_functions(alice, bob, range(4), range(4), range(4))
        >>> hashing.messages, hashing.output_probability(1, 1), hashing.output_probability(1, 2)
        (2, Fraction(1, 1), Fraction(1, 2))
        """
        xs, ys = _sides(alice, bob, alice_inputs, bob_inputs)
        both = weighted_coins(coins, "coins")
        check_size(len(xs) * len(both), len(ys), "the protocol")

        def given(coin: Any) -> DeterministicProtocol:  # noqa: ANN401 - any outcome
            return DeterministicProtocol.from_functions(
                lambda x: alice(x, coin), lambda message, y: bob(message, y, coin), xs, ys
            )

        parts = [given(coin) for coin, _ in both]
        most = max(part.messages for part in parts)
        return cls(
            tuple(weight for _, weight in both),
            tuple(replace(P, bob=(*P.bob, *[0] * (most - P.messages))) for P in parts),
        )

    @classmethod
    @renamed_arguments(parts="components")
    def mixture(
        cls,
        components: Iterable[
            tuple[object, DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol]
        ],
    ) -> Self:
        """Return the mixture of the given protocols; equal components are merged.

        Parameters
        ----------
        components : iterable of (weight, protocol)
            Weights must sum to 1; components of weight 0 are dropped. Protocols with private coins
            are expanded, and protocols with fewer messages are padded with unused messages.
        """
        joined: dict[DeterministicProtocol, Fraction] = {}
        kinds = (DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol)
        for share, part in weighted(components, kinds, "protocol"):
            if isinstance(part, DeterministicProtocol):
                joined[part] = joined.get(part, Fraction(0)) + share
                continue
            mixed = part if isinstance(part, PublicCoinProtocol) else part.to_public_coin()
            for inner, component in zip(mixed.weights, mixed.components, strict=True):
                joined[component] = joined.get(component, Fraction(0)) + share * inner
        most = max((component.messages for component in joined), default=0)
        padded: dict[DeterministicProtocol, Fraction] = {}
        for component, weight in joined.items():
            if weight:
                full = component
                if missing := most - component.messages:
                    full = replace(component, bob=component.bob + component.bob[-1:] * missing)
                padded[full] = padded.get(full, Fraction(0)) + weight
        return cls(tuple(padded.values()), tuple(padded))

    def __str__(self) -> str:
        sides = f"{self.num_alice} x {self.num_bob}"
        seeds = counted(len(self.weights), "seed", "seeds")
        return f"{seeds}, {sides}, {counted(self.messages, 'message', 'messages')}"

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.components[0].num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.components[0].num_bob

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self.components[0].messages

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""
        return sum(
            (w for w, P in zip(self.weights, self.components, strict=True) if P.answer(x, y)),
            Fraction(0),
        )

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Draw a component with exact coins from ``rng`` and run it."""
        coins = draw(self.weights, rng)
        component = self.components[coins]
        return Transcript(x, y, coins, component.alice[x], component.answer(x, y))

    def _senders(self, run: Transcript) -> tuple[int, ...] | None:
        return self.components[run.coins or 0]._senders(run)

    def _told(self, coins: int | None) -> str:
        chosen = coins or 0
        return f"component {chosen} of {len(self.weights)}, probability {self.weights[chosen]}"

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        unit = common_denominator(self.weights)
        whole = [int(weight * unit) for weight in self.weights]
        for x, (ones, inside) in enumerate(zip(problem.ones, problem.promise, strict=True)):
            shares = [0] * self.num_bob
            for share, component in zip(whole, self.components, strict=True):
                for y in members((component.bob[component.alice[x]] ^ ones) & inside):
                    shares[y] += share
            yield [(y, shares[y]) for y in members(inside)], unit

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the protocol itself."""
        return self

    def to_two_way(self) -> PublicCoinTwoWayProtocol:
        """Return the mixture of the components as two-way protocols."""
        parts = zip(self.weights, self.components, strict=True)
        return PublicCoinTwoWayProtocol.mixture((w, P.to_two_way()) for w, P in parts)

    def to_json(self) -> dict[str, Any]:
        """Return the protocol for use in a certificate."""
        parts = zip(weights_of(self.weights), self.components, strict=True)
        components = [{"weight": weight, **part.table_json()} for weight, part in parts]
        return {"components": components, "symmetries": []}


@validated
class SymmetricProtocol(OneWayProtocol):
    """A mixture of deterministic protocols, each run after a uniformly random symmetry.

    The public coins draw a component and an element of the group that the symmetries generate;
    Alice and Bob run the component on the images of their inputs, and Bob undoes the flip of the
    answer.

    Attributes
    ----------
    base : PublicCoinProtocol
        The protocol to which the symmetries are applied.
    symmetries : tuple of Symmetry
        Generators of the group, with the same numbers of inputs as the protocol.

    Examples
    --------
    >>> swap = Symmetry((1, 0), (0, 1), 0b11)
    >>> half = SymmetricProtocol(
    ...     DeterministicProtocol((0, 0), (0b01,), 2).to_public_coin(), (swap,)
    ... )
    >>> half.output_probability(0, 0), half.to_public_coin().weights
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """

    base: PublicCoinProtocol
    symmetries: tuple[Symmetry, ...]

    def __post_init__(self) -> None:
        shape = (self.num_alice, self.num_bob)
        for symmetry in self.symmetries:
            if (found := (len(symmetry.rows), len(symmetry.columns))) != shape:
                raise DomainError(f"symmetries must act on {shape} inputs, not on {found}")

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.base.num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.base.num_bob

    @property
    def messages(self) -> int:
        """Number of messages."""
        return self.base.messages

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""
        images = self._images(x, y)
        ones = (self.base.output_probability(*cell) for cell in images)
        return sum(
            (1 - one if flip else one for one, flip in zip(ones, images.values(), strict=True)),
            Fraction(0),
        ) / len(images)

    def _images(self, x: int, y: int) -> dict[tuple[int, int], int]:
        """Return the orbit of a cell and, for each image, whether its value is flipped."""
        images, queue = {(x, y): 0}, [(x, y)]
        for a, b in queue:
            for symmetry in self.symmetries:
                image = symmetry.cell(a, b)
                if image not in images:
                    images[image] = images[a, b] ^ (symmetry.flips >> b & 1)
                    queue.append(image)
        return images

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Draw a symmetry and a component with exact coins from ``rng``, and run the component."""
        images = list(self._images(x, y).items())
        (a, b), flip = images[int(rng.integers(len(images)))]
        coins = draw(self.base.weights, rng)
        component = self.base.components[coins]
        return Transcript(x, y, coins, component.alice[a], component.answer(a, b) ^ flip)

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Play the explicit mixture; see `DeterministicProtocol.play`."""
        return self.to_public_coin().play(x, y, problem, seed=seed)

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the same protocol as an explicit mixture.

        Raises
        ------
        InstanceTooLargeError
            If the components have more than `MAX_IMAGES` images.
        """
        parts = zip(self.base.weights, self.base.components, strict=True)
        images = expanded(parts, self.symmetries, MAX_IMAGES)
        if images is None:
            raise InstanceTooLargeError(
                f"the components must have at most {MAX_IMAGES} images under the symmetries"
            )
        return PublicCoinProtocol.mixture(images)

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        """Yield the errors as integers in a unit.

        If all symmetries are symmetries of the problem, they are mean errors over the orbits.
        """
        try:
            for symmetry in self.symmetries:
                symmetry.verify(problem.ones, len(problem.bob), problem.promise)
        except CertificateError:
            yield from OneWayProtocol._integer_errors(self, problem)
            return
        rows, cells = list(self.base._integer_errors(problem)), problem.inputs()
        shape = len(problem.alice), len(problem.bob)
        firsts = dict(zip(cells, cell_orbits(cells, self.symmetries, shape), strict=True))
        sizes, sums = Counter(firsts.values()), dict.fromkeys(firsts.values(), 0)
        for x, (errors, _) in enumerate(rows):
            for y, wrong in errors:
                sums[firsts[x, y]] += wrong
        scale = lcm(*sizes.values())
        means = {first: wrong * (scale // sizes[first]) for first, wrong in sums.items()}
        for x, (errors, unit) in enumerate(rows):  # all in one unit
            yield [(y, means[firsts[x, y]]) for y, _ in errors], unit * scale

    def to_json(self) -> dict[str, Any]:
        """Return the protocol for use in a certificate."""
        return {
            "components": self.base.to_json()["components"],
            "symmetries": [symmetry.to_json() for symmetry in self.symmetries],
        }


@checked_types
def protocol_certificate(
    protocol: DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol | SymmetricProtocol,
    problem: CommunicationProblem,
) -> Certificate:
    """Return the certificate of the worst-case error of a protocol, with both bounds.

    Parameters
    ----------
    protocol : DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol or SymmetricProtocol
    problem : CommunicationProblem

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> protocol_certificate(constant, equality(2)).kind
    'protocol_error'
    """
    worst = protocol.worst_error(problem)
    value = encode_fraction(worst.value)
    return Certificate(
        "protocol_error",
        problem.to_json(),
        {"protocol": protocol.to_json(), "lower": value, "upper": value},
        {"input": {"cell": [worst.x, worst.y]}},
        {"all_inputs": {}},
    )


def images_of(
    protocol: DeterministicProtocol, symmetries: tuple[Symmetry, ...], most: int
) -> list[DeterministicProtocol] | None:
    """Return the distinct images of a protocol under the group, or None if there are too many."""

    def image(tables: _Tables, move: tuple[Callable[[int], int], tuple[int, ...]]) -> _Tables:
        (alice, bob), (mask, rows) = tables, move
        return _in_order(tuple(map(alice.__getitem__, rows)), tuple(map(mask, bob)))

    moves = [(cache(symmetry.mask), symmetry.inverse().rows) for symmetry in symmetries]
    found = orbit(_in_order(protocol.alice, protocol.bob), moves, image, most)
    if len(found) > most:
        return None
    return [DeterministicProtocol(alice, bob, protocol.num_bob) for alice, bob in found]


def expanded(
    parts: Iterable[tuple[Fraction, DeterministicProtocol]],
    symmetries: tuple[Symmetry, ...],
    most: int,
) -> list[tuple[Fraction, DeterministicProtocol]] | None:
    """Return a mixture with the images of its components, or None if there are too many."""
    result: list[tuple[Fraction, DeterministicProtocol]] = []
    for weight, part in parts:
        images = images_of(part, symmetries, most - len(result))
        if images is None:
            return None
        result += [(weight / len(images), image) for image in images]
    return result


def _in_order(alice: tuple[int, ...], bob: tuple[int, ...]) -> _Tables:
    """Return the tables of a protocol with messages numbered by first use.

    Unused messages come last, with the answers of the last used message.
    """
    number: dict[int, int] = {}
    sent = tuple(number.setdefault(m, len(number)) for m in alice)
    tables = [bob[m] for m in number]
    tables += tables[-1:] * (len(bob) - len(tables))
    return sent, tuple(tables)


def _accepted_sets(shares: list[int], unit: int) -> list[list[Any]]:
    """Return weighted sets of inputs, of total weight ``unit``.

    The sets that contain an input have the share of this input as their total weight.
    """
    return [
        [encode_integers([high - low])[0], "".join("01"[share >= high] for share in shares)]
        for low, high in pairwise(sorted({0, *shares, unit}))
    ]


def _sides(
    alice: object, bob: object, alice_inputs: Iterable[Any], bob_inputs: Iterable[Any]
) -> tuple[list[Any], list[Any]]:
    """Check that the two players are functions, and return the inputs of each."""
    for function, side in ((alice, "alice"), (bob, "bob")):
        if not callable(function):
            raise DomainError(f"{side} must be a function, not {show_value(function)}")
    return listed(alice_inputs, "alice_inputs"), listed(bob_inputs, "bob_inputs")


def weighted_coins(coins: Coins, name: str) -> tuple[tuple[Any, Fraction], ...]:
    """Return the outcomes of coins that have positive probability, with their probabilities."""
    if isinstance(coins, Mapping):
        weights = probability_vector(coins.values(), name)
        return tuple((coin, w) for coin, w in zip(coins, weights, strict=True) if w)
    outcomes = tuple(coins) if isinstance(coins, str) else tuple(listed(coins, name))
    if not outcomes:
        raise DomainError(f"{name} must have at least one outcome")
    return tuple((coin, Fraction(1, len(outcomes))) for coin in outcomes)


def sent_messages(
    alice: Callable[..., Hashable], calls: Iterable[Sequence[Any]]
) -> tuple[tuple[int, ...], tuple[Hashable, ...]]:
    """Return the number of each call's message, and the messages by first appearance."""
    sent = [alice(*given) for given in calls]
    try:
        numbers = {message: m for m, message in enumerate(dict.fromkeys(sent))}
    except TypeError:
        raise DomainError("alice must return hashable messages") from None
    return tuple(numbers[message] for message in sent), tuple(numbers)


def answer_mask(bob: Callable[..., Any], number: int, calls: Iterable[Sequence[Any]]) -> int:
    """Return Bob's answers to a message on all inputs as a bit mask."""
    mask = 0
    for y, given in enumerate(calls):
        answer = bob(*given)
        if not is_bit(answer):
            raise DomainError(
                f"bob must answer message {number} with 0 or 1, not {show_value(answer)}"
            )
        mask |= int(cast("int", answer)) << y
    return mask
