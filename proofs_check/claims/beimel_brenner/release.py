"""Section 7: how many records a private release of counting queries needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb

from ccsim import ConceptClass, release_lower_bound
from ccsim.exact import Epsilon, LogSum
from ccsim.exact.exponentials import Real, rational
from ccsim.instances import parse_class
from ccsim.privacy import ExponentialMechanism, audit
from ccsim.privacy.optimal_mechanism import Task, least_private_failure_on
from ccsim.release.lower_bound import useful_answers_overlap
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

Database = tuple[int, ...]


def _share(row: int, database: Sequence[int]) -> Fraction:
    return Fraction(sum(row >> x & 1 for x in database), len(database))


def _far(C: ConceptClass, first: Sequence[int], second: Sequence[int]) -> Fraction:
    """Return the largest difference of the answers of two databases."""
    return max((abs(_share(r, first) - _share(r, second)) for r in C.rows), default=Fraction(0))


def useful_databases(size: Size) -> Iterator[Instance]:
    """Look for a synthetic database useful for two, and compare with the right answers."""
    records = 2 if size is Size.SMALL else 3
    for text in ("points:b=1", "points:b=2", "thresholds:b=2"):
        C = parse_class(text)
        every = list(combinations_with_replacement(range(len(C.points)), records))
        for accuracy in (Fraction(1, 4), Fraction(2, 5)):

            def agrees(
                D: Database, E: Database, C: ConceptClass = C, a: Fraction = accuracy
            ) -> bool:
                shared = any(
                    _far(C, D, F) < a and _far(C, E, F) < a
                    for n in (records, 2 * records)
                    for F in combinations_with_replacement(range(len(C.points)), n)
                )
                overlap = useful_answers_overlap(C, D, E, a)
                return overlap == (_far(C, D, E) < 2 * a) and (overlap or not shared)

            yield Instance.all_of(
                f"{text} records={records} accuracy={accuracy}",
                ((pair, agrees(*pair)) for pair in combinations_with_replacement(every, 2)),
                "useful answers for both exist iff all right answers differ by less than twice "
                "the accuracy, and do if one synthetic database is useful for both",
            )


@cache
def _synthetic(text: str, records: int) -> ExponentialMechanism:
    """Return the mechanism of Blum, Ligett and Roth with outputs of as many records."""
    C = parse_class(text)
    domain = range(len(C.points))
    outputs = tuple(combinations_with_replacement(domain, records))

    def score(database: Database, output: Database) -> Fraction:
        return -records * _far(C, database, output)

    return ExponentialMechanism(domain, outputs, score, Epsilon.of("ln 4"))


def _failure(text: str, database: Database, accuracy: Fraction) -> Fraction:
    C = parse_class(text)
    law = _synthetic(text, len(database)).law(database)
    bad: Iterator[Real] = (p for output, p in law.items if _far(C, database, output) >= accuracy)  # type: ignore[arg-type]
    return rational(sum(bad, Fraction(0)))


def synthetic_databases(size: Size) -> Iterator[Instance]:
    """Audit the exponential mechanism over databases, and compute its failures."""
    for text, most in (("points:b=1", 6), ("thresholds:b=1", 6), ("points:b=2", 3)):
        C = parse_class(text)
        holds = audit(_synthetic(text, 2), "ln 4", 0, 2).verdict.value == "holds"
        yield Instance.of(f"{text} m=2", holds, "private, on all neighbouring databases")
        for m in (2, most) if size is Size.SMALL else range(1, most + 2):
            outputs = comb(len(C.points) + m - 1, m)
            yield Instance.tightest(
                f"{text} m={m} epsilon=ln 4, failure at accuracy k/m, all databases",
                (
                    ((D, k), _failure(text, D, Fraction(k, m)), Fraction(outputs, 2**k))
                    for D in combinations_with_replacement(range(len(C.points)), m)
                    for k in range(1, m + 1)
                ),
            )


def halves_of_a_shattered_set(size: Size) -> Iterator[Instance]:
    """Databases of half a shattered set: what two of them have in common is hard to release."""
    for dimension in (2, 4) if size is Size.SMALL else (2, 4, 6):
        m = dimension // 2
        C = parse_class(f"all_functions:n={dimension}")
        databases = list(combinations(range(dimension), m))
        accuracy = Fraction(1, 2 * m)
        apart = all(
            not useful_answers_overlap(C, D, E, accuracy) for D, E in combinations(databases, 2)
        )
        moved = Counter(m - len(set(D) & set(databases[0])) for D in databases)
        for factor in (Fraction(3, 2), Fraction(3)):
            total = sum((n / factor**k for k, n in moved.items()), Fraction(0))
            least = 1 - 1 / total
            holds = apart and least >= 1 / (1 + factor)
            detail = f"failure at least {least} >= 1/(1 + e^epsilon), with VC/2 = {m} records"
            yield Instance.of(
                f"VC={dimension} accuracy<={accuracy} e^epsilon={factor}", holds, detail
            )


def _best_release(m: int, accuracy: Fraction) -> Fraction:
    """Return the least failure of private releases for two points, by the runs of useful answers.

    An answer is useful for the databases whose number of ones is in an interval.
    """
    runs = [
        range(low, high + 1)
        for low, high in combinations_with_replacement(range(m + 1), 2)
        if high - low < 2 * accuracy * m
    ]
    tasks: list[Task[int]] = [
        {((0,) * (m - k) + (1,) * k, o): Fraction(1) for o, run in enumerate(runs) if k in run}
        for k in range(m + 1)
    ]
    return least_private_failure_on((0, 1), m, len(runs), tasks, Fraction(2))


def points_need_records(size: Size) -> Iterator[Instance]:
    """Check the databases, the bound against the printed one, and a mechanism against the bound."""
    texts = ["points:b=2", "points:b=4"] if size is Size.SMALL else ["points:b=3", "points:b=5"]
    for text in (*texts, "thresholds:b=3"):
        for accuracy in (Fraction(1, 10), Fraction(1, 3)):
            bound = release_lower_bound(parse_class(text), accuracy, "1/10", "ln 2")
            recheck(bound)
            for m in (1, bound.records - 1):
                pairs = combinations(bound.databases(m), 2)
                apart = not any(
                    useful_answers_overlap(bound.concept_class, *pair, accuracy) for pair in pairs
                )
                name = f"{text} accuracy={accuracy} m={m}"
                yield Instance.of(name, apart, "no answers are useful for two of the databases")
            printed = LogSum.log2((len(bound.points) - 1) * 9) * (1 / (3 * accuracy))
            name = f"{text} accuracy={accuracy} failure=1/10 epsilon=ln 2"
            yield Instance.at_most(name, printed, bound.records, "records")
    for m in (2, 4) if size is Size.SMALL else range(2, 7):
        for accuracy in (Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)):
            least = 1 / (1 + Fraction(2) ** ceil(2 * accuracy * m))
            name = f"points:b=1 best private release, m={m} accuracy={accuracy} epsilon=ln 2"
            yield Instance.at_most(name, least, _best_release(m, accuracy), "failure")
    for m, accuracy in product((2, 3), (Fraction(1, 3), Fraction(1, 2))):
        k = -(-2 * accuracy * m // 1)
        least = 1 - 1 / (1 + 3 / Fraction(4) ** k)
        databases = [(0,) * m, *((0,) * (m - int(k)) + (x,) * int(k) for x in (1, 2, 3))]
        worst = max(_failure("points:b=2", tuple(sorted(D)), accuracy) for D in databases)
        name = f"points:b=2 exponential mechanism m={m} accuracy={accuracy}"
        yield Instance.at_most(name, least, worst, "failure")


CLAIMS = (
    Claim(
        "bbkn/sec-7-defs",
        "section 7",
        "Useful private data release",
        "The answer of a database to a predicate is the share of its records on which it is 1; a "
        "release is useful if all answers err by less than the accuracy. Answers useful for two "
        "databases exist exactly if their right answers differ by less than twice the accuracy.",
        Kind.DEFINITION,
        useful_databases,
    ),
    Claim(
        "bbkn/thm-7.1",
        "Theorem 7.1, cited",
        "Release for classes of bounded VC dimension",
        "m = O(log|X| VC log(1/accuracy) / (accuracy^3 epsilon) + log(1/failure) / (epsilon "
        "accuracy)) records are enough for an epsilon-private useful release.",
        Kind.THEOREM,
        synthetic_databases,
        uses=("bbkn/sec-7-defs",),
        recorded=Verdict.NOT_DECIDED,
        reason="an asymptotic bound with an unstated constant, cited from another paper; checked "
        "is the mechanism behind it, the exponential mechanism over databases of m records: it is "
        "private and errs by k/m or more with probability at most |outputs| e^(-epsilon k / 2)",
    ),
    Claim(
        "bbkn/vc-lower-sanitizer",
        "section 1.2, cited",
        "Release needs a number of records of order VC",
        "Every useful private release needs Omega(VC) records.",
        Kind.THEOREM,
        halves_of_a_shattered_set,
        uses=("bbkn/sec-7-defs",),
        recorded=Verdict.NOT_DECIDED,
        reason="an asymptotic bound, cited from another paper; checked is that VC/2 records, on "
        "the databases of half a shattered set, force a failure of 1 / (1 + e^epsilon) at least "
        "when the accuracy is 1/VC or less",
    ),
    Claim(
        "bbkn/thm-7.2",
        "Theorem 7.2, with explicit constants",
        "Release for points",
        "Every epsilon-private release that is useful for the 2^b points, with accuracy at most "
        "1/2, needs m records with (2^b - 1) e^(-epsilon k) (1 - failure) <= failure for k = "
        "ceil(2 accuracy m); if 3 accuracy m is an integer, m >= (ln(2^b - 1) + ln((1 - failure) / "
        "failure)) / (3 epsilon accuracy). The same holds for any class with the number of its "
        "distinct columns.",
        Kind.THEOREM,
        points_need_records,
        uses=("bbkn/sec-7-defs", "bbkn/group"),
    ),
)
