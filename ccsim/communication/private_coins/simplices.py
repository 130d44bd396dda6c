"""Trees of simplices of laws: lower bounds on the error of private-coin protocols.

Some input of Alice leaves each message out, or the protocol can be made so; so her laws start on
faces of the simplex of all laws. They are confined to smaller and smaller simplices, and Bob's
answers to intervals. Some average of errors is then least at vertices and at ends of intervals.
`docs/certificates.md` states the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from operator import add
from typing import Any, TypeAlias

from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.private_coins.case_trees import Halving, Vertices, least_bound
from ccsim.communication.private_coins.relations.dependencies import Relations
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

Start: TypeAlias = tuple[int, ...]


@frozen
class Cut:
    """A node that cuts the range of the probability that Bob answers 1."""

    # input of Bob, and what he hears
    number: int
    message: int
    at: int  # strictly inside the range, in parts of the unit


@frozen
class Weights:
    """A leaf: the weights of the inputs whose average error is bounded."""

    # for each input of Alice in the tree a weight for each input of Bob
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Case:
    """What laws and answers are confined to, in parts of the unit."""

    laws: tuple[Vertices, ...]
    answers: tuple[tuple[tuple[int, int], ...], ...]

    def parts(self, node: Halving | Cut) -> Iterator[_Case]:
        """Yield the two cases of a node."""
        if isinstance(node, Halving):
            for laws in node.parts(self.laws):
                yield _Case(laws, self.answers)
        else:
            row = self.answers[node.number]
            low, high = row[node.message]
            if not low < node.at < high:
                raise CertificateError(f"{node} does not cut strictly inside [{low}, {high}]")
            for ends in ((low, node.at), (node.at, high)):
                changed = (*row[: node.message], ends, *row[node.message + 1 :])
                answers = (*self.answers[: node.number], changed, *self.answers[node.number + 1 :])
                yield _Case(self.laws, answers)


def starts(inputs: int, messages: int, moves: tuple[tuple[int, ...], ...] = ()) -> list[Start]:
    """Return for each message an input that leaves it out, in all ways, but one for each orbit."""
    ways = [w for w in combinations_with_replacement(range(inputs), messages) if w[0] < w[-1]]
    images = [[(w, tuple(sorted(move[i] for i in w))) for w in ways] for move in moves]
    first = orbits_of(ways, images)
    return [way for way in ways if first[way] == way]


@frozen
class SimplexTree:
    """A forest of binary trees of cases in preorder, one for each way to leave messages out."""

    inputs: tuple[int, ...]  # the inputs of Alice whose laws are confined, increasing
    # of the problem; they map these inputs to each other; Only one start of each orbit of ways to
    # leave messages out has a tree
    symmetries: tuple[Symmetry, ...]
    unit: int  # stands for the probability 1
    # in relations each law depends on the messages; message ``m`` counts as an input of Alice
    # outside the promise, behind all others
    nodes: tuple[Halving | Cut | Weights | Relations, ...]

    def moves(self) -> tuple[tuple[int, ...], ...]:
        """Return the symmetries as permutations of positions of inputs."""
        return moves_of(self.inputs, self.symmetries)

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the least bound of a leaf."""
        corners = [tuple(self.unit * (m == i) for i in range(messages)) for m in range(messages)]
        whole = (((0, self.unit),) * messages,) * len(problem.bob)
        first = [
            _Case(
                tuple(
                    tuple(corners[m] for m in range(messages) if way[m] != i)
                    for i in range(len(self.inputs))
                ),
                whole,
            )
            for way in starts(len(self.inputs), messages, self.moves())
        ]

        def prove(
            case: _Case, node: Halving | Cut | Weights | Relations
        ) -> Fraction | Iterator[_Case]:
            if isinstance(node, Relations):
                return node.least_error(self._sides(case, problem), problem, messages)
            if isinstance(node, Weights):
                return self._least_error(case, node, problem)
            return case.parts(node)

        return least_bound(self.nodes, first, prove, budget)

    def _sides(self, case: _Case, problem: CommunicationProblem) -> tuple[Vertices, ...]:
        """Return both averages of each dependence: an input alone, and its law of messages."""
        number, sides = len(problem.alice), list[Vertices]()
        for x, law in zip(self.inputs, case.laws, strict=True):
            alone = tuple(self.unit * (z == x) for z in range(number))
            sides += ((*alone, *(0 for _ in law[0])),), tuple((*(0,) * number, *v) for v in law)
        return tuple(sides)

    def _least_error(self, case: _Case, leaf: Weights, problem: CommunicationProblem) -> Fraction:
        """Return the least average error: Bob's best answers to every choice of vertices."""
        total, ones, choices = 0, 0, [[0] * sum(map(len, case.answers))]
        for x, law, row in zip(self.inputs, case.laws, leaf.rows, strict=True):
            signed = []
            for y, w in enumerate(row):
                value = problem.value(x, y)
                if w < 0 or (w and value is None):
                    raise CertificateError(f"({x}, {y}) cannot have the weight {w}")
                total, ones = total + w, ones + (w if value else 0)
                signed.append(-w if value else w)
            if any(row):
                more = [[w * a for w in signed for a in vertex] for vertex in law]
                choices = [[*map(add, slopes, new)] for slopes in choices for new in more]
        if not total:
            raise CertificateError("the weights of a leaf must not all be 0")
        ends = [pair for row in case.answers for pair in row]
        least = min(
            sum(s * (low if s > 0 else high) for s, (low, high) in zip(slopes, ends, strict=True))
            for slopes in choices
        )
        return Fraction(least + ones * self.unit**2, total * self.unit**2)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate."""
        nodes = list[Any]([None])
        for node in self.nodes:
            if isinstance(node, Relations | Halving):
                nodes.append(node.to_json())
            elif isinstance(node, Weights):
                nodes.append({"weights": encode_integers(w for row in node.rows for w in row)})
            else:
                number = len(self.inputs) + node.number * messages + node.message
                nodes.append([number, *encode_integers([node.at])])
        (unit,) = encode_integers([self.unit])
        symmetries = [g.to_json() for g in self.symmetries]
        data = {"unit": unit, "inputs": list(self.inputs), "symmetries": symmetries}
        return {"simplices": data | {"nodes": nodes}}


def moves_of(
    inputs: tuple[int, ...], symmetries: tuple[Symmetry, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return symmetries as permutations of positions of inputs."""
    return tuple(tuple(inputs.index(g.rows[x]) for x in inputs) for g in symmetries)
