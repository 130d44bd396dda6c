"""Bounds on the least failure of private learners of a tiny class, proved from the definition.

*From below.* Targets with weights, drawn from the learner's sight, and flows between neighbouring
databases. Let ``c(S, h)`` be the chance that the sample is ``S`` and ``h`` is good for the target;
a flow ``y`` from ``S`` to ``T`` on ``h`` takes ``y`` from ``c(S, h)`` and adds ``e^epsilon y`` to
``c(T, h)``. Because a private learner has ``p(S, h) <= e^epsilon p(T, h)``, the sum of ``c p`` did
not fall, and it is at most ``sum over S of max over h of c(S, h)``: the success on average.

*From above.* The laws of a learner, and for each concept a subdivision of the simplex of all
distributions. On a part of it the hypotheses that are good at all corners are good everywhere, and
the success is a polynomial whose value is an average of those of its polar form at the corners.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod
from typing import Any, ClassVar, TypeAlias

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.classes import ConceptClass
from ccsim.classes.labels import text_row
from ccsim.errors import CertificateError
from ccsim.exact.bounds import Bounds, check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.learning.learners.tabled import TabledLearner
from ccsim.learning.optimum.subdivisions import (
    Database,
    Distribution,
    Subdivision,
    average_over,
    cut,
    subdivision_json,
)

__all__ = [
    "Flow",
    "LeastPrivateFailure",
    "WeightedTarget",
]

WeightedTarget: TypeAlias = tuple[int, Distribution, Fraction]
"""A concept (bit mask), a distribution over points, and a weight."""
Flow: TypeAlias = tuple[Database, Database, int, Fraction]
"""Two neighbouring databases, a hypothesis (bit mask), and an amount."""


@dataclass(frozen=True, slots=True)
class LeastPrivateFailure(Bounds[Fraction]):
    """Bounds on the least failure probability of private learners with so many examples.

    Attributes
    ----------
    concept_class : ConceptClass
    samples : int
    accuracy : Fraction
    epsilon : Epsilon
        With ``e^epsilon`` rational.
    lower, upper : Fraction
        No private learner fails less than ``lower`` on all targets; ``learner`` fails at most
        ``upper`` on each.
    targets : tuple of WeightedTarget
        On which the lower bound rests; their weights sum to 1.
    flows : tuple of Flow
        Why no private learner does better on them.
    learner : TabledLearner
    subdivisions : tuple of Subdivision
        For each concept a subdivision of the simplex of distributions, on which the upper bound
        rests.
    """

    quantity: ClassVar[str] = "the least failure probability"

    concept_class: ConceptClass
    samples: int
    accuracy: Fraction
    epsilon: Epsilon
    lower: Fraction
    upper: Fraction
    targets: tuple[WeightedTarget, ...]
    flows: tuple[Flow, ...]
    learner: TabledLearner
    subdivisions: tuple[Subdivision, ...]

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check both bounds from the definition.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
            Naming the target, flow, databases or concept where a proof breaks.
        OutOfTimeError
            If it takes longer.
        """
        budget = Budget.of(time_limit)
        check_fields(self)
        self._check_setting()
        self._check_lower(budget)
        self._check_privacy(budget)
        self._check_upper(budget)
        self.check_order(Fraction(0), Fraction(1))

    def _check_setting(self) -> None:
        points = len(self.concept_class.points)
        if self.samples < 1 or not points or not 0 <= self.accuracy <= 1:
            raise CertificateError(
                f"a learner has samples, points and an accuracy between 0 and 1, not "
                f"{self.samples}, {points} and {self.accuracy}"
            )
        if self.learner.num_points != points or self.epsilon.exp() < 1:
            raise CertificateError(
                f"the learner must be over {points} points and epsilon at least 0, not over "
                f"{self.learner.num_points} and {self.epsilon}"
            )

    @property
    def _databases(self) -> list[Database]:
        examples = product(range(len(self.concept_class.points)), (0, 1))
        return list(combinations_with_replacement(examples, self.samples))

    def _is_good(self, concept: int, h: int, law: Distribution) -> bool:
        wrong = (w for x, w in enumerate(law) if (concept ^ h) >> x & 1)
        return sum(wrong, Fraction(0)) <= self.accuracy

    def _check_lower(self, budget: Budget) -> None:
        if not self.lower:
            return
        gains, factor = self._gains(budget), rational(self.epsilon.exp())
        for number, (S, T, h, amount) in enumerate(self.flows):
            budget.spend()
            if not {(S, h), (T, h)} <= gains.keys() or not _are_neighbours(S, T) or amount <= 0:
                raise CertificateError(
                    f"flow {number} must be a positive amount between neighbouring databases"
                )
            gains[S, h] -= amount
            gains[T, h] += factor * amount
        most = {S: max(gains[T, h] for T, h in gains if S == T) for S in self._databases}
        if (failure := 1 - sum(most.values(), Fraction(0))) != self.lower:
            raise CertificateError(
                f"targets and flows prove a failure of {failure}, not {self.lower}"
            )

    def _gains(self, budget: Budget) -> dict[tuple[Database, int], Fraction]:
        """Return the chance of each sample and target for which each hypothesis is good."""
        m, hypotheses = len(self.concept_class.points), range(1 << len(self.concept_class.points))
        gains = {(S, h): Fraction(0) for S in self._databases for h in hypotheses}
        for number, (concept, law, weight) in enumerate(self.targets):
            is_law = len(law) == m and min(law) >= 0 and sum(law) == 1
            if concept not in self.concept_class.rows or not is_law or weight <= 0:
                raise CertificateError(
                    f"target {number} must be a concept of the class, a law and a weight above 0"
                )
            good = [h for h in hypotheses if self._is_good(concept, h, law)]
            for drawn in product(range(m), repeat=self.samples):
                budget.spend()
                chance = prod((law[x] for x in drawn), start=weight)
                S = tuple(sorted((x, concept >> x & 1) for x in drawn))
                for h in good:
                    gains[S, h] += chance
        if (total := sum((w for *_, w in self.targets), Fraction(0))) != 1:
            raise CertificateError(f"the weights of the targets must sum to 1, not {total}")
        return gains

    def _check_privacy(self, budget: Budget) -> None:
        """Check that the learner has a law on every sample, and is private."""
        laws = {S: {h: rational(p) for h, p in law.items} for S, law in self.learner.laws}
        if sorted(laws) != self._databases or len(laws) != len(self.learner.laws):
            raise CertificateError(
                f"the learner must have one law for each of {len(self._databases)} databases"
            )
        hypotheses, factor = range(1 << len(self.concept_class.points)), self.epsilon.exp()
        for S, law in laws.items():
            if not law.keys() <= set(hypotheses):
                raise CertificateError(f"the learner has no law on hypotheses on {S}")
        for S, T in product(laws, repeat=2):
            budget.spend()
            if _are_neighbours(S, T):
                for h, p in laws[S].items():
                    if p > factor * laws[T].get(h, Fraction(0)):
                        raise CertificateError(
                            f"the learner is not private: hypothesis {h} on {S} and {T}"
                        )

    def _check_upper(self, budget: Budget) -> None:
        C = self.concept_class
        if len(self.subdivisions) != len(C):
            raise CertificateError(
                f"there are subdivisions for {len(self.subdivisions)} of {len(C)} concepts"
            )
        vertices = tuple(
            tuple(Fraction(x == y) for y in range(len(C.points))) for x in range(len(C.points))
        )
        least, worst = Fraction(1), None
        for name, row, tree in zip(C.concepts, C.rows, self.subdivisions, strict=True):
            success = self._proved(row, tree, vertices, budget)
            if success < least:
                least, worst = success, name
        if 1 - least != self.upper:
            proved = f"at most {1 - least} (on concept {worst})"
            raise CertificateError(f"the learner is proved to fail {proved}, not {self.upper}")

    def _proved(
        self, concept: int, tree: Subdivision, corners: tuple[Distribution, ...], budget: Budget
    ) -> Fraction:
        """Return the success probability that a subdivision proves on a simplex."""
        budget.spend()
        if tree is not None:
            a, b, *parts = cut(tree)
            if not (0 <= a < len(corners) and 0 <= b < len(corners) and a != b):
                raise CertificateError(
                    f"a simplex is cut between the corners {a} and {b}, it has {len(corners)}"
                )
            middle = tuple((u + v) / 2 for u, v in zip(corners[a], corners[b], strict=True))
            return min(
                self._proved(concept, part, (*corners[:i], middle, *corners[i + 1 :]), budget)
                for i, part in zip((a, b), parts, strict=True)
            )
        good = {
            h
            for h in range(1 << len(corners))
            if all(self._is_good(concept, h, corner) for corner in corners)
        }
        chance = {
            S: sum((rational(p) for h, p in law.items if h in good), Fraction(0))
            for S, law in self.learner.laws
        }
        return min(
            average_over(chance, concept, chosen)
            for chosen in combinations_with_replacement(corners, self.samples)
        )

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        m = len(self.concept_class.points)
        place = {S: i for i, S in enumerate(self._databases)}
        numbers = {row: i for i, row in enumerate(self.concept_class.rows)}
        targets = [
            [numbers[f], encode_fractions(law), encode_fraction(w)] for f, law, w in self.targets
        ]
        flows = [
            [place[S], place[T], text_row(h, m), encode_fraction(y)] for S, T, h, y in self.flows
        ]
        laws = [
            [[text_row(h, m), encode_fraction(rational(p))] for h, p in law.items]
            for _, law in sorted(self.learner.laws, key=lambda pair: place[pair[0]])
        ]
        lower: dict[str, Any] = {"targets": targets, "flows": flows} if self.lower else {}
        return Certificate(
            "private_failure",
            self.concept_class.to_json(),
            {
                "samples": self.samples,
                "accuracy": encode_fraction(self.accuracy),
                "factor": encode_fraction(rational(self.epsilon.exp())),
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            lower,
            {"laws": laws, "subdivisions": [subdivision_json(tree) for tree in self.subdivisions]},
        )


def _are_neighbours(first: Database, second: Database) -> bool:
    """Tell whether exchanging one entry turns one database into the other, up to reordering."""
    return (Counter(first) - Counter(second)).total() == 1
