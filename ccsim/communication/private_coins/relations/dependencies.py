"""Trees of dependencies of laws: lower bounds on the error of private-coin protocols.

With ``k`` messages any ``k + 1`` laws of Alice depend on each other: an average of some of them is
one of the others (Radon's theorem), and so is then the average of Bob's answers. The weights of
these averages are confined to smaller and smaller simplices, until answers of small error would
break the equation whatever the weights are. `docs/certificates.md` states the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from operator import add, sub
from typing import Any, TypeAlias

from ccsim.appearance import one_line
from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.private_coins.case_trees import Halving, Vertices, least_bound
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError

__all__ = ["Dependence", "DependencyTree", "Relation", "Relations"]

_Sides: TypeAlias = tuple[Vertices, ...]


@one_line
@dataclass(frozen=True, slots=True)
class Dependence:
    """A node that says that the laws of some inputs depend on each other.

    The cases below are the ways to divide the inputs between the two averages.

    Attributes
    ----------
    inputs : tuple of int
        Of Alice, one more than there are messages.
    """

    inputs: tuple[int, ...]

    def sides(self, unit: int, rows: int) -> Iterator[_Sides]:
        """Yield, for each way, the vertices of the weights of the first and the other average."""
        ends = [tuple(unit * (x == i) for x in range(rows)) for i in self.inputs]
        for number in range(1, 1 << (len(ends) - 1)):
            chosen = [number >> t & 1 for t in range(len(ends))]
            yield tuple(
                tuple(e for e, c in zip(ends, chosen, strict=True) if c == side) for side in (1, 0)
            )


@one_line
@dataclass(frozen=True, slots=True)
class Relation:
    """An equation for Bob's answers to the inputs of a column, with a weight.

    Attributes
    ----------
    column : int
    weight : int
        Of any sign.
    dependencies : tuple of int
        Distinct; combined by minors so that the inputs that are removed have no part.
    removed : tuple of int
        Inputs of Alice, one fewer than there are dependencies.
    """

    column: int
    weight: int
    dependencies: tuple[int, ...]
    removed: tuple[int, ...] = ()

    def combine(self, vectors: Sequence[Sequence[int]]) -> list[int]:
        """Return the weights of inputs, given those of each dependence."""
        parts: dict[tuple[int, ...], Sequence[int]] = {(d,): vectors[d] for d in self.dependencies}
        for size, x in enumerate(reversed(self.removed), 2):
            parts = {
                rows: [
                    sum((-1) ** j * factor * minor[z] for j, factor, minor in terms)
                    for z in range(len(vectors[rows[0]]))
                ]
                for rows in combinations(self.dependencies, size)
                if (terms := list(_expanded(rows, x, vectors, parts)))
            }
        zero = [0] * len(vectors[self.dependencies[0]])
        return [self.weight * entry for entry in parts.get(self.dependencies, zero)]


def _expanded(
    rows: tuple[int, ...],
    column: int,
    vectors: Sequence[Sequence[int]],
    parts: dict[tuple[int, ...], Sequence[int]],
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Yield position, entry and minors of each row whose entry at the column is not 0."""
    for j, d in enumerate(rows):
        minor = parts.get((*rows[:j], *rows[j + 1 :]))
        if vectors[d][column] and minor is not None:
            yield j, vectors[d][column], minor


