"""Theorem 1 (=1.1) with its default parameters, and eq. (3.1) of the proof of Theorem 7 (=3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    ProbabilisticRepresentation,
    distributional_error,
    evaluation_problem,
    to_private_coin_protocol,
    worst_error,
)
from ccsim.exact import binomial_tail
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.feldman_xiao.equivalence.private_coins import least_set
from proofs_check.claims.feldman_xiao.equivalence.public_coins import (
    least_messages,
    least_sizes,
    spoilt,
)
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF, THIRD, QUARTER, EIGHTH = (Fraction(1, n) for n in (2, 3, 4, 8))
SOLVED = 4
"""Classes of more concepts are too large for the least number of messages with private coins."""

Weights = Mapping[tuple[int, int], Fraction]


def _good(errors: Sequence[Fraction], eps: Fraction) -> Sequence[Fraction]:
    """Return those errors that are at most eps or, if there are none, all errors."""
    return [e for e in errors if e <= eps] or errors


def _any(errors: Sequence[Fraction], _eps: Fraction) -> Sequence[Fraction]:
    return errors


def _distributions(problem: CommunicationProblem, messages: int) -> Iterator[Weights]:
    """Yield the uniform distribution, and the hard distributions for k and for k - 1 messages."""
    inputs = problem.inputs()
    yield dict.fromkeys(inputs, Fraction(1, len(inputs)))
    for k in {messages, messages - 1} - {0}:
        hardest = least_error(problem, k).distribution
        if hardest is not None:
            yield hardest.as_mapping()


def _error_of_naming(
    drawn: ProbabilisticRepresentation,
    C: ConceptClass,
    mu: Weights,
    named: Callable[[Sequence[Fraction]], Sequence[Fraction]],
) -> Fraction:
    """Return the expected error if Alice always sends the worst of the allowed hypotheses."""
    total = Fraction(0)
    for f, row in enumerate(C.rows):
        distribution = [mu.get((f, x), Fraction(0)) for x in range(len(C.points))]
        mass = sum(distribution)
        for weight, H in zip(drawn.weights, drawn.sets, strict=True):
            errors = (
                [disagreement(distribution, row, h) / mass for h in H.rows]
                if mass
                else [Fraction(0)]
            )
            total += mass * weight * max(named(errors))
    return total


@claim(
    "fx/eq-3.1",
    "eq. (3.1)",
    "Distributional complexity is at most PRDim",
    Kind.LEMMA,
    over=table(
        "instance eps delta",
        ("equality:n=3", "0", "1/3"),
        *((text, "1/8", "1/4") for text in ("equality:n=4", "lines:p=2", "random:m=5,n=3,seed=1")),
        *((text, "1/4", "1/4") for text in ("equality:n=4", "all_functions:n=2")),
    ),
    near=[
        near("The error is at most 99/100 of the stated bound.", bound=times(Fraction(99, 100))),
        near("One message fewer is enough.", most=plus(-1)),
        near("Alice sends the index of an arbitrary hypothesis.", named=_any),
    ],
    uses=["fx/def-5", "fx/averaging"],
)
def distributional_bound(
    instance: str,
    eps: str,
    delta: str,
    *,
    bound: Callable[[Fraction, Fraction], Fraction] = lambda eps, delta: (
        1 - (1 - eps) * (1 - delta)
    ),
    most: Callable[[int], int] = int,
    named: Callable[[Sequence[Fraction], Fraction], Sequence[Fraction]] = _good,
) -> Decision:
    """For every distribution mu on inputs, sets of at most k hypotheses that form an (eps,
    delta)-representation give D_{1-(1-eps)(1-delta)}(Eval_C; mu) <= k messages: for the concept f
    Alice sends the index of a hypothesis whose error under mu given f is at most eps, if the drawn
    set contains such a hypothesis, and otherwise any index. Checked for smallest representations,
    and for one whose error and failure probability are exactly eps and delta.
    """
    e, d, C = Fraction(eps), Fraction(delta), parse_class(instance)
    smallest = least_sizes(instance, e, d).representation.representation

    def cases() -> Iterator[tuple[object, Decision]]:
        for drawn, D in [(smallest, C), *([spoilt(e, d)] if e else [])]:
            problem = evaluation_problem(D)
            for mu in _distributions(problem, drawn.size):
                wrong = _error_of_naming(drawn, D, mu, lambda errors: named(errors, e))
                least = recheck(distributional_error(problem, mu, most(drawn.size))).value
                yield f"{len(D)} concepts: naming", at_most(wrong, bound(e, d), trivial=HALF)
                yield f"{len(D)} concepts: best", at_most(least, bound(e, d), trivial=HALF)

    return all_of(cases())


@claim(
    "fx/thm-1",
    "Theorem 1 (=1.1), first part, with explicit constants",
    "Probabilistic representation dimension and public-coin complexity",
    Kind.THEOREM,
    over=grid(instance=["equality:n=3", "intervals:n=3", "random:m=6,n=3,seed=0"]).medium(
        instance=["points:b=2", "all_functions:n=3"]
    ),
    near=[
        near("PRDim_{1/4,1/4} <= R^pub_{1/10}.", small=times(Fraction(8, 5))),
        near("PRDim_{7/44,7/44} <= R^pub_{1/16}.", part=times(Fraction(7, 11))),
        near("19 runs reduce error 1/3 to 1/16.", runs=plus(-2)),
        near("21 runs reduce error 31/90 to 1/16.", third=times(Fraction(31, 30))),
        near("11 runs reduce error 7/16 to 1/3.", back=plus(-2)),
        near("The error is 99/100 of 7/16.", large=times(Fraction(99, 100))),
    ],
    uses=["fx/thm-7-le", "fx/thm-7-ge-bits", "fx/eq-2.2"],
)
def public_defaults(
    instance: str,
    *,
    part: Fraction = QUARTER,
    small: Fraction = Fraction(1, 16),
    runs: int = 21,
    third: Fraction = THIRD,
    back: int = 13,
    large: Fraction = Fraction(7, 16),
) -> Decision:
    """PRDim_{1/4,1/4}(C) <= R^pub_{1/16}(Eval_C) <= 21 R^pub_{1/3}(Eval_C), and R^pub_{1/3} <= 13
    R^pub_{7/16} <= 13 ceil(PRDim_{1/4,1/4}). The error 7/16 = 1-(1-1/4)^2 comes from the proof of
    Theorem 7; its statement would give error 1/4 + 1/4 = 1/2, which is trivial. The least numbers
    of hypotheses and messages satisfy these inequalities; the majority of 21 runs reduces error 1/3
    to 1/16, and that of 13 runs reduces 7/16 to 1/3."""
    size = least_sizes(instance, part, part)
    return all_of(
        [
            ("PRDim <= R^pub", at_most(size, least_messages(instance, small))),
            (f"{runs} runs", at_most(binomial_tail(runs, third, runs // 2 + 1), small)),
            (f"{back} runs", at_most(binomial_tail(back, large, back // 2 + 1), third)),
            ("R^pub <= PRDim", at_most(least_messages(instance, large), size)),
            ("the error", at_most(1 - (1 - part) ** 2, large, trivial=HALF)),
        ]
    )


@claim(
    "fx/thm-1-private",
    "Theorem 1 (=1.1), second part, with explicit constants",
    "Deterministic representation dimension and private-coin complexity",
    Kind.THEOREM,
    over=grid(instance=["equality:n=3", "greater_than:n=3", "thresholds:b=2", "all_functions:n=4"]),
    near=[
        near("DRDim_{1/4} <= R_{5/16}.", small=times(Fraction(5, 2))),
        near("3 runs reduce error 1/4 to 1/8.", runs=plus(-2)),
        near(
            "The statement for a set that represents C with error 1/3.", part=times(Fraction(4, 3))
        ),
        near("R_{19/80} <= DRDim_{1/4}.", large=times(Fraction(19, 20))),
    ],
    uses=["fx/thm-8-le", "fx/thm-8-ge-bits", "fx/eq-2.2"],
)
def private_defaults(
    instance: str,
    *,
    part: Fraction = QUARTER,
    small: Fraction = EIGHTH,
    runs: int = 5,
    large: Fraction = QUARTER,
) -> Decision:
    """DRDim_{1/4}(C) <= R_{1/8}(Eval_C) <= 5 R_{1/4}(Eval_C), and R_{1/4} <= ceil(DRDim_{1/4}), for
    private coins. The least numbers of hypotheses and messages satisfy these inequalities where
    they are known; the majority of 5 runs reduces error 1/4 to 1/8; and a protocol that sends the
    index of a hypothesis of a smallest set has error at most 1/4.
    """
    C, smallest = parse_class(instance), least_set(instance, part)
    protocol, _ = to_private_coin_protocol(smallest.representation.hypotheses, C)
    cases = [
        (f"{runs} runs", at_most(binomial_tail(runs, large, runs // 2 + 1), small)),
        ("naming", at_most(worst_error(protocol, evaluation_problem(C)).value, large)),
    ]
    if len(C) <= SOLVED:
        cases += [
            ("DRDim <= R", at_most(smallest, least_messages(instance, small, "private"))),
            ("R <= DRDim", at_most(least_messages(instance, large, "private"), smallest)),
        ]
    return all_of(cases)
