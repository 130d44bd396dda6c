"""Section 3.1: minimal representations, and how many examples proper private learners need."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import prod

from ccsim import ConceptClass, HypothesisSet, learning_lower_bound, points
from ccsim.errors import CertificateError
from ccsim.exact import Epsilon, LogSum
from ccsim.exact.powers import exponential
from ccsim.instances import parse_class
from ccsim.learning import LearningPacking, packing_bound
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.learning.packing.sizes import (
    packing_sample_size,
    proper_point_lower_bound,
    samples_allowed,
)
from ccsim.privacy.optimal_mechanism import Task, least_private_failure_on
from ccsim.representation import minimality, representation_error, single_points
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import classes_up_to_symmetry

__all__ = ["CLAIMS"]

_FAILURES = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000))


def _itself(C: ConceptClass) -> HypothesisSet:
    return HypothesisSet.from_rows(C.rows, len(C.points))


def minimal_by_subsets(size: Size) -> Iterator[Instance]:
    """Compare with the definition: the set represents the class, and no proper subset does."""
    every = [H for n in range(1, 5) for H in combinations(range(4), n)]
    errors = (
        [Fraction(1, 3)] if size is Size.SMALL else [Fraction(0), Fraction(1, 3), Fraction(1, 2)]
    )
    for error in errors:

        def cases(error: Fraction = error) -> Iterator[tuple[object, bool]]:
            for C in classes_up_to_symmetry(2):
                if len(C.points) < 2:
                    continue
                represents = {
                    H: representation_error(HypothesisSet(H, 2), C).represents(error) for H in every
                }
                for H in every:
                    result = minimality(HypothesisSet(H, 2), C, error)
                    result.check()
                    smaller = any(represents[G] for G in every if set(G) < set(H))
                    yield (C.rows, H), result.minimal == (represents[H] and not smaller)

        what = "no proper subset represents the class"
        yield Instance.all_of(f"sets of hypotheses over 2 points, error={error}", cases(), what)


def minimal_hypotheses_need_examples(size: Size) -> Iterator[Instance]:
    """Turn minimal representations into packings; then let a private learner try its luck."""
    texts = ["points:b=2", "thresholds:b=2", "intervals:n=3"]
    if size is not Size.SMALL:
        texts += ["points:b=4", "lines:p=3", "parities:n=3", "decision_stumps:p=3"]
    for text in texts:
        C = parse_class(text)
        packing = LearningPacking.of_minimal(minimality(_itself(C), C, "1/4"))
        for failure in _FAILURES:
            bound = packing_bound(packing, failure, "ln 2")
            recheck(bound)
            printed = LogSum.log2((len(C) - 1) * (1 - failure) / failure)
            name = f"{text} accuracy=1/4 failure={failure} epsilon=ln 2"
            yield Instance.at_most(name, printed, bound.samples, "examples")
    for text, most in (("points:b=1", 4), ("points:b=2", 1), ("intervals:n=2", 1)):
        C = parse_class(text)
        packing = LearningPacking.of_minimal(minimality(_itself(C), C, "1/4"))
        for m in range(1, most + (size is not Size.SMALL)):
            least = 1 - 1 / (1 + (len(C) - 1) * Fraction(1, 4**m))
            best = _least_failure(packing, m, Fraction(4))
            name = f"{text} best private learner, m={m} epsilon=ln 4"
            yield Instance.at_most(name, least, best, "failure")


def failure_counted_twice(size: Size) -> Iterator[Instance]:
    """Compare the best private learner with the bound that uses both failures."""
    for text, most in (("points:b=1", 4), ("points:b=2", 1), ("intervals:n=2", 1)):
        C = parse_class(text)
        packing = LearningPacking.of_minimal(minimality(_itself(C), C, "1/4"))
        others = len(C) - 1
        for m in range(1, most + (size is not Size.SMALL)):
            terms = (Fraction(others * 4**s, 4**m + others * 16**s) for s in range(m + 1))
            best = _least_failure(packing, m, Fraction(4))
            name = f"{text} best private learner, m={m} epsilon=ln 4"
            yield Instance.at_most(name, max(terms), best, "failure")

    def of_order(b: int, failure: Fraction) -> bool:
        """Whether ``log2(2^b - 1) + 2 log2(1/(2 failure))`` is hardly above ``m``."""
        m = samples_allowed({Fraction(1): 2**b - 1}, Epsilon.of("ln 2"), failure)
        return LogSum.log2((2**b - 1) / (4 * failure**2)) <= m + LogSum.log2(Fraction(9, 8))

    yield Instance.all_of(
        "b, failure; epsilon=ln 2",
        (((b, f), of_order(b, f)) for b in (1, 2, 8, 64) for f in _FAILURES),
        "log2(2^b - 1) + 2 log2(1/(2 failure)) <= m + log2(9/8)",
    )


def _least_failure(packing: LearningPacking, m: int, factor: Fraction) -> Fraction:
    """Return the least failure on a packing of all private learners with its hypotheses."""
    C, H = packing.concept_class, packing.hypotheses
    pool = range(1 << len(C.points)) if H is None else H.rows
    tasks: list[Task[Example]] = []
    for f, law in packing.targets:
        good = [
            i for i, h in enumerate(pool) if disagreement(law, C.rows[f], h) <= packing.accuracy
        ]
        chances: dict[tuple[Example, ...], Fraction] = {}
        for drawn in product([x for x, p in enumerate(law) if p], repeat=m):
            sample = tuple(sorted((x, C.rows[f] >> x & 1) for x in drawn))
            chance = prod((law[x] for x in drawn), start=Fraction(1))
            chances[sample] = chances.get(sample, Fraction(0)) + chance
        tasks.append({(sample, i): p for sample, p in chances.items() for i in good})
    examples = labelled_examples(len(C.points))
    return least_private_failure_on(examples, m, len(pool), tasks, factor)


def points_need_their_logarithm(size: Size) -> Iterator[Instance]:
    """Compare the least number of examples with the formula, from 2 to 2^64 points."""
    for failure in _FAILURES:

        def cases(failure: Fraction = failure) -> Iterator[tuple[object, bool]]:
            for b in range(1, 65):
                m = packing_sample_size(2**b, Epsilon.of("ln 2"), failure)
                needed = LogSum.log2((2**b - 1) * (1 - failure) / failure)
                yield b, m - 1 < needed <= m or (m == 0 and needed <= 0)

        yield Instance.all_of(
            f"points:b=1..64 failure={failure} epsilon=ln 2",
            cases(),
            "m = ceil(log2(2^b - 1) + log2((1 - failure) / failure))",
        )
    for b in (1, 2, 3) if size is Size.SMALL else (1, 2, 3, 4, 5):
        bound = learning_lower_bound(points(b), "1/2", "1/10", 1, proper=True)
        recheck(bound)
        least = packing_sample_size(2**b, Epsilon.of(1), Fraction(1, 10))
        name = f"points:b={b} accuracy=1/2 failure=1/10 epsilon=1"
        yield Instance.at_most(name, Fraction(least), bound.samples, "examples")


def accuracy_multiplies_the_bound(size: Size) -> Iterator[Instance]:
    """Check packings at masses above the accuracy, and that they imply the printed inequality."""
    for b in (2, 3) if size is Size.SMALL else (2, 3, 4, 5):
        for accuracy in (Fraction(1, 10), Fraction(1, 4)):
            bound = learning_lower_bound(points(b), accuracy, "1/10", 1, proper=True)
            recheck(bound)
            least = proper_point_lower_bound(2**b, Epsilon.of(1), accuracy, Fraction(1, 10))
            name = f"points:b={b} accuracy={accuracy} failure=1/10 epsilon=1"
            yield Instance.at_most(name, Fraction(least), bound.samples, "examples")
    bits = (2, 8, 32) if size is Size.SMALL else (2, 8, 32, 64)
    grid = list(product(bits, (Fraction(1, 5), Fraction(1, 20)), _FAILURES))

    def satisfied(b: int, accuracy: Fraction, failure: Fraction) -> bool:
        """Whether the inequality of the proof holds at the number of examples that is needed."""
        m = proper_point_lower_bound(2**b, Epsilon.of(1), accuracy, failure)
        mass = accuracy * Fraction(11, 10)
        gamma = failure + exponential(-mass * m / 3)
        return bool((2**b - 2) * exponential(-4 * mass * m) * (1 - gamma) <= gamma)

    yield Instance.all_of(
        "b, accuracy, failure; epsilon=1, mass 11/10 accuracy",
        ((case, satisfied(*case)) for case in grid),
        "(2^b - 2) e^(-4 epsilon mass m) (1 - G) <= G for G = failure + e^(-mass m / 3)",
    )

    def of_order(b: int, accuracy: Fraction, failure: Fraction) -> bool:
        """Whether ``ln(...) <= accuracy (e^epsilon - 1) m``, for ``epsilon = ln 2``."""
        m = proper_point_lower_bound(2**b, Epsilon.of("ln 2"), accuracy, failure)
        needed = LogSum.log2(max(2**b - 2, 1) * (1 - failure) / failure)
        return needed.compare_nats(accuracy * m) <= 0

    yield Instance.all_of(
        "b, accuracy, failure; epsilon=ln 2",
        ((case, of_order(*case)) for case in grid),
        "ln(2^b - 2) + ln((1 - failure) / failure) <= accuracy (e^epsilon - 1) m",
    )


def mass_equal_to_the_accuracy(_size: Size) -> Iterator[Instance]:
    """Give the points exactly the accuracy as mass: then one concept is good for all targets."""
    for b, accuracy in ((2, Fraction(1, 10)), (3, Fraction(1, 4))):
        C = points(b)
        n = len(C.points)
        laws = [
            tuple(accuracy if x == i else (1 - accuracy) * (x == 0) for x in range(n))
            for i in range(1, n)
        ]
        packing = LearningPacking(C, _itself(C), accuracy, tuple(enumerate(laws, 1)))
        detail, holds = "only c_i is good for D_i", True
        try:
            packing.check()
        except CertificateError as error:
            holds, detail = False, f"{error}: its error is exactly {accuracy}, which is allowed"
        yield Instance.of(f"points:b={b} accuracy={accuracy}", holds, detail)


def best_learners(size: Size) -> Iterator[Instance]:
    """Compute the least failure of all private learners on targets of Lemma 3.9."""
    C, accuracy, mass = single_points(3), Fraction(1, 4), Fraction(3, 10)
    laws = [(1 - mass, mass, Fraction(0)), (1 - mass, Fraction(0), mass)]
    packing = LearningPacking(C, _itself(C), accuracy, tuple(enumerate(laws, 1)))
    packing.check()
    for m in (1,) if size is Size.SMALL else (1, 2):
        growth: Fraction = (1 + 3 * mass) ** m
        name = f"3 points, mass {mass}, best private learner, m={m} epsilon=ln 4"
        best = _least_failure(packing, m, Fraction(4))
        yield Instance.at_most(name, 1 - 1 / (1 + 1 / growth), best, "failure")


def lemma_and_learner(size: Size) -> Iterator[Instance]:
    """Check packings, and the best learner on one of them."""
    yield from accuracy_multiplies_the_bound(size)
    yield from best_learners(size)


CLAIMS = (
    Claim(
        "bbkn/def-3.5",
        "Definition 3.5",
        "Minimal hypothesis classes",
        "A set of hypotheses is minimal for a class if it represents the class with an error and "
        "no proper subset does. It is enough to drop one hypothesis at a time, and each that "
        "cannot be dropped is needed for a concept and a distribution.",
        Kind.DEFINITION,
        minimal_by_subsets,
    ),
    Claim(
        "bbkn/thm-3.6",
        "Theorem 3.6, with explicit constants",
        "Lower bound by minimal hypothesis classes",
        "If H is minimal for C with error accuracy, every epsilon-private learner of C with this "
        "accuracy and failure probability, whose hypotheses are in H, has m >= (ln(|H| - 1) + "
        "ln((1 - failure) / failure)) / epsilon examples; with m examples it fails with "
        "probability at least 1 - 1 / (1 + (|H| - 1) e^(-epsilon m)).",
        Kind.THEOREM,
        minimal_hypotheses_need_examples,
        uses=("bbkn/def-3.5", "bbkn/group"),
    ),
    Claim(
        "bbkn/thm-3.6-sharper",
        "after Theorem 3.6",
        "The failure counts twice in the lower bound",
        "Under the hypotheses of Theorem 3.6 the learner fails with probability at least (|H| - 1) "
        "e^(epsilon s) / (e^(epsilon m) + (|H| - 1) e^(2 epsilon s)) for every s <= m, because the "
        "good answers for each target keep probability 1 - failure e^(epsilon s) while the first s "
        "examples are exchanged. So ln(1/failure) has a factor of 2: epsilon m >= ln(|H| - 1) + 2 "
        "ln(1/(2 failure)), up to a constant. With two hypotheses a learner attains the bound.",
        Kind.THEOREM,
        failure_counted_twice,
        uses=("bbkn/thm-3.6",),
    ),
    Claim(
        "bbkn/cor-3.8",
        "Corollary 3.8, with explicit constants",
        "Proper private learning of points",
        "Every proper epsilon-private learner of the 2^b points needs m >= (ln(2^b - 1) + ln((1 - "
        "failure) / failure)) / epsilon examples.",
        Kind.COROLLARY,
        points_need_their_logarithm,
        uses=("bbkn/thm-3.6", "bbkn/prop-3.7"),
    ),
    Claim(
        "bbkn/lemma-3.9-printed",
        "proof of Lemma 3.9, as printed",
        "With mass equal to the accuracy only one concept is good",
        "Let D_i have mass accuracy on the point i and the rest on the point 1. Then a learner "
        "must answer c_i on samples of D_i, because every other c_j errs more than the accuracy.",
        Kind.ERRATUM,
        mass_equal_to_the_accuracy,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/lemma-3.9",
        "Lemma 3.9, corrected, with explicit constants",
        "Proper private learning of points, with accuracy",
        "Every proper epsilon-private learner of the 2^b points needs m examples with (2^b - 2)(1 "
        "- failure) <= failure (1 + accuracy (e^epsilon - 1))^m: masses above the accuracy by as "
        "little as one likes separate the concepts. So accuracy (e^epsilon - 1) m >= ln(2^b - 2) + "
        "ln((1 - failure) / failure), which implies the inequality of the printed proof, (2^b - 2) "
        "e^(-4 epsilon a m) (1 - G) <= G for a > accuracy and G = failure + e^(-a m / 3).",
        Kind.LEMMA,
        lemma_and_learner,
        uses=("bbkn/cor-3.8",),
        corrects="bbkn/lemma-3.9-printed",
    ),
)