@one_line
@dataclass(frozen=True, slots=True)
class Relations:
    """A leaf: equations whose sum no answers of small error satisfy.

    Attributes
    ----------
    listed : tuple of Relation
    """

    listed: tuple[Relation, ...]

    def least_error(
        self, sides: _Sides, problem: CommunicationProblem, messages: int = 0
    ) -> Fraction:
        """Return the least error with which the sum can be 0 at a vertex of each average.

        Vectors have entries for so many messages behind those for inputs of Alice.
        """
        least, rows = Fraction(1), range(len(problem.alice) + messages)
        for r in self.listed:
            known = 0 <= r.column < len(problem.bob) and all(x in rows for x in r.removed)
            used = [d for d in r.dependencies if 0 <= d < len(sides) // 2]
            if not known or len({*used}) != len(r.dependencies) or len(r.removed) + 1 != len(used):
                raise CertificateError(f"{r} does not combine dependencies of the case")
        named = {d for r in self.listed for d in r.dependencies}
        pairs = [
            [[*map(sub, *pair)] for pair in product(*sides[i : i + 2])]
            for i in range(0, len(sides), 2)
        ]
        found = dict[tuple[int, ...], list[int]]()
        for choice in product(*(range(len(p) if d in named else 1) for d, p in enumerate(pairs))):
            vectors = [pair[i] for pair, i in zip(pairs, choice, strict=True)]
            columns: dict[int, list[int]] = {}
            for number, r in enumerate(self.listed):
                key = (number, *(choice[d] for d in r.dependencies))
                if (more := found.get(key)) is None:
                    more = found[key] = r.combine(vectors)
                old = columns.get(r.column)
                columns[r.column] = [*map(add, old, more)] if old else more
            least = min(least, _least_error(columns, problem))
        return least

    def to_json(self) -> dict[str, Any]:
        """Return the leaf as it stands in a certificate."""
        listed = [
            [r.column, *encode_integers([r.weight]), [*r.dependencies], [*r.removed]]
            for r in self.listed
        ]
        return {"relations": listed}


def _least_error(columns: dict[int, list[int]], problem: CommunicationProblem) -> Fraction:
    """Return the least error of answers whose weighted sum, over all columns, can be 0."""
    fixed, slack = 0, 0  # the sum is at least the first, less the error times the second
    for y, weights in columns.items():
        for x, w in enumerate(weights):
            value = problem.value(x, y) if x < len(problem.alice) else None
            if value is None:
                fixed += min(w, 0)
            elif value:
                fixed, slack = fixed + w, slack + max(w, 0)
            else:
                slack += max(-w, 0)
    return Fraction(fixed, slack) if fixed > 0 else Fraction(0)


@one_line
@dataclass(frozen=True, slots=True)
class DependencyTree:
    """A tree of cases in preorder.

    Attributes
    ----------
    unit : int
        What the weights of an average sum to.
    nodes : tuple of Dependence, Halving or Relations

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> leaves = (Relations((Relation(y, s, (0,)),)) for y, s in ((0, 1), (1, 1), (2, -1)))
    >>> DependencyTree(1, (Dependence((0, 1, 2)), *leaves)).bound(equality(3), 2)
    Fraction(1, 2)
    """

    unit: int
    nodes: tuple[Dependence | Halving | Relations, ...]

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the least bound of a leaf.

        Raises
        ------
        CertificateError
            Naming the node that breaks a rule.
        OutOfTimeError
        """

        def prove(sides: _Sides, node: Dependence | Halving | Relations) -> Fraction | list[_Sides]:
            if isinstance(node, Relations):
                return node.least_error(sides, problem)
            if isinstance(node, Halving):
                return node.parts(sides)
            known = all(0 <= x < len(problem.alice) for x in node.inputs)
            if not known or not len({*node.inputs}) == len(node.inputs) == messages + 1:
                raise CertificateError(
                    f"{messages + 1} distinct inputs depend on each other, not {node.inputs}"
                )
            return [(*sides, *more) for more in node.sides(self.unit, len(problem.alice))]

        first: list[_Sides] = [()]
        return least_bound(self.nodes, first, prove, budget)

    def lower_proof(self, problem: CommunicationProblem, messages: int) -> dict[str, Any]:
        """Return the form of proof of a certificate."""
        nodes = list[Any]()
        for node in self.nodes:
            if isinstance(node, Dependence):
                nodes.append({"inputs": list(node.inputs)})
            else:
                nodes.append(node.to_json())
        (unit,) = encode_integers([self.unit])
        return {"dependencies": {"unit": unit, "nodes": nodes}}
