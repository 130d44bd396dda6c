"""Sets of hypotheses that represent a class: their errors, and how few there can be."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from .reader import Class, ColumnLaw, Matrix, Raw, Row, Subsets, each, law, members
from .rules import Quantity, least, mixture, most, spend

__all__ = ["DeterministicRepresentation"]


class DeterministicRepresentation(Quantity, kind="deterministic_representation"):
    """The largest, over concepts and distributions, of the least error of a hypothesis."""

    instance: Class
    hypotheses: Subsets

    @least
    def hard_distribution(self, concept: Row, distribution: ColumnLaw) -> Fraction:
        """Every hypothesis errs so much on a concept under a distribution."""
        f = self.instance.rows[concept]
        spend(len(self.hypotheses) * (20 + 2 * self.instance.width))
        wrong = [sum(distribution[x] for x in members(h ^ f)) for h in self.hypotheses]
        return Fraction(min(wrong), sum(distribution))

    @most
    def mixtures(self, weights: Raw) -> Fraction:
        """For each concept a mixture of the hypotheses that disagrees with it nowhere more."""
        laws = each(law, weights, len(self.hypotheses), length=len(self.instance.rows))
        concepts = zip(self.instance.rows, laws, strict=True)
        errors = (disagreement(self.instance, f, p, self.hypotheses) for f, p in concepts)
        return max(errors, default=Fraction(0))


def disagreement(C: Matrix, f: int, weights: list[int], hypotheses: Iterable[int]) -> Fraction:
    """Return on how much of a mixture the concept `f` is wrong on the worst point."""
    wrong = mixture(weights, (h ^ f for h in hypotheses), C.width)
    return Fraction(max(wrong, default=0), sum(weights))
