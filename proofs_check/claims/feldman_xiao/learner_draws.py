"""Theorem 6 (=2.5), lower bound: private learners as probabilistic representations."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most
from proofs_check.claims.feldman_xiao.learning import disagreement, failure_chance
from proofs_check.claims.grid import table
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, plus, times

QUARTER = Fraction(1, 4)


@cache
def _failure(instance: str, alpha: str, examples: int) -> Real:
    """Return a learner's largest failure probability over concepts and a grid of distributions."""
    C = parse_class(instance)
    learner = PrivateOccam(len(C.points), C.rows, Epsilon.of(alpha))
    distributions = list(
        distributions_with_denominator(len(C.points), 4 if len(C.points) < 4 else 3)
    )
    return max(
        failure_chance(learner, f, D, examples, QUARTER) for f in C.rows for D in distributions
    )


@claim(
    "fx/thm-6-lower",
    "Theorem 6 (=2.5), cited, the step of the lower bound",
    "On copies of one example, a private learner outputs good hypotheses",
    Kind.LEMMA,
    over=table(
        "instance alpha examples",
        ("points:b=1", "ln 4", 5),
        ("all_functions:n=2", "ln 4", 7),
        ("all_functions:n=3", "ln 16", 5),
        ("all_functions:n=3", "ln 4", 7),
    ).medium(("thresholds:b=2", "ln 16", 7), ("points:b=2", "ln 16", 8)),
    near=[
        near(
            "The probability is at least e^(-8 alpha eps n / 29) / 2.",
            exponent=times(Fraction(1, 29)),
        ),
        near("The learner is also accurate from four examples fewer.", fewer=plus(-4)),
    ],
    uses=["fx/def-5", "fx/def-scdp"],
)
def repeated_example(
    instance: str,
    alpha: str,
    examples: int,
    *,
    exponent: int | Fraction = 8,
    fewer: int = 0,
) -> Decision:
    """Let an alpha-private learner be (eps, delta)-accurate from n >= (3/(4 eps)) ln 4 examples,
    for eps, delta <= 1/4. On n copies of one example labelled by f, its output has error at most
    1/4 for f, under any distribution, with probability at least e^(-8 alpha eps n)/2. Hence 2 ln 4
    e^(8 alpha eps n) runs for either label are a probabilistic representation, and n >=
    ln((2^(PRDim - 1) - 1)/(2 ln 4)) / (8 alpha eps). The first step is checked at eps = delta = 1/4
    for the exponential mechanism, whose accuracy is decided on a grid of distributions."""
    C, privacy = parse_class(instance), Epsilon.of(alpha)
    learner = PrivateOccam(len(C.points), C.rows, privacy)
    least = privacy.exp(-Fraction(exponent) * QUARTER * examples) / 2
    cases: list[tuple[object, Decision]] = [
        ("accuracy", at_most(_failure(instance, alpha, max(1, examples + fewer)), QUARTER))
    ]
    for f in C.rows:
        output = learner.distribution([(0, f & 1)] * examples)
        for D in distributions_with_denominator(len(C.points), 4):
            good = sum(
                (p for h, p in output.items if disagreement(D, f, h) <= QUARTER), Fraction(0)
            )
            cases.append(((f, list(map(str, D))), at_least(good, least)))
    return all_of(cases)
