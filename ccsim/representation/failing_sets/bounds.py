"""Bounds on the failure probability of a probabilistic representation, what proves them, the check.

Main definition: `FailureResult`. What finds the bounds is in `ccsim.representation.failure`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeGuard

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import Bounds, check_fields
from ccsim.representation.error import check_concept, check_law
from ccsim.representation.failing_sets.families import Mixture, Tree
from ccsim.representation.failing_sets.selection import disagreements, mass
from ccsim.representation.hypotheses import (
    ProbabilisticRepresentation,
    check_points,
)

__all__ = ["FailureResult", "failing_weight"]


@dataclass(frozen=True, slots=True)
class FailureResult(Bounds[Fraction]):
    """Bounds on the failure probability of a probabilistic representation.

    Attributes
    ----------
    concept_class : ConceptClass
    representation : ProbabilisticRepresentation
    error : Fraction
    lower, upper : Fraction
        Proved bounds; equal when the probability is known exactly.
    concept : int
        Certificate from below: under ``distribution`` sets of weight ``lower`` fail for it.
    distribution : tuple of Fraction
    selections : tuple of tuple of tuple of Fraction, or None
        Certificate from above by Markov's inequality: convex weights for each concept and set.
    trees : tuple or None
        Certificate from above by branching, one tree for each concept; None when not used.
    """

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    representation: ProbabilisticRepresentation
    error: Fraction
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    selections: tuple[tuple[tuple[Fraction, ...], ...], ...] | None
    trees: tuple[Tree, ...] | None

    def represents(self, failure: Fraction) -> bool | None:
        """Whether the class is represented with this failure probability; None if not decided."""
        if self.upper <= failure:
            return True
        return False if self.lower > failure else None

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check both bounds from the definition, the upper one last.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
            Naming the concept where a bound is not proved.
        OutOfTimeError
            If it takes longer.
        """
        budget = Budget.of(time_limit)
        check_fields(self)
        as_fraction(self.error, "error", 0, 1)
        C, R = self.concept_class, self.representation
        check_concept(self.concept, C, R.num_points)
        check_points(R.num_points, C)
        check_law(self.distribution, R.num_points, "distribution")
        failing = failing_weight(R, C.rows[self.concept], self.error, self.distribution)
        if failing < self.lower:
            raise CertificateError(
                f"sets of weight {failing} fail under the distribution, less than {self.lower}"
            )
        if self.upper != 1:
            self._check_upper(budget)
        self.check_order(Fraction(0), Fraction(1))

    def without_upper(self) -> Self:
        """Return the result with the upper bound 1, which needs no proof."""
        return replace(self, upper=Fraction(1), selections=None, trees=None)

    def _check_upper(self, budget: Budget) -> None:
        C = self.concept_class
        proofs = self.selections if self.trees is None else self.trees
        if proofs is None or len(proofs) != len(C):
            raise CertificateError(f"nothing proves the upper bound {self.upper} for every concept")
        for f, row in enumerate(C.rows):
            budget.spend()
            name = f"concept {C.concepts[f]}"
            if self.trees is not None:
                self._check_tree(self.trees[f], row, frozenset(), Fraction(1), (0, name, budget))
            elif self.selections is not None:
                self._check_selection(self.selections[f], row, name)

    def _check_selection(
        self, weights: tuple[tuple[Fraction, ...], ...], row: int, name: str
    ) -> None:
        R = self.representation
        if len(weights) != len(R.sets):
            raise CertificateError(
                f"selection for {name} is from {len(weights)} of {len(R.sets)} sets"
            )
        wrong: list[tuple[Fraction, int]] = []
        for share, H, law in zip(R.weights, R.sets, weights, strict=True):
            check_law(law, H.size, f"selection of {name}")
            wrong += [(share * w, h ^ row) for w, h in zip(law, H.rows, strict=True) if w]
        errors = disagreements(wrong, R.num_points)
        if max(errors) > self.upper * self.error:
            raise CertificateError(
                f"selection for {name} errs {max(errors)} > {self.upper} * {self.error}"
            )

    def _check_tree(
        self,
        tree: Tree,
        row: int,
        included: frozenset[int],
        possible: Fraction,
        place: tuple[int, str, Budget],
    ) -> None:
        R, (depth, name, budget) = self.representation, place
        budget.spend()
        if isinstance(tree, str):
            if possible > self.upper:
                raise CertificateError(
                    f"{name}: sets of weight {possible} > {self.upper} are left open"
                )
        elif isinstance(tree, tuple) and len(tree) == 2:
            if depth == len(R.sets):
                raise CertificateError(f"{name}: the tree goes on after all {depth} sets")
            within, without = tree
            below = (depth + 1, name, budget)
            self._check_tree(within, row, included | {depth}, possible, below)
            self._check_tree(without, row, included, possible - R.weights[depth], below)
        else:
            self._check_blocked(tree, row, included, name)

    def _check_blocked(
        self, mixture: object, row: int, included: frozenset[int], name: str
    ) -> None:
        R = self.representation
        if not _is_mixture(mixture):
            raise CertificateError(
                f"{name}: a tree has pairs, texts and lists of weighted hypotheses, no {mixture}"
            )
        if not all(i in included and 0 <= j < R.sets[i].size for i, j, _ in mixture):
            raise CertificateError(
                f"{name}: the mixture uses hypotheses of sets that were not included"
            )
        check_law(tuple(w for *_, w in mixture), len(mixture), f"mixture of {name}")
        wrong = ((w, R.sets[i].rows[j] ^ row) for i, j, w in mixture)
        for x, error in enumerate(disagreements(wrong, R.num_points)):
            if error > self.error:
                raise CertificateError(
                    f"{name}: the mixture errs {error} on point {x}, more than {self.error}"
                )

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        upper: dict[str, Any] = {}
        if self.upper < 1 and self.trees is not None:
            upper = {"method": "branching", "trees": [_tree_json(tree) for tree in self.trees]}
        elif self.upper < 1 and self.selections is not None:
            rows = [[encode_fractions(law) for law in row] for row in self.selections]
            upper = {"method": "selection", "selections": rows}
        return Certificate(
            "probabilistic_representation",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "support": self.representation.to_json(),
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"concept": self.concept, "distribution": encode_fractions(self.distribution)},
            upper,
        )


def _is_mixture(node: object) -> TypeGuard[Mixture]:
    """Whether a node is a list of the number of a set, of a hypothesis, and a weight."""
    return isinstance(node, list) and all(
        isinstance(part, tuple) and len(part) == 3 and {*map(type, part[:2])} == {int}
        for part in node
    )


def _tree_json(tree: Tree) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(tree, str):
        return tree
    if isinstance(tree, tuple):
        return [_tree_json(tree[0]), _tree_json(tree[1])]
    return {"blocked": [[i, j, encode_fraction(w)] for i, j, w in tree]}


def failing_weight(
    representation: ProbabilisticRepresentation,
    concept: int,
    error: Fraction,
    distribution: tuple[Fraction, ...],
) -> Fraction:
    """Return the weight of the sets all of whose hypotheses err more than ``error``.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/3", HypothesisSet((0b01,), 2)), ("2/3", HypothesisSet((0b11,), 2))]
    ... )
    >>> failing_weight(R, 0b11, Fraction(1, 4), (Fraction(1, 2), Fraction(1, 2)))
    Fraction(1, 3)
    """
    return sum(
        (
            weight
            for weight, H in zip(representation.weights, representation.sets, strict=True)
            if all(mass(distribution, h ^ concept) > error for h in H.rows)
        ),
        Fraction(0),
    )
