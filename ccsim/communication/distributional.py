"""The minimum expected error of a deterministic protocol under a distribution (`fx` 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from math import comb, prod
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import Distribution, HardDistribution, as_distribution
from ccsim.communication.partitions.answers import AnswerTree
from ccsim.communication.partitions.search import improve_partition
from ccsim.communication.partitions.squares import SizeBound, Sizes, SquareBound, bound_by_squares
from ccsim.communication.partitions.tables import (
    Weights,
    balances,
    cheapest_classes,
    class_costs,
    integer_array,
    subset_sums,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.kernel.rules import MAX_WORK
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

_FEW_PROFILES = 64  # most profiles of classes that get labels of their own
# most ways to split rows into two classes, times columns, that the kernel goes over
_SPLITS = 1 << 30
_FORM = 1 << 25  # most steps of the kernel for squares that are to be checked soon, about
_MOST_ROWS = 20  # most rows for which potentials are looked for
_SUM = 400  # what the labels sum to, about
_ROUNDS = 100
_CLASSES_A_ROUND = 10
_WORDS = 30  # most words of squares of weights, which are searched in floats
_STARTS = 100  # partitions from which local search starts
_MOST_WEIGHT = 1 << 29  # most total weight of a local search, in integers of 32 bits


@frozen
class DistributionalResult(Answer[Fraction]):
    """Bounds on the minimum expected error under a distribution, with a protocol.

    Attributes
    ----------
    problem : CommunicationProblem
    messages : int
    lower, upper : Fraction
        Bounds on the minimum expected error; equal if the search succeeded.
    protocol : DeterministicProtocol
        Certificate of the upper bound.
    below : DistributionProof
        Certificate of the lower bound.
    """

    question = "the distributional error"
    asked = ("problem", "distribution", "messages")
    quantity: ClassVar[str] = "the distributional error"

    problem: CommunicationProblem
    messages: int
    lower: Fraction
    upper: Fraction
    protocol: DeterministicProtocol
    below: DistributionProof

    @property
    def distribution(self) -> HardDistribution:
        """The given distribution."""
        return self.below.distribution

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        proof = self.below.proof()
        if proof is None and self.lower:
            raise CertificateError(f"a lower bound without a proof must be 0, not {self.lower}")
        return Certificate(
            "distributional_error",
            self.problem.to_json(),
            {
                "messages": encode_integers([self.messages])[0],
                "distribution": self.distribution.to_json(),
                "lower": encode_fraction(self.lower) if proof else None,
                "upper": encode_fraction(self.upper),
            },
            proof,
            {"protocol": {"tables": self.protocol.to_json()}},
        )


@checked_types
def distributional_error(
    problem: ProblemLike,
    distribution: Distribution,
    messages: int,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> DistributionalResult:
    """Return the minimum expected error of one-way protocols under a distribution, or bounds.

    Randomised protocols do no better: for some fixed coins the error is at most the average.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    distribution : mapping from (x, y) to probability, matrix of probabilities, or HardDistribution
        Probabilities with sum exactly 1, supported inside the promise.
    messages : int
        Number of messages, at least 1.
    time_limit : float or Budget, optional
        Seconds after which the bounds proved so far are returned.
    progress : callable, optional
        Called with both bounds.
    jobs : int or Workers, optional
        The number of threads of a search for more than two messages; see `ccsim.Workers`.

    Returns
    -------
    DistributionalResult
        Both bounds, with proofs.

    Notes
    -----
    The bounds coincide if at most 20 inputs of Alice have positive probability (25 for two
    messages) and the search is not stopped. Otherwise, local search finds a protocol, and sums of
    squares (Alon and Naor 2006, section 4) bound the error from below, for up to about 300 x 300
    inputs.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> uniform = {(x, y): Fraction(1, 4) for x in range(2) for y in range(2)}
    >>> distributional_error(equality(2), uniform, 1).value
    Fraction(1, 2)
    """
    budget = Budget.of(time_limit, progress, jobs)
    problem = as_problem(problem, budget)
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    given = as_distribution(distribution)
    for x, y, _ in given.weights:
        if x >= len(problem.alice) or y >= len(problem.bob):
            raise DomainError(
                f"distribution must be on pairs of inputs of the problem, not on ({x}, {y})"
            )
        if problem.value(x, y) is None:
            raise DomainError(
                f"distribution must be supported inside the promise, not on ({x}, {y})"
            )
    numbers, columns, weights = weighted(problem, given)
    classes, below, cost = [0] * len(numbers), None, None
    with budget, suppress(InstanceTooLargeError):
        cost, classes = cheapest_classes(weights, messages, budget)
        below = prove_bound(problem, given, messages, classes, budget=budget)
    if cost is None:
        classes = _good_classes(weights, messages, budget)
    bob = balances(weights, classes, max(classes) + 1)
    sent = dict(zip(numbers, classes, strict=True))
    protocol = DeterministicProtocol(
        tuple(sent.get(x, 0) for x in range(len(problem.alice))),
        tuple(sum(1 << columns[j] for j, balance in enumerate(row) if balance > 0) for row in bob),
        len(problem.bob),
    )
    wrong = given.total - sum(abs(balance) for row in bob for balance in row)
    lower = upper = Fraction(wrong, 2 * given.total)
    if below is None:
        nothing = Fraction(0), DistributionProof(given, unproved=True)
        lower, below = prove_by_squares(problem, given, messages, MAX_WORK * 2 // 3) or nothing
    budget.report(lower, upper)
    return DistributionalResult(problem, messages, lower, upper, protocol, below)


def _good_classes(weights: Weights, messages: int, budget: Budget) -> list[int]:
    """Return the cheapest partition of the rows that local search finds.

    It starts from a single class, and from random classes.
    """
    rows, rng = len(weights), np.random.default_rng(0)
    total = sum(abs(w) for row in weights for w in row)
    less = -(-total // _MOST_WEIGHT)
    rounded = np.array([[w // less for w in row] for row in weights], np.int32)
    best, most = [0] * rows, -1
    with budget.or_at_once() as searching:
        for start in range(_STARTS):
            classes = rng.integers(messages if start else 1, size=rows)
            order = rng.permutation(rows)
            gain = int(np.abs(improve_partition(rounded, messages, classes, order)).sum())
            if gain > most:
                best, most = classes.tolist(), gain
            searching.spend()
    used = {m: i for i, m in enumerate(dict.fromkeys(best))}
    return [used[m] for m in best]


@validated
class DistributionProof:
    """A hard distribution with a proof of a lower bound on the error of every protocol under it.

    Attributes
    ----------
    distribution : HardDistribution
        The hard input distribution.
    symmetries : tuple of Symmetry
        Symmetries of the problem and the distribution.
    labels : tuple of int or None
        A label for each input of Alice with positive weight, the same on each orbit of the
        symmetries; all 0 if every split into two classes is compared with the partition. None if
        the proof compares Bob's answers to all messages instead.
    partition : tuple of int or None
        The class of each of these inputs in a partition of Alice's inputs with minimum error. None
        if the labels prove the bound without a partition.
    joins : tuple of (y, x, z) or None
        Steps that merge blocks of these inputs. In each step, column ``y`` separates the block of
        input ``x`` from the block of input ``z``.
    tree : AnswerTree or None
        Proof of the bound if few inputs of Bob have positive weight; ``labels`` is then None.
    squares : SquareBound or SizeBound or None
        Proof of a possibly weaker bound, for any number of inputs with positive weight.
    unproved : bool
        Whether there is no proof, because there are too many inputs.
    """

    distribution: HardDistribution
    symmetries: tuple[Symmetry, ...] = ()
    labels: tuple[int, ...] | None = None
    partition: tuple[int, ...] | None = None
    joins: tuple[tuple[int, int, int], ...] | None = None
    tree: AnswerTree | None = None
    squares: SquareBound | SizeBound | None = None
    unproved: bool = False

    def proof(self) -> dict[str, Any] | None:
        """Return the proof of the bound under the distribution, for use in a certificate."""
        if self.unproved:
            return None
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
        """Return the lower-bound part of a certificate of a worst-case error."""
        fields = {"distribution": self.distribution.to_json(), "proof": self.proof()}
        return {"hard_distribution": fields}


def nothing_proved(problem: CommunicationProblem) -> DistributionProof:
    """Return a proof of the trivial bound 0, from a single input."""
    x, inside = next((x, inside) for x, inside in enumerate(problem.promise) if inside)
    y = (inside & -inside).bit_length() - 1
    return DistributionProof(HardDistribution(((x, y, 1),)))


def weighted(
    problem: CommunicationProblem, distribution: HardDistribution
) -> tuple[list[int], list[int], list[list[int]]]:
    """Return the rows and columns of positive weight, in order, and their signed weights."""
    signed = distribution.signed_rows(problem)
    columns = sorted({y for row in signed.values() for y in row})
    return list(signed), columns, [[row.get(y, 0) for y in columns] for row in signed.values()]


def prove_bound(
    problem: CommunicationProblem,
    distribution: HardDistribution,
    messages: int,
    partition: Sequence[int] | None,
    symmetries: Sequence[Symmetry] = (),
    budget: Budget | None = None,
) -> DistributionProof:
    """Return a proof that no protocol has a smaller expected error than a cheapest partition.

    The partition may be None if it is unknown; it then has no part in the proof.
    """
    numbers, columns, weights = weighted(problem, distribution)
    rows, width, k = len(numbers), len(columns), messages
    if k in range(2, rows):
        answers = comb(1 << width, min(k, 1 << width)) * rows * 3 if width <= 16 else 1 << 62
        if answers > (1 << min(rows, 25)) * (20 + 2 * width):
            known = None if partition is None else tuple(partition)
            if k == 2 and known and width << rows - 1 <= _SPLITS:
                return DistributionProof(distribution, labels=(0,) * rows, partition=known)
            leaders = orbits_of(numbers, ([(x, g.rows[x]) for x in numbers] for g in symmetries))
            place = {x: i for i, x in enumerate(dict.fromkeys(leaders[x] for x in numbers))}
            orbits = [place[leaders[x]] for x in numbers]
            sizes = [orbits.count(orbit) + 1 for orbit in range(max(orbits) + 1)]
            if prod(sizes) <= _FEW_PROFILES:  # labels whose sums tell profiles apart
                labels = [prod(sizes[:orbit]) for orbit in orbits]
            else:
                labels = rounded_potentials(weights, k, orbits, budget)
            return DistributionProof(distribution, tuple(symmetries), tuple(labels), known)
    return DistributionProof(distribution)


def prove_by_squares(
    problem: CommunicationProblem,
    distribution: HardDistribution,
    messages: int,
    most: int = _FORM,
) -> tuple[Fraction, DistributionProof] | None:
    """Return a lower bound on the expected error that takes at most `most` steps to check.

    The bound may be below the optimum.
    """
    numbers, columns, weights = weighted(problem, distribution)
    rows, words = len(numbers), 2 * distribution.total.bit_length() + 60 >> 6
    if messages < 2 or words > _WORDS or rows**2 * (rows + len(columns)) * (2 + words**2) > most:
        return None
    sizes = Sizes(weights, messages)
    tried = sizes.bound() if sizes.fits else None, bound_by_squares(weights, messages)
    found: list[SizeBound | SquareBound] = [proof for proof in tried if proof is not None]
    if not found:
        return None
    best = max(found, key=attrgetter("bound"))
    return best.bound / distribution.total, DistributionProof(distribution, squares=best)


def rounded_potentials(
    weights: Weights, messages: int, orbits: Sequence[int], budget: Budget | None = None
) -> list[int]:
    """Return non-negative integers nearly proportional to the potentials of the best bound."""
    rows = len(weights)
    if rows > _MOST_ROWS:
        return [1] * rows
    budget = budget or Budget()
    sizes = np.bincount(orbits).tolist()
    count, shared = len(sizes), [Fraction(1)] * len(sizes)
    chosen = {1 << x for x in range(rows)} | {(1 << rows) - 1}
    with budget:
        doubled = class_costs(integer_array(weights), budget)
        for _ in budget.each(range(_ROUNDS)):
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
    """Return the number of elements of a class in each orbit, then -1 for the constant term."""
    row = [0] * count + [-1]
    for x, orbit in enumerate(orbits):
        row[orbit] += members >> x & 1
    return row
