"""Section 2.4: approximation of databases, and sanitizers, checked literally."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, TypeAlias

from ccsim import ConceptClass
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.instances import parse_class
from ccsim.privacy import Mechanism, PostProcessed, audit
from ccsim.release.sanitizer import max_query_error
from ccsim.release.sanitizers.points import StabilityHistogram
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import (
    Estimates,
    sanitizer_failure,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, times

Database: TypeAlias = Sequence[Any]
Share: TypeAlias = Callable[[ConceptClass, int, Database], Fraction]
LN4 = Epsilon.of("ln 4")


def _share(C: ConceptClass, row: int, database: Database) -> Fraction:
    """Return the value of a query on a database."""
    return Fraction(sum(row >> C.points.index(x) & 1 for x in database), len(database))


def _share_of_distinct(C: ConceptClass, row: int, database: Database) -> Fraction:
    return _share(C, row, sorted(set(database)))


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)


@claim(
    "bns/def-2.16",
    "Definition 2.16",
    "Approximation of query answers",
    Kind.DEFINITION,
    over=grid(instance=["points:b=1", "thresholds:b=2", "intervals:n=2"], m=[1, 2, 3]),
    near=[
        near("A repeated record counts once.", share=_share_of_distinct),
        near("The error is the mean of the errors of all concepts.", worst=_mean),
    ],
)
def closeness(
    instance: str,
    m: int,
    *,
    share: Share = _share,
    worst: Callable[[Iterable[Fraction]], Fraction] = max,
) -> Decision:
    """The query of c on S is the fraction of the records x with c(x) = 1. Estimates for all
    concepts are alpha-close to S if each differs from the value on S by at most alpha; a database
    is alpha-close to S if its own values are. The largest error of a release is the least such
    alpha."""
    C = parse_class(instance)
    pairs = zip(C.concepts, C.rows, strict=True)
    rows = dict(pairs)

    def cases() -> Iterator[tuple[object, Decision]]:
        for S in product(C.points, repeat=m):
            true = {c: share(C, row, S) for c, row in rows.items()}
            for size in (1, 2):
                for T in product(C.points, repeat=size):
                    errors = (abs(true[c] - share(C, row, T)) for c, row in rows.items())
                    yield ("database", S, T), equal(max_query_error(C, S, T).error, worst(errors))
            for step in range(3):
                estimate = {c: Fraction((i * step) % 4, 3) for i, c in enumerate(rows)}
                errors = (abs(true[c] - estimate[c]) for c in rows)
                found = max_query_error(C, S, estimate).error
                yield ("estimates", S, estimate), equal(found, worst(errors))

    return all_of(cases())


def _counted(kept: tuple[tuple[Any, int], ...], points: Sequence[Any], m: int) -> Estimates:
    """Return the estimates for all point functions from a histogram of some points."""
    numbers = dict(kept)
    return Estimates(tuple(Fraction(numbers.get(x, 0), m) for x in points))


@cache
def _sanitizer(name: str, m: int) -> tuple[ConceptClass, Mechanism[Any, Any], Fraction]:
    """Return a class, a sanitizer and its delta; epsilon is ln 4."""
    if name == "synthetic database":
        C = parse_class("points:b=1")
        return C, SyntheticDatabase(C, LN4, 2), Fraction(0)
    C, delta = parse_class("points:b=2"), Fraction(1, 6)
    histogram = StabilityHistogram(C.points, LN4, delta)
    return C, PostProcessed(histogram, lambda kept: _counted(kept, C.points, m)), delta


def _estimates(C: ConceptClass, release: Any) -> list[Fraction]:  # noqa: ANN401 - of either kind
    if isinstance(release, Estimates):
        return list(release.values)
    return [_share(C, row, release) for row in C.rows]


@claim(
    "bns/def-2.17",
    "Definition 2.17",
    "Sanitizers",
    Kind.DEFINITION,
    over=table(
        "sanitizer m accuracy",
        *product(["synthetic database", "histogram"], [2, 3], ["1/3", "1/2"]),
    ),
    near=[
        near("An error of exactly alpha is too large.", far=operator.ge),
        near("The failure probability is that on a uniformly random database.", worst=_mean),
        near("The mechanism is private with 999/1000 of delta.", slack=times(Fraction(999, 1000))),
        near("The mechanism is private with 5/9 of e^eps.", odds=times(Fraction(5, 9))),
    ],
    uses=["bns/def-2.2", "bns/def-2.16"],
)
def sanitizers(
    sanitizer: str,
    m: int,
    accuracy: str,
    *,
    far: Callable[[Fraction, Fraction], bool] = operator.gt,
    worst: Callable[[Iterable[Any]], Real] = max,
    slack: Fraction = Fraction(1),
    odds: Fraction = Fraction(1),
) -> Decision:
    """An (alpha, beta, eps, delta, m)-improper sanitizer is (eps, delta)-private, and on every
    database of m records its output is alpha-close with probability at least 1 - beta; it is proper
    if the output is a database. The computed failure probability of a sanitizer is the least beta.
    Checked for a synthetic database chosen by the exponential mechanism, and for a histogram of the
    frequent points.
    """
    C, mechanism, delta = _sanitizer(sanitizer, m)
    alpha, allowed = Fraction(accuracy), slack * delta

    def misses(S: tuple[Any, ...]) -> Real:
        true = [_share(C, row, S) for row in C.rows]
        total: Real = Fraction(0)
        for release, p in mechanism.distribution(S).items:
            pairs = zip(true, _estimates(C, release), strict=True)
            total += p * any(far(abs(a - b), alpha) for a, b in pairs)
        return total

    beta = worst(misses(S) for S in product(C.points, repeat=m))
    epsilon = LN4 + Epsilon(Fraction(0), odds)
    private = recheck(audit(mechanism, epsilon, allowed, m)).least_delta or 0
    return all_of(
        [
            ("utility", equal(sanitizer_failure(mechanism, C, m, alpha).failure, beta)),
            ("privacy", at_most(private, allowed)),
        ]
    )
