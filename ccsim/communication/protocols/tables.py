"""One-way protocols as exact tables: deterministic, private-coin and public-coin.

Conventions: a protocol with ``k`` messages costs ``ceil(log2 k)`` bits (fixed-length messages, as
`fx` Theorem 3.1 needs); one message costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, Self, final

import numpy as np

from ccsim.appearance import counted
from ccsim.arguments.checked import iterated
from ccsim.certificates import encode_integers, weights_of
from ccsim.classes.masks import members
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.coins import (
    Coins,
    answer_mask,
    check_functions,
    sent_messages,
    weighted_coins,
)
from ccsim.communication.protocols.one_way import IntegerErrors, OneWayProtocol, Transcript
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import common_denominator, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.exact.fractions import as_fraction
from ccsim.exact.probability import check_parts, draw, weighted
from ccsim.texts.labels import check_size, listed, text_row


@validated
class DeterministicProtocol(OneWayProtocol):
    """Alice's map from inputs to messages and Bob's table of answers.

    Attributes
    ----------
    alice : tuple of int
        Message of each input of Alice, below ``len(bob)``.
    bob : tuple of int
        For each message the bit mask of Bob's inputs that are answered 1.
    num_bob : int
        Number of inputs of Bob.

    Raises
    ------
    DomainError
        If there is no message, or an entry is out of range.

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
            raise DomainError("a protocol needs at least one message, and 0 inputs of Bob or more")
        for x, message in enumerate(self.alice):
            if not 0 <= message < len(self.bob):
                raise DomainError(
                    f"alice[{x}] must be a message below {len(self.bob)}, not {message}"
                )
        for m, answers in enumerate(self.bob):
            if not 0 <= answers < 1 << self.num_bob:
                raise DomainError(f"bob[{m}] must lie in [0, 2**{self.num_bob}), not {answers}")

    def __str__(self) -> str:
        """Return the sizes: ``8 x 8, 3 messages``."""
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
        """Return the protocol where Alice sends ``alice(x)`` and Bob answers ``bob(message, y)``.

        Messages may be anything hashable, and are numbered as they first appear. Complexity: one
        call of Alice's function an input, and of Bob's a message and an input of his.

        Raises
        ------
        DomainError
            At a message that is not hashable, or an answer that is neither 0 nor 1.
        InstanceTooLargeError
            Before any call.

        Examples
        --------
        >>> P = DeterministicProtocol.from_functions(
        ...     lambda x: x % 2, lambda message, y: message == y % 2, range(4), range(4)
        ... )
        >>> P.alice, P.bob
        ((0, 1, 0, 1), (5, 10))
        """
        check_functions(alice, bob)
        xs, ys = listed(alice_inputs, "alice_inputs"), listed(bob_inputs, "bob_inputs")
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

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        return self.to_public_coin()._integer_errors(problem)

    def to_private_coin(self) -> PrivateCoinProtocol:
        """Return the same protocol with degenerate private coins; no error changes."""
        alice = tuple(
            tuple(Fraction(m == sent) for m in range(self.messages)) for sent in self.alice
        )
        bob = tuple(
            tuple(Fraction(answers >> y & 1) for y in range(self.num_bob)) for answers in self.bob
        )
        return PrivateCoinProtocol(alice, bob)

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the mixture of this one protocol; no error changes."""
        return PublicCoinProtocol((Fraction(1),), (self,))

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as a part of a certificate."""
        return {"components": [{"weight": 1, **self.table_json()}], "symmetries": []}

    def table_json(self) -> dict[str, Any]:
        """Return the two tables alone, as in a component of a mixture."""
        return {
            "alice": list(self.alice),
            "bob": [text_row(answers, self.num_bob) for answers in self.bob],
        }


