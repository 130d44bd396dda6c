"""Section 3.1: consequences of Newman's theorem for representation dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

from ccsim import (
    CommunicationProblem,
    HypothesisSet,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    evaluation_problem,
    fewest_seeds,
    from_private_coin_protocol,
    representation_error,
    to_public_coin_protocol,
)
from ccsim.communication import FewestSeeds, newman_seeds
from ccsim.exact import ceil_log2
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.feldman_xiao.equivalence.public_coins import (
    least_messages,
    least_sizes,
    spoilt,
)
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

Sum = Callable[[Fraction, Fraction], Fraction]
Seeds = Callable[[int, Fraction], int]


@claim(
    "fx/app-newman-deduction",
    "after eq. (3.2), between the displays of the COLT version",
    "R^pub_{1/9} is at most PRDim_{1/3,1/3}",
    Kind.ERRATUM,
    over=grid(instance=["equality:n=3", "greater_than:n=3"]).medium(instance=["thresholds:b=2"]),
    near=[
        near("The statement with PRDim_{1/18,1/18}.", part=times(Fraction(1, 6))),
        near(
            "The trivial statement at error 5/9, which Theorem 7 gives.",
            error=times(5),
        ),
    ],
    recorded=Verdict.FAILS,
    uses=["fx/thm-7-le"],
    survives="yes: up to a constant factor, as in the full version: two independent sets both fail "
    "with probability 1/9, so R^pub_{11/27} <= ceil(PRDim_{1/3,1/3} + 1), and repetition "
    "reduces the error; the first display also holds with log VC in place of log log VC",
)
def inferred_inequality(
    instance: str, *, error: Fraction = Fraction(1, 9), part: Fraction = Fraction(1, 3)
) -> Decision:
    """R^pub_{1/9}(Eval_C) <= ceil(PRDim_{1/3,1/3}(C)). The paper does not print this inequality,
    but the second display uses it if it is read with these parameters and without a constant
    factor. Theorem 7 gives the inequality only at error 5/9. In the counterexample, a random pair
    of three concepts is a representation.
    """
    bits = least_messages(instance, error).bits
    return at_most(bits, ceil_log2(least_sizes(instance, part, part).size), "bits")


@cache
def _fixed_seeds(
    protocol: PublicCoinProtocol, problem: CommunicationProblem, rise: Fraction
) -> FewestSeeds:
    return recheck(fewest_seeds(protocol, problem, rise))


def _all_but_one(protocol: PrivateCoinProtocol) -> HypothesisSet:
    H = from_private_coin_protocol(protocol)
    return HypothesisSet(H.rows[1:], H.num_points)


@claim(
    "fx/app-newman-deduction-corrected",
    "after eq. (3.2), corrected",
    "From public coins with fixed seeds to DRDim",
    Kind.THEOREM,
    over=table(
        "instance messages gamma",
        ("equality:n=3", 2, "3/4"),
        ("equality:n=4", 2, "1/10"),
        ("greater_than:n=3", 2, "1/5"),
        ("all_functions:n=3", 2, "1/12"),
    ).medium(("all_functions:n=3", 4, "1/6"), ("thresholds:b=2", 3, "1/5")),
    near=[
        near("The error is 99/100 of the stated value.", error=times(Fraction(99, 100))),
        near("One seed fewer is enough.", seeds=plus(-1)),
        near("One of the hypotheses can be left out.", conversion=_all_but_one),
    ],
    uses=["fx/app-newman", "fx/thm-8-le"],
    corrects="fx/app-newman-deduction",
)
def hypotheses_of_fixed_seeds(
    instance: str,
    messages: int,
    gamma: str,
    *,
    error: Sum = lambda v, gamma: v + gamma,
    seeds: Seeds = newman_seeds,
    conversion: Callable[[PrivateCoinProtocol], HypothesisSet] = from_private_coin_protocol,
) -> Decision:
    """For every gamma, a public-coin protocol with k messages and error v gives a set of at most
    (floor(ln(|C||X|)/(2 gamma^2)) + 1) k hypotheses that represents C with error v + gamma: Bob's
    answers with the seeds of Newman's theorem. The answers do not depend on private coins, so the
    factor 2 of Theorem 8 is not needed. Checked with the least number of seeds, for optimal
    protocols.
    """
    C, loss = parse_class(instance), Fraction(gamma)
    best = least_error(evaluation_problem(C), messages)
    few = _fixed_seeds(best.protocol.to_public_coin(), best.problem, loss)
    wrong = recheck(representation_error(conversion(few.protocol), C)).value
    number = seeds(len(C) * len(C.points), loss)
    return all_of(
        [
            ("error", at_most(wrong, error(best.value, loss), trivial=1)),
            ("size", at_most(few.protocol.messages, number * messages)),
        ]
    )


@claim(
    "fx/app-newman-dimensions",
    "after eq. (3.2), second display, corrected",
    "DRDim is at most PRDim plus a double logarithm",
    Kind.COROLLARY,
    over=table(
        "instance eps delta gamma",
        ("equality:n=3", "0", "1/3", "33/50"),
        ("equality:n=3", "1/3", "1/10", "1/100"),
        ("equality:n=4", "1/8", "1/4", "1/10"),
    ),
    near=[
        near(
            "The statement with 4/5 (1-(1-a)(1-b)) in place of 1-(1-a)(1-b).",
            loss=times(Fraction(4, 5)),
        ),
        near("Two seeds fewer are enough.", seeds=plus(-2)),
    ],
    uses=["fx/app-newman-deduction-corrected", "fx/thm-7-ge"],
)
def dimensions_and_double_logarithm(
    instance: str,
    eps: str,
    delta: str,
    gamma: str,
    *,
    loss: Sum = lambda a, b: 1 - (1 - a) * (1 - b),
    seeds: Seeds = newman_seeds,
) -> Decision:
    """DRDim_eps(C) <= PRDim_{a,b}(C) + log2(floor(ln(|C||X|)/(2 gamma^2)) + 1) if 1-(1-a)(1-b) +
    gamma <= eps: the protocol that sends the index of the best hypothesis of a drawn set, with
    fixed seeds, gives a representation. Checked for smallest representations, and for one whose
    error and failure probability are exactly a and b.
    """
    a, b, rise, C = Fraction(eps), Fraction(delta), Fraction(gamma), parse_class(instance)
    smallest = least_sizes(instance, a, b).representation.representation

    def cases() -> Iterator[tuple[object, Decision]]:
        for drawn, D in [(smallest, C), *([spoilt(a, b)] if a else [])]:
            protocol = to_public_coin_protocol(drawn, D).protocol
            few = _fixed_seeds(protocol, evaluation_problem(D), rise)
            H = from_private_coin_protocol(few.protocol)
            wrong = recheck(representation_error(H, D)).value
            number = seeds(len(D) * len(D.points), rise)
            yield f"{len(D)} concepts: error", at_most(wrong, loss(a, b) + rise, trivial=1)
            yield f"{len(D)} concepts: size", at_most(H.size, number * drawn.size)

    return all_of(cases())
