"""Section 2.4: small databases that approximate others; the sanitizer of Blum, Ligett and Roth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb

from ccsim import ConceptClass
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import rational
from ccsim.instances import parse_class
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import audit
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.nearest import (
    nearest_database,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import Estimates, estimates_of
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

HALF = Fraction(1, 2)


def _apart(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> Fraction:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _databases(C: ConceptClass, m: int) -> Iterator[tuple[int | str, ...]]:
    return combinations_with_replacement(C.points, m)


@claim(
    "bns/rem-2.18",
    "Remark 2.18",
    "Proper from improper sanitizers",
    Kind.REMARK,
    over=table("instance m", ("points:b=1", 2), ("thresholds:b=1", 3), ("points:b=2", 2)).medium(
        ("points:b=2", 3), ("all_functions:n=3", 2)
    ),
    near=[
        near("The nearest database is (99/100) 2 alpha-close.", lost=times(Fraction(99, 100))),
        near("The statement for a database of m - 1 entries.", entries=plus(-1)),
    ],
)
def proper_from_improper(
    instance: str, m: int, *, lost: Fraction = Fraction(2), entries: int = 0
) -> Decision:
    """If estimates are alpha-close to a database of m records, they are alpha-close to the nearest
    database of m entries, which is 2 alpha-close to the first. Checked for all pairs of databases,
    with estimates half way between them, where alpha is half the distance.
    """
    C = parse_class(instance)
    values = {D: estimates_of(C, D) for D in _databases(C, m)}

    def proper(D: tuple[int | str, ...], E: tuple[int | str, ...]) -> Decision:
        middle = tuple((a + b) / 2 for a, b in zip(values[D], values[E], strict=True))
        alpha = _apart(values[D], middle)
        found = nearest_database(C, Estimates(middle), m + entries)
        far = _apart(values[D], estimates_of(C, found.database))
        return all_of(
            [("near", at_most(found.error, alpha)), ("proper", at_most(far, lost * alpha))]
        )

    return all_of(((D, E), proper(D, E)) for D in values for E in values if values[D] != values[E])


@cache
def _sanitizer(instance: str, size: int) -> SyntheticDatabase:
    return SyntheticDatabase(parse_class(instance), Epsilon.of("ln 4"), size)


@cache
def _distribution(
    instance: str, size: int, m: int
) -> tuple[tuple[object, tuple[Fraction, ...]], ...]:
    """Return, for k = 1 to m, the probability of an error at least k/m above the least error."""
    C, sanitizer = parse_class(instance), _sanitizer(instance, size)
    found = []
    for D in _databases(C, m):
        true = estimates_of(C, D)
        errors = {out: _apart(true, estimates_of(C, out)) for out in _databases(C, size)}
        least = min(errors.values())
        distribution = sanitizer.distribution(D)
        chances = (
            rational(
                distribution.mass(out for out, far in errors.items() if m * (far - least) >= k)
            )
            for k in range(1, m + 1)
        )
        found.append((D, tuple(chances)))
    return tuple(found)


@cache
def _least_factor(instance: str, size: int, m: int) -> Fraction:
    return rational(recheck(audit(_sanitizer(instance, size), "ln 4", 0, m)).factor or Fraction(0))


@claim(
    "bns/thm-2.19",
    "Theorem 2.19, cited",
    "Sanitizer for classes of bounded VC dimension",
    Kind.THEOREM,
    over=table(
        "instance size m", ("thresholds:b=2", 2, 4), ("points:b=1", 2, 6), ("points:b=1", 3, 3)
    ).medium(("all_functions:n=3", 2, 4), ("thresholds:b=2", 2, 6)),
    near=[
        near("The statement with 11/21 of the databases.", outputs=times(Fraction(11, 21))),
        near("The statement with e^(-7/11 epsilon k).", decay=times(Fraction(14, 11))),
        near("The mechanism is ln(32/11)-private.", factor=times(Fraction(8, 11))),
    ],
    uses=["bns/rem-2.18"],
    recorded=Verdict.NOT_DECIDED,
    reason="an asymptotic bound with an unstated constant, cited from another paper; checked for "
    "the mechanism of its proof, the exponential mechanism over databases of a fixed size",
)
def sanitizer_of_small_databases(
    instance: str,
    size: int,
    m: int,
    *,
    outputs: Callable[[int, int], int] = lambda points, size: comb(points + size - 1, size),
    decay: int = 2,
    factor: Fraction = Fraction(4),
) -> Decision:
    """For a constant Gamma, Gamma (log|X| VC log(1/alpha) / (alpha^3 epsilon) + log(1/beta) /
    (epsilon alpha)) records are enough for an (alpha, beta, epsilon)-sanitizer: the exponential
    mechanism over databases of n entries, n = O((VC / alpha^2) log(1/alpha)), is epsilon-private,
    and its error exceeds the least one by at least k/m with probability at most the number of
    databases times e^(-epsilon k / 2). Checked at epsilon = ln 4, on all databases of m records."""
    number = outputs(len(parse_class(instance).points), size)
    cases = (
        ((D, k), at_most(fails, Fraction(number, decay**k), trivial=1))
        for D, chances in _distribution(instance, size, m)
        for k, fails in enumerate(chances, 1)
    )
    privacy = at_most(_least_factor(instance, size, m), factor)
    return all_of([("privacy", privacy), ("utility", all_of(cases))])


def _entries(concepts: int, alpha: Fraction) -> int:
    """Return the least integer above ``ln(2 |C|) / (2 alpha^2)``."""
    return log_ceiling(1 / (2 * alpha**2), Fraction(2 * concepts), Epsilon.of(1))


@claim(
    "bns/thm-2.21",
    "Theorem 2.21",
    "Small approximations of databases",
    Kind.THEOREM,
    over=table(
        "instance accuracy",
        ("thresholds:b=2", "2/5"),
        ("all_functions:n=3", "2/5"),
        ("random:m=7,n=5,seed=1", "2/5"),
    ).medium(("points:b=2", "2/5"), ("all_functions:n=4", "2/5")),
    near=near("4/15 of the entries are enough.", entries=times(Fraction(4, 15))),
    recorded=Verdict.NOT_DECIDED,
    reason="an asymptotic bound with an unstated constant; it is checked that ln(2|C|) / (2 "
    "alpha^2) entries are enough, by the same argument for finitely many queries",
)
def small_approximations(
    instance: str, accuracy: str, *, entries: Callable[[int, Fraction], int] = _entries
) -> Decision:
    """For every database some database of n = O((VC / alpha^2) log(1/alpha)) entries is alpha-close
    to it, because n random records are alpha-close with positive probability. Checked for the
    databases of one or two records and the one that contains every point once.
    """
    C, alpha = parse_class(instance), Fraction(accuracy)
    n = max(1, int(entries(len(C), alpha)))
    every = [*_databases(C, 1), *_databases(C, 2), C.points]
    return all_of((D, at_most(nearest_database(C, D, n).error, alpha)) for D in every)
