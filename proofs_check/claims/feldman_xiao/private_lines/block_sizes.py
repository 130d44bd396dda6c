"""Claim 17 (=6.3): a random number of examples makes the basic learner of lines stable."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import flint
import numpy as np

from ccsim.errors import NotDecidedError
from ccsim.exact import compare, enclose
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, all_of, at_most, below
from proofs_check.claims.feldman_xiao.constructions.stable_lines import basic_line_distribution
from proofs_check.claims.feldman_xiao.private_lines.basic_learner import TWO_THIRDS, masses_of
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

if TYPE_CHECKING:
    import sympy


def _bad_integers(r: Fraction, rest: Fraction) -> tuple[int, int]:
    """Count the integers log2(t) in each of the two open intervals of eq. (2.4)."""

    import sympy

    def between(low: sympy.Expr, high: sympy.Expr) -> int:
        a, b = (sympy.log(end, 2) for end in (low, high))
        candidates = range(floor(enclose(a).lower), ceil(enclose(b).upper) + 1)
        return sum(compare(a, k) == -1 and compare(k, b) == -1 for k in candidates)

    ln6 = sympy.log(6)
    one, other = sympy.Rational(str(r)), sympy.Rational(str(rest))
    return between(1 / (3 * one), ln6 / one), between(1 / (6 * other), 2 * ln6 / other)


BAD = [("1/3", "1/5"), ("1/340", "1/50000"), ("1/9", "1/3027")]


@claim(
    "fx/bad-lengths",
    "after eq. (2.4) (=6.4), as printed",
    "At most 3 sample sizes are bad",
    Kind.ERRATUM,
    over=table("r rest", *BAD[1:]),
    near=near("At most 8 integers lie in the two intervals.", most=plus(5)),
    recorded=Verdict.FAILS,
    survives="yes: with 8 bad sizes in place of 3, the window of sizes has 16/delta integers in "
    "place of 6/delta",
)
def bad_printed(r: str, rest: str, *, most: int = 3) -> Decision:
    """For all r and r - q, at most 3 integers log2(t) lie in the two intervals of eq. (2.4), which
    are (log2 1/(3r), log2 ln(6)/r) and (log2 1/(6(r-q)), log2 2 ln(6)/(r-q))."""
    return at_most(sum(_bad_integers(Fraction(r), Fraction(rest))), most)


@claim(
    "fx/bad-lengths-corrected",
    "after eq. (2.4) (=6.4), corrected",
    "At most 8 sample sizes are bad",
    Kind.LEMMA,
    over=table("r rest", *BAD),
    near=[
        near("At most 2 integers lie in the first interval.", first=plus(-1)),
        near("At most 4 integers lie in the second interval.", second=plus(-1)),
    ],
    corrects="fx/bad-lengths",
)
def bad_corrected(r: str, rest: str, *, first: int = 3, second: int = 5) -> Decision:
    """The intervals of eq. (2.4) have lengths log2(3 ln 6) < 3 and log2(12 ln 6) < 5, so they
    contain at most 3 and 5 integers, for all r and r - q. Both numbers are attained.
    """
    import sympy

    one, two = _bad_integers(Fraction(r), Fraction(rest))
    return all_of(
        [
            ("first length", below(enclose(sympy.log(3 * sympy.log(6), 2)), first)),
            ("second length", below(enclose(sympy.log(12 * sympy.log(6), 2)), second)),
            ("first interval", at_most(one, first)),
            ("second interval", at_most(two, second)),
        ]
    )


def first_exponent(eps: Fraction, start: Fraction = Fraction(1)) -> int:
    """Return the least integer k with ``2^k >= start ln(3/2)/eps``."""
    return ceil(_logarithm(eps / start))


def _logarithm(eps: Fraction) -> Fraction:
    """Return a close rational upper bound on log2(ln(3/2)/eps)."""
    import sympy

    return enclose(sympy.log(sympy.log(sympy.Rational(3, 2)) / sympy.Rational(str(eps)), 2)).upper


def _likely(masses: tuple[Fraction, ...], k: int, chance: Fraction) -> list[Fraction]:
    """Return the errors of those outputs that have probability at least ``chance`` for t = 2^k."""
    r, bound = sum(masses, Fraction(0)), _ball(chance)
    errors = [r, *(r - q for q in masses), Fraction(0)]
    for precision in (128, 512, 2048):
        with flint.ctx.workprec(precision):
            distribution = basic_line_distribution(masses, 1 << k, lambda base, t: _ball(base) ** t)
            if all(p >= bound or p < bound for p in distribution):
                return [error for p, error in zip(distribution, errors, strict=True) if p >= bound]
    raise NotDecidedError(
        f"whether a probability is at least {chance} is undecided for the masses "
        f"{', '.join(map(str, masses))}"
    )


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


HESITANT = "1/313,1/5200,1/5200", "1/280"


def _bad_share(
    masses: str, eps: str, window: range, chance: Fraction
) -> tuple[Fraction, Fraction, str]:
    """Return the share of bad exponents, the largest error of a likely output, and a text."""
    likely = {k: _likely(masses_of(masses), k, chance) for k in window}
    bad = [k for k in window if all(error > Fraction(eps) for error in likely[k])]
    worst = max(error for errors in likely.values() for error in errors)
    return Fraction(len(bad), len(window)), worst, f"bad {bad} of {window[0]}..{window[-1]}"


@claim(
    "fx/claim-17",
    "Claim 17 (=6.3), as printed",
    "A random sample size makes the basic learner stable",
    Kind.ERRATUM,
    over=table("masses eps delta", (*HESITANT, "2/5")),
    near=[
        near("The statement for an interval of length 10/delta.", length=times(Fraction(5, 3))),
        near("The statement with probability 0.64 in place of 2/3.", chance=plus(Fraction(-2, 75))),
    ],
    uses=["fx/bad-lengths"],
    recorded=Verdict.FAILS,
    survives="yes: Lemma 16 holds with 2^(16/delta) in place of 2^(6/delta), and Theorem 12 as "
    "printed",
)
def random_size_printed(
    masses: str,
    eps: str,
    delta: str,
    *,
    length: Fraction = Fraction(6),
    chance: Fraction = TWO_THIRDS,
) -> Decision:
    """Let k be uniform among the integers of an interval of length 6/delta that starts at
    log2(ln(3/2)/eps). With probability at least 1 - delta/2, some hypothesis of error at most eps
    is the basic learner's output on t = 2^k examples with probability at least 2/3."""
    first = first_exponent(Fraction(eps))
    window = range(first, first + floor(length / Fraction(delta)))
    share, _, detail = _bad_share(masses, eps, window, chance)
    return at_most(share, Fraction(delta) / 2, detail)


