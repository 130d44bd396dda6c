"""Section 5.1: a sanitizer of a class gives a proper private learner of the class.

The sanitizer in the examples releases the noisy number of records at the second of two points. It
attains its privacy parameter, so that the loss of the reductions is measured exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, TypeAlias

from ccsim import ConceptClass
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.instances import parse_class
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import Mechanism, TruncatedGeometric, audit
from ccsim.privacy.constructions import PostProcessed
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.learner import (
    SanitizingLearner,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.repetition import (
    RepeatedSanitizer,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.sizes import blocks_needed
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import (
    Estimates,
    release_failure,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import (
    Decision,
    all_of,
    at_most,
    equal,
)
from proofs_check.claims.evidence import recheck, vc_dimension
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

Share: TypeAlias = Fraction
NINE_TENTHS = Fraction(9, 10)


def _right_labels(C: ConceptClass) -> ConceptClass:
    """Return the class whose concepts are 1 on the correct labels."""
    labelled = labelled_class(C)
    full = (1 << len(labelled.points)) - 1
    return ConceptClass.from_rows([full ^ row for row in labelled.rows], labelled.points)


def _label_alone(C: ConceptClass) -> ConceptClass:
    """Return the class whose only concept has the label of an example as its value."""
    ones = sum(2 << 2 * x for x in range(len(C.points)))
    return ConceptClass.from_rows([ones], labelled_class(C).points, [0])


@claim(
    "bns/def-label",
    "section 5.1",
    "Class of labelled concepts",
    Kind.DEFINITION,
    over=grid(instance=["points:b=1", "thresholds:b=2", "intervals:n=3"]),
    near=[
        near("c^label is 1 on correct labels.", build=_right_labels),
        near("c^label is 1 on the label 1.", build=_label_alone),
    ],
)
def labelled_concepts(
    instance: str, *, build: Callable[[ConceptClass], ConceptClass] = labelled_class
) -> Decision:
    """c^label(x, y) = y xor c(x). The value of c^label on a database of labelled points is the
    empirical error of c. Checked for all databases of two examples."""
    C = parse_class(instance)
    L = build(C)

    def right(sample: Sequence[Example]) -> bool:
        shares = [sum(row >> 2 * x + y & 1 for x, y in sample) for row in L.rows]
        return shares == [empirical_errors(sample, row) for row in C.rows]

    samples = combinations_with_replacement(labelled_examples(len(C.points)), 2)
    return all_of(((S, right(S)) for S in samples), "shares are errors")


@claim(
    "bns/claim-5.2",
    "Claim 5.2, sharpened",
    "VC dimension of labelled concepts",
    Kind.LEMMA,
    over=grid(
        instance=[
            "points:b=2",
            "thresholds:b=3",
            "intervals:n=5",
            "lines:p=3",
            "all_functions:n=3",
            "k_points:b=2,k=2",
            "random:m=9,n=5,seed=0",
        ]
    ).medium(instance=["boxes:b=1,d=3", "k_points:b=3,k=3", "unions:n=7,k=2"]),
    near=[
        near("VC(C^label) is larger by one.", more=plus(1)),
        near("VC(C^label) is smaller by one.", more=plus(-1)),
    ],
    uses=["bns/def-label"],
)
def labelled_dimension(instance: str, *, more: int = 0) -> Decision:
    """VC(C^label) = VC(C), which sharpens VC(C) <= VC(C^label) <= 2 VC(C): a shattered set does not
    contain a point with both labels, because c^label has different values on them.
    """
    C = parse_class(instance)
    return equal(vc_dimension(labelled_class(C)), recheck(vc_dimension(C)).value + more)


def more_than(most: int, trials: int, p: Fraction) -> Fraction:
    """Return Pr[Bin(trials, p) > most]."""
    a, b = p.numerator, p.denominator
    total = sum(
        comb(trials, i) * a**i * (b - a) ** (trials - i) for i in range(min(most, trials) + 1)
    )
    return 1 - Fraction(total, b**trials)


@cache
def noisy_count(factor: int, size: int) -> Mechanism[Any, Any]:
    """Return the sanitizer that releases the noisy number of records at the second point."""
    epsilon = Epsilon.of(f"ln {factor}")
    count = TruncatedGeometric((0, 1), sum, epsilon, 0, size)
    return PostProcessed(count, lambda ones: (0,) * (size - ones) + (1,) * ones)


@cache
def least_factor(mechanism: Mechanism[Any, Any], records: int) -> Fraction:
    """Return the least e^epsilon for which a mechanism is private, from an audit."""
    return rational(recheck(audit(mechanism, "ln 1024", 0, records)).factor or Fraction(0))


TWO = parse_class("points:b=1")
LN2 = Epsilon.of("ln 2")


@claim(
    "bns/lemma-5.1",
    "Lemma 5.1",
    "Sanitizers of larger databases, by repetition",
    Kind.LEMMA,
    over=table("failure allowed", ("1/4", 1), ("1/10", 1), ("1/6", 2)).medium(("1/20", 2)),
    near=[
        near("3/14 of the blocks are enough.", blocks=times(Fraction(3, 14))),
        near("The union is close with 99/100 of the stated error.", far=times(Fraction(99, 100))),
        near("The union is more private than a block.", share=Fraction(99, 100)),
    ],
)
def repetition(
    failure: str,
    allowed: int,
    *,
    blocks: Callable[[str], int] = blocks_needed,
    far: Callable[[Fraction, Fraction], Fraction] = lambda alpha, s: (1 - s) * alpha + s,
    share: Fraction = Fraction(1),
) -> Decision:
    """If q >= (18/beta) ln(1/beta) blocks fail with probability at most 3 beta / 2 each, at most 2
    beta q of them fail, except with probability beta. If the releases of all but a fraction s of
    the blocks are alpha-close, the union is ((1 - s) alpha + s)-close, and so (2 alpha + 2
    beta)-close for 2 alpha-close blocks and s = 2 beta. The union is as private as a block. The
    last two statements are checked for three blocks of one record, of which at most `allowed` fail.
    """
    beta = Fraction(failure)
    q = int(blocks(failure))
    tail = more_than(int(2 * beta * q), q, 3 * beta / 2)
    inner = noisy_count(3, 1)
    repeated = RepeatedSanitizer(inner, 1)
    single = max(rational(release_failure(inner, TWO, (x,), 0)) for x in (0, 1))
    most = far(Fraction(0), Fraction(allowed, 3))

    def close(D: tuple[int, ...]) -> Decision:
        chance = rational(release_failure(repeated, TWO, D, most))
        return at_most(chance, more_than(allowed, 3, single))

    databases = product((0, 1), repeat=3)
    return all_of(
        [
            (
                "stated blocks",
                equal(blocks_needed(failure), log_ceiling(18 / beta, 1 / beta, Epsilon.of(1))),
            ),
            ("number of blocks", at_most(tail, beta)),
            ("union", all_of((D, close(D)) for D in databases)),
            ("privacy", at_most(least_factor(repeated, 3), share * least_factor(inner, 1))),
        ]
    )


@claim(
    "bns/lemma-5.3",
    "Lemma 5.3",
    "Learner from a sanitizer of labelled concepts",
    Kind.LEMMA,
    over=table("instance m", ("points:b=1", 2), ("thresholds:b=1", 3)).medium(
        ("thresholds:b=2", 2)
    ),
    near=[
        near("The empirical error is at most 99/100 of 2 alpha.", twice=times(Fraction(99, 100))),
        near("The learner is more private than the sanitizer.", share=times(Fraction(99, 100))),
    ],
    uses=["bns/def-label"],
)
def learner_from_sanitizer(
    instance: str, m: int, *, twice: Fraction = Fraction(2), share: Fraction = Fraction(1)
) -> Decision:
    """If a release is alpha-close to a sample of C^label that is labelled by a concept of C, the
    concept of least error on the release has empirical error at most 2 alpha on the sample; and
    choosing it is as private as the sanitizer. So from max(1, VC(C)) (50/gamma^2) ln(1/(gamma
    beta)) examples, an (alpha, beta, epsilon)-sanitizer of C^label gives a proper (2 alpha + gamma,
    2 beta, epsilon)-learner of C, by Theorem 2.14. Checked for all consistent samples of m
    examples, with estimates half way between those of two samples, and by an audit of a synthetic
    database.
    """
    C = parse_class(instance)
    L = labelled_class(C)
    examples = labelled_examples(len(C.points))
    inner = SyntheticDatabase(L, Epsilon.of("ln 4"), 1)
    learner = SanitizingLearner(inner, C)
    shares = {
        S: tuple(Fraction(empirical_errors(S, row), m) for row in C.rows)
        for S in combinations_with_replacement(examples, m)
    }

    def good(S: tuple[Example, ...], T: tuple[Example, ...]) -> Decision:
        middle = tuple((a + b) / 2 for a, b in zip(shares[S], shares[T], strict=True))
        alpha = max(abs(a - b) for a, b in zip(shares[S], middle, strict=True))
        answer = learner.best(Estimates(middle))
        return at_most(Fraction(empirical_errors(S, answer), m), twice * alpha)

    consistent = [S for S, errors in shares.items() if min(errors) == 0]
    return all_of(
        [
            ("error", all_of(((S, T), good(S, T)) for S in consistent for T in shares)),
            ("privacy", at_most(least_factor(learner, m), share * least_factor(inner, m))),
        ]
    )
