"""Two-way protocols as trees: deterministic ones, and their mixtures by public coins.

Each inner node has a speaker, and a message for each input of the speaker, which selects the
subtree. A leaf is an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Annotated, Any, Self

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.certificates import Certificate
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.play import PLAYERS, Play, PlayedMessage, bits_of, number_of
from ccsim.communication.protocols.two_party import IntegerErrors, TwoPartyProtocol
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import ceil_log2, common_denominator, probability_vector
from ccsim.exact.probability import check_parts, draw, generator, weighted
from ccsim.texts.labels import check_size, is_bit, listed

Rectangle = tuple[int, int]  # masks of inputs of Alice and of Bob
Rule = Callable[[tuple[int, ...]], Any]
_SIDES = ("rows", "columns")  # what certificates call the inputs of Alice and of Bob
MAX_MESSAGES = 1 << 24
"""Maximum number of nodes of a tree in a certificate, times the inputs of a player."""
Speaker = Annotated[str, Parameter("the player who speaks", choices=PLAYERS)]


@validated
class Turn:
    """An inner node of a two-way protocol: the speaker, and the message for each input.

    Attributes
    ----------
    messages : tuple of int
        The message for each input of the speaker. Messages are numbered from 0, and each of them
        up to the largest one has a subtree.

    Examples
    --------
    >>> Turn("bob", (0, 1, 1)).values
    2
    """

    speaker: Speaker
    messages: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.messages or min(self.messages) < 0:
            raise DomainError(
                "messages must be one or more numbers of at least 0, not "
                f"{show_value(self.messages)}"
            )

    @property
    def side(self) -> int:
        """0 if Alice speaks, 1 if Bob does."""
        return PLAYERS.index(self.speaker)

    @property
    def values(self) -> int:
        """Number of distinct messages."""
        return max(self.messages) + 1

    def parts(self, own: int) -> list[int]:
        """Return, for each message, the mask of the inputs in ``own`` that send it."""
        masks = [0] * self.values
        for i in members(own):
            masks[self.messages[i]] |= 1 << i
        return masks


@validated
class TwoWayProtocol(TwoPartyProtocol):
    """A deterministic two-way protocol: a tree of turns whose leaves are answers.

    Attributes
    ----------
    nodes : tuple of Turn or int
        The tree in preorder. A `Turn` is followed by the subtree of each of its messages; 0 or 1
        is a leaf with this answer.
    num_alice, num_bob : int
        Numbers of inputs.
    problem : CommunicationProblem or None
        The problem that provides labels and correct answers; ignored by ``==``.

    Examples
    --------
    >>> either = TwoWayProtocol((Turn("alice", (0, 1)), Turn("bob", (0, 1)), 0, 1, 1), 2, 2)
    >>> either.tabulate().ones, either.cost_bits, either.size
    ((2, 3), 2, 3)
    """

    nodes: tuple[Turn | int, ...]
    num_alice: int = field()  # so that the abstract property is not its default
    num_bob: int = field()
    problem: CommunicationProblem | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        check_size(self.num_alice, self.num_bob, "the protocol")
        sides, whole = (self.num_alice, self.num_bob), 0
        if min(sides) < 1:
            raise DomainError(
                f"num_alice and num_bob must be at least 1, not {sides[0]} and {sides[1]}"
            )
        for i, node in enumerate(reversed(self.nodes)):
            place = f"nodes[{len(self.nodes) - 1 - i}]"
            if not isinstance(node, Turn):
                if not is_bit(node):
                    raise DomainError(f"{place} must be a Turn, 0 or 1, not {show_value(node)}")
                whole += 1
                continue
            if len(node.messages) != sides[node.side]:
                raise DomainError(
                    f"{place} must have a message for each of the {sides[node.side]} inputs of "
                    f"{node.speaker.capitalize()}, not {len(node.messages)}"
                )
            if whole < node.values:
                raise DomainError(
                    f"{place} must be followed by {node.values} subtrees, not {whole}"
                )
            whole -= node.values - 1
        if whole != 1:
            raise DomainError(f"nodes must be one tree in preorder, not {whole} trees")
        if self.problem is not None:
            self.check_shape(self.problem)

    @classmethod
    def from_functions(
        cls, rule: Rule, alice_inputs: Iterable[Any], bob_inputs: Iterable[Any]
    ) -> Self:
        """Return the protocol in which the messages so far determine the next speaker and message.

        Parameters
        ----------
        rule : callable
            Maps the tuple of the messages so far to the answer 0 or 1, or to a pair: the speaker
            ``"alice"`` or ``"bob"``, and the function from an input of the speaker to the message,
            a nonnegative integer.
        alice_inputs, bob_inputs : iterable

        Notes
        -----
        A turn has a subtree for each message that some remaining input sends, in increasing order.
        If all remaining inputs send the same message, the tree has no turn for it.

        Examples
        --------
        >>> def rule(sent):
        ...     if not sent:
        ...         return "alice", lambda x: x // 2
        ...     return "bob", lambda y: y > 1
        >>> def parity(sent):
        ...     return sent[0] ^ sent[1] if len(sent) == 2 else rule(sent)
        >>> TwoWayProtocol.from_functions(parity, range(4), range(4)).tabulate().ones
        (12, 12, 3, 3)
        """
        if not callable(rule):
            raise DomainError(f"rule must be a function, not {show_value(rule)}")
        sides = listed(alice_inputs, "alice_inputs"), listed(bob_inputs, "bob_inputs")
        check_size(len(sides[0]), len(sides[1]), "the protocol")
        nodes: list[Turn | int] = []
        everything = ((1 << len(sides[0])) - 1, (1 << len(sides[1])) - 1)
        left: list[tuple[tuple[int, ...], Rectangle]] = [((), everything)]
        while left:
            sent, rectangle = left.pop()
            asked = rule(sent)
            if is_bit(asked):
                nodes.append(int(asked))
                continue
            side, messages = _asked(asked, sides, rectangle, sent)
            found = sorted(set(messages.values()))
            if len(found) > 1:
                number = {message: m for m, message in enumerate(found)}
                all_of_side = range(len(sides[side]))
                spoken = tuple(number[messages.get(i, found[0])] for i in all_of_side)
                nodes.append(Turn(PLAYERS[side], spoken))
            for message in reversed(found):
                own = sum(1 << i for i, each in messages.items() if each == message)
                left.append(((*sent, message), _with(rectangle, side, own)))
        return cls(tuple(nodes), len(sides[0]), len(sides[1]))

    @classmethod
    @checked_types
    def from_tree(cls, nodes: Sequence[Any], problem: ProblemLike) -> Self:
        """Return the protocol of a tree, given in the format of certificates.

        Parameters
        ----------
        nodes : sequence
            The tree as in `docs/certificates.md`: None for a leaf, or ``["rows", lines]`` or
            ``["columns", lines]``. The listed rows or columns send 0, the others send 1.
        problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix

        Raises
        ------
        DomainError
            If a leaf contains both values of the problem, or the tree is malformed.

        Examples
        --------
        >>> protocol = TwoWayProtocol.from_tree([["rows", [0]], None, None], [[1, 1], [0, 0]])
        >>> protocol.nodes
        (Turn(speaker='alice', messages=(0, 1)), 1, 0)
        """
        problem = as_problem(problem)
        sizes, made = (len(problem.alice), len(problem.bob)), list[Turn | int]()
        if (entries := len(nodes) * max(sizes)) > MAX_MESSAGES:
            raise InstanceTooLargeError(
                f"a tree of {len(nodes)} nodes for {sizes[0]} x {sizes[1]} inputs has up to "
                f"{entries} messages; the limit is {MAX_MESSAGES}"
            )
        left: list[Rectangle] = [((1 << sizes[0]) - 1, (1 << sizes[1]) - 1)]
        for i, node in enumerate(nodes):
            if not left:
                raise DomainError(f"nodes[{i}] is superfluous: the tree is complete without it")
            rectangle = left.pop()
            if node is None:
                values = _values(problem, rectangle)
                if len(values) > 1:
                    raise DomainError(
                        f"nodes[{i}] must not be a leaf, as its inputs have both values"
                    )
                made.append(min(values, default=0))
                continue
            side, lines = _tree_node(node, sizes, i)
            spoken = tuple(int(line not in lines) for line in range(sizes[side]))
            made.append(Turn(PLAYERS[side], spoken))
            own = sum(1 << line for line in lines) & rectangle[side]
            if own in (0, rectangle[side]):
                raise DomainError(
                    f"nodes[{i}] must divide the inputs that reach it into two nonempty sets"
                )
            left += [_with(rectangle, side, part) for part in (rectangle[side] ^ own, own)]
        return cls(tuple(made), *sizes, problem)

    @classmethod
    @checked_types
    def trivial(cls, problem: ProblemLike) -> Self:
        """Return the protocol in which one player sends his input, and the other player the value.

        The player with fewer distinct inputs speaks first; inputs with equal rows (or columns) send
        the same message.

        Parameters
        ----------
        problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix

        Examples
        --------
        >>> TwoWayProtocol.trivial("equality:n=8").cost_bits
        4
        >>> TwoWayProtocol.trivial("index:d=3").cost_bits  # Bob sends the place
        3
        """
        problem = as_problem(problem)
        turned = problem.transposed()
        kinds = [dict.fromkeys(zip(f.ones, f.promise, strict=True)) for f in (problem, turned)]
        side = int(len(kinds[1]) < len(kinds[0]))
        first, size = (problem, turned)[side], len((problem, turned)[1 - side].ones)
        number = {kind: m for m, kind in enumerate(kinds[side])}
        sent = (number[kind] for kind in zip(first.ones, first.promise, strict=True))
        nodes: list[Turn | int] = [Turn(PLAYERS[side], tuple(sent))]
        for ones, inside in kinds[side]:
            answers = tuple(ones >> i & 1 for i in range(size))
            if ones in (0, inside):
                nodes.append(int(ones > 0))
            else:
                nodes += [Turn(PLAYERS[1 - side], answers), 0, 1]
        return cls(tuple(nodes), len(problem.alice), len(problem.bob), problem)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the protocol that `to_json` wrote.

        Examples
        --------
        >>> protocol = TwoWayProtocol((Turn("alice", (0, 1)), 0, 1), 2, 3)
        >>> TwoWayProtocol.from_json(protocol.to_json()) == protocol
        True
        """
        try:
            nodes = tuple(node if isinstance(node, int) else Turn(*node) for node in data["nodes"])
            return cls(nodes, data["alice"], data["bob"])
        except (KeyError, TypeError) as error:
            raise DomainError(
                "data must have the keys 'alice', 'bob' and 'nodes', whose entries are 0, 1 or "
                f"[speaker, messages]: {type(error).__name__}: {error}"
            ) from None

    def to_json(self) -> dict[str, Any]:
        """Return the protocol as JSON: the numbers of inputs, and the nodes in preorder."""
        nodes = [n if isinstance(n, int) else [n.speaker, list(n.messages)] for n in self.nodes]
        return {"alice": self.num_alice, "bob": self.num_bob, "nodes": nodes}

    def __str__(self) -> str:
        sides = f"{self.num_alice} x {self.num_bob}"
        return f"{sides}, cost {self.cost_bits}, size {self.size}"

    @property
    def cost_bits(self) -> int:
        """Number of bits that the two players send together, on the worst input."""
        return max(cost for _, _, cost in self._leaves())

    @property
    def size(self) -> int:
        """Number of leaves that some inputs reach."""
        return sum(1 for _ in self._leaves())

    def leaves(self) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
        """Return, for each leaf in order, the inputs of Alice, the inputs of Bob and the answer.

        >>> TwoWayProtocol((Turn("alice", (0, 1)), 0, 1), 2, 3).leaves()
        [((0,), (0, 1, 2), 0), ((1,), (0, 1, 2), 1)]
        """
        return [
            (tuple(members(rows)), tuple(members(columns)), answer)
            for (rows, columns), answer, _ in self._leaves()
        ]

    def children(self) -> list[tuple[int, ...]]:
        """Return, for each node, the numbers of the child nodes, in the order of its messages."""
        found: list[tuple[int, ...]] = []
        roots = list[int]()
        for i in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[i]
            below = node.values if isinstance(node, Turn) else 0
            found.append(tuple(roots.pop() for _ in range(below)))
            roots.append(i)
        return found[::-1]

    def walk(self) -> Iterator[tuple[int, Rectangle]]:
        """Yield the nodes that some inputs reach, in preorder, with masks of these inputs."""
        below = self.children()
        left = [(0, ((1 << self.num_alice) - 1, (1 << self.num_bob) - 1))]
        while left:
            i, rectangle = left.pop()
            yield i, rectangle
            if isinstance(node := self.nodes[i], Turn):
                parts = zip(below[i], node.parts(rectangle[node.side]), strict=True)
                left += [
                    (child, _with(rectangle, node.side, own))
                    for child, own in reversed([*parts])
                    if own
                ]

    def _leaves(self) -> Iterator[tuple[Rectangle, int, int]]:
        """Yield the rectangle, the answer and the number of bits of each reachable leaf."""
        below, cost = self.children(), {0: 0}
        for i, rectangle in self.walk():
            spent, node = cost.pop(i), self.nodes[i]
            if isinstance(node, Turn):
                cost |= dict.fromkeys(below[i], spent + ceil_log2(node.values))
            else:
                yield rectangle, node, spent

    def _path(self, x: int, y: int) -> Iterator[tuple[Turn | int, int]]:
        """Yield the nodes on the path of two inputs, each with the message sent there."""
        below, i = self.children(), 0
        while isinstance(node := self.nodes[i], Turn):
            message = node.messages[(x, y)[node.side]]
            yield node, message
            i = below[i][message]
        yield node, node

    def transcript(self, x: int, y: int) -> tuple[int, ...]:
        """Return the messages on inputs ``x`` and ``y``, in order.

        >>> TwoWayProtocol((Turn("alice", (0, 1)), 0, 1), 2, 3).transcript(1, 0)
        (1,)
        """
        self._check_inputs(x, y)
        return tuple(message for node, message in self._path(x, y) if isinstance(node, Turn))

    def answer(self, x: int, y: int) -> int:
        """Return the answer on inputs ``x`` and ``y``."""
        self._check_inputs(x, y)
        return [message for _, message in self._path(x, y)][-1]

    def _check_inputs(self, x: int, y: int) -> None:
        number_of(x, None, 0, self.num_alice)
        number_of(y, None, 1, self.num_bob)

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the answer as a probability, 0 or 1."""
        return Fraction(self.answer(x, y))

    def tabulate(self) -> CommunicationProblem:
        """Return the total problem whose values are the answers, with the labels of `problem`."""
        rows = [0] * self.num_alice
        for (xs, ys), answer, _ in self._leaves():
            for x in members(xs) if answer else ():
                rows[x] |= ys
        about = self.problem
        alice = tuple(range(self.num_alice)) if about is None else about.alice
        bob = tuple(range(self.num_bob)) if about is None else about.bob
        everything = ((1 << self.num_bob) - 1,) * self.num_alice
        return CommunicationProblem(alice, bob, tuple(rows), everything)

    @checked_types
    def check(self, problem: ProblemLike | None = None) -> None:
        """Raise `CertificateError` if the protocol errs on an input inside the promise.

        Parameters
        ----------
        problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix, optional
            Default: the problem of the protocol.
        """
        about = self._about(problem)
        for x, (answers, ones) in enumerate(zip(self.tabulate().ones, about.ones, strict=True)):
            for y in members((answers ^ ones) & about.promise[x]):
                raise CertificateError(
                    f"the protocol answers {answers >> y & 1} on x = {about.alice[x]}, "
                    f"y = {about.bob[y]}, but the value is {ones >> y & 1}"
                )

    def _about(self, problem: ProblemLike | None) -> CommunicationProblem:
        about = self.problem if problem is None else as_problem(problem)
        if about is None:
            raise DomainError("the protocol has no problem; pass a problem as argument")
        self.check_shape(about)
        return about

    @checked_types
    def for_problem(self, problem: ProblemLike) -> TwoWayProtocol:
        """Return the protocol with another problem for its labels; answers may be wrong for it."""
        return replace(self, problem=as_problem(problem))

    @checked_types
    def certificate(self, problem: ProblemLike | None = None) -> Certificate:
        """Return a certificate that the deterministic cost is at most that of this protocol.

        Turns with more than two messages are divided into turns with two messages; the number of
        bits remains the same.

        Parameters
        ----------
        problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix, optional
            Default: the problem of the protocol.

        Raises
        ------
        CertificateError
            If the protocol errs on an input inside the promise.

        Examples
        --------
        >>> protocol = TwoWayProtocol((Turn("alice", (0, 1)), 0, 1), 2, 2)
        >>> protocol.certificate([[0, 0], [1, 1]]).statement
        {'lower': None, 'upper': 1}
        """
        about = self._about(problem)
        self.check(about)
        tree, depth = binary_tree(self)
        statement = {"lower": None, "upper": depth}
        proof = {"tree": {"nodes": [None if isinstance(node, int) else node for node in tree]}}
        return Certificate("deterministic_cost", about.to_json(), statement, None, proof)

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Run the protocol on two inputs and return every message, and the answer.

        See `OneWayProtocol.play` for the parameters. The default of `problem` is the problem of the
        protocol; `seed` is not used.

        Examples
        --------
        >>> protocol = TwoWayProtocol((Turn("alice", (0, 1)), 0, 1), 2, 2)
        >>> play = protocol.play(1, 0, [[0, 0], [0, 0]])
        >>> play.answer, play.is_correct, play.bits
        (1, False, 1)
        """
        about = self.problem if problem is None else as_problem(problem)
        return self.played(x, y, about, seed, "none")

    def played(
        self,
        x: int | str,
        y: int | str,
        about: CommunicationProblem | None,
        seed: int,
        coins: str,
    ) -> Play:
        """Return the play for given coins."""
        if about is not None:
            self.check_shape(about)
        sizes = (self.num_alice, self.num_bob)
        labels = (None, None) if about is None else (about.alice, about.bob)
        i, j = (number_of(v, labels[s], s, sizes[s]) for s, v in enumerate((x, y)))
        rectangle, messages, answer = ((1 << sizes[0]) - 1, (1 << sizes[1]) - 1), list[Any](), 0
        for node, message in self._path(i, j):
            if isinstance(node, Turn):
                own = node.parts(rectangle[node.side])[message]
                rectangle = _with(rectangle, node.side, own)
                rest = (tuple(members(part)) for part in rectangle)
                bits = bits_of(message, node.values)
                messages.append(PlayedMessage(node.speaker, message, bits, *rest))
            else:
                answer = node
        expected, name = (None, "") if about is None else (about.value(i, j), about.name)
        return Play(name, i, j, seed, coins, tuple(messages), answer, expected, sizes, about)

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        rows = zip(self.tabulate().ones, problem.ones, problem.promise, strict=True)
        for answers, ones, inside in rows:
            yield [(y, (answers ^ ones) >> y & 1) for y in members(inside)], 1


