"""Section 5 and introduction: learners from releases, and their numbers of public samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from ccsim import ConceptClass
from ccsim.exact import Epsilon, Interval
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.instances import parse_class
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import audit
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from ccsim.texts.labels import Label
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.learner import (
    SanitizingLearner,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.padding import padded
from proofs_check.claims.claim import Kind, Verdict, claim, not_checked
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.public_data.constructions.assisted import assisted_learner
from proofs_check.claims.public_data.constructions.public_bound import public_sample_bound
from proofs_check.claims.variants import near, times

LN2, LN4 = Epsilon.of("ln 2"), Epsilon.of("ln 4")

Images = Callable[[Sequence[int], int, Sequence[int]], list[int]]


@cache
def _learner(instance: str, public: tuple[Example, ...]) -> SanitizingLearner:
    """Return the learner from a release whose distribution depends on the public points."""
    C = parse_class(instance)

    def release(points: Sequence[Label]) -> SyntheticDatabase:
        return SyntheticDatabase(C, LN4, 1 + len(set(points)) % 2)

    return assisted_learner(release, C, public, LN2)


@cache
def _least_factor(instance: str) -> Real:
    """Return the largest of the least e^epsilon found by audits for pairs of public examples."""
    audited: Real = Fraction(0)
    for public in _public_samples(parse_class(instance)):
        factor = recheck(audit(_learner(instance, public), "ln 32", 0, 1)).factor
        assert factor is not None  # noqa: S101 - every hypothesis has a chance
        audited = max(audited, factor)
    return audited


def _public_samples(C: ConceptClass) -> list[tuple[Example, ...]]:
    return list(product(labelled_examples(len(C.points)), repeat=2))


def _one_of_both_labels(C: ConceptClass) -> list[tuple[Example, ...]]:
    return [((0, 0), (len(C.points) - 1, 0))]


@claim(
    "pap/def-16",
    "Definition 16",
    "Public-data-assisted learning",
    Kind.DEFINITION,
    over=grid(instance=["points:b=1"]).medium(instance=["thresholds:b=1"]),
    near=[
        near("Only one public sample is considered.", samples=_one_of_both_labels),
        near("The ratio is e^(eps - ln(1000/999)).", weight=times(Fraction(999, 1000))),
    ],
    uses=["pap/def-6"],
)
def private_for_all_public_examples(
    instance: str,
    *,
    samples: Callable[[ConceptClass], list[tuple[Example, ...]]] = _public_samples,
    weight: Fraction = Fraction(1),
) -> Decision:
    """A PAP learner takes private and public labelled examples; for all public examples it is
    differentially private in the private examples. For a learner obtained from a release, the least
    e^epsilon that audits find over all public examples is the largest ratio of two probabilities of
    one hypothesis. (Its error, the other condition, is the subject of Lemma 17.)
    """
    C = parse_class(instance)
    examples = labelled_examples(len(C.points))
    audited = _least_factor(instance)
    ratio: Real = Fraction(0)
    for public in samples(C):
        distributions = [_learner(instance, public).distribution([example]) for example in examples]
        ratio = max(
            ratio,
            *(
                p / other[h]
                for distribution in distributions
                for other in distributions
                for h, p in distribution.items
            ),
        )
    return equal(weight * audited, ratio)


@claim(
    "pap/lemma-17-printed",
    "proof of Lemma 17, as printed",
    "The reduction keeps the size of the public sample",
    Kind.ERRATUM,
    over=grid(instance=["points:b=1", "thresholds:b=2"], m=[1, 2, 3]),
    near=near(
        "For each label, the points of the examples with the other label are replaced.",
        images=padded,
    ),
    recorded=Verdict.FAILS,
    survives="yes: the examples of the other label are replaced by one fixed point, in both "
    "samples, and both sample sizes are unchanged",
)
def printed_public_sample(
    instance: str,
    m: int,
    *,
    images: Images = lambda sample, y, points: [points[i // 2] for i in sample if i % 2 == y],
) -> Decision:
    """By the reduction of Beimel, Nissim and Stemmer, the release implies a learner with the same
    public sample size m: the reduction divides the sample by label, and each of the releases has m
    public points. This is false for every public sample, because the two parts have m points in
    total.
    """
    C = parse_class(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        for sample in product(range(2 * len(C.points)), repeat=m):
            for y in (0, 1):
                yield (sample, y), equal(len(images(sample, y, range(len(C.points)))), m)

    return all_of(cases())


def _dropped(sample: Sequence[int], y: int, points: Sequence[int]) -> list[int]:
    """Return the sample for label y, padded with the second point instead of the first."""
    return [points[i // 2 if i % 2 == y else 1] for i in sample]


@claim(
    "pap/lemma-17",
    "Lemma 17, corrected",
    "Learning from release",
    Kind.LEMMA,
    over=grid(instance=["points:b=1", "thresholds:b=2", "intervals:n=3"], n=[1, 2]),
    near=[
        near("The equation without the term of x0.", correction=0),
        near("The other examples are replaced by a point other than x0.", images=_dropped),
        near("Neighbouring samples have equal images.", changed=0),
        near(
            "The error of the estimates is at most 99 alpha / 100.", loss=times(Fraction(99, 100))
        ),
    ],
    corrects="pap/lemma-17-printed",
    uses=["pap/def-8", "pap/def-16"],
)
def learning_from_release(
    instance: str,
    n: int,
    *,
    correction: int = 1,
    images: Images = padded,
    changed: int = 1,
    loss: Fraction = Fraction(1),
) -> Decision:
    """A release of H assisted by public data gives a learner with the same public and the same
    private sample size. Let phi_s keep the points of the examples of label s and replace the others
    by x0. Then E[y h] = E_phi+[h] - E_phi-[h] - h(x0)(Pr[y=-] - Pr[y=+]) for the images of every
    sample; neighbouring samples have images that differ in at most one place; and answers with
    error alpha yield estimates of the errors of concepts with error at most alpha. Checked for all
    samples of n labelled examples and all concepts.
    """
    C, alpha = parse_class(instance), Fraction(1, 10)
    places, examples = range(len(C.points)), range(2 * len(C.points))

    def cases() -> Iterator[tuple[object, Decision]]:
        for sample in product(examples, repeat=n):
            both = [images(sample, y, places) for y in (0, 1)]
            minus = Fraction(sum(i % 2 == 0 for i in sample), n)
            for row in C.rows:
                sign = [2 * (row >> x & 1) - 1 for x in places]
                below, over = (Fraction(sum(sign[x] for x in image), n) for image in both)
                term = correction * sign[0] * (2 * minus - 1)
                true = Fraction(sum((2 * (i % 2) - 1) * sign[i // 2] for i in sample), n)
                yield (sample, row), equal(over - below - term, true)
                for up, down in product((-alpha, alpha), repeat=2):
                    error = (1 - (over + up - below - down - term)) / 2
                    yield (
                        (sample, row, up, down),
                        at_most(abs(error - (1 - true) / 2), loss * alpha),
                    )
            for place, other in product(range(n), examples):
                moved = [*sample[:place], other, *sample[place + 1 :]]
                for y in (0, 1):
                    pairs = zip(both[y], images(moved, y, places), strict=True)
                    yield (sample, moved, y), at_most(sum(a != b for a, b in pairs), changed)

    return all_of(cases())


@claim(
    "pap/thm-15",
    "Theorem 15",
    "Public samples for infinite Littlestone dimension",
    Kind.THEOREM,
    over=grid(alpha=["1/100", "1/1000"], beta=["1/10", "1/100"], private=[0, 1000]),
    near=[
        near(
            "At least ln(1/beta)/(2 alpha) public examples are needed.",
            share=times(Fraction(20, 19)),
        ),
        near("The statement for depth 78 000.", depth=78_000),
    ],
    recorded=Verdict.NOT_DECIDED,
    reason="asymptotic, and cited from another paper for delta > 0; checked for a finite form with "
    "delta = 0, in which the mistake tree gives the bound",
    uses=["pap/lemma-17", "pap/lemma-18"],
)
def public_samples_needed(
    alpha: str,
    beta: str,
    private: int,
    *,
    share: Fraction = Fraction(19, 20),
    depth: int = 1 << 17,
) -> Decision:
    """A release of a class of infinite Littlestone dimension needs Omega(1/alpha) public samples,
    whatever the number of private samples. Checked for learners with delta = 0 and eps = 1, which a
    release gives: with a mistake tree of depth 2^17, which thresholds over 2^(2^17) points have,
    and the given number of private examples, at least 19/20 ln(1/beta)/(2 alpha) public examples
    are needed."""
    found = public_sample_bound(depth, alpha, beta, 1, private)
    log = enclose_log(1 / Fraction(beta))
    scale = share / (2 * Fraction(alpha))
    return at_least(found.public, Interval(scale * log.lower, scale * log.upper))


LEMMA_18 = not_checked(
    "pap/lemma-18",
    "Lemma 18",
    "Public samples for learning",
    Kind.LEMMA,
    "A PAP learner of a class of infinite Littlestone dimension has public sample complexity "
    "m = Omega(1/alpha), where alpha is the excess error.",
    reason="cited from Alon, Bassily and Moran (2019) for delta > 0, where it depends on a bound "
    "that grows with the iterated logarithm; pap/thm-15 checks a finite form for delta = 0",
    uses=["pap/def-16"],
)

INTRO_1 = not_checked(
    "pap/intro-1",
    "section 1.1, first result",
    "Summary of the upper bound",
    Kind.REMARK,
    "A number of public samples of order d/alpha and a number of private samples of "
    "order sqrt(p) d^(3/2) / alpha^2 are enough for VC dimension d and dual VC "
    "dimension p.",
    reason="a summary of pap/thm-10 without logarithms and constants; that claim contains the "
    "details",
    uses=["pap/thm-10"],
)

INTRO_2 = not_checked(
    "pap/intro-2",
    "section 1.1, second result",
    "Summary of the lower bound for decision stumps",
    Kind.REMARK,
    "A class of VC dimension log p and dual VC dimension p needs sqrt(p)/alpha private or "
    "1/alpha^2 public samples, up to constants.",
    reason="a summary of pap/thm-13, which is asymptotic; its arithmetic is checked there",
    uses=["pap/thm-13"],
)

INTRO_3 = not_checked(
    "pap/intro-3",
    "section 1.1, third result",
    "Summary of the lower bound in public samples",
    Kind.REMARK,
    "Classes of infinite Littlestone dimension need a number of public samples of order "
    "1/alpha, whatever the number of private samples.",
    reason="a summary of pap/thm-15, which is asymptotic; a finite form is checked there",
    uses=["pap/thm-15"],
)
