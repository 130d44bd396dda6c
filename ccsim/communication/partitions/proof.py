"""Proofs that no partition of Alice's inputs is cheap under a hard distribution.

Potentials of Alice's inputs say what they add to the cost of a class. The cheapest partition into
``k`` classes is an integer program that picks classes. The dual of its linear relaxation gives each
row a potential such that a class costs at least the sum of its potentials minus one constant.
Rounded, they are labels by which classes are told apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, prod
from operator import attrgetter
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.answers import AnswerTree
from ccsim.communication.partitions.sizes import SizeBound, Sizes
from ccsim.communication.partitions.squares import SquareBound, bound_by_squares
from ccsim.communication.partitions.subsets import class_costs, subset_sums
from ccsim.communication.partitions.tables import Weights, integer_array
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

_FEW_PROFILES = 64  # most profiles of classes that get labels of their own
# most ways to split rows into two classes, times columns, that the kernel goes over
_SPLITS = 1 << 30
_FORM = 1 << 25  # most steps of the kernel for squares that are to be checked soon, about


@validated
class DistributionProof:
    """A hard distribution with what proves that every protocol errs on it so much.

    Attributes
    ----------
    distribution : HardDistribution
    symmetries : tuple of Symmetry
        Of the problem and the distribution: of classes that are images of each other one is enough.
    labels : tuple of int or None
        One for each input of Alice that has weight, the same for images under the symmetries: all 0
        if every split into two classes is compared with the partition. None if the answers of Bob
        to all messages are compared instead.
    partition : tuple of int or None
        The class of each of these inputs in a cheapest partition; None if the labels are enough.
    joins : tuple of (y, x, z) or None
        Where the inputs that have weight are joined to one part: column ``y`` tells the part of
        ``x`` from the part of ``z``. A class errs at every join of two parts that it meets.
    tree : AnswerTree or None
        What else proves the bound where Bob has few inputs with weight; there are no labels then.
    squares : SquareBound or SizeBound or None
        What proves a bound, perhaps not the best one, however many inputs have weight.
    """

    distribution: HardDistribution
    symmetries: tuple[Symmetry, ...] = ()
    labels: tuple[int, ...] | None = None
    partition: tuple[int, ...] | None = None
    joins: tuple[tuple[int, int, int], ...] | None = None
    tree: AnswerTree | None = None
    squares: SquareBound | SizeBound | None = None

    def proof(self) -> dict[str, Any]:
        """Return what proves the bound under the distribution, as a part of a certificate."""
        if self.joins is not None:
            return {"joins": {"joins": [list(join) for join in self.joins]}}
        if self.tree is not None:
            moves = [symmetry.to_json() for symmetry in self.symmetries]
            return {"choices": {"symmetries": moves, **self.tree.to_json()}}
        if self.squares is not None:
            return {"squares": self.squares.to_json()}
        if self.labels is None:
            return {"answers": {}}
        fields = {
            "symmetries": [symmetry.to_json() for symmetry in self.symmetries],
            "labels": list(self.labels),
            "partition": None if self.partition is None else list(self.partition),
        }
        return {"partitions": fields}

    def to_json(self) -> dict[str, Any]:
        """Return the proof as the lower side of a certificate of a worst-case error."""
        fields = {"distribution": self.distribution.to_json(), "proof": self.proof()}
        return {"hard_distribution": fields}


def prove_bound(
    problem: CommunicationProblem,
    distribution: HardDistribution,
    messages: int,
    partition: Sequence[int] | None,
    symmetries: Sequence[Symmetry] = (),
    budget: Budget | None = None,
) -> DistributionProof:
    """Return a proof of the least expected error."""
    signed = distribution.signed_rows(problem)
    columns = sorted({y for row in signed.values() for y in row})
    rows, width, k = len(signed), len(columns), messages
    if k in range(2, rows):
        answers = comb(1 << width, min(k, 1 << width)) * rows * 3 if width <= 16 else 1 << 62
        if answers > (1 << min(rows, 25)) * (20 + 2 * width):
            known = None if partition is None else tuple(partition)
            if k == 2 and known and width << rows - 1 <= _SPLITS:
                return DistributionProof(distribution, labels=(0,) * rows, partition=known)
            orbits = _orbits(list(signed), symmetries)
            weights = [[row.get(y, 0) for y in columns] for row in signed.values()]
            labels = _labels(weights, k, orbits, budget)
            return DistributionProof(distribution, tuple(symmetries), tuple(labels), known)
    return DistributionProof(distribution)


def prove_by_squares(
    problem: CommunicationProblem, distribution: HardDistribution, messages: int
) -> tuple[Fraction, DistributionProof] | None:
    """Return a bound on the expected error, perhaps not the best one, that is soon checked."""
    signed = distribution.signed_rows(problem)
    columns = sorted({y for row in signed.values() for y in row})
    rows, words = len(signed), 2 * distribution.total.bit_length() + 60 >> 6
    if messages < 2 or rows**2 * (rows + len(columns)) * (2 + words**2) > _FORM:
        return None
    weights = [[row.get(y, 0) for y in columns] for row in signed.values()]
    sizes = Sizes(weights, messages)
    tried = sizes.bound() if sizes.fits else None, bound_by_squares(weights, messages)
    found: list[SizeBound | SquareBound] = [proof for proof in tried if proof is not None]
    if not found:
        return None
    best = max(found, key=attrgetter("bound"))
    return best.bound / distribution.total, DistributionProof(distribution, squares=best)


def _orbits(rows: list[int], symmetries: Sequence[Symmetry]) -> list[int]:
    """Return for each row the number of its orbit."""
    leaders = orbits_of(rows, ([(x, g.rows[x]) for x in rows] for g in symmetries))
    number = {x: i for i, x in enumerate(dict.fromkeys(leaders[x] for x in rows))}
    return [number[leaders[x]] for x in rows]


def _labels(
    weights: list[list[int]], messages: int, orbits: list[int], budget: Budget | None
) -> list[int]:
    """Return labels whose sums tell profiles apart, if these are few, or else potentials."""
    sizes = [orbits.count(orbit) + 1 for orbit in range(max(orbits) + 1)]
    if prod(sizes) <= _FEW_PROFILES:
        return [prod(sizes[:orbit]) for orbit in orbits]
    return rounded_potentials(weights, messages, orbits, budget)


MAX_ROWS = 20  # most rows for which potentials are looked for
_SUM = 400  # what the labels sum to, about
_ROUNDS = 100
_CLASSES_A_ROUND = 10


def rounded_potentials(
    weights: Weights, messages: int, orbits: Sequence[int], budget: Budget | None = None
) -> list[int]:
    """Return integers of at least 0 in proportion to potentials that bound partitions best.

    Complexity: ``2**rows columns`` for the costs of all classes, and a few dozen small linear
    programs, to which the classes that are too cheap are added.
    """
    rows = len(weights)
    if rows > MAX_ROWS:
        return [1] * rows
    budget = budget or Budget()
    sizes = np.bincount(orbits).tolist()
    count, shared = len(sizes), [Fraction(1)] * len(sizes)
    chosen = {1 << x for x in range(rows)} | {(1 << rows) - 1}
    with budget:
        doubled = class_costs(integer_array(weights), budget)
        for _ in range(_ROUNDS):
            budget.spend()
            program = LinearProgram.minimise(
                [*(-size for size in sizes), messages],
                [
                    (_constraint(members, orbits, count), "<=", Fraction(int(doubled[members])))
                    for members in sorted(chosen)
                ],
                [None] * count + [0],
            )
            outcome = solve_linear_program(program, time_limit=budget)
            if not isinstance(outcome, OptimalSolution):
                break
            *shared, constant = outcome.primal
            gains = subset_sums(np.array([float(shared[orbit]) for orbit in orbits]))
            excess = gains - doubled.astype(float)
            allowed = float(constant) + 1e-9 * abs(float(doubled[-1]))
            worst = np.argsort(-excess, kind="stable")[:_CLASSES_A_ROUND]
            added = {int(members) for members in worst if excess[members] > allowed} - chosen
            if not added:
                break
            chosen |= added
    potentials = [max(shared[orbit], Fraction(0)) for orbit in orbits]
    total = sum(potentials) or Fraction(1)
    return [int(p * _SUM / total) for p in potentials]


def _constraint(members: int, orbits: Sequence[int], count: int) -> list[int]:
    """Return how often a class meets each orbit, and -1 for the constant."""
    row = [0] * count + [-1]
    for x, orbit in enumerate(orbits):
        row[orbit] += members >> x & 1
    return row
