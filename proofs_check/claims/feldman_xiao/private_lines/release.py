"""Section 6.1: releasing the basic learner's output privately."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import ceil
from typing import cast

from ccsim.exact import Epsilon, Law, binomial_tail
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import CanonicalMechanism, StableMode, Subsampled, audit, laplace_tail
from ccsim.privacy.mechanisms.stability import votes_to_change
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.feldman_xiao.private_lines.basic_learner import (
    ZERO,
    Example,
    Hypothesis,
    learn,
)

__all__ = ["CLAIMS"]


@dataclass(frozen=True, slots=True)
class LineLearner(CanonicalMechanism[Example, Hypothesis]):
    """The overall learner for a fixed t: a stable mode of the outputs on blocks of t examples."""

    p: int
    t: int
    epsilon: Epsilon
    delta: Fraction

    @property
    def records(self) -> tuple[Example, ...]:
        """Every point of the plane with either label."""
        plane = ((x, y) for x in range(self.p) for y in range(self.p))
        return tuple((point, label) for point in plane for label in (0, 1))

    def law_of(self, database: tuple[Example, ...]) -> Law[Hypothesis]:
        """Return the law of the released hypothesis."""
        blocks = range(0, len(database), self.t)
        votes = [learn(self.p, database[i : i + self.t]) for i in blocks]
        plane = list(product(range(self.p), repeat=2))
        candidates = (
            *(("line", a, b) for a, b in plane),
            *(("point", x, y) for x, y in plane),
            ZERO,
        )
        released = StableMode(candidates, ZERO, self.epsilon, self.delta).law(votes)
        return cast(Law[Hypothesis], released)


def overall_learner(size: Size) -> Iterator[Instance]:
    """Audit the learner on all samples of p = 2, consistent with a line or not."""
    shapes = ((1, 2),) if size is Size.SMALL else ((1, 2), (1, 3), (2, 1))
    for t, blocks in shapes:
        for alpha in ("ln 2", "1/2"):
            learner = LineLearner(2, t, Epsilon.of(alpha), Fraction(1, 8))
            result = audit(learner, alpha, Fraction(1, 8), neighbours=t * blocks)
            result.check()
            detail = f"{result.pairs} pairs of samples, least beta {result.least_delta}"
            name = f"p=2 t={t} blocks={blocks} alpha={alpha} beta=1/8"
            yield Instance.of(name, result.verdict.value == "holds", detail)


def _distance_by_definition(votes: tuple[int, ...], candidates: range) -> tuple[int, int]:
    """Return the mode and the least number of changed votes that changes it."""
    everything = product(candidates, repeat=len(votes))

    def mode(v: tuple[int, ...]) -> int:
        return max(candidates, key=lambda c: (v.count(c), -c))

    ours = mode(votes)
    others = (v for v in everything if mode(v) != ours)
    return ours, min(sum(a != b for a, b in zip(v, votes, strict=True)) for v in others)


def _close(one: tuple[int, int], other: tuple[int, int]) -> bool:
    (mode, c), (rival, d) = one, other
    return abs(c - d) <= 1 if mode == rival else c == d == 1


def mode_distance(size: Size) -> Iterator[Instance]:
    """Compare the formula with the definition on every vector of votes, and neighbours of it."""
    grids = [(2, 4), (3, 3)] + ([(3, 4)] if size is not Size.SMALL else [])
    for number, length in grids + ([(3, 5), (4, 4)] if size is Size.LARGE else []):
        candidates = range(number)
        table = {v: votes_to_change(v, candidates) for v in product(candidates, repeat=length)}
        name = f"{number} candidates, {length} votes"
        yield Instance.all_of(
            f"{name}: formula",
            ((v, found == _distance_by_definition(v, candidates)) for v, found in table.items()),
            "the formula is the definition",
        )
        neighbours = (
            (v, (*v[:i], c, *v[i + 1 :]))
            for v in table
            for i in range(length)
            for c in candidates
            if c != v[i]
        )

        yield Instance.all_of(
            f"{name}: neighbours",
            (((v, w), _close(table[v], table[w])) for v, w in neighbours),
            "c changes by at most 1 while the mode stays, and is 1 on both sides of a change",
        )


def release_privacy(size: Size) -> Iterator[Instance]:
    """Compare exact release probabilities at c and c + 1, and at a change of the mode."""
    most = {Size.SMALL: 20, Size.MEDIUM: 100, Size.LARGE: 400}[size]
    for alpha, beta in (("ln 2", "1/100"), ("ln 3/2", "1/3"), ("1/10", "1/2"), ("1", "1/1000")):
        epsilon, b = Epsilon.of(alpha), Fraction(beta)
        threshold = Epsilon(Fraction(0), 1 / (2 * b))
        chances = [laplace_tail(epsilon * (1 - c) + threshold) for c in range(1, most + 1)]
        factor = epsilon.exp()
        steps = pairwise(chances)
        fair = all(
            low <= factor * high
            and high <= factor * low
            and 1 - high <= factor * (1 - low)
            and 1 - low <= factor * (1 - high)
            for low, high in steps
        )
        name = f"alpha={alpha} beta={beta}"
        yield Instance.of(f"{name}, c <= {most}", fair, "ratio at most e^alpha from c to c + 1")
        detail = f"released with probability {chances[0]} when the mode changes"
        yield Instance.of(f"{name}, c = 1", chances[0] == b, detail)
    for votes in (2, 3):
        mechanism = StableMode(("a", "b", "0"), "0", Epsilon.of("ln 2"), Fraction(1, 8))
        result = audit(mechanism, "ln 2", Fraction(1, 8), neighbours=votes)
        result.check()
        detail = f"{result.pairs} pairs, least beta {result.least_delta}"
        yield Instance.of(f"audit of {votes} votes", result.least_delta == Fraction(1, 8), detail)


def integers_in_window(_size: Size) -> Iterator[Instance]:
    """Take delta = 9/20: an interval of length 40/3 may hold 13 integers only."""
    delta = Fraction(9, 20)
    held = int(6 / delta)
    name = f"delta={delta}, {held} integers in an interval of length {6 / delta}"
    yield Instance.at_most(name, Fraction(3, held), delta / 2, "three bad integers")


def _blocks(alpha: Epsilon, beta: Fraction, delta: Fraction) -> int:
    """Return the corrected number of blocks."""
    return max(
        log_ceiling(Fraction(12), 1 / (beta * delta), alpha) + 13,
        log_ceiling(Fraction(72), 4 / delta, Epsilon.of(1)),
    )


def block_accuracy(size: Size) -> Iterator[Instance]:
    """Exact tails for the corrected number of blocks, and the exact chance of no release."""
    grid = [("ln 2", "1/100", "1/4"), ("ln 2", "1/10", "9/20")]
    if size is not Size.SMALL:
        grid += [("ln 3/2", "1/1000", "1/10"), ("1", "1/3", "1/3")]
    for alpha, b, d in grid:
        epsilon, beta, delta = Epsilon.of(alpha), Fraction(b), Fraction(d)
        blocks = _blocks(epsilon, beta, delta)
        need = ceil(Fraction(7 * blocks, 12))
        name = f"alpha={alpha} beta={b} delta={d}, {blocks} blocks"
        few = 1 - binomial_tail(blocks, Fraction(2, 3), need)
        slack = float(delta / 4 - few)
        yield Instance.of(f"{name}: 7/12 agree", few <= delta / 4, f"slack {slack:.3g}")
        votes = "a" * need + "b" * (blocks - need)
        _, c = votes_to_change(votes, "ab")
        yield Instance.at_most(f"{name}: distance", Fraction(blocks, 12), Fraction(c))
        law = StableMode(("a", "b", "0"), "0", epsilon, beta).law(votes)
        missed = 1 - law["a"]
        yield Instance.of(f"{name}: released", missed <= delta / 4, f"missed {float(missed):.3g}")
    for delta in (Fraction(9, 20), Fraction(1, 4), Fraction(1, 100)):
        window = ceil(16 / delta)
        yield Instance.at_most(f"delta={delta}: bad sizes", Fraction(8, window), delta / 2)


@dataclass(frozen=True, slots=True)
class Publish(CanonicalMechanism[Hashable, tuple[Hashable, ...]]):
    """Publish the database itself: any function of it is at least as private."""

    domain: tuple[Hashable, ...]

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def law_of(self, database: tuple[Hashable, ...]) -> Law[tuple[Hashable, ...]]:
        """Return the law of a constant."""
        return Law.certain(database)


def subsampling(size: Size) -> Iterator[Instance]:
    """Audit the publication of a random subsample at alpha = 0."""
    for rate in (Fraction(1, 10), Fraction(1, 3)):
        mechanism = Subsampled(Publish(("a", "b", "none")), rate, "none")
        for n in (1, 2) if size is Size.SMALL else (1, 2, 3):
            result = audit(mechanism, 0, rate, neighbours=n)
            result.check()
            detail = f"least beta {result.least_delta} at alpha = 0"
            yield Instance.of(f"rate={rate} n={n}", result.verdict.value == "holds", detail)


CLAIMS = (
    Claim(
        "fx/c-formula",
        "algorithm of Lemma 16 (=6.2), step 2",
        "Number of changed votes that change the mode",
        "With ties broken by order, c is the least over rivals of ceil(d/2) for those before the "
        "mode and floor(d/2) + 1 for those after it, where d is the lead, and at least 1. It "
        "changes by at most 1 with one vote while the mode stays, and is 1 where the mode changes.",
        Kind.LEMMA,
        mode_distance,
    ),
    Claim(
        "fx/lemma-16-privacy",
        "proof of Lemma 16 (=6.2), privacy",
        "Privacy of releasing a stable mode",
        "Releasing the mode iff c + Lap(1/alpha) > ln(1/(2 beta))/alpha + 1 is (alpha, beta)-"
        "private for beta <= 1/2, and beta is the exact mass released where the mode changes.",
        Kind.LEMMA,
        release_privacy,
        uses=("fx/c-formula",),
    ),
    Claim(
        "fx/alg-overall",
        "algorithm of Lemma 16 (=6.2)",
        "Private learner of lines",
        "The mode of the basic learner's outputs on blocks of t examples, released if stable, is "
        "(alpha, beta)-private on all neighbouring samples.",
        Kind.DEFINITION,
        overall_learner,
        uses=("fx/alg-basic", "fx/lemma-16-privacy"),
    ),
    Claim(
        "fx/lemma-16-printed",
        "proof of Lemma 16 (=6.2), choice of k, as printed",
        "Three bad sizes are a fraction of at most delta/2",
        "Among the integers of an interval of length 6/delta, three are a fraction of at most "
        "delta/2.",
        Kind.ERRATUM,
        integers_in_window,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "fx/lemma-16",
        "Lemma 16 (=6.2), with corrected constants",
        "Learner of lines with poor dependence on delta",
        "With k uniform among ceil(16/delta) integers and l = max(ceil(12/alpha ln(1/(beta delta)))"
        " + 13, ceil(72 ln(4/delta))) blocks of 2^k examples the learner fails with probability "
        "at most delta: at most delta/2 for a bad size, delta/4 that fewer than 7/12 of the blocks "
        "agree, and delta/4 that the mode is not released although c >= l/12.",
        Kind.LEMMA,
        block_accuracy,
        uses=("fx/claim-17-corrected", "fx/alg-overall"),
        corrects="fx/lemma-16-printed",
    ),
    Claim(
        "fx/footnote-beta",
        "footnote on the dependence on beta",
        "Subsampling and the second privacy parameter",
        "Any function of a random subsample in which each record is kept with probability beta is "
        "(0, beta)-private.",
        Kind.REMARK,
        subsampling,
    ),
)
