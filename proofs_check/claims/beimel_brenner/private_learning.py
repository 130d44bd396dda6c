"""Sections 2.1 and 2.3: privacy and private learners, checked literally on small instances."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from typing import Any, TypeAlias

from ccsim import ConceptClass, points
from ccsim.exact import Epsilon, Interval
from ccsim.exact.exponentials import Real, rational
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam, worst_failure
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.privacy import (
    AuditResult,
    Deterministic,
    Mechanism,
    NoisyArgmax,
    RandomizedResponse,
    Subsampled,
    TruncatedGeometric,
    audit,
)
from ccsim.privacy.neighbours import neighbouring_databases
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds, undecided
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

LN3, LN4 = Epsilon.of("ln 3"), Epsilon.of("ln 4")
Events: TypeAlias = Callable[[Iterable[Hashable]], Iterator[tuple[Hashable, ...]]]
Sample: TypeAlias = tuple[Example, ...]
MECHANISMS: dict[str, Mechanism[Any, Any]] = {
    "randomised response": RandomizedResponse((0, 1), LN4),
    "response of three": RandomizedResponse((0, 1, 2), LN3),
    "noisy count": TruncatedGeometric((0, 1, 2), sum, LN4, 0, 3),
    "noisy majority": NoisyArgmax((0, 1, 2), "abc", lambda D, c: D.count("abc".index(c)), LN4),
    "private Occam": PrivateOccam(2, (1, 2, 3), LN4),
    "response of a part": Subsampled(RandomizedResponse((None, 1), LN4), Fraction(1, 2), None),
}


@cache
def _audited(name: str, m: int) -> AuditResult:
    return recheck(audit(MECHANISMS[name], LN4, 0, m))


def _events(outcomes: Iterable[Hashable]) -> Iterator[tuple[Hashable, ...]]:
    found = tuple(outcomes)
    return chain.from_iterable(combinations(found, r) for r in range(1, len(found) + 1))


def _whole(outcomes: Iterable[Hashable]) -> Iterator[tuple[Hashable, ...]]:
    yield tuple(outcomes)


@cache
def _largest_ratios(name: str, m: int, events: Events) -> dict[int, Fraction]:
    """Return the largest ratio of an event's probabilities for each number of differing entries."""
    databases = product(MECHANISMS[name].records, repeat=m)
    distributions = {D: MECHANISMS[name].distribution(D).as_mapping() for D in databases}
    most: dict[int, Fraction] = {}
    for (D, p), (E, q) in product(distributions.items(), repeat=2):
        k = sum(x != y for x, y in zip(D, E, strict=True))
        for event in events(p):
            likely, less = (
                sum((distribution[o] for o in event), Fraction(0)) for distribution in (p, q)
            )
            ratio = rational(likely / less)
            most[k] = max(most.get(k, ratio), ratio)
    return most


RUNS = table(
    "mechanism m",
    *product(MECHANISMS, [1]),
    *product(sorted({*MECHANISMS} - {"response of three"}), [2]),
    ("randomised response", 3),
    ("noisy count", 3),
).medium(("response of three", 2), ("noisy majority", 3), ("private Occam", 3))


@claim(
    "bbkn/def-2.1",
    "Definition 2.1",
    "Differential privacy",
    Kind.DEFINITION,
    over=RUNS,
    near=[
        near("Neighbours differ in two entries.", entries=plus(1)),
        near("Only the event of all outputs is considered.", events=_whole),
    ],
)
def differential_privacy(
    mechanism: str, m: int, *, entries: int = 1, events: Events = _events
) -> Decision:
    """A mechanism is eps-private if no event is more than e^eps times as likely on a database as on
    a neighbouring database, which differs in one entry. The least e^eps that an audit finds is the
    largest such ratio over all pairs of neighbours and all events."""
    if entries > m:
        return undecided(f"no databases of {m} entries differ in {entries}")
    largest = _largest_ratios(mechanism, m, events)[entries]
    return equal(_audited(mechanism, m).factor or 0, largest)


@claim(
    "bbkn/group",
    "after Definition 2.1",
    "Group privacy",
    Kind.LEMMA,
    over=RUNS,
    near=near("The statement with e^(-eps (k - 1)).", steps=plus(-1)),
    uses=["bbkn/def-2.1"],
)
def group_privacy(mechanism: str, m: int, *, steps: Callable[[int], int] = int) -> Decision:
    """If A is eps-private and two databases of m entries differ in k entries, then Pr[A(D) in S] >=
    e^(-eps k) Pr[A(D') in S] for every S; the paper has k = m. Checked for the least eps."""
    factor = rational(_audited(mechanism, m).factor or Fraction(0))
    ratios = _largest_ratios(mechanism, m, _events)
    return all_of((f"k={k}", at_most(ratios[k], factor ** steps(k))) for k in range(1, m + 1))


