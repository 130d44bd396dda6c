"""A learner from a release assisted by public data, and a learner without the public data.

Main definitions: `assisted_learner`, `learn_from_release`, `without_public`.

A release answers the queries of a class on the points; a learner needs the errors of the concepts
on labelled examples. For a label ``s`` and a point ``x0``, let ``phi_s`` keep the points of the
examples with label ``s`` and replace all others by ``x0``. The answers for the class are released
on the images of both samples under ``phi_0`` and under ``phi_1``, together with the noisy share of
the label 1. The numbers of private and of public records do not change. In contrast, the proof
cited by `pap` Lemma 17 divides the public sample by label, so that only ``t m`` of ``m`` records
remain for a label of share ``t``.

If an atom has almost all of the mass, all public examples equal the atom, and the learner can
generate them itself: see `without_public`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from ccsim.classes import ConceptClass
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution
from ccsim.exact.exponentials import Real
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, Subsampled
from ccsim.privacy.neighbours import Domain
from ccsim.privacy.noise import GeometricNoise
from ccsim.release.queries.multiplicative_weights import MultiplicativeWeights, Transcript
from ccsim.texts.labels import Label
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.learner import (
    SanitizingLearner,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.padding import (
    PaddedByLabel,
    padded,
)

__all__ = [
    "LearnedConcept",
    "PublicDataRelease",
    "assisted_learner",
    "learn_from_release",
    "without_public",
]

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")
Asked_contra = TypeVar("Asked_contra", contravariant=True)
Answer = TypeVar("Answer", bound=Hashable)


def assisted_learner(
    release: Callable[[Sequence[Label]], Mechanism[Any, Any]],
    concept_class: ConceptClass,
    public: Sequence[Example],
    epsilon: Epsilon,
) -> SanitizingLearner:
    """Return the learner from a release with the given public sample, as a mechanism.

    Parameters
    ----------
    release : callable
        Takes public points, returns a mechanism over the points of the class that releases
        databases or `Estimates`.
    concept_class : ConceptClass
        With at least one point and one concept; the first point is ``x0``.
    public : sequence of (int, int)
        Numbers of points with their labels.
    epsilon : Epsilon
        Parameter of the noise on the number of ones; positive.

    Returns
    -------
    SanitizingLearner
        If the release is ``epsilon'``-private, it is ``(2 epsilon' + epsilon)``-private, for all
        public examples. If each release has error at most ``alpha``, as shares, except with
        probability ``beta``, the learner's error exceeds the least error by at most ``4 alpha``
        plus twice the noise, except with probability ``2 beta``.

    Raises
    ------
    DomainError
        If an example is not an example of the class.

    Notes
    -----
    Source: `pap` Lemma 17, with padded samples.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> C, ln4 = points(1), Epsilon.of("ln 4")
    >>> learner = assisted_learner(lambda _: SyntheticDatabase(C, ln4, 1), C, [(0, 1)], ln4)
    >>> learner.distribution([(1, 1)])[1] < learner.distribution([(0, 1)])[1]
    True
    """
    examples = Domain.of(labelled_examples(len(concept_class.points)))
    numbers = examples.numbered(public)
    zeros, ones = (release(padded(numbers, y, concept_class.points)) for y in (0, 1))
    both = PaddedByLabel(zeros, concept_class, epsilon, ones)
    return SanitizingLearner(both.sanitizing, concept_class)


@runtime_checkable
class Answers(Protocol[Asked_contra]):
    """Output of a release, such as `ccsim.release.queries.public_data.QueryRelease`."""

    def answer(self, concept: Asked_contra, /) -> float:
        """Return the answer to a query, from -1 to 1."""
        ...


@frozen
class LearnedConcept(Generic[Concept]):
    """Output of a learner.

    Attributes
    ----------
    concept
        The first candidate with the least estimated error.
    error : float
        Estimate of its error, which may lie outside [0, 1]. It is computed only from released
        numbers, hence private.
    """

    concept: Concept
    error: float


def learn_from_release(  # noqa: PLR0913 - both samples, and what a concept is
    release: Callable[[list[Record], list[Record]], Answers[Concept]],
    private: Sequence[tuple[Record, int]],
    public: Sequence[tuple[Record, int]],
    epsilon: Epsilon,
    rng: Randomness = SYSTEM,
    *,
    candidates: Callable[[list[Record]], Sequence[Concept]],
    sign: Callable[[Concept, Record], int],
    padding: Record,
) -> LearnedConcept[Concept]:
    """Learn from labelled examples with an arbitrary release for the unlabelled class.

    Parameters
    ----------
    release : callable
        Takes private and public points; called once for each label.
    private, public : sequences of (point, label)
        Labels are 1 and -1; both samples must be nonempty.
    epsilon : Epsilon
        Parameter of the noise on the number of ones.
    rng : Randomness, optional
    candidates : callable
        Takes the public points, including padding, and returns the candidate concepts.
    sign : callable
        The label of a point by a concept, 1 or -1.
    padding
        The point ``x0``, which must not depend on the private sample.

    Notes
    -----
    ``E[y h(x)] = E_+[h] - E_-[h] - h(x0) (Pr[y=-] - Pr[y=+])`` for the images under both maps; the
    error of ``h`` is ``(1 - E[y h]) / 2``. If the answers have error ``a``, the estimates have
    error at most ``a`` plus the noise. The privacy parameter is twice that of the release, plus
    ``epsilon``.

    Source: `pap` Lemma 17, with padded samples.

    Raises
    ------
    DomainError
        If a sample is empty, or a label is neither 1 nor -1.

    Examples
    --------
    >>> from ccsim.release.queries.public_data import release_queries
    >>> from ccsim.release.queries.covers import ThresholdCover
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> points = [int(x) for x in rng.integers(0, 2**64, 4400, dtype=np.uint64)]
    >>> examples = [(x, 1 if x < 2**63 else -1) for x in points]
    >>> def release(private, public):
    ...     cover = ThresholdCover(2**64 - 1, tuple(public))
    ...     return release_queries(cover, private, 1, "1/1000000", rng, method="histogram")
    >>> learned = learn_from_release(
    ...     release,
    ...     examples[400:],
    ...     examples[:400],
    ...     Epsilon.of(1),
    ...     rng,
    ...     padding=0,
    ...     candidates=lambda public: ThresholdCover(2**64 - 1, tuple(public)).kept,
    ...     sign=lambda t, x: 1 if x < t else -1,
    ... )
    >>> abs(learned.concept / 2**64 - 0.5) < 0.05
    True
    """
    if not private or not public:
        raise DomainError("the private and the public sample must each have at least one example")
    for _, label in (*private, *public):
        if label not in (1, -1):
            raise DomainError(f"label must be 1 or -1, not {label}")

    def released(label: int) -> Answers[Concept]:
        images = ([x if y == label else padding for x, y in s] for s in (private, public))
        return release(*images)

    positive, negative = released(1), released(-1)
    noise = int(GeometricNoise(epsilon).draw(1, rng)[0])
    ones = sum(y == 1 for _, y in private) + noise
    excess = 1 - 2 * ones / len(private)
    tried = candidates([padding, *(x for x, _ in public)])
    if not tried:
        raise DomainError("candidates must return at least one concept, not 0")

    def error(concept: Concept) -> float:
        agreement = positive.answer(concept) - negative.answer(concept)
        return (1 - agreement + sign(concept, padding) * excess) / 2

    errors = [error(concept) for concept in tried]
    best = min(range(len(tried)), key=errors.__getitem__)
    return LearnedConcept(tried[best], errors[best])


def without_public(
    learner: Callable[[Sequence[Record]], Mechanism[Record, Answer]],
    atom: Record,
    public: int,
    share: Real,
) -> Subsampled[Record, Answer]:
    """Return the learner without public examples: copies of one atom replace them.

    Each private example is kept with probability ``share``, and replaced by the atom otherwise. So
    the private sample has the distribution ``share D + (1 - share) atom``. Under this distribution,
    all public examples equal the atom with probability at least ``(1 - share)^m``. If the given
    learner has error at most ``alpha`` for it, except with probability ``beta``, the returned
    learner has error at most ``alpha / share`` under ``D``, except with probability ``beta / (1 -
    share)^m``, which is at most ``beta + 1 - (1 - share)^m`` if the latter is below 1.

    Parameters
    ----------
    learner : callable
        Takes a public sample, returns a mechanism on private samples.
    atom : record
        An example whose label is that of all targets.
    public : int
        Number of public examples, ``m``; at least 0.
    share : Fraction
        Written ``eta``; from 0 to 1.

    Returns
    -------
    Subsampled
        ``ln(1 + share (e^epsilon - 1))``-private if the learner is ``epsilon``-private.

    Raises
    ------
    DomainError
        If `public` is negative, or the atom is not a record.

    Notes
    -----
    Source: the finite form of `pap` Theorem 15 and Lemma 18.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from ccsim.learning import PrivateOccam
    >>> alone = without_public(
    ...     lambda public: PrivateOccam(2, (1, 2), Epsilon.of("ln 4")), (0, 1), 3, Fraction(1, 3)
    ... )
    >>> from ccsim.privacy import audit
    >>> audit(alone, "ln 2", 0, 1).verdict.value
    'holds'
    """
    if public < 0:
        raise DomainError(f"public examples must be at least 0, not {public}")
    return Subsampled(learner((atom,) * public), share, atom)


@validated
class PublicDataRelease(CanonicalMechanism[Any, Transcript]):
    """The release for one public sample, as a mechanism on the private records, for audits."""

    weights: MultiplicativeWeights  # with the cover of the public sample
    domain: Sequence[Hashable]  # the values of a private record

    symmetric = True

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return tuple(self.domain)

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Transcript]:
        """Return the distribution of the transcript."""
        return self.weights.distribution([self.weights.cover.cell(record) for record in database])
