"""Section 4.1: good solutions, and qualities of bounded growth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from proofs_check.claims.beimel_nissim_stemmer.constructions.qualities import (
    good_solutions,
    is_of_bounded_growth,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, holds
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times


@claim(
    "bns/def-4.1",
    "Definition 4.1",
    "Good solutions",
    Kind.DEFINITION,
    over=grid(size=[3, 4, 6]),
    near=[
        near(
            "Good solutions are at most 11/7 alpha m worse than the best solution.",
            far=times(Fraction(11, 7)),
        ),
        near(
            "Good solutions are at most 10/11 alpha m worse than the best solution.",
            far=times(Fraction(10, 11)),
        ),
    ],
)
def good(size: int, *, far: Fraction = Fraction(1)) -> Decision:
    """A solution is alpha-good for m records if no other solution is better by more than alpha m.
    Checked for alpha = 1/3 and all qualities 0, ..., m of three solutions, by comparison with the
    solutions that the program calls good.
    """

    def cases() -> Iterator[tuple[object, Decision]]:
        for qualities in product(range(size + 1), repeat=3):
            found = good_solutions(qualities, size, Fraction(1, 3))
            gap = far * size / 3
            beaten = [any(other - q > gap for other in qualities) for q in qualities]
            expected = tuple(i for i, bad in enumerate(beaten) if not bad)
            yield qualities, holds(found == expected, f"{found} against {expected}")

    return all_of(cases())


def _count(database: Sequence[int], solution: int) -> int:
    return database.count(solution)


def _inside(database: Sequence[int], solution: tuple[int, int]) -> int:
    return sum(record in solution for record in database)


@claim(
    "bns/def-4.2",
    "Definition 4.2",
    "Bounded growth",
    Kind.DEFINITION,
    over=table("quality growth", ("count", 1), ("pairs", 2)),
    near=near("One solution fewer can grow.", shift=plus(-1)),
)
def bounded_growth(quality: str, growth: int, *, shift: int = 0) -> Decision:
    """Counting the copies of a point is of 1-bounded growth. Counting the records in a pair of
    points, for all pairs of three points, is of 2-bounded growth. Checked on all databases of up to
    4 records: one more record changes at most 1 or 2 qualities, respectively, each by at most 1.
    """
    domain = (0, 1, 2)
    if quality == "count":
        answer = is_of_bounded_growth(_count, domain, domain, growth + shift, 4)
    else:
        pairs = ((0, 1), (0, 2), (1, 2))
        answer = is_of_bounded_growth(_inside, domain, pairs, growth + shift, 4)
    return holds(answer, f"{growth + shift}-bounded growth of {quality}")


@claim(
    "bns/ex-4.3",
    "Example 4.3",
    "Counting has bounded growth",
    Kind.EXAMPLE,
    over=grid(points=[2, 3, 4]),
    near=[
        near("No count grows.", growth=plus(-1)),
        near("Each copy adds 11/10 to the count.", weight=times(Fraction(11, 10))),
        near("A point without copies has count one.", start=plus(1)),
    ],
    uses=["bns/def-4.2"],
)
def counting(points: int, *, growth: int = 1, weight: int = 1, start: int = 0) -> Decision:
    """The number of copies of a point in the database, over the points of any domain, is of
    1-bounded growth. Checked on all databases of up to 4 records."""

    def quality(database: Sequence[int], solution: int) -> int:
        return start + weight * database.count(solution)

    answer = is_of_bounded_growth(quality, range(points), range(points), growth, 4)
    return holds(answer, f"{growth}-bounded growth over {points} points")


_DATABASES = ((), (0,), (1,), (0, 0), (0, 1), (1, 1))


@claim(
    "bns/growth-sens",
    "remark after Definition 4.2",
    "Bounded growth implies sensitivity 1",
    Kind.REMARK,
    over=grid(steps=[2, 3]),
    near=[
        near("The quality changes by at most 10/11.", sensitivity=times(Fraction(10, 11))),
        near("Neighbours can differ in two records.", records=plus(1)),
    ],
    uses=["bns/def-4.2"],
)
def growth_and_sensitivity(
    steps: int, *, sensitivity: Fraction = Fraction(1), records: int = 1
) -> Decision:
    """If a quality is of bounded growth, it changes by at most 1 when a record is replaced. Checked
    for all qualities of one solution on up to 2 records of two values, with multiples of 1/2 up to
    the given bound."""
    values = [Fraction(i, 2) for i in range(2 * steps + 1)]

    def cases() -> Iterator[tuple[object, Decision]]:
        for found in product(values, repeat=len(_DATABASES) - 1):
            table = dict(zip(_DATABASES, (Fraction(0), *found), strict=True))
            if not is_of_bounded_growth(lambda d, _, t=table: t[d], (0, 1), (0,), 1, 2):  # type: ignore[misc]
                continue
            pairs = [((0,), (1,)), ((0, 0), (0, 1)), ((0, 1), (1, 1))]
            pairs += [((0, 0), (1, 1))] * (records > 1)
            largest = max(abs(table[S] - table[T]) for S, T in pairs)
            yield found, at_most(largest, sensitivity)

    return all_of(cases())
