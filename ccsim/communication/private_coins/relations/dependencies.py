"""Trees of dependencies of laws: lower bounds on the error of private-coin protocols.

With ``k`` messages any ``k + 1`` laws of Alice depend on each other: an average of some of them is
one of the others (Radon's theorem), and so is then the average of Bob's answers. The weights of
these averages are confined to smaller and smaller simplices, until answers of small error would
break the equation whatever the weights are. `docs/certificates.md` states the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from ccsim.budget import Budget
from ccsim.certificates import encode_integers
from ccsim.communication.private_coins.case_trees import Halving, Vertices, least_bound
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.kernel import Rejected
from ccsim.kernel.partitions import related
from ccsim.kernel.reader import Matrix
from ccsim.kernel.rules import WORK, Work
from ccsim.texts.labels import text_row

_Sides: TypeAlias = tuple[Vertices, ...]


@frozen
class Dependence:
    """A node that says that the laws of some inputs depend on each other.

    The cases below are the ways to divide the inputs between the two averages.
    """

    inputs: tuple[int, ...]  # of Alice, one more than there are messages

    def sides(self, unit: int, rows: int) -> Iterator[_Sides]:
        """Yield, for each way, the vertices of the weights of the first and the other average."""
        ends = [tuple(unit * (x == i) for x in range(rows)) for i in self.inputs]
        for number in range(1, 1 << (len(ends) - 1)):
            chosen = [number >> t & 1 for t in range(len(ends))]
            yield tuple(
                tuple(e for e, c in zip(ends, chosen, strict=True) if c == side) for side in (1, 0)
            )


@frozen
class Relation:
    """An equation for Bob's answers to the inputs of a column, with a weight."""

    column: int
    weight: int  # of any sign
    # distinct; combined by minors so that the inputs that are removed have no part
    dependencies: tuple[int, ...]
    removed: tuple[int, ...] = ()  # inputs of Alice, one fewer than there are dependencies


@frozen
class Relations:
    """A leaf: equations whose sum no answers of small error satisfy."""

    listed: tuple[Relation, ...]

    def least_error(
        self, sides: _Sides, problem: CommunicationProblem, messages: int = 0
    ) -> Fraction:
        """Return the least error with which the sum can be 0 at a vertex of each average.

        Vectors have entries for so many messages behind those for inputs of Alice. The kernel
        decides.
        """
        token = WORK.set(Work())
        try:
            cases = [[list(vertex) for vertex in side] for side in sides]
            return related(_with_messages(problem, messages), self.to_json()["relations"], cases)
        except Rejected as error:
            raise CertificateError(str(error)) from None
        finally:
            WORK.reset(token)

    def to_json(self) -> dict[str, Any]:
        """Return the leaf as it stands in a certificate."""
        listed = [
            [r.column, *encode_integers([r.weight]), [*r.dependencies], [*r.removed]]
            for r in self.listed
        ]
        return {"relations": listed}


@lru_cache(maxsize=8)
def _with_messages(problem: CommunicationProblem, messages: int) -> Matrix:
    """Return the matrix of a problem with so many inputs outside the promise behind all others."""
    width = len(problem.bob)
    both = zip(problem.ones, problem.promise, strict=True)
    rows = [text_row(ones, width, inside) for ones, inside in both]
    return Matrix("", [*rows, *["*" * width] * messages], width)


@frozen
class DependencyTree:
    """A tree of cases in preorder."""

    unit: int  # what the weights of an average sum to
    nodes: tuple[Dependence | Halving | Relations, ...]

    def bound(
        self, problem: CommunicationProblem, messages: int, budget: Budget | None = None
    ) -> Fraction:
        """Return the least bound of a leaf."""

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