@validated
class PublicCoinTwoWayProtocol(TwoPartyProtocol):
    """A two-way protocol with public coins: a finite mixture of deterministic two-way protocols.

    Attributes
    ----------
    weights : tuple of Fraction
        Probabilities of the components; positive, with sum 1.
    components : tuple of TwoWayProtocol
        All with the same numbers of inputs.

    Examples
    --------
    >>> zero, one = TwoWayProtocol((0,), 1, 1), TwoWayProtocol((1,), 1, 1)
    >>> mixture = PublicCoinTwoWayProtocol.mixture([("1/3", one), ("2/3", zero)])
    >>> mixture.output_probability(0, 0), mixture.cost_bits
    (Fraction(1, 3), 0)
    """

    weights: tuple[Fraction, ...]
    components: tuple[TwoWayProtocol, ...]

    def __post_init__(self) -> None:
        weights = probability_vector(self.weights, "weights")
        check_parts(self.components, TwoWayProtocol, "components")
        if len(weights) != len(self.components) or 0 in weights:
            raise DomainError("every component must have a positive weight")
        if len({(P.num_alice, P.num_bob) for P in self.components}) != 1:
            raise DomainError("components must have the same numbers of inputs")
        object.__setattr__(self, "weights", weights)

    @classmethod
    def mixture(cls, components: Iterable[tuple[object, TwoWayProtocol]]) -> Self:
        """Return the mixture of weighted protocols; equal components are merged.

        Parameters
        ----------
        components : iterable of (weight, protocol)
            Weights must sum to 1; components of weight 0 are dropped.
        """
        joined: dict[TwoWayProtocol, Fraction] = {}
        for weight, part in weighted(components, (TwoWayProtocol,), "protocol"):
            if weight:
                joined[part] = joined.get(part, Fraction(0)) + weight
        return cls(tuple(joined.values()), tuple(joined))

    def __str__(self) -> str:
        sides = f"{self.num_alice} x {self.num_bob}"
        return f"{len(self.weights)} components, {sides}, cost {self.cost_bits}"

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.components[0].num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.components[0].num_bob

    @property
    def cost_bits(self) -> int:
        """Number of bits that the players send together, on the worst input and the worst coins."""
        return max(part.cost_bits for part in self.components)

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability of the answer 1 on inputs ``x`` and ``y``."""
        parts = zip(self.weights, self.components, strict=True)
        return sum((w for w, P in parts if P.answer(x, y)), Fraction(0))

    @checked_types
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Draw a component with the given seed and play it; see `TwoWayProtocol.play`."""
        chosen = draw(self.weights, generator(seed))
        about = self.components[chosen].problem if problem is None else as_problem(problem)
        coins = f"component {chosen} of {len(self.weights)}, probability {self.weights[chosen]}"
        return self.components[chosen].played(x, y, about, seed, coins)

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        unit = common_denominator(self.weights)
        tables = [part.tabulate().ones for part in self.components]
        shares = [int(weight * unit) for weight in self.weights]
        for x, (ones, inside) in enumerate(zip(problem.ones, problem.promise, strict=True)):
            wrong = [(share, table[x] ^ ones) for share, table in zip(shares, tables, strict=True)]
            yield [(y, sum(s for s, w in wrong if w >> y & 1)) for y in members(inside)], unit


