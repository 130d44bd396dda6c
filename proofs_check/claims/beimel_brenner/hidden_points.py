"""Section 6: points hidden by a generator, and what an efficient proper learner would do to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ccsim import vc_dimension
from ccsim.exact import Epsilon, Law
from ccsim.exact.exponentials import rational
from ccsim.learning import FeedbackGenerator, PrivateOccam, distinguish
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.learning.packing.sizes import packing_sample_size
from ccsim.learning.sample_size import log_ceiling, nonprivate_point_sample_size, occam_sample_size
from ccsim.privacy import CanonicalMechanism, audit
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

_ASSUMPTION = (
    "rests on the existence of pseudorandom generators and is about all efficient learners"
)
_FAILURES = (Fraction(1, 20), Fraction(1, 100), Fraction(1, 1000))


def _generators(size: Size) -> Iterator[FeedbackGenerator]:
    shapes = [(1, 3), (2, 3), (2, 4), (3, 5)]
    if size is not Size.SMALL:
        shapes += [(3, 6), (4, 6), (5, 7)]
    for seed_bits, output_bits in shapes:
        yield FeedbackGenerator(seed_bits, output_bits, 1 | 1 << (seed_bits - 1))


def hidden_classes(size: Size) -> Iterator[Instance]:
    """Count the image, compute the VC dimension, and break the toy with its own recurrence."""
    for G in _generators(size):
        C = G.hidden_points()
        vc = vc_dimension(C)
        recheck(vc)
        outputs = [G(seed) for seed in range(2**G.seed_bits)]
        prefix_kept = all(
            out >> (G.output_bits - G.seed_bits) == seed for seed, out in enumerate(outputs)
        )
        holds = len(C) == len(set(outputs)) == 2**G.seed_bits and prefix_kept and vc.value == 1
        recognised = Fraction(len(G.image), 2**G.output_bits)
        detail = f"{len(C)} concepts, VC 1; the recurrence holds for {recognised} of all strings"
        yield Instance.of(str(G), holds, detail)


def proper_learners_distinguish(size: Size) -> Iterator[Instance]:
    """Run a proper private learner on the toy: it recognises the image, as any would."""
    for G in _generators(size):
        C = G.hidden_points()
        learner = PrivateOccam(2**G.output_bits, C.rows, Epsilon.of("ln 16"))
        found = distinguish(learner, G, 4)
        image = Fraction(len(G.image), 2**G.output_bits)
        strings, outputs = rational(found.on_strings), rational(found.on_outputs)
        yield Instance.at_most(f"{G} on strings", strings, image, "the share of the image")
        others = Fraction(len(C) - 1, 16**2)
        yield Instance.at_most(f"{G} on outputs", 1 / (1 + others), outputs)


def printed_image(_size: Size) -> Iterator[Instance]:
    """Compare the share of the image with the printed one."""
    for G in _generators(Size.SMALL):
        image = Fraction(len(G.image), 2**G.output_bits)
        yield Instance.at_most(str(G), image, Fraction(G.seed_bits, 2**G.output_bits))


def share_of_the_image(size: Size) -> Iterator[Instance]:
    """Compare the share of the image with the number of seeds."""
    for G in (*_generators(size), FeedbackGenerator(3, 5, 0), FeedbackGenerator(2, 6, 0b10)):
        image = Fraction(len(G.image), 2**G.output_bits)
        yield Instance.at_most(str(G), image, Fraction(2**G.seed_bits, 2**G.output_bits))


@dataclass(frozen=True, slots=True)
class _Favouring(CanonicalMechanism[Example, int]):
    """The exponential mechanism over all points, with more weight on some of them."""

    bits: int
    favoured: int
    factor: Fraction

    symmetric = True

    @property
    def records(self) -> tuple[Example, ...]:
        """All labelled examples."""
        return labelled_examples(1 << self.bits)

    def law_of(self, database: tuple[Example, ...]) -> Law[int]:
        """Weigh each point by ``4^-errors``, the first ones ``factor`` times."""
        return Law.proportional(
            {
                1 << j: (self.factor if j < self.favoured else Fraction(1))
                / Fraction(4) ** empirical_errors(database, 1 << j)
                for j in range(1 << self.bits)
            }
        )


_RARELY_SURE = ((3, Fraction(20)), (4, Fraction(10)))
"""Bits and weights with which the favoured points alone are returned with probability 3/4."""


def _chances(bits: int, factor: Fraction, samples: int) -> list[Fraction]:
    """Return the probability of every point's function, from copies of the positive example."""
    learner = _Favouring(bits, (1 << bits) * 5 // 8, factor)
    return [rational(learner.law([(j, 1)] * samples)[1 << j]) for j in range(1 << bits)]


def _surely_returned(chances: list[Fraction]) -> int:
    return sum(p >= Fraction(3, 4) for p in chances)


def printed_three_quarters(_size: Size) -> Iterator[Instance]:
    """Take a private learner that is rarely sure, and yet often right on uniform strings."""
    for bits, factor in _RARELY_SURE:
        chances = _chances(bits, factor, 4)
        sure = _surely_returned(chances)
        average = sum(chances, Fraction(0)) / len(chances)
        name = f"bits={bits}, {sure} of {1 << bits} points returned with probability 3/4"
        assumed = 4 * sure < 3 << bits
        yield Instance.of(name, not assumed or average <= Fraction(3, 4), f"on strings {average}")


def fifteen_sixteenths(size: Size) -> Iterator[Instance]:
    """Average over uniform strings for all shares of sure points, and for private learners."""
    for bits in (2, 4, 6):
        total = 1 << bits
        shares = (Fraction(n, total) for n in range(total) if 4 * n < 3 * total)
        cases = ((str(s), s + (1 - s) * Fraction(3, 4), Fraction(15, 16)) for s in shares)
        yield Instance.tightest(f"bits={bits}, share of sure points below 3/4", cases)
    most = 4 if size is Size.SMALL else 6
    for bits, factor in _RARELY_SURE:
        for m in range(1, most + 1):
            chances = _chances(bits, factor, m)
            sure = _surely_returned(chances)
            average = sum(chances, Fraction(0)) / len(chances)
            needed = packing_sample_size(3 << (bits - 2), Epsilon.of("ln 16"), Fraction(1, 4))
            holds = average <= Fraction(15, 16) if 4 * sure < 3 << bits else m >= needed
            detail = f"{sure} of {1 << bits} points are sure, {average} on strings"
            yield Instance.of(f"bits={bits} factor={factor} m={m}", holds, detail)


def sure_points_are_few(size: Size) -> Iterator[Instance]:
    """Count the points that private learners return with probability 3/4 from m copies."""
    learner = _Favouring(3, 5, Fraction(20))
    holds = audit(learner, "ln 16", 0, 1).verdict.value == "holds"
    yield Instance.of("bits=3 m=1", holds, "the learner is private, on all databases")
    for bits, factor in (*_RARELY_SURE, (3, Fraction(1)), (4, Fraction(1))):
        for m in (1, 2, 3, 4) if size is Size.SMALL else range(1, 7):
            sure = _surely_returned(_chances(bits, factor, m))
            name = f"bits={bits} factor={factor} m={m} epsilon=ln 16"
            yield Instance.at_most(name, Fraction(3 * (sure - 1)), Fraction(16) ** m, "3(n - 1)")


def proper_by_brute_force(size: Size) -> Iterator[Instance]:
    """Audit the learner over the hidden points; its sample size depends on the seeds alone."""
    for G in _generators(size):
        if G.output_bits > 4:
            continue
        learner = PrivateOccam(2**G.output_bits, G.hidden_points().rows, Epsilon.of("ln 4"))
        holds = audit(learner, "ln 4", 0, 1).verdict.value == "holds"
        yield Instance.of(str(G), holds, "private, on all databases")
    for failure in _FAILURES:
        cases = (
            (l, Fraction(occam_sample_size(2**l, Epsilon.of(1), Fraction(1, 4), failure)), bound)
            for l in range(1, 64)
            for bound in [log_ceiling(Fraction(288), 6 * 2**l / failure, Epsilon.of(1))]
        )
        name = f"seed bits, accuracy=1/4 failure={failure} epsilon=1"
        yield Instance.tightest(f"{name}: at most 288 ln(6 * 2^l / failure)", cases)


def cost_of_efficiency(_size: Size) -> Iterator[Instance]:
    """Compare the two numbers of examples where seeds are much shorter than outputs."""
    accuracy, failure = Fraction(1, 4), Fraction(1, 20)
    for seed_bits, output_bits in ((4, 4096), (12, 8192), (16, 16384)):
        few = occam_sample_size(1 << seed_bits, Epsilon.of(1), accuracy, failure)
        many = packing_sample_size(3 << (output_bits - 2), Epsilon.of(1), Fraction(1, 4))
        name = f"l={seed_bits} d={output_bits} accuracy=1/4 failure=1/20 epsilon=1"
        yield Instance.at_most(name, Fraction(few), many, "examples, inefficient and efficient")


def without_privacy(size: Size) -> Iterator[Instance]:
    """Compare what two or more hidden points need with what the learner without privacy has."""
    for number in (2, 16) if size is Size.SMALL else (2, 16, 1024):
        for accuracy in (Fraction(1, 10), Fraction(1, 100)):
            for failure in _FAILURES:
                enough = nonprivate_point_sample_size(accuracy, failure)
                missed = (1 - accuracy) ** enough
                least = enough
                while (1 - accuracy) ** (least - 1) * (1 - Fraction(1, number)) <= failure:
                    least -= 1
                holds = missed <= failure and least <= enough
                name = f"{number} points, accuracy={accuracy} failure={failure}"
                yield Instance.of(name, holds, f"at least {least}, {enough} are enough")


CLAIMS = (
    Claim(
        "bbkn/sec-6-defs",
        "section 6",
        "Points of a pseudorandom generator",
        "The class of the points G(r), for a generator G that maps l bits to d bits, has at most "
        "2^l concepts and VC dimension 1. The generator here is a toy: a linear feedback shift "
        "register, whose recurrence tells its outputs from random strings.",
        Kind.DEFINITION,
        hidden_classes,
    ),
    Claim(
        "bbkn/no-efficient-proper-printed",
        "section 6, item (2), as printed",
        "The image has at most l points",
        "A uniform d-bit string is in the image of a generator with l-bit seeds with probability "
        "at most l/2^d.",
        Kind.ERRATUM,
        printed_image,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/no-efficient-proper-image",
        "section 6, item (2), corrected",
        "The image has at most 2^l points",
        "A uniform d-bit string is in the image of a generator with l-bit seeds with probability "
        "at most 2^(l-d), which is negligible only if d - l grows faster than log d.",
        Kind.LEMMA,
        share_of_the_image,
        corrects="bbkn/no-efficient-proper-printed",
    ),
    Claim(
        "bbkn/no-efficient-proper",
        "section 6",
        "No efficient proper private learner",
        "If G is a pseudorandom generator, no efficient proper learner of its points exists: from "
        "copies of (j, 1) it answers c_j with probability 1 - failure if j is an output of G, and "
        "never if j is not.",
        Kind.THEOREM,
        proper_learners_distinguish,
        uses=("bbkn/sec-6-defs", "bbkn/no-efficient-proper-image"),
        recorded=Verdict.NOT_DECIDED,
        reason=f"{_ASSUMPTION}; checked is what a proper private learner does to toy generators: "
        "its exact probabilities on outputs and on uniform strings",
    ),
    Claim(
        "bbkn/efficient-lower-printed",
        "section 6, before footnote 12, as printed",
        "A learner that is rarely sure is right on 3/4 of all strings at most",
        "If a learner returns c_j with probability 3/4 or more for fewer than 3/4 of all j, it "
        "returns c_j for a uniform j with probability at most 3/4.",
        Kind.ERRATUM,
        printed_three_quarters,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "bbkn/efficient-lower-dichotomy",
        "section 6, before footnote 12, corrected",
        "A learner that is rarely sure is right on 15/16 of all strings at most",
        "If a learner returns c_j with probability 3/4 or more for fewer than 3/4 of all j, it "
        "returns c_j for a uniform j with probability below 15/16; so the failure must be below "
        "1/16. Otherwise it needs m examples with 3 (3/4 2^d - 1) <= e^(epsilon m).",
        Kind.LEMMA,
        fifteen_sixteenths,
        uses=("bbkn/thm-3.6",),
        corrects="bbkn/efficient-lower-printed",
    ),
    Claim(
        "bbkn/efficient-lower",
        "section 6, with explicit constants",
        "Sample complexity of efficient proper private learning",
        "If G is a pseudorandom generator, every efficient private learner of its points whose "
        "hypotheses are point functions, with failure below 1/16, needs m >= ln(3 (3/4 2^d - 1)) / "
        "epsilon examples.",
        Kind.THEOREM,
        sure_points_are_few,
        uses=("bbkn/efficient-lower-dichotomy", "bbkn/sec-6-defs"),
        recorded=Verdict.NOT_DECIDED,
        reason=f"{_ASSUMPTION}; checked is that private learners return at most 1 + e^(epsilon "
        "m)/3 points with probability 3/4 from m copies of their examples",
    ),
    Claim(
        "bbkn/inefficient-upper",
        "section 6, with explicit constants",
        "Inefficient proper private learner",
        "The exponential mechanism over the 2^l hidden points is a proper private learner with "
        "max(72, 12/epsilon) ln(3 2^l / failure) / accuracy examples, whatever d is.",
        Kind.THEOREM,
        proper_by_brute_force,
        uses=("bbkn/sec-6-defs", "bbkn/thm-3.2"),
    ),
    Claim(
        "bbkn/thm-6.1",
        "Theorem 6.1",
        "Cost of efficiency",
        "If a pseudorandom generator with l = omega(log d) exists, no efficient proper learner of "
        "its points exists, efficient private learners with point functions as hypotheses need "
        "Omega((d + log(1/failure)) / epsilon) examples, and inefficient proper ones O((l + "
        "log(1/failure)) / (epsilon accuracy)).",
        Kind.THEOREM,
        cost_of_efficiency,
        uses=("bbkn/no-efficient-proper", "bbkn/efficient-lower", "bbkn/inefficient-upper"),
        recorded=Verdict.NOT_DECIDED,
        reason=f"{_ASSUMPTION}; checked is that the explicit upper bound for inefficient learners "
        "is below the explicit lower bound for efficient ones when d is large against l",
    ),
    Claim(
        "bbkn/rem-6.2",
        "Remark 6.2, with explicit constants",
        "Non-private learning of hidden points",
        "Without privacy, (1 - accuracy)^m <= failure examples are enough to answer with a point "
        "function or zero, and for a class with n points besides a common one, m examples need (1 "
        "- accuracy)^m (1 - 1/n) <= failure, whatever the learner is.",
        Kind.REMARK,
        without_privacy,
    ),
)
