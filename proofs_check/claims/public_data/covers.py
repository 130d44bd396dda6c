"""Definition 1 and Lemma 11: covers, and public points that give them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import floor

from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal
from proofs_check.claims.grid import grid, table
from proofs_check.claims.public_data.constructions.quality.distance import cover_distance
from proofs_check.claims.public_data.constructions.quality.probability import cover_probability
from proofs_check.claims.public_data.constructions.sizes import public_size
from proofs_check.claims.variants import near, times

Quantifier = Callable[[Iterable[object]], bool]


def _distribution(text: str) -> list[Fraction]:
    return [Fraction(word) for word in text.split()]


@claim(
    "pap/def-1",
    "Definition 1",
    "Covers: families with a member close to each hypothesis",
    Kind.DEFINITION,
    over=grid(
        instance=["thresholds:b=2", "points:b=2", "all_functions:n=2"],
        distribution=["even", "falling"],
    ),
    near=[
        near("The statement for some h in place of every h.", every=any),
        near("The member must have P[h(x) != h~(x)] < alpha.", within=operator.lt),
    ],
)
def alpha_cover(
    instance: str,
    distribution: str,
    *,
    every: Quantifier = all,
    within: Callable[[Fraction, Fraction], bool] = operator.le,
) -> Decision:
    """A family is an alpha-cover of a class under D if for every h of the class there is a member
    h~ with P[h(x) != h~(x)] <= alpha. Checked for all families of up to two hypotheses, and all
    alpha at which the property changes."""
    C = parse_class(instance)
    n = len(C.points)
    masses = [Fraction(1, 2 ** min(x + 1, n - 1)) for x in range(n)]
    masses = masses if distribution == "falling" else [Fraction(1, n)] * n
    differ = [
        [
            sum((masses[x] for x in range(n) if C.value(h, x) != C.value(k, x)), Fraction(0))
            for k in range(len(C))
        ]
        for h in range(len(C))
    ]
    values = sorted({p for row in differ for p in row})

    def cases() -> Iterator[tuple[object, Decision]]:
        for size in (1, 2):
            for family in combinations(range(len(C)), size):
                found = cover_distance(C, C.subclass(family), masses)
                for alpha in values:
                    stated = every(any(within(row[k], alpha) for k in family) for row in differ)
                    yield (family, alpha), equal(int(found.is_cover(alpha)), int(stated))

    return all_of(cases())


@claim(
    "pap/lemma-11",
    "Lemma 11",
    "Public points give a cover",
    Kind.LEMMA,
    over=table(
        "instance d distribution",
        ("thresholds:b=3", 1, "1/8 1/8 1/8 1/8 1/8 1/8 1/8 1/8"),
        ("thresholds:b=2", 1, "0 13/100 13/100 74/100"),
        ("points:b=3", 1, "1/2 1/14 1/14 1/14 1/14 1/14 1/14 1/14"),
        ("intervals:n=6", 2, "1/6 1/6 1/6 1/6 1/6 1/6"),
    ),
    near=near("The statement with 2/13 of the points.", share=times(Fraction(2, 13))),
    recorded=Verdict.NOT_DECIDED,
    reason="cited, and asymptotic; an explicit size is checked on small domains",
    uses=["pap/def-1"],
)
def public_points_cover(
    instance: str, d: int, distribution: str, *, share: Fraction = Fraction(1)
) -> Decision:
    """For VC dimension d, m = O((d log(1/alpha) + log(1/beta)) / alpha) public points from D give
    an alpha/4-cover, with one hypothesis for each labelling of these points, with probability 1 -
    beta/2. Checked exactly for m = max((16 / alpha) log2(4 / beta), (64 d / alpha) log2(48 /
    alpha)), with alpha = 1/2 and 99/100, and beta = 1/2, 1/1000 and 10^-60.
    """
    C = parse_class(instance)

    def cases() -> Iterator[tuple[object, Decision]]:
        for alpha in (Fraction(1, 2), Fraction(99, 100)):
            for beta in (Fraction(1, 2), Fraction(1, 1000), Fraction(1, 10**60)):
                m = floor(share * public_size(d, alpha, beta).records)
                found = cover_probability(C, _distribution(distribution), m, alpha / 4)
                yield (alpha, beta), at_least(found, 1 - beta / 2)

    return all_of(cases())