def _random_lines(number: int) -> list[tuple[str, str]]:
    rng = np.random.default_rng(4)
    found = []
    for _ in range(number):
        masses = (int(10 ** rng.uniform(1, 5)) for _ in range(int(rng.integers(1, 5))))
        found.append((",".join(f"1/{m}" for m in masses), f"1/{int(10 ** rng.uniform(0.5, 4))}"))
    return found


@claim(
    "fx/claim-17-corrected",
    "Claim 17 (=6.3), corrected",
    "A random sample size from a longer window makes the basic learner stable",
    Kind.LEMMA,
    over=grid(line=[HESITANT, *_random_lines(12)], delta=["2/5", "1/4"]).medium(
        line=_random_lines(300)
    ),
    near=[
        near("The statement for ceil(9.6/delta) integers.", length=times(Fraction(3, 5))),
        near(
            "The statement for integers that start at log2(6 ln(3/2)/(11 eps)).",
            start=times(Fraction(6, 11)),
        ),
        near("The statement with probability 0.97 in place of 2/3.", chance=plus(Fraction(3, 10))),
    ],
    uses=["fx/good-t", "fx/bad-lengths-corrected", "fx/eq-2.5"],
    corrects="fx/claim-17",
)
def random_size(
    line: tuple[str, str],
    delta: str,
    *,
    length: Fraction = Fraction(16),
    start: Fraction = Fraction(1),
    chance: Fraction = TWO_THIRDS,
) -> Decision:
    """Let k be uniform among the ceil(16/delta) consecutive integers that start at
    ceil(log2(ln(3/2)/eps)). With probability at least 1 - delta/2, some hypothesis is the basic
    learner's output on t = 2^k examples with probability at least 2/3. For every k such a
    hypothesis has error at most eps. The parameters of an instance are eps and the masses of the
    points on the line.
    """
    masses, eps = line
    first = first_exponent(Fraction(eps), start)
    window = range(first, first + ceil(length / Fraction(delta)))
    share, worst, detail = _bad_share(masses, eps, window, chance)
    error = at_most(worst, Fraction(eps))
    return all_of([("share", at_most(share, Fraction(delta) / 2, detail)), ("error", error)])


@claim(
    "fx/lemma-16-printed",
    "proof of Lemma 16 (=6.2), choice of k, as printed",
    "Three sample sizes are at most a fraction delta/2 of all sample sizes",
    Kind.ERRATUM,
    over=table("eps delta", ("2/5", "9/20"), ("1/10", "9/20")),
    near=[
        near("Two integers are at most a fraction delta/2.", bad=plus(-1)),
        near("The statement for an interval of length 6.3/delta.", length=times(Fraction(21, 20))),
    ],
    recorded=Verdict.FAILS,
    survives="yes: one more integer is enough for 3 bad sizes; since 8 sizes can be bad, "
    "16/delta integers are needed",
)
def integers_in_window(
    eps: str, delta: str, *, bad: int = 3, length: Fraction = Fraction(6)
) -> Decision:
    """For all eps and delta below 1/2, three integers are at most a fraction delta/2 of the
    integers from log2(ln(3/2)/eps) to log2(ln(3/2)/eps) + 6/delta.
    """
    first = _logarithm(Fraction(eps))
    number = floor(first + length / Fraction(delta)) - ceil(first) + 1
    return at_most(Fraction(bad, number), Fraction(delta) / 2, f"{number} integers")
