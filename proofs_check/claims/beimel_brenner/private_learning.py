"""Sections 2.1 and 2.3: privacy and private learners, read literally on small objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from typing import Any

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.learning import PrivateOccam
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import Deterministic, Mechanism, RandomizedResponse, audit
from ccsim.privacy.neighbours import neighbouring_databases
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]


def differential_privacy(_size: Size) -> Iterator[Instance]:
    """Compare the auditor's least e^eps with the largest ratio of any event on any neighbours."""
    ln4 = Epsilon.of("ln 4")
    mechanisms: dict[str, Mechanism[Any, Any]] = {
        "randomised response": RandomizedResponse((0, 1), ln4),
        "private Occam, 2 points": PrivateOccam(2, (1, 2, 3), ln4),
    }
    for name, mechanism in mechanisms.items():
        result = audit(mechanism, ln4, 0, 2)
        recheck(result)
        pairs = neighbouring_databases(mechanism.records, 2, symmetric=False)
        worst = max(
            sum((rational(p[o]) for o in event), Fraction(0)) / sum(rational(q[o]) for o in event)
            for pair in pairs
            for p, q in permutations(mechanism.law(D) for D in pair)
            for event in _events(tuple(p))
        )
        detail = f"least e^eps = {result.factor}, largest ratio of an event {worst}"
        yield Instance.of(f"{name}, 2 examples", result.factor == worst, detail)


def _events(outcomes: Sequence[Hashable]) -> Iterator[tuple[Hashable, ...]]:
    sizes = range(1, len(outcomes) + 1)
    return chain.from_iterable(combinations(outcomes, r) for r in sizes)


def group_privacy(size: Size) -> Iterator[Instance]:
    """Compare all pairs of databases, however far apart."""
    learner = PrivateOccam(2, (1, 2), Epsilon.of("ln 4"))
    for m in (1, 2) if size is Size.SMALL else (1, 2, 3, 4):
        name = f"private Occam, 2 points, m={m}, e^eps=4"
        yield Instance.tightest(name, _all_pairs(learner, m, Fraction(4)))


def _all_pairs(
    learner: PrivateOccam, m: int, factor: Fraction
) -> Iterator[tuple[object, Fraction, Fraction]]:
    laws = {D: learner.law(D) for D in combinations_with_replacement(learner.records, m)}
    for D, E in product(laws, repeat=2):
        k = (Counter(D) - Counter(E)).total()
        for h in learner.hypotheses:
            yield (D, E, h), rational(laws[E][h]) / factor**k, rational(laws[D][h])


def private_learning(_size: Size) -> Iterator[Instance]:
    """Audit the exponential mechanism over two concepts, and compare its failure probability."""
    learner = PrivateOccam(2, (1, 2), Epsilon.of("ln 16"))
    for n in (1, 2, 3):
        result = audit(learner, "ln 16", 0, n)
        recheck(result)
        detail = f"least e^eps = {result.factor}, at most 16"
        yield Instance.of(f"privacy, n={n}", result.verdict == "holds", detail)
    for n in (1, 2, 3):
        failures = {
            learner.law([(x, int(x == 0)) for x in S])[2] for S in product((0, 1), repeat=n)
        }
        detail = f"concept 0 is missed with probability {', '.join(map(str, failures))}"
        yield Instance.of(f"utility, n={n}", failures == {Fraction(1, 1 + 4**n)}, detail)


def _published_if_inconsistent(sample: tuple[Example, ...]) -> object:
    fits = any(all(h >> x & 1 == y for x, y in sample) for h in (1, 2))
    return None if fits else sample


def worst_case_privacy(_size: Size) -> Iterator[Instance]:
    """Audit a mechanism that betrays inconsistent samples alone."""
    mechanism = Deterministic(labelled_examples(2), _published_if_inconsistent)
    consistent = {
        tuple((x, h >> x & 1) for x in S) for h in (1, 2) for S in product((0, 1), repeat=2)
    }
    pairs = [
        pair
        for pair in neighbouring_databases(mechanism.records, 2, symmetric=False)
        if set(pair) <= consistent
    ]
    among = audit(mechanism, 0, 0, pairs)
    yield Instance.of(
        "consistent samples of 2 examples", among.verdict == "holds", f"{len(pairs)} pairs, eps = 0"
    )
    overall = audit(mechanism, 100, "99/100", 2)
    overall.check()
    yield Instance.of(
        "all samples of 2 examples",
        overall.verdict == "fails",
        "a pair of neighbours is told apart with certainty",
    )


CLAIMS = (
    Claim(
        "bbkn/def-2.1",
        "Definition 2.1",
        "Differential privacy",
        "A mechanism is eps-private if no event is more than e^eps times as likely on one of two "
        "neighbouring databases as on the other; the least e^eps is the largest such ratio.",
        Kind.DEFINITION,
        differential_privacy,
    ),
    Claim(
        "bbkn/group",
        "after Definition 2.1",
        "Group privacy",
        "If A is eps-private and D, D' differ in k entries, then Pr[A(D) in S] >= e^(-eps k) "
        "Pr[A(D') in S] for every S; the paper has k = m.",
        Kind.LEMMA,
        group_privacy,
        uses=("bbkn/def-2.1",),
    ),
    Claim(
        "bbkn/def-2.5",
        "Definition 2.5",
        "Private PAC learning",
        "A private learner is private on all databases and a PAC learner. For the two points, the "
        "exponential mechanism on n examples fails with probability 1/(1 + e^(eps n / 2)).",
        Kind.DEFINITION,
        private_learning,
        uses=("bbkn/def-2.1", "bbkn/def-2.2"),
    ),
    Claim(
        "bbkn/rem-2.6",
        "Remark 2.6",
        "Privacy on every database, utility on samples",
        "Privacy is required on databases that no concept labels, too: a mechanism may be "
        "0-private on all others and betray these.",
        Kind.REMARK,
        worst_case_privacy,
        uses=("bbkn/def-2.5",),
    ),
)
