"""Section 2.3: Yao's principle and error reduction; section 3.1: Newman's theorem and equality."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim import (
    CommunicationProblem,
    PublicCoinProtocol,
    amplify,
    distributional_error,
    minimax_error,
    newman,
    parse_instance,
    worst_error,
)
from ccsim.communication import error_table, newman_seeds, repetitions_for
from ccsim.communication.protocols.amplification import AmplifiedProtocol
from ccsim.exact import Epsilon, binomial_tail
from ccsim.instances import parse_problem
from ccsim.learning.sample_size import log_ceiling
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck
from protocols import EqualityHashing

__all__ = ["CLAIMS"]

PROBLEMS = (
    ("equality:n=3", (1, 2, 3), Size.SMALL),
    ("equality:n=4", (2, 3), Size.SMALL),
    ("equality:n=5", (2, 3, 4), Size.SMALL),
    ("greater_than:n=4", (2, 3), Size.SMALL),
    ("greater_than:n=6", (2, 3, 4), Size.SMALL),
    ("thresholds:b=3", (2, 3, 4), Size.SMALL),
    ("lines:p=2", (2, 3), Size.SMALL),
    ("index:d=3", (2, 4), Size.SMALL),
    ("augmented_index:d=3", (2, 3, 4), Size.SMALL),
    ("random:m=6,n=6,seed=0", (2, 3), Size.SMALL),
    ("equality:n=6", (2, 3, 4), Size.MEDIUM),
    ("greater_than:n=8", (2, 3, 4), Size.MEDIUM),
    ("lines:p=3", (2, 4), Size.MEDIUM),
    ("parities:n=3", (2, 3, 4), Size.MEDIUM),
    ("random:m=8,n=8,seed=0", (2, 3, 4), Size.MEDIUM),
    ("equality:n=8", (4, 6), Size.LARGE),
    ("random:m=10,n=10,seed=0", (2, 3), Size.LARGE),
)
"""Instances with the numbers of messages for which the public-coin game is solved."""


def yao(size: Size) -> Iterator[Instance]:
    """Both sides of the game between protocols and inputs."""
    for text, counts, needs in PROBLEMS:
        if not size.allows(needs):
            continue
        problem = parse_problem(text)
        for k in counts:
            result = minimax_error(problem, k)
            recheck(result)
            name = f"{text} messages={k}"
            if result.distribution is None:
                yield Instance(name, Verdict.NOT_DECIDED, "no distribution came with the value")
                continue
            hard = distributional_error(problem, result.distribution.as_mapping(), k)
            recheck(hard)
            reached = worst_error(result.protocol, problem).value
            detail = f"protocol {reached}, hard distribution {hard.value}"
            yield Instance.of(name, reached == hard.value == result.value, detail)


BASES = (
    ("equality:n=4", 2),
    ("equality:n=6", 2),
    ("thresholds:b=2", 2),
    ("thresholds:b=3", 2),
    ("augmented_index:d=3", 2),
)
TARGETS = (Fraction(1, 4), Fraction(1, 9), Fraction(1, 16))


def error_reduction(size: Size) -> Iterator[Instance]:
    """Majority of independent runs, by the binomial law and, where small, by the explicit table."""
    for gamma in (*TARGETS, Fraction(1, 100), Fraction(1, 10**6)):
        runs = log_ceiling(Fraction(18), 1 / gamma, Epsilon.of(1)) | 1
        tail = binomial_tail(runs, Fraction(1, 3), runs // 2 + 1)
        yield Instance.at_most(f"{runs} runs from error 1/3", tail, gamma)
    for text, k in BASES:
        problem = parse_problem(text)
        base = minimax_error(problem, k).protocol
        error = worst_error(base, problem).value
        for target in TARGETS:
            runs = repetitions_for(max(error, Fraction(1, 3)), target)
            reached = worst_error(amplify(base, runs), problem).value
            name = f"{text} messages={k} repetitions={runs}"
            yield Instance.at_most(name, reached, target, f"from error {error}")
        yield _table_agrees(text, problem, base, 3 if size is Size.SMALL else 5)


def _table_agrees(text: str, problem: CommunicationProblem, base: object, runs: int) -> Instance:
    """Compare the explicit amplified table with the binomial law on every input."""
    if not isinstance(base, PublicCoinProtocol):
        return Instance(text, Verdict.NOT_DECIDED, "the base is not a public-coin table")
    few = PublicCoinProtocol.mixture(
        (Fraction(1, min(4, len(base.components))), part) for part in base.components[:4]
    )
    amplified = AmplifiedProtocol(few, runs)
    same = error_table(amplified.tabulate(), problem) == error_table(amplified, problem)
    name = f"{text} table repetitions={runs}"
    return Instance.of(name, same, "table and binomial law agree on every input")


def newman_theorem(size: Size) -> Iterator[Instance]:
    """Sample lists of few seeds until one passes the exact check."""
    grid = [("equality:n=4", 2, "1/4"), ("thresholds:b=2", 2, "1/5"), ("equality:n=6", 3, "1/4")]
    if size is not Size.SMALL:
        grid += [("thresholds:b=3", 4, "1/8"), ("equality:n=6", 4, "1/10")]
    for text, k, gamma in grid:
        problem = parse_problem(text)
        base = minimax_error(problem, k).protocol.to_public_coin()
        result = newman(base, problem, Fraction(gamma), seed=0)
        seeds = newman_seeds(len(problem.inputs()), Fraction(gamma))
        name = f"{text} messages={k} gamma={gamma}"
        worst = worst_error(result.protocol, problem).value
        yield Instance.at_most(f"{name}: error", worst, result.public_error + Fraction(gamma))
        messages = Fraction(result.protocol.messages), Fraction(seeds * k)
        yield Instance.at_most(f"{name}: messages", *messages, f"{seeds} seeds")


def equality_by_hashing(size: Size) -> Iterator[Instance]:
    """Tabulate hashing by inner products exactly."""
    bits = {Size.SMALL: 3, Size.MEDIUM: 4, Size.LARGE: 5}[size]
    for b in range(1, bits + 1):
        problem = parse_instance(f"equality:n={2**b}")
        if not isinstance(problem, CommunicationProblem):
            continue
        for t in (1, 2, 3):
            if b * t > 12:
                continue
            table = error_table(EqualityHashing(bits=b, repetitions=t).tabulate(), problem)
            wrong = [
                (x, y)
                for (x, y), error in table.items()
                if error != (0 if x == y else Fraction(1, 2**t))
            ]
            detail = (
                f"error 0 on equal and 1/{2**t} on different inputs" if not wrong else f"{wrong[0]}"
            )
            yield Instance.of(f"equality:bits={b},repetitions={t}", not wrong, detail)


CLAIMS = (
    Claim(
        "fx/eq-2.1",
        "eq. (2.1)",
        "Yao's principle",
        "The least worst-case error of a public-coin one-way protocol with k messages equals the "
        "largest, over input distributions, of the least expected error of a deterministic one.",
        Kind.THEOREM,
        yao,
    ),
    Claim(
        "fx/eq-2.2",
        "eq. (2.2) of the full version",
        "Error reduction by repetition",
        "The majority of 5, 13, 21 independent runs of a protocol with error at most 1/3 errs at "
        "most 1/4, 1/9, 1/16; in general ceil(18 ln(1/gamma)) runs, made odd, give error gamma.",
        Kind.LEMMA,
        error_reduction,
    ),
    Claim(
        "fx/app-newman",
        "eq. (3.2)",
        "Newman's theorem, finite form",
        "floor(ln(|X||Y|) / (2 gamma^2)) + 1 fixed seeds raise the worst error of a public-coin "
        "protocol by at most gamma, so private coins need that factor more messages.",
        Kind.THEOREM,
        newman_theorem,
    ),
    Claim(
        "fx/app-eq-hash",
        "section 3.1",
        "Equality by hashing",
        "With t public random inner products as message, equality of b-bit strings is decided with "
        "error 0 on equal and exactly 2^-t on different inputs.",
        Kind.EXAMPLE,
        equality_by_hashing,
    ),
)
