"""A learner given by its table: the law of the hypothesis on every small sample."""

from __future__ import annotations

from ccsim.data import validated
from ccsim.exact.law import Law
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy.mechanism import CanonicalMechanism


@validated
class TabledLearner(CanonicalMechanism[Example, int]):
    """A learner given by its law on every multiset of labelled examples.

    Attributes
    ----------
    num_points : int
    laws : tuple of (multiset, Law)
        For each non-decreasing tuple of labelled examples a law on hypotheses (bit masks).
    """

    num_points: int
    laws: tuple[tuple[tuple[Example, ...], Law[int]], ...]

    symmetric = True

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(self.num_points)

    def law_of(self, database: tuple[Example, ...]) -> Law[int]:
        """Return the law of the hypothesis."""
        return dict(self.laws)[database]
