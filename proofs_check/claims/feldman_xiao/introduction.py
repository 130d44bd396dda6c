"""Section 1 and related work: sample sizes, counts, and metric entropy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from math import comb

import numpy as np

from ccsim import (
    ConceptClass,
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_probability,
    halfspaces,
    representation_error,
    vc_dimension,
)
from ccsim.dimensions import halfspace_tree
from ccsim.exact import Epsilon, LogSum
from ccsim.instances import parse_class
from ccsim.learning import RepresentationLearner, Target, two_point_failure
from ccsim.representation import projective_plane_representation
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict, nothing_finite
from proofs_check.claims.evidence import recheck, rounded_up
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import classes_on, random_weights

__all__ = ["CLAIMS"]

QUARTER = Fraction(1, 4)
LN4 = Epsilon.of("ln 4")


def _learning(name: str, C: ConceptClass, learner: RepresentationLearner) -> Iterator[Instance]:
    """Enclose the failure on pairs of points, one of which just matters or is nearly all."""
    masses = learner.accuracy + Fraction(1, 100), Fraction(99, 100)
    pairs = list(permutations(range(len(C.points)), 2))
    for f in C.rows[:3]:
        targets = (
            Target((x, y), (mass, 1 - mass), (f >> x & 1, f >> y & 1))
            for x, y in pairs
            for mass in masses
        )
        worst = max(two_point_failure(learner, target).upper for target in targets)
        name_of_case = f"{name}, {learner.sample_size} examples, concept {f}"
        yield Instance.at_most(name_of_case, rounded_up(worst), QUARTER)


def occam(size: Size) -> Iterator[Instance]:
    """Failure of the exponential mechanism over the class, on distributions on two points."""
    texts = ("points:b=1", "all_functions:n=2")
    for text in texts if size is Size.SMALL else (*texts, "thresholds:b=2"):
        C = parse_class(text)
        yield from _learning(text, C, RepresentationLearner.occam(C, Fraction(1, 2), QUARTER, LN4))


def from_representation(size: Size) -> Iterator[Instance]:
    """Learn seven points by the lines of the projective plane, which represent with error 1/3."""
    result = projective_plane_representation(2)
    recheck(result)
    name = "projective plane of order 2"
    yield Instance.at_most(name, result.value, Fraction(1, 3))
    if size is not Size.SMALL:
        learner = RepresentationLearner.of(result, Fraction(2, 3), QUARTER, LN4)
        yield from _learning(name, result.concept_class, learner)


def sauer(size: Size) -> Iterator[Instance]:
    """Count the concepts of every class on few points, and of random ones."""
    classes = list(classes_on(3))
    rng = np.random.default_rng(10)
    for _ in range({Size.SMALL: 50, Size.MEDIUM: 500, Size.LARGE: 5000}[size]):
        rows = {int(r) for r in rng.integers(32, size=int(rng.integers(1, 33)))}
        classes.append(ConceptClass.from_rows(sorted(rows), range(5)))

    def cases() -> Iterator[tuple[object, Fraction, Fraction]]:
        for C in classes:
            m, d = len(C.points), vc_dimension(C).value
            bound = sum(comb(m, i) for i in range(d + 1))
            yield C.rows, Fraction(len(C.rows)), Fraction(min(bound, m**d + 1))

    yield Instance.tightest("every class on 3 points, random ones on 5", cases())


def point_mass(size: Size) -> Iterator[Instance]:
    """Take the law that always gives one set: it fails with probability 0 at the set's error."""
    rng = np.random.default_rng(11)
    for text in ("points:b=2", "thresholds:b=2"):
        C = parse_class(text)
        for i in range(3 if size is Size.SMALL else 10):
            rows = [int(h) for h in rng.integers(1 << len(C.points), size=3)]
            H = HypothesisSet.from_rows(rows, len(C.points))
            error = representation_error(H, C).value
            R = ProbabilisticRepresentation.mixture([(1, H)])
            failure = failure_probability(R, C, error, Fraction(0))
            recheck(failure)
            yield Instance.at_most(f"{text} random={i} eps={error}", failure.upper, Fraction(0))


def halfspace_counts(size: Size) -> Iterator[Instance]:
    """Count the halfspaces over small grids exactly."""
    grids = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)]
    for b, d in grids if size is Size.SMALL else [*grids, (1, 4)]:
        number = len(halfspaces(b, d))
        bound = d**2 * (LogSum.log2(d) + b) + d
        name = f"halfspaces:b={b},d={d}"
        yield Instance.at_most(name, LogSum.log2(number), bound, f"{number} halfspaces")


def _packing(rows: Sequence[int], law: Sequence[Fraction], eps: Fraction) -> list[int]:
    """Return a maximal set of concepts of pairwise distance above eps, the largest one."""
    far = {(f, g): disagreement(law, f, g) > eps for f in rows for g in rows if f < g}
    for number in range(len(rows), 0, -1):
        for chosen in combinations(sorted(rows), number):
            if all(far[pair] for pair in combinations(chosen, 2)):
                return list(chosen)
    return []


