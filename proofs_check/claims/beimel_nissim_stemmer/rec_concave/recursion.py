"""Section 3.3: the recursion depth of RecConcave, and the privacy of its steps."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ccsim.exact import Distribution, Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.steps import StepFunction
from ccsim.information import divergence
from ccsim.privacy.mechanisms.recursive_concave import Level, RecConcave
from proofs_check.claims.beimel_nissim_stemmer.constructions.joint_steps import joint_distribution
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)


def _ceiling_log(n: int) -> int:
    return (n - 1).bit_length()


def _iterations(n: int, log: Callable[[int], int]) -> int:
    count = 0
    while n > 1:
        n, count = log(n), count + 1
    return count


def _towers(n: int) -> int:
    """Return log* n: the least height of a tower of twos that is at least n."""
    height, tower = 0, 1
    while tower < n:
        height, tower = height + 1, 2**tower if tower < 64 else n
    return height


@claim(
    "bns/logstar",
    "section 3.3, footnote 1",
    "Iterated logarithm with ceilings",
    Kind.LEMMA,
    over=grid(n=[*range(1, 40), 65535, 65536, 65537, 2**400, 2**400 + 1]),
    near=near("Logarithms are rounded down.", log=lambda n: n.bit_length() - 1),
)
def iterated_logarithm(n: int, *, log: Callable[[int], int] = _ceiling_log) -> Decision:
    """Iterating ceil(log2) from n reaches 1 after log* n steps. Here log* n is the number of
    iterations of log2 after which the value is at most 1.
    """
    return equal(_iterations(n, log), _towers(n))


@claim(
    "bns/obs-3.10",
    "Observation 3.10",
    "Number of recursive calls",
    Kind.REMARK,
    over=grid(last=[*range(2, 40), 2**16, 2**16 + 1, 2**64, 2**400]),
    near=near("There is one call fewer.", most=plus(-1)),
    uses=["bns/logstar"],
)
def recursive_calls(last: int, *, most: Callable[[int], int] = _towers) -> Decision:
    """On a range [0, T] there are at most log*(T) recursive calls, even if ranges [0, 2] are
    divided. A range [0, 1] is not divided.
    """
    algorithm = RecConcave(Fraction(1), HALF, Epsilon.of(1), Fraction(1, 8), depth=99, base=1)
    return at_most(algorithm.calls(last) - 1, most(last))


def _random(seed: int) -> StepFunction:
    rng = np.random.default_rng(seed)
    values: list[int] = []
    while len(values) < 34:
        values += [int(rng.integers(17))] * int(rng.integers(1, 8))
    return StepFunction.of(values[: 3 + int(rng.integers(31))])


def _inner(f: StepFunction) -> list[Fraction]:
    level = Level.of(f, Fraction(12), HALF, 2, 1)
    if level.inner is None:
        return []
    return [level.inner(j) for j in range(level.inner.last + 1)]


def _sums(f: StepFunction) -> list[Fraction]:
    """Return a polynomial in L(j) and L(j + 1) in place of the inner quality."""
    level = Level.of(f, Fraction(12), HALF, 2, 1)
    L = level.lengths
    return [L[j] * L[j] - 3 * L[j + 1] * L[j] for j in range(len(L) - 1)]


@claim(
    "bns/claim-3.13",
    "Claim 3.13",
    "Recursive scores are quasi-concave",
    Kind.LEMMA,
    over=grid(seed=range(40)).medium(seed=range(40, 400)),
    near=near("The quality L(j)^2 - 3 L(j) L(j + 1) is quasi-concave too.", inner=_sums),
)
def recursive_scores(
    seed: int, *, inner: Callable[[StepFunction], list[Fraction]] = _inner
) -> Decision:
    """For any quality function Q, the quality q(j) = min(L(j) - (1 - alpha) r, r - L(j + 1)) of
    lengths 2^j is quasi-concave, where L(j) is the largest minimum of Q over 2^j adjacent points.
    """
    q = inner(_random(seed))
    triples = [(a, b, c) for c in range(len(q)) for b in range(c) for a in range(b)]
    if not triples:
        return holds(len(q) < 3, "fewer than three lengths").at_risk_if(condition=False)
    return all_of(((t, q[t[1]] >= min(q[t[0]], q[t[2]])) for t in triples), "quasi-concave")


@claim(
    "bns/obs-3.11",
    "Observation 3.11",
    "Sensitivity of maxima and minima",
    Kind.LEMMA,
    over=grid(seed=range(20)).medium(seed=range(20, 200)),
    near=near("Maxima and minima change by at most 10/11.", most=times(Fraction(10, 11))),
)
def sensitivity(seed: int, *, most: Fraction = Fraction(1)) -> Decision:
    """Maxima and minima of functions of sensitivity 1 have sensitivity 1. Hence if no value of Q
    changes by more than 1, no score of the recursive call does."""
    f, rng = _random(seed), np.random.default_rng(seed)
    values = [f(x) + int(rng.integers(-1, 2)) for x in range(f.last + 1)]
    pairs = zip(_inner(f), _inner(StepFunction.of(values)), strict=True)
    return all_of((j, at_most(abs(a - b), most)) for j, (a, b) in enumerate(pairs))


def _needles(first: int, second: int) -> StepFunction:
    """Return a quality with two points of high quality, in different intervals of both families."""
    return StepFunction.from_steps({0: 0, 10: first, 11: 0, 30: second, 31: 0}, 40)


PAIRS = {"62,64 against 63,63": ((62, 64), (63, 63)), "64,62 against 63,63": ((64, 62), (63, 63))}


def _worst(algorithm: RecConcave, needles: str, epsilon: Epsilon, *, joint: bool) -> Real:
    """Return the least delta of the steps for a pair of neighbouring qualities."""
    functions = [_needles(*pair) for pair in PAIRS[needles]]
    if joint:
        p, q = (joint_distribution(algorithm, f) for f in functions)
        return max(divergence(p, q, epsilon.exp()), divergence(q, p, epsilon.exp()))
    distributions = [algorithm.distribution(f) for f in functions]
    a, b = (
        Distribution.of({x: distribution.value(x, x) for x in range(41)})
        for distribution in distributions
    )
    return max(divergence(a, b, epsilon.exp()), divergence(b, a, epsilon.exp()))


@claim(
    "bns/lemma-3.12-printed",
    "Lemma 3.12, with A_dist as printed",
    "RecConcave is (3N eps, 3N delta)-private with the printed A_dist",
    Kind.ERRATUM,
    over=grid(needles=list(PAIRS)),
    near=[
        near("The statement with the corrected A_dist.", variant="corrected"),
        near("The statement at eps below ln(6)/2.", factor=Fraction(2)),
    ],
    recorded=Verdict.FAILS,
    survives="yes: with the corrected A_dist it is ((3N - 2) eps, 2 (N - 1) delta)-private; with "
    "the printed A_dist, Lemma 3.12 holds for N = 2 up to eps = ln(6)/2",
)
def printed_privacy(
    needles: str, *, variant: str = "printed", factor: Fraction = Fraction(64, 25)
) -> Decision:
    """As printed: RecConcave with N calls is (3N eps, 3N delta)-private. This is read with the
    printed A_dist. If neither family gives an interval, a case that the paper does not specify, the
    first index is output. The distribution of the index on [0, 40] refutes it, for qualities that
    are 0 except at two points, at e^eps = 64/25 and N = 2.
    """
    delta = Fraction(1, 10**6)
    epsilon = Epsilon(Fraction(0), factor)
    algorithm = RecConcave(Fraction(64), HALF, epsilon, delta, variant=variant, fallback="first")
    total, allowed = algorithm.privacy(40, printed=True)
    return at_most(_worst(algorithm, needles, total, joint=False), allowed)


@claim(
    "bns/lemma-3.12",
    "Lemma 3.12, with the steps counted",
    "Privacy of RecConcave",
    Kind.LEMMA,
    over=table("needles factor", *((n, f) for n in PAIRS for f in ("4", "64/25"))),
    near=[
        near("At most 99/100 of this delta is needed.", share=times(Fraction(99, 100))),
        near("The statement with the printed A_dist.", variant="printed"),
    ],
    uses=["bns/prop-2.26", "bns/prop-2.25"],
    corrects="bns/lemma-3.12-printed",
)
def counted_privacy(
    needles: str, factor: str, *, share: Fraction = Fraction(1), variant: str = "corrected"
) -> Decision:
    """RecConcave with N calls is ((3N - 2) eps, 2 (N - 1) delta)-private, because the innermost
    call is a single mechanism and only A_dist has a delta. At N = 2 the joint distribution of all
    steps, for qualities that are 0 except at two points, needs more than 99/100 of this delta.
    """
    epsilon, delta = Epsilon.of(f"ln({factor})"), Fraction(1, 1000)
    algorithm = RecConcave(Fraction(64), HALF, epsilon, delta, variant=variant)
    calls = algorithm.calls(40)
    total, allowed = epsilon * (3 * calls - 2), 2 * (calls - 1) * delta
    return at_most(_worst(algorithm, needles, total, joint=True), share * allowed)
