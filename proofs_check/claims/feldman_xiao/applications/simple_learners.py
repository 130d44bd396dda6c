"""Section 3.1: points by hashing, boosting by repetition, and learners from random sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from ccsim import (
    amplify,
    evaluation_problem,
    failure_probability,
    from_public_coin_protocol,
    points,
    to_public_coin_protocol,
    worst_error,
)
from ccsim.exact import Epsilon, binomial_tail
from ccsim.exact.exponentials import Real
from ccsim.instances import parse_class
from ccsim.learning import PublicCoinOccam
from ccsim.learning.learners.occam import Example, empirical_errors
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import audit
from ccsim.representation import inner_product_representation
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, below, equal, holds
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.feldman_xiao.equivalence.private_coins import least_set
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times


@claim(
    "fx/app-boost",
    "section 3.1",
    "Boosting accuracy and confidence through protocols",
    Kind.LEMMA,
    over=table(
        "instance messages runs eps",
        ("equality:n=3", 2, 3, "1/3"),
        ("equality:n=3", 2, 5, "49/100"),
        ("greater_than:n=3", 2, 3, "1/4"),
        ("all_functions:n=2", 2, 3, "49/100"),
        ("thresholds:b=2", 3, 3, "1/4"),
    ).medium(("points:b=2", 3, 3, "1/4"), ("equality:n=3", 2, 7, "1/3")),
    near=[
        near("The failure probability is 19/20 of error/eps'.", failure=times(Fraction(19, 20))),
        near("The majority of r - 2 runs has the same error.", repeated=plus(-2)),
    ],
    uses=["fx/thm-7-le", "fx/thm-7-ge", "fx/app-boost-runs"],
)
def boosting(
    instance: str,
    messages: int,
    runs: int,
    eps: str,
    *,
    failure: Callable[[Fraction, Fraction], Fraction] = lambda error, eps: error / eps,
    repeated: Callable[[int], int] = int,
) -> Decision:
    """A representation gives a protocol. The error of the majority of r runs of this protocol is a
    tail of a binomial distribution. If this error is eps' delta', the rows of the repeated protocol
    are an (eps', delta')-representation. Checked on representations from optimal protocols.
    """
    C, accuracy = parse_class(instance), Fraction(eps)
    problem = evaluation_problem(C)
    first = from_public_coin_protocol(least_error(problem, messages).protocol.to_public_coin())
    once = to_public_coin_protocol(first, C).protocol
    often = amplify(once, repeated(runs))
    error = worst_error(often, problem).value
    rows = from_public_coin_protocol(often.tabulate().to_public_coin())
    bound = failure(error, accuracy)
    distribution = binomial_tail(runs, worst_error(once, problem).value, runs // 2 + 1)
    return all_of(
        [
            ("error", equal(error, distribution)),
            (
                "rows",
                at_most(failure_probability(rows, C, accuracy, target=bound), bound, trivial=1),
            ),
        ]
    )


@claim(
    "fx/app-boost-runs",
    "section 3.1, explicit",
    "Number of repetitions for boosting",
    Kind.LEMMA,
    over=grid(goal=["1/16", "1/400", "1e-60", "1e-300"]),
    near=[
        near("ceil(6.8 ln(1/(eps' delta'))) runs are enough.", constant=times(Fraction(17, 20))),
        near("7 runs reduce error 1/4 to 1/16.", nine=plus(-2)),
        near("The statement for a (1/7, 1/7)-representation.", start=times(Fraction(8, 7))),
    ],
    uses=["fx/thm-7-ge", "fx/eq-2.2"],
)
def repetitions_for_boosting(
    goal: str,
    *,
    start: Fraction = Fraction(1, 8),
    constant: Fraction = Fraction(8),
    nine: int = 9,
) -> Decision:
    """A (1/8, 1/8)-representation, which a private learner gives, yields a protocol of error
    1-(1-1/8)^2 < 1/4. Repeating it ceil(8 ln(1/(eps' delta'))) times, rounded up to an odd number,
    reduces error 1/4 to eps' delta'; repeating it 9 times reduces error 1/4 to 1/16.
    """
    target, quarter = Fraction(goal), Fraction(1, 4)
    number = log_ceiling(constant, 1 / target, Epsilon.of(1)) | 1

    def error(runs: int) -> Fraction:
        return binomial_tail(runs, quarter, runs // 2 + 1)

    return all_of(
        [
            ("one run", below(1 - (1 - start) ** 2, quarter)),
            (f"{number} runs", at_most(error(number), target)),
            (f"{nine} runs", at_most(error(nine), Fraction(1, 16))),
        ]
    )


@claim(
    "fx/app-point",
    "section 3.1",
    "DRDim and PRDim of points",
    Kind.EXAMPLE,
    over=table(
        "number b products eps",
        (2, 1, 2, "49/100"),
        (3, 1, 3, "1/3"),
        (4, 2, 2, "49/100"),
        (5, 2, 3, "1/4"),
        (6, 2, 3, "49/100"),
    ).medium((7, 3, 2, "1/3")),
    near=[
        near("The condition is binom(|H|, floor(|H|/2)) - 1 >= T.", most=plus(-1)),
        near("The statement for error 1/2.", error=plus(Fraction(1, 10**6))),
        near(
            "The failure probability is at most 12/25 of 2^-t / eps.",
            failure=times(Fraction(12, 25)),
        ),
    ],
    uses=["fx/app-eq-hash", "fx/thm-7-le"],
)
def points_dimensions(
    number: int,
    b: int,
    products: int,
    eps: str,
    *,
    error: Fraction = Fraction(1, 2) - Fraction(1, 10**6),
    most: Callable[[int], int] = lambda size: comb(size, size // 2),
    failure: Callable[[int, Fraction], Fraction] = lambda t, eps: Fraction(1, 2**t) / eps,
) -> Decision:
    """H represents the points of a domain of T elements with error below 1/2 only if binom(|H|,
    floor(|H|/2)) >= T, so 2^|H| >= T and DRDim_{1/3}(Point_b) >= log2 b. In contrast, t random
    inner products represent the points of {0,1}^b by sets of at most 2^t hypotheses, for every b,
    with failure probability at most 2^-t / eps, so PRDim_{1/3,1/3}(Point_b) <= 4. Compared with the
    least size and the exact failure probability."""
    drawn, accuracy = inner_product_representation(b, products), Fraction(eps)
    missed = failure_probability(drawn, points(b), accuracy, work=100)
    return all_of(
        [
            ("DRDim", at_least(most(least_set(f"equality:n={number}", error).lower), number)),
            ("failure", at_most(missed, failure(products, accuracy), trivial=1)),
            ("sizes", at_most(drawn.size, 2**products)),
        ]
    )


@claim(
    "fx/app-efficient",
    "section 3.1",
    "Efficient protocols give efficient private learners",
    Kind.REMARK,
    over=table("b products samples", (1, 1, 2), (1, 2, 2), (2, 1, 1), (2, 2, 1)).medium((2, 1, 2)),
    near=[
        near(
            "The learner is ln(7/10 e^epsilon)-private.",
            factor=times(Fraction(7, 10)),
        ),
        near("The weights are e^(-11/20 epsilon errors).", share=times(Fraction(11, 10))),
        near("Sets of 2^t - 1 hypotheses are enough.", size=plus(-1)),
    ],
    uses=["fx/thm-7-le"],
    recorded=Verdict.NOT_DECIDED,
    reason="about running times of families; the output distribution of the learner for "
    "points, its privacy and the sizes of its sets are checked",
)
def learner_from_hashing(
    b: int,
    products: int,
    samples: int,
    *,
    factor: Fraction = Fraction(4),
    share: Fraction = Fraction(1, 2),
    size: Callable[[int], int] = lambda t: 2**t,
) -> Decision:
    """If Alice and Bob are efficient and the sets have polynomial size, the exponential mechanism
    over a random set is an efficient private learner. Checked for points: the sets given by t inner
    products have at most 2^t hypotheses, for every b; the learner draws one of these sets, chooses
    a hypothesis with weights e^(-epsilon errors/2), and is epsilon-private. Here e^epsilon = 4.
    """
    drawn = inner_product_representation(b, products)
    learner = PublicCoinOccam(drawn, Epsilon.of("ln 4"))

    def naive(sample: tuple[Example, ...]) -> Iterator[tuple[tuple[int, int], Real]]:
        for r, (weight, H) in enumerate(zip(drawn.weights, drawn.sets, strict=True)):
            powers = [learner.epsilon.exp(-share * empirical_errors(sample, h)) for h in H.rows]
            yield from (
                ((r, h), weight * p / sum(powers)) for h, p in zip(H.rows, powers, strict=True)
            )

    databases = combinations_with_replacement(learner.records, samples)
    distributions = ((z, dict(learner.distribution(z).items) == dict(naive(z))) for z in databases)
    private = recheck(audit(learner, Epsilon.of(f"ln {factor}"), 0, samples))
    return all_of(
        [
            ("sizes", at_most(drawn.size, size(products))),
            ("distributions", all_of(distributions, "the exponential mechanism over a random set")),
            ("privacy", holds(private.verdict == "holds", f"least factor {private.factor}")),
        ]
    )
