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
from itertools import product
from operator import sub
from typing import Any, TypeAlias

from ccsim.appearance import one_line
from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.private_coins.case_trees import Halving, Vertices, least_bound
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError

__all__ = ["Dependence", "DependencyTree", "Relation", "Relations"]

_Sides: TypeAlias = tuple[Vertices, ...]
_Ends: TypeAlias = tuple[tuple[int, int], ...]
"""Dependencies, each with the number of a pair of vertices."""
_Minors: TypeAlias = dict[tuple[_Ends, tuple[int, ...]], Sequence[int]]


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
        known: _Minors = {(((d, 0),), ()): vectors[d] for d in self.dependencies}
        ends = tuple((d, 0) for d in self.dependencies)
        return [self.weight * entry for entry in _combined(known, ends, self.removed)]


def _combined(known: _Minors, ends: _Ends, removed: tuple[int, ...]) -> Sequence[int]:
    """Combine vectors, by minors of their entries at one place less, to one that is 0 there."""
    found = known.get((ends, removed))
    if found is None:
        found = [0] * len(known[ends[:1], ()])
        for j, end in enumerate(ends):
            if factor := (-1) ** j * known[(end,), ()][removed[0]]:
                minor = _combined(known, (*ends[:j], *ends[j + 1 :]), removed[1:])
                found = [s + factor * entry for s, entry in zip(found, minor, strict=True)]
        known[ends, removed] = found
    return found


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
        rows = range(len(problem.alice) + messages)
        for r in self.listed:
            is_known = 0 <= r.column < len(problem.bob) and all(x in rows for x in r.removed)
            used = [d for d in r.dependencies if 0 <= d < len(sides) // 2]
            if (
                not is_known
                or len({*used}) != len(r.dependencies)
                or len(r.removed) + 1 != len(used)
            ):
                raise CertificateError(f"{r} does not combine dependencies of the case")
        ends, known = dict[int, list[tuple[int, int]]](), _Minors()
        for d in sorted({d for r in self.listed for d in r.dependencies}):
            pairs = [[*map(sub, *pair)] for pair in product(*sides[2 * d : 2 * d + 2])]
            ends[d] = [(d, i) for i in range(len(pairs))]
            known |= {((end,), ()): pair for end, pair in zip(ends[d], pairs, strict=True)}
        tables = list[dict[_Ends, tuple[int, int]]]()
        for r in self.listed:
            values = [problem.value(x, r.column) for x in range(len(problem.alice))]
            values += [None] * messages
            choices = product(*map(ends.__getitem__, r.dependencies))
            vectors = ((chosen, _combined(known, chosen, r.removed)) for chosen in choices)
            tables.append({chosen: _balance(r.weight, v, values) for chosen, v in vectors})
        least, over = 1, 1
        for choice in product(*ends.values()):
            end, fixed, slack = dict(zip(ends, choice, strict=True)), 0, 0
            for r, table in zip(self.listed, tables, strict=True):
                more, less = table[tuple([end[d] for d in r.dependencies])]
                fixed, slack = fixed + more, slack + less
            if fixed * over < least * max(slack, 1):
                least, over = max(fixed, 0), max(slack, 1)
        return Fraction(least, over)

    def to_json(self) -> dict[str, Any]:
        """Return the leaf as it stands in a certificate."""
        listed = [
            [r.column, *encode_integers([r.weight]), [*r.dependencies], [*r.removed]]
            for r in self.listed
        ]
        return {"relations": listed}


def _balance(weight: int, vector: Sequence[int], values: Sequence[int | None]) -> tuple[int, int]:
    """Return what weighted answers sum to at least without error, and how much an error takes."""
    fixed, slack = 0, 0
    for entry, value in zip(vector, values, strict=True):
        if w := weight * entry:
            if value is None:
                fixed += min(w, 0)
            elif value:
                fixed, slack = fixed + w, slack + max(w, 0)
            else:
                slack += max(-w, 0)
    return fixed, slack


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