def binary_tree(protocol: TwoWayProtocol) -> tuple[list[list[Any] | int], int]:
    """Return the nodes of a binary tree in preorder for a certificate, and its depth."""
    nodes, below = protocol.nodes, protocol.children()
    made, deepest = list[list[Any] | int](), 0

    def span(i: int) -> range:  # of the messages at a node; a leaf counts as having one message
        node = nodes[i]
        return range(node.values) if isinstance(node, Turn) else range(1)

    everything = ((1 << protocol.num_alice) - 1, (1 << protocol.num_bob) - 1)
    # a rectangle with its node, the messages that are still possible, and the bits so far
    left: list[tuple[int, Rectangle, range, int]] = [(0, everything, span(0), 0)]
    while left:
        i, rectangle, messages, depth = left.pop()
        node = nodes[i]
        if not isinstance(node, Turn):
            made.append(node)
            deepest = max(deepest, depth)
            continue
        parts = node.parts(rectangle[node.side])
        if len(messages) == 1:
            child = below[i][messages[0]]
            left.append((child, rectangle, span(child), depth))
            continue
        half = 1 << ceil_log2(len(messages)) - 1
        both = [(each, sum(parts[m] for m in each)) for each in (messages[:half], messages[half:])]
        is_divided = all(own for _, own in both)
        if is_divided:
            made.append([_SIDES[node.side], [*members(both[0][1])]])
        left += [
            (i, _with(rectangle, node.side, own), each, depth + is_divided)
            for each, own in reversed(both)
            if own
        ]
    return made, deepest


