"""Representations of single points: how few hypotheses are enough (sections 3 and 4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

from ccsim import (
    deterministic_representation_size,
    points,
    projective_plane_representation,
    random_set_system,
    representation_error,
    thinned_plane_representation,
)
from ccsim.representation import (
    HypothesisSet,
    RandomSetSystem,
    is_minimal_representation,
    plane_lines,
    single_points,
)
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

_ORDERS = {Size.SMALL: (2, 3, 4), Size.MEDIUM: (2, 3, 4, 5, 7), Size.LARGE: (2, 3, 4, 5, 7, 8, 9)}


def minimal_for_themselves(size: Size) -> Iterator[Instance]:
    """Drop each concept in turn: the others err on it under a point mass."""
    for number in range(2, {Size.SMALL: 5, Size.MEDIUM: 8, Size.LARGE: 12}[size]):
        C = single_points(number)
        H = HypothesisSet.from_rows(C.rows, number)
        for error in ("0", "1/4", "1/2", "99/100"):
            holds = is_minimal_representation(H, C, error)
            yield Instance.of(f"{number} points error={error}", holds, "no concept can be dropped")


def at_least_logarithmic(size: Size) -> Iterator[Instance]:
    """Find the least size, and compare it with the lemma and with Sperner's bound."""
    for b in (1, 2) if size is Size.SMALL else (1, 2, 3):
        for error in ("1/4", "1/3", "49/100"):
            result = deterministic_representation_size(points(b), error)
            recheck(result)
            least = result.size
            antichain = comb(least, least // 2)
            detail = (
                f"{least} >= {b} hypotheses, binom({least}, {least // 2}) = {antichain} >= {2**b}"
            )
            holds = least >= b and antichain >= 2**b
            yield Instance.of(f"points:b={b} error={error}", holds, detail)


def projective_planes(size: Size) -> Iterator[Instance]:
    """Count points, lines, and the common points of each two lines."""
    for q in _ORDERS[size]:
        lines = plane_lines(q)
        number = q * q + q + 1
        meet = {(a & b).bit_count() for a, b in combinations(lines, 2)}
        through = {sum(line >> j & 1 for line in lines) for j in range(number)}
        holds = len(set(lines)) == number and meet == {1} and through == {q + 1}
        detail = f"{len(lines)} lines, two meet in {meet} points, {through} lines through a point"
        yield Instance.of(f"plane q={q}", holds, detail)


def plane_represents(size: Size) -> Iterator[Instance]:
    """Compare the error in closed form with the one that games give."""
    for q in _ORDERS[size]:
        result = projective_plane_representation(q)
        recheck(result)
        computed = representation_error(result.hypotheses, result.concept_class).value
        detail = f"error {result.value}, by games {computed}, at most 1/{q}"
        holds = result.value == computed == Fraction(1, q + 1)
        yield Instance.of(f"plane q={q}", holds, detail)


def thinned_planes(size: Size) -> Iterator[Instance]:
    """Draw lines until half of the points are left; check the rest exactly."""
    orders = {Size.SMALL: (7, 8), Size.MEDIUM: (7, 8, 9, 11), Size.LARGE: (7, 8, 9, 11, 13, 16)}
    error = Fraction(1, 2)
    for q in orders[size]:
        thinned = thinned_plane_representation(q, error, seed=0)
        recheck(thinned)
        points = thinned.hypotheses.num_points
        detail = f"{thinned.size} lines for {points} points, error {thinned.value} <= {error}"
        holds = thinned.represents(error) and thinned.size < points
        yield Instance.of(f"plane q={q} error={error} seed=0", holds, detail)


def random_sets(size: Size) -> Iterator[Instance]:
    """Draw sets as in the proof, check the result exactly, and compare with the stated size."""
    grid = [(3, "1/2"), (4, "1/2"), (4, "1/3"), (5, "1/2")]
    if size is not Size.SMALL:
        grid += [(6, "1/2"), (6, "1/4")]
    for b, error in grid:
        law = RandomSetSystem.of_lemma(b, error)
        found = random_set_system(b, error, seed=0)
        recheck(found)
        detail = f"{found.size} <= {law.sets} sets, error {found.value} <= {error}"
        holds = found.represents(Fraction(error)) and found.size <= law.sets
        yield Instance.of(f"points:b={b} error={error} seed=0", holds, detail)
    for b in range(6, 10):
        for error in ("1/2", "1/4"):
            law = RandomSetSystem.of_lemma(b, error)
            detail = (
                f"a point is bad with probability at most {float(law.bad_point):.2g} <= 1/4, "
                f"the system fails with {float(law.failure):.2g} < 1/2"
            )
            holds = law.bad_point <= Fraction(1, 4) and law.failure < Fraction(1, 2)
            yield Instance.of(f"law b={b} error={error}", holds, detail)


CLAIMS = (
    Claim(
        "bbkn/prop-3.7",
        "Proposition 3.7",
        "Points are minimal for themselves",
        "The class of the single points represents itself with any error below 1, and no proper "
        "part of it does.",
        Kind.LEMMA,
        minimal_for_themselves,
    ),
    Claim(
        "bbkn/lemma-3.10",
        "Lemma 3.10, sharpened by Sperner's theorem",
        "Representations of points have at least b hypotheses",
        "If n hypotheses represent the 2^b single points with an error below 1/2, then n >= b, and "
        "even binom(n, floor(n/2)) >= 2^b: the sets of hypotheses that accept a point form an "
        "antichain.",
        Kind.LEMMA,
        at_least_logarithmic,
    ),
    Claim(
        "bbkn/proj-plane",
        "section 4.1",
        "Projective planes",
        "For a prime power q there are q^2 + q + 1 points and as many lines; two lines meet in one "
        "point, and q + 1 lines pass through each point.",
        Kind.EXAMPLE,
        projective_planes,
    ),
    Claim(
        "bbkn/sec-4.1-weak",
        "section 4.1, with the exact error",
        "The lines of a projective plane represent its points with error 1/(q+1)",
        "Sets such that each point lies in more than 1/eps of them and two share at most one point "
        "represent the single points with error eps. For the lines of a projective plane of order "
        "q the error is 1/(q+1) exactly.",
        Kind.EXAMPLE,
        plane_represents,
        uses=("bbkn/proj-plane",),
    ),
    Claim(
        "bbkn/sqrt-construction",
        "section 4.1",
        "Fewer lines than points represent points",
        "Some lines of a projective plane of order q represent, with error 1/2, more points than "
        "they are themselves, at least half of the plane's.",
        Kind.EXAMPLE,
        thinned_planes,
        uses=("bbkn/sec-4.1-weak",),
    ),
    Claim(
        "bbkn/lemma-4.1",
        "Lemma 4.1, with explicit constants",
        "Few random sets represent points",
        "ceil(8 e b (1 + ceil(1/eps))^2) random sets contain a representation of the 2^b single "
        "points with error eps; for b >= 6 with probability above 1/2.",
        Kind.LEMMA,
        random_sets,
    ),
)