def _constant(num_points: int, rows: tuple[int, ...], _eps: Epsilon) -> Mechanism[Any, Any]:
    return Deterministic(labelled_examples(num_points), lambda _: rows[0])


def _fewest_errors(num_points: int, rows: tuple[int, ...], _eps: Epsilon) -> Mechanism[Any, Any]:
    return Deterministic(
        labelled_examples(num_points),
        lambda sample: min(rows, key=lambda h: empirical_errors(sample, h)),
    )


@claim(
    "bbkn/def-2.5",
    "Definition 2.5",
    "Private PAC learning",
    Kind.DEFINITION,
    over=grid(factor=[4, 16], m=[1, 2, 3, 4], accuracy=["9/10"]).medium(accuracy=["1/4"]),
    near=[
        near("The failure probability is smaller by 1/100.", failure=times(Fraction(99, 100))),
        near("The learner is private with e^eps smaller by 1/16.", privacy=times(Fraction(15, 16))),
        near(
            "The statement for a learner that minimises the number of errors.",
            learner=_fewest_errors,
        ),
        near("The statement for a learner that ignores the examples.", learner=_constant),
    ],
    uses=["bbkn/def-2.1", "bbkn/def-2.2"],
)
def private_learning(
    factor: int,
    m: int,
    accuracy: str,
    *,
    learner: Callable[..., Mechanism[Any, Any]] = PrivateOccam,
    privacy: Fraction = Fraction(1),
    failure: Callable[[Real], Real] = lambda growth: 1 / (1 + growth),
) -> Decision:
    """A private learner is eps-private on all databases, and a PAC learner. For the two points, the
    exponential mechanism over the two concepts on m examples is private and a PAC learner: on the
    worst concept and distribution its error exceeds alpha with probability 1/(1 + e^(eps m / 2)).
    """
    C, eps = points(1), Epsilon.of(f"ln {factor}")
    mechanism = learner(2, C.rows, eps)
    private = recheck(audit(mechanism, Epsilon.of(f"ln {factor * privacy}"), 0, m))
    worst = worst_failure(mechanism, C, m, accuracy)
    least = f"least e^eps = {private.factor} for {factor}"
    missed = equal(Interval(worst.lower, worst.upper), failure(eps.exp(Fraction(m, 2))))
    return all_of([("privacy", holds(private.verdict == "holds", least)), ("failure", missed)])


def _fits(C: ConceptClass, sample: Sample) -> bool:
    return any(all(row >> x & 1 == y for x, y in sample) for row in C.rows)


def _anything(_class: ConceptClass, _sample: Sample) -> bool:
    return True


@claim(
    "bbkn/rem-2.6",
    "Remark 2.6",
    "Privacy on every database, utility on samples",
    Kind.REMARK,
    over=table("instance m", ("points:b=1", 2), ("points:b=1", 3), ("thresholds:b=2", 2)).medium(
        ("points:b=2", 2), ("points:b=2", 3)
    ),
    near=[
        near("The statement for the mechanism that publishes nothing.", hidden=_anything),
        near(
            "The statement for the mechanism that publishes every database.",
            hidden=lambda C, sample: False,
        ),
        near("The mechanism is 0-private on all databases.", consistent=_anything),
    ],
    uses=["bbkn/def-2.5"],
)
def worst_case_privacy(
    instance: str,
    m: int,
    *,
    hidden: Callable[[ConceptClass, Sample], bool] = _fits,
    consistent: Callable[[ConceptClass, Sample], bool] = _fits,
) -> Decision:
    """Privacy is required also on databases that no concept labels: a mechanism that outputs
    nothing on samples labelled by a concept and publishes every other database is 0-private on
    neighbouring samples of this kind, but not (eps, delta)-private on all databases for any eps and
    delta < 1.
    """
    C = parse_class(instance)
    examples = labelled_examples(len(C.points))
    mechanism = Deterministic(examples, lambda sample: None if hidden(C, sample) else sample)
    pairs = list(neighbouring_databases(examples, m))
    among = audit(mechanism, 0, 0, [p for p in pairs if all(consistent(C, D) for D in p)])
    overall = recheck(audit(mechanism, Epsilon.of("ln 1000"), 0, m))
    return all_of(
        [
            ("on samples", equal(among.factor or 0, 1, f"{among.pairs} pairs")),
            ("on all databases", equal(overall.least_delta or 0, 1, "least delta")),
        ]
    )