def _with(rectangle: Rectangle, side: int, own: int) -> Rectangle:
    return (rectangle[0], own) if side else (own, rectangle[1])


def _values(problem: CommunicationProblem, rectangle: Rectangle) -> set[int]:
    """Return the values of a problem in a rectangle, inside the promise."""
    ones = zeros = 0
    for x in members(rectangle[0]):
        ones |= problem.ones[x]
        zeros |= problem.promise[x] & ~problem.ones[x]
    return {value for value, held in ((0, zeros), (1, ones)) if held & rectangle[1]}


def _tree_node(node: Any, sizes: tuple[int, int], i: int) -> tuple[int, set[int]]:  # noqa: ANN401
    """Return the side and the lines of an inner node of a certificate."""
    if isinstance(node, list | tuple) and len(node) == 2 and node[0] in _SIDES:
        side = _SIDES.index(node[0])
        if isinstance(node[1], list | tuple) and {*node[1]} <= {*range(sizes[side])}:
            return side, {*node[1]}
    raise DomainError(
        f"nodes[{i}] must be None, ['rows', lines] or ['columns', lines], not {show_value(node)}"
    )


def _asked(
    asked: object, sides: tuple[list[Any], list[Any]], rectangle: Rectangle, sent: tuple[int, ...]
) -> tuple[int, dict[int, int]]:
    """Return the side of the speaker, and the message of each remaining input."""
    if not isinstance(asked, tuple | list) or len(asked) != 2 or not callable(asked[1]):
        raise DomainError(
            f"after the messages {sent}, rule must return 0, 1, or a pair of a speaker and a "
            f"function, not {show_value(asked)}"
        )
    if asked[0] not in PLAYERS:
        raise DomainError(
            f"after the messages {sent}, the speaker must be 'alice' or 'bob', not "
            f"{show_value(asked[0])}"
        )
    side, messages = PLAYERS.index(asked[0]), dict[int, int]()
    for i in members(rectangle[side]):
        message = asked[1](sides[side][i])
        if not isinstance(message, int | np.integer | np.bool_) or message < 0:
            raise DomainError(
                f"after the messages {sent}, the message for input "
                f"{show_value(sides[side][i])} must be an integer of at least 0, not "
                f"{show_value(message)}"
            )
        messages[i] = int(message)
    return side, messages