def metric_entropy(size: Size) -> Iterator[Instance]:
    """Random representations under random distributions, against the largest packing."""
    rng = np.random.default_rng(12)
    texts = ("points:b=2", "thresholds:b=2", "all_functions:n=3")
    for text in texts if size is Size.SMALL else (*texts, "intervals:n=4"):
        C = parse_class(text)
        for i in range(3 if size is Size.SMALL else 10):
            law = random_weights(rng, len(C.points))
            eps = Fraction(int(rng.integers(1, 5)), 8)
            packing = _packing(C.rows, law, eps)
            covered = all(any(disagreement(law, f, g) <= eps for g in packing) for f in C.rows)
            name = f"{text} random={i} eps={eps}"
            yield Instance.of(f"{name}: cover", covered, "a largest packing is a cover")
            sets = [
                tuple(int(h) for h in rng.choice(C.rows, size=2, replace=True)) for _ in range(6)
            ]
            weights = random_weights(rng, 6, least=1)
            missed = max(
                sum(
                    (
                        w
                        for w, H in zip(weights, sets, strict=True)
                        if all(disagreement(law, f, h) > eps / 2 for h in H)
                    ),
                    Fraction(0),
                )
                for f in C.rows
            )
            yield Instance.at_most(
                f"{name}: sets of 2, failure {missed}", (1 - missed) * len(packing), Fraction(2)
            )


def maass_turan(size: Size) -> Iterator[Instance]:
    """Check trees of depth at least b d^2 / 4, at sizes far beyond enumeration."""
    most = 4 if size is Size.SMALL else 8
    for b in range(1, most + 1):
        for d in range(2, 1 + min(most, 12 // b + 1)):
            tree = halfspace_tree(b, d)
            tree.check_sample(5, seed=0)
            name = f"halfspaces:b={b},d={d}"
            yield Instance.at_most(name, Fraction(b * d * d, 4), Fraction(tree.depth))


def _open(
    key: str, number: str, title: str, statement: str, reason: str, uses: tuple[str, ...] = ()
) -> Claim:
    """Return a claim that is neither decided nor has a finite consequence of its own."""
    return Claim(
        key,
        number,
        title,
        statement,
        Kind.REMARK,
        nothing_finite,
        uses=uses,
        recorded=Verdict.NOT_DECIDED,
        reason=reason,
    )


CLAIMS = (
    Claim(
        "fx/intro-occam",
        "section 1, with explicit constants",
        "Private learning with O(log |C|) samples",
        "The exponential mechanism over C learns C with error eps and failure delta from "
        "max(72/eps, 12/(alpha eps)) ln(3|C|/delta) examples; checked on distributions on two "
        "points.",
        Kind.THEOREM,
        occam,
        uses=("fx/def-13", "fx/thm-C.1"),
    ),
    Claim(
        "fx/intro-gap",
        "section 1",
        "log |C| is at most VC times log |X|",
        "A class of VC dimension d on m points has at most binom(m,0) + ... + binom(m,d) concepts, "
        "and at most m^d + 1 (Sauer's lemma).",
        Kind.LEMMA,
        sauer,
    ),
    _open(
        "fx/intro-point",
        "section 1",
        "Points: proper against improper private learning",
        "Points over b bits need a number of order b of samples for proper and O(1) for improper "
        "private learning.",
        "asymptotic; its finite forms are bbkn/lemma-3.9 and bbkn/thm-4.8",
    ),
    Claim(
        "fx/intro-drdim",
        "section 1, with explicit constants",
        "Private learning from a deterministic representation",
        "If H represents C with error eps, the exponential mechanism over H learns C with error "
        "2 eps from max(72/(2 eps), 12/(2 alpha eps)) ln(3|H|/delta) examples.",
        Kind.THEOREM,
        from_representation,
        uses=("fx/def-4", "fx/intro-occam"),
    ),
    Claim(
        "fx/intro-prdim-drdim",
        "section 1 and 1.1, as printed",
        "PRDim is at most DRDim",
        "PRDim = O(DRDim + log log |X|) is printed; even PRDim <= DRDim holds, by a law on one "
        "set. Meant is DRDim = O(PRDim + log log |X|), for which see "
        "fx/app-newman-deduction-corrected.",
        Kind.REMARK,
        point_mass,
        uses=("fx/def-4", "fx/def-5"),
    ),
    Claim(
        "fx/intro-hs-count",
        "section 1.1",
        "Number of halfspaces over a grid",
        "log2 |HS_b^d| = O(d^2 (log2 d + b)); on small grids it is at most d^2 (log2 d + b) + d.",
        Kind.REMARK,
        halfspace_counts,
        recorded=Verdict.NOT_DECIDED,
        reason="asymptotic; the counts over small grids are compared with an explicit form",
    ),
    Claim(
        "fx/rel-metric-entropy",
        "section 1.2, first part",
        "Representations for one distribution and metric entropy",
        "For a fixed distribution a law on sets of s hypotheses with failure delta at error eps/2 "
        "has s >= (1 - delta) |P| for every packing P at distance above eps, and a largest packing "
        "is a representation with error eps: PRDim >= DRDim - log2(1/(1-delta)).",
        Kind.LEMMA,
        metric_entropy,
        uses=("fx/def-4", "fx/def-5"),
    ),
    _open(
        "fx/rel-sanitize",
        "section 1.2",
        "Sanitization is at least as hard as proper agnostic learning",
        "A private sanitizer of C gives a proper private agnostic learner, so it needs a number "
        "of records of order LDim(C) at least for thresholds.",
        "asymptotic summary of cited work; its finite forms are bns/thm-5.5 and bns/lemma-4.15",
    ),
    Claim(
        "fx/maass-turan",
        "section 1.1 and 4.1",
        "Halfspaces need a number of samples of order d^2 b",
        "LDim(HS_b^d) >= b d^2 / 4 for d >= 2, by the inductive tree, so private learning needs "
        "that many samples up to a constant.",
        Kind.COROLLARY,
        maass_turan,
        uses=("fx/thm-B.2", "fx/cor-11"),
    ),
)
