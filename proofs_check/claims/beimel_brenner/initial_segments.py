"""Section 5.1: initial segments of a line, and the switching points of hypotheses for them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil

from ccsim import HypothesisSet, learning_lower_bound, littlestone_dimension, vc_dimension
from ccsim.exact import Epsilon, LogSum, binomial_tail
from ccsim.learning import LearningPacking, SwitchReconstruction, packing_bound
from ccsim.learning.learners.occam import empirical_errors, labelled_examples
from ccsim.learning.learners.segments import (
    initial_segments,
    segment,
    switch_within,
    switching_points,
)
from ccsim.learning.packing.sizes import packing_sample_size, proper_segment_lower_bound
from ccsim.learning.sample_size import occam_sample_size
from ccsim.representation import minimality
from proofs_check.claims.beimel_brenner.light_hypotheses import complication
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

_FAILURES = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000))
_TENTH = Fraction(1, 10)


def segments(size: Size) -> Iterator[Instance]:
    """Count the segments and compute their dimensions."""
    for d in range(1, 4 if size is Size.SMALL else 6):
        C = initial_segments(2**d)
        vc, ldim = vc_dimension(C), littlestone_dimension(C)
        recheck(vc)
        recheck(ldim)
        holds = (len(C), vc.value, ldim.value) == (2**d + 1, 1, d)
        detail = f"{len(C)} concepts, VC {vc.value}, LDim {ldim.value}"
        yield Instance.of(f"d={d}", holds, detail)


def minimal_for_themselves(size: Size) -> Iterator[Instance]:
    """No segment can be dropped below error 1/2; at 1/2 one can."""
    for number in (2, 3, 4) if size is Size.SMALL else (2, 4, 6, 8):
        C = initial_segments(number)
        H = HypothesisSet.from_rows(C.rows, number)
        for error in ("0", "1/4", "49/100", "1/2"):
            result = minimality(H, C, error)
            result.check()
            name = f"{number} points, error={error}"
            yield Instance.of(
                name, result.minimal == (error != "1/2"), f"minimal: {result.minimal}"
            )


def printed_dependence_on_failure(_size: Size) -> Iterator[Instance]:
    """Take the constant as small as you like: with a small failure, enough examples are fewer."""
    for constant in (Fraction(1), Fraction(1, 1000)):
        failure = constant / 10**7
        enough = occam_sample_size(5, Epsilon.of(1), Fraction(1, 4), failure)
        name = f"4 points, accuracy=1/4 failure={failure} epsilon=1"
        detail = f"constant {constant}; so many examples are enough"
        yield Instance.at_most(name, constant * (2 + 1 / failure), Fraction(enough), detail)


def segments_need_their_logarithm(size: Size) -> Iterator[Instance]:
    """Check packings of small sets of segments, and the formulas up to 2^64 points."""
    for number in (2, 4) if size is Size.SMALL else (2, 4, 8, 16):
        C = initial_segments(number)
        H = HypothesisSet.from_rows(C.rows, number)
        packing = LearningPacking.of_minimal(minimality(H, C, "1/4"))
        bound = packing_bound(packing, _TENTH, "ln 2")
        recheck(bound)
        name = f"{number} points, accuracy=1/4 failure=1/10 epsilon=ln 2"
        yield Instance.at_most(name, LogSum.log2(number * 9), bound.samples, "examples")
        near = learning_lower_bound(C, "1/20", _TENTH, 1, proper=True)
        recheck(near)
        least = proper_segment_lower_bound(number, Epsilon.of(1), Fraction(1, 20), _TENTH)
        name = f"{number} points, accuracy=1/20 failure=1/10 epsilon=1"
        yield Instance.at_most(name, Fraction(least), near.samples, "examples")
    grid = list(product((2, 8, 64), (_TENTH, Fraction(1, 100)), _FAILURES))

    def of_order(d: int, accuracy: Fraction, failure: Fraction) -> bool:
        epsilon, odds = Epsilon.of("ln 2"), (1 - failure) / failure
        far = packing_sample_size(2**d + 1, epsilon, failure)
        m = proper_segment_lower_bound(2**d, epsilon, accuracy, failure)
        near = LogSum.log2((2**d - 3) * odds)
        return LogSum.log2(2**d * odds) <= far and near.compare_nats(2 * accuracy * m) <= 0

    yield Instance.all_of(
        "d, accuracy, failure; epsilon=ln 2",
        ((case, of_order(*case)) for case in grid),
        "epsilon m >= ln(2^d) + ln((1 - failure) / failure), and 2 accuracy (e^epsilon - 1) m >= "
        "ln(2^d - 3) + ln((1 - failure) / failure)",
    )


def switches(size: Size) -> Iterator[Instance]:
    """List the points where neighbours differ, and both ends; a segment has at most three."""
    for number in (1, 4, 7) if size is Size.SMALL else (1, 4, 7, 10):

        def literal(h: int, number: int = number) -> bool:
            inner = {j for j in range(1, number) if (h >> j & 1) != (h >> (j - 1) & 1)}
            return set(switching_points(h, number)) == inner | {0, number}

        cases = ((f"{h:b}", literal(h)) for h in range(2**number))
        yield Instance.all_of(f"functions of {number} points", cases, "differing neighbours, ends")
        counts = (
            (f"{j}", len(switching_points(segment(j), number)) <= 3) for j in range(number + 1)
        )
        yield Instance.all_of(f"segments of {number} points", counts, "at most 3 switching points")


def some_switch_is_as_good(size: Size) -> Iterator[Instance]:
    """For every function and target, compare the sets of points on which they err."""
    for number in (2, 5, 7) if size is Size.SMALL else (2, 5, 7, 9, 10):

        def included(h: int, t: int, number: int = number) -> bool:
            j = switch_within(h, t, number)
            wrong = segment(j) ^ segment(t)
            return j in switching_points(h, number) and wrong & ~(h ^ segment(t)) == 0

        cases = (
            (f"h={h:b} t={t}", included(h, t)) for h in range(2**number) for t in range(number + 1)
        )
        what = "c_j, at a switching point, errs only where h errs"
        yield Instance.all_of(f"{number} points, all h and t", cases, what)


def as_good_on_samples(size: Size) -> Iterator[Instance]:
    """Count the errors on all samples, also those that no segment labels."""
    number, most = (3, 2) if size is Size.SMALL else (4, 3)
    samples = [
        z for m in range(1, most + 1) for z in combinations_with_replacement(range(number), m)
    ]

    def no_worse(h: int, t: int) -> bool:
        j = switch_within(h, t, number)
        labelled = ([(x, segment(t) >> x & 1) for x in z] for z in samples)
        return all(empirical_errors(z, segment(j)) <= empirical_errors(z, h) for z in labelled)

    cases = (
        (f"h={h:b} t={t}", no_worse(h, t)) for h in range(2**number) for t in range(number + 1)
    )
    what = "no more errors on samples that c_t labels"
    yield Instance.all_of(f"{number} points, up to {most} examples", cases, what)
    free = [z for m in (1, 2) for z in combinations_with_replacement(labelled_examples(number), m)]
    worse = (
        ((f"{h:b}", z), min(empirical_errors(z, segment(j)) for j in switching_points(h, number)))
        for h in range(2**number)
        for z in free
        if not empirical_errors(z, h)
    )
    found = next((case for case, errors in worse if errors), None)
    detail = f"{found}: samples that no segment labels are no part of the remark"
    yield Instance.of(f"{number} points, arbitrary labels", found is not None, detail)


def deviation_of_one_concept(_size: Size) -> Iterator[Instance]:
    """One concept of true error 1/2, and a sample of the stated size: it deviates too often."""
    accuracy, failure = Fraction(1, 100), _TENTH
    logarithm = LogSum.log2(1 / failure) + LogSum.log2(1 / accuracy)
    for constant in (1, 2, 4):
        m = ceil((logarithm * (constant / accuracy)).enclose().upper)
        far = 2 * binomial_tail(m, Fraction(1, 2), ceil(m * (Fraction(1, 2) + accuracy)))
        name = f"accuracy={accuracy} failure={failure} constant={constant}, {m} examples"
        yield Instance.of(name, far <= failure, f"deviates with probability {float(far):.3f}")


def many_switches(size: Size) -> Iterator[Instance]:
    """How many switching points the hypotheses of learners with 10 examples have."""
    sizes = (2048, 4096, 8192) if size is Size.SMALL else (2048, 4096, 8192, 16384, 32768)
    yield from complication(SwitchReconstruction, proper_segment_lower_bound, sizes)


def one_sided_is_enough(size: Size) -> Iterator[Instance]:
    """On samples of the reduction's size a bad segment rarely looks as good as a good one."""
    accuracy = Fraction(1, 2)
    for limit in (2, 8) if size is Size.SMALL else (2, 8, 32):
        m = occam_sample_size(limit, Epsilon.of(1), accuracy, _TENTH)
        cut = ceil(m * accuracy * 5 / 6)
        low = 1 - binomial_tail(m, accuracy, cut)
        high = binomial_tail(m, accuracy / 2, m * accuracy * 2 // 3 + 1)
        name = f"{limit} candidates, accuracy={accuracy} failure=1/10 epsilon=1, {m} examples"
        detail = "a candidate of error accuracy/2 looks worse than 2/3 accuracy, or one above "
        yield Instance.at_most(
            name, high + limit * low, 2 * _TENTH / 3, detail + "accuracy better than 5/6"
        )


CLAIMS = (
    Claim(
        "bbkn/def-5.1",
        "Definition 5.1",
        "Intervals",
        "The 2^d + 1 initial segments of 2^d points have VC dimension 1 and Littlestone dimension "
        "d. The introduction has them on 2^d + 1 points, of which the last is in none.",
        Kind.DEFINITION,
        segments,
    ),
    Claim(
        "bbkn/interval-minimal",
        "section 5, after Definition 5.1",
        "Intervals are minimal for themselves",
        "The initial segments are minimal for themselves with any error below 1/2, and not with "
        "error 1/2.",
        Kind.LEMMA,
        minimal_for_themselves,
        uses=("bbkn/def-3.5", "bbkn/def-5.1"),
    ),
    Claim(
        "bbkn/lemma-5.2-printed",
        "Lemma 5.2, as printed",
        "Proper private learning of intervals, with 1/failure",
        "Every proper private learner of initial segments needs Omega((d + 1/failure) / epsilon) "
        "examples.",
        Kind.ERRATUM,
        printed_dependence_on_failure,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/lemma-5.2",
        "Lemma 5.2, corrected, with explicit constants",
        "Proper private learning of intervals",
        "Every proper epsilon-private learner of the initial segments of 2^d points with accuracy "
        "below 1/2 needs m >= (d ln 2 + ln((1 - failure) / failure)) / epsilon examples, and even "
        "(2^d - 3)(1 - failure) <= failure (1 + 2 accuracy (e^epsilon - 1))^m.",
        Kind.LEMMA,
        segments_need_their_logarithm,
        uses=("bbkn/thm-3.6", "bbkn/interval-minimal"),
        corrects="bbkn/lemma-5.2-printed",
    ),
    Claim(
        "bbkn/def-5.3",
        "Definition 5.3",
        "Switching points",
        "The switching points of a function of 2^d points are those on which it differs from the "
        "point before, and both ends.",
        Kind.DEFINITION,
        switches,
    ),
    Claim(
        "bbkn/switch-lemma",
        "proof of Theorem 5.4, in the form that it proves",
        "Some concept at a switching point is as good",
        "For every function h and segment c_t some segment that ends at a switching point of h "
        "disagrees with c_t only where h does; so its error is no larger, under any distribution.",
        Kind.LEMMA,
        some_switch_is_as_good,
        uses=("bbkn/def-5.3",),
    ),
    Claim(
        "bbkn/rem-5.5",
        "Remark 5.5",
        "Switching points on samples",
        "On every sample that a segment labels, some segment at a switching point of h has no more "
        "errors than h. With arbitrary labels it need not.",
        Kind.REMARK,
        as_good_on_samples,
        uses=("bbkn/switch-lemma",),
    ),
    Claim(
        "bbkn/thm-5.4-deviation",
        "proof of Theorem 5.4, last step, as printed",
        "Errors on samples of order 1/accuracy are accurate on both sides",
        "For some constant l, l (log(1/failure) + log(1/accuracy)) / accuracy examples are enough "
        "that true and empirical errors of all segments differ by less than the accuracy, except "
        "with probability failure. Checked for l = 1, 2 and 4; every l fails for small accuracy.",
        Kind.ERRATUM,
        deviation_of_one_concept,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/thm-5.4-selection",
        "proof of Theorem 5.4, last step, corrected",
        "Errors on samples are accurate enough on one side",
        "The candidates of a hypothesis are fixed before the last examples are drawn, so that the "
        "selection needs no uniform convergence: on max(72, 12/epsilon) ln(3z/failure) / accuracy "
        "examples, except with probability 2 failure/3, a candidate of error accuracy/2 looks "
        "better than 2/3 accuracy and all z of error above accuracy worse than 5/6.",
        Kind.LEMMA,
        one_sided_is_enough,
        uses=("bbkn/thm-3.2",),
        corrects="bbkn/thm-5.4-deviation",
    ),
    Claim(
        "bbkn/thm-5.4",
        "Theorem 5.4",
        "Learners with few samples output many switching points",
        "No private learner of initial segments with o(d) examples answers, under every "
        "distribution, with hypotheses with 2^o(d) switching points with probability at least 1/2.",
        Kind.THEOREM,
        many_switches,
        uses=("bbkn/switch-lemma", "bbkn/thm-5.4-selection", "bbkn/lemma-5.2"),
        recorded=Verdict.NOT_DECIDED,
        reason="about all learners as d grows; checked is what the reduction gives for learners "
        "with 10 examples, accuracy 1/8 and failure 1/80 over 2^d points: the number of switching "
        "points that they must exceed on some target, and that its square is no more when d is "
        "doubled",
    ),
)