@validated
class PrivateCoinProtocol(OneWayProtocol):
    """Two stochastic tables: Alice and Bob each toss their own coins.

    Attributes
    ----------
    alice : tuple of tuple of Fraction
        ``alice[x][m]`` is the probability that Alice sends ``m`` on input ``x``; rows sum to 1.
    bob : tuple of tuple of Fraction
        ``bob[m][y]`` is the probability that Bob answers 1.

    Raises
    ------
    DomainError
        If a table is empty or ragged, or an entry is not a probability.

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
        bob = tuple(
            tuple(
                as_fraction(p, f"bob[{m}][{y}]", 0, 1)
                for y, p in enumerate(iterated(row, f"bob[{m}]", "probabilities"))
            )
            for m, row in enumerate(iterated(self.bob, "bob", "rows"))
        )
        if not bob or not alice:
            raise DomainError("a protocol needs at least one input of Alice and one message")
        if any(len(row) != len(bob) for row in alice) or any(len(r) != len(bob[0]) for r in bob):
            raise DomainError(
                f"every row of alice needs {len(bob)} entries, every row of bob {len(bob[0])}"
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
        """Return the protocol where Alice sends ``alice(x, coin)`` and Bob ``bob(message, y)``.

        Parameters
        ----------
        alice, bob : callable
            Bob's takes his own coin as a third argument if he has any.
        alice_inputs, bob_inputs : iterable
        coins, bob_coins : iterable or mapping
            Equally likely outcomes, or outcomes with their probabilities.

        Raises
        ------
        DomainError
            At a message that is not hashable, or an answer that is neither 0 nor 1.
        InstanceTooLargeError
            Before any call.

        Notes
        -----
        Messages are numbered as they first appear. Complexity: one call of Alice's function for an
        input and a coin, and of Bob's for a message, an input and a coin of his.

        Examples
        --------
        >>> P = PrivateCoinProtocol.from_functions(
        ...     lambda x, coin: x[coin], lambda bit, y: bit == "1", ["01", "11"], [0], coins=[0, 1]
        ... )
        >>> P.output_probability(0, 0), P.output_probability(1, 0)
        (Fraction(1, 2), Fraction(1, 1))
        """
        check_functions(alice, bob)
        xs, ys = listed(alice_inputs, "alice_inputs"), listed(bob_inputs, "bob_inputs")
        hers = weighted_coins(coins, "coins")
        his = () if bob_coins is None else weighted_coins(bob_coins, "bob_coins")
        check_size(len(xs) * len(hers), len(ys) * max(len(his), 1), "the protocol")
        sent, messages = sent_messages(alice, ((x, coin) for x in xs for coin, _ in hers))
        laws = [[Fraction(0)] * len(messages) for _ in xs]
        for call, m in enumerate(sent):
            x, coin = divmod(call, len(hers))
            laws[x][m] += hers[coin][1]
        table = []
        for i, message in enumerate(messages):
            masks = [
                (answer_mask(bob, i, ((message, y, coin) for y in ys)), w) for coin, w in his
            ] or [(answer_mask(bob, i, ((message, y) for y in ys)), Fraction(1))]
            table.append(
                tuple(
                    sum((w for mask, w in masks if mask >> y & 1), Fraction(0))
                    for y in range(len(ys))
                )
            )
        return cls(tuple(map(tuple, laws)), tuple(table))

    def __str__(self) -> str:
        """Return the sizes: ``8 x 8, 3 messages``."""
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

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        grid = common_denominator(p for row in self.bob for p in row)
        bob = [[p.numerator * (grid // p.denominator) for p in row] for row in self.bob]
        for law, ones, inside in zip(self.alice, problem.ones, problem.promise, strict=True):
            unit = common_denominator(law)
            answers = [0] * self.num_bob
            for p, row in zip(law, bob, strict=True):
                if share := int(p * unit):
                    answers = [one + share * a for one, a in zip(answers, row, strict=True)]
            scale = unit * grid
            yield (
                [(y, scale - answers[y] if ones >> y & 1 else answers[y]) for y in members(inside)],
                scale,
            )

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the public-coin protocol with the same error on every input.

        Alice's and Bob's coins become two independent public numbers in [0, 1); each part of the
        protocol is constant between the break points of its table, so that the mixture has at most
        ``(break points of Alice) * (break points of Bob)`` components.
        """
        messages = [list(accumulate(row)) for row in self.alice]
        cuts_alice = sorted({cut for row in messages for cut in row} | {Fraction(0)})
        cuts_bob = sorted({p for row in self.bob for p in row} | {Fraction(0), Fraction(1)})
        tables = [
            (
                high - low,
                tuple(sum(1 << y for y, p in enumerate(row) if p > low) for row in self.bob),
            )
            for low, high in pairwise(cuts_bob)
        ]
        mixture = []
        for low, high in pairwise(cuts_alice):
            sent = tuple(next(m for m, cut in enumerate(row) if low < cut) for row in messages)
            mixture += [
                ((high - low) * weight, DeterministicProtocol(sent, bob, self.num_bob))
                for weight, bob in tables
            ]
        return PublicCoinProtocol.mixture(mixture)

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as a part of a certificate."""
        unit = common_denominator(p for row in self.bob for p in row)
        alice = [
            [[w, m] for m, w in enumerate(weights_of(law)) if w not in {0, "0"}]
            for law in self.alice
        ]
        bob = [_accepted_sets([int(p * unit) for p in row], unit) for row in self.bob]
        component = {"weight": 1, "alice": alice, "bob": bob}
        return {"components": [component], "symmetries": []}


@final
@validated
class PublicCoinProtocol(OneWayProtocol):
    """A finite mixture of deterministic protocols: both see the same coins.

    Attributes
    ----------
    weights : tuple of Fraction
        Positive, sum 1.
    components : tuple of DeterministicProtocol
        All with the same numbers of inputs and messages.

    Raises
    ------
    DomainError
        If weights and components do not match, or components differ in shape.

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
            raise DomainError("every component needs one positive weight")
        if len({(P.num_alice, P.num_bob, P.messages) for P in self.components}) != 1:
            raise DomainError("components must agree in their numbers of inputs and of messages")
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
        """Return the protocol where Alice sends ``alice(x, coin)``, Bob ``bob(message, y, coin)``.

        Parameters
        ----------
        alice, bob : callable
        alice_inputs, bob_inputs : iterable
        coins : iterable or mapping
            Equally likely outcomes, or outcomes with their probabilities. Both see the outcome.

        Raises
        ------
        DomainError
            At a message that is not hashable, or an answer that is neither 0 nor 1.
        InstanceTooLargeError
            Before any call.

        Notes
        -----
        Messages are numbered for each outcome, as they first appear: the protocol has as many as
        are sent on the outcome with the most. Complexity: as many calls as a deterministic
        protocol's for each outcome.

        Examples
        --------
        >>> hashing = PublicCoinProtocol.from_functions(
        ...     lambda x, r: (x & r).bit_count() % 2,
        ...     lambda message, y, r: message == (y & r).bit_count() % 2,
        ...     range(4),
        ...     range(4),
        ...     coins=range(4),
        ... )
        >>> hashing.messages, hashing.output_probability(1, 1), hashing.output_probability(1, 2)
        (2, Fraction(1, 1), Fraction(1, 2))
        """
        check_functions(alice, bob)
        xs, ys = listed(alice_inputs, "alice_inputs"), listed(bob_inputs, "bob_inputs")
        both = weighted_coins(coins, "coins")
        check_size(len(xs) * len(both), len(ys), "the protocol")
        tables = []
        for coin, _ in both:
            sent, messages = sent_messages(alice, ((x, coin) for x in xs))
            masks = [
                answer_mask(bob, i, ((m, y, coin) for y in ys)) for i, m in enumerate(messages)
            ]
            tables.append((sent, masks))
        most = max(len(masks) for _, masks in tables)
        return cls(
            tuple(weight for _, weight in both),
            tuple(
                DeterministicProtocol(sent, (*masks, *[0] * (most - len(masks))), len(ys))
                for sent, masks in tables
            ),
        )

    @classmethod
    def mixture(
        cls,
        parts: Iterable[
            tuple[object, DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol]
        ],
    ) -> Self:
        """Return the mixture of protocols of any kind; equal components are joined.

        Parameters
        ----------
        parts : iterable of (weight, protocol)
            Weights sum to 1; parts of weight 0 are dropped. Protocols with private coins are
            expanded; fewer messages than the others' are padded with unused ones.
        """
        joined: dict[DeterministicProtocol, Fraction] = {}
        kinds = (DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol)
        for share, part in weighted(parts, kinds, "protocol"):
            mixed = part if isinstance(part, PublicCoinProtocol) else part.to_public_coin()
            for inner, component in zip(mixed.weights, mixed.components, strict=True):
                joined[component] = joined.get(component, Fraction(0)) + share * inner
        most = max((component.messages for component in joined), default=0)
        padded: dict[DeterministicProtocol, Fraction] = {}
        for component, weight in joined.items():
            if weight:
                bob = component.bob + component.bob[-1:] * (most - component.messages)
                full = DeterministicProtocol(component.alice, bob, component.num_bob)
                padded[full] = padded.get(full, Fraction(0)) + weight
        return cls(tuple(padded.values()), tuple(padded))

    def __str__(self) -> str:
        """Return the sizes: ``12 seeds, 8 x 8, 3 messages``."""
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

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        unit = common_denominator(self.weights)
        parts = [
            (int(weight * unit), component)
            for weight, component in zip(self.weights, self.components, strict=True)
        ]
        for x, (ones, inside) in enumerate(zip(problem.ones, problem.promise, strict=True)):
            shares = [0] * self.num_bob
            for share, component in parts:
                for y in members((component.bob[component.alice[x]] ^ ones) & inside):
                    shares[y] += share
            yield [(y, shares[y]) for y in members(inside)], unit

    def to_public_coin(self) -> PublicCoinProtocol:
        """Return the protocol itself."""
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as a part of a certificate."""
        parts = zip(weights_of(self.weights), self.components, strict=True)
        components = [{"weight": weight, **part.table_json()} for weight, part in parts]
        return {"components": components, "symmetries": []}


def _accepted_sets(shares: list[int], unit: int) -> list[list[Any]]:
    """Return sets of inputs with weights of sum ``unit`` that accept each input so often."""
    levels = sorted({0, *shares, unit})
    return [
        [
            encode_integers([high - low])[0],
            "".join("1" if share >= high else "0" for share in shares),
        ]
        for low, high in pairwise(levels)
    ]
