"""Rigorous enclosures, comparisons, entropy, and the interval of Clopper and Pearson."""

import math
from fractions import Fraction
from itertools import pairwise

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import (
    Interval,
    as_fraction,
    binary_entropy,
    binomial,
    binomial_tail,
    ceil_log2,
    clopper_pearson,
    common_denominator,
    compare,
    enclose,
    probability_vector,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.binomial_tails import enclose_tail
from tests.strategies import probabilities

# Digits by Python's decimal module, which shares no code with the enclosures.
KNOWN = [
    (sympy.log(2), "0.6931471805599453094172321214581765680755"),
    (sympy.sqrt(2), "1.4142135623730950488016887242096980785696"),
    (sympy.exp(1), "2.7182818284590452353602874713526624977572"),
    (sympy.exp(-2), "0.1353352832366126918939994949724844034076"),
    (sympy.log(3) / sympy.log(2), "1.5849625007211561814537389439478165087598"),
    (sympy.Integer(2) ** sympy.Rational(1, 3), "1.2599210498948731647672106072782283505702"),
    (binary_entropy(Fraction(1, 4)), "0.8112781244591328639096957920391376184301"),
]
UNIT = Fraction(1, 10**36)
LOG_2_SHORT = sympy.Rational(6931471805599453094172321214581765680755, 10**40)  # < ln 2


@pytest.mark.parametrize(("expression", "digits"), KNOWN)
def test_enclosures_hold_known_values_and_shrink_with_the_precision(expression, digits):
    intervals = [enclose(expression, precision) for precision in (16, 64, 128, 256, 512)]
    for interval in intervals:
        assert interval.lower < Fraction(digits) + UNIT
        assert interval.upper > Fraction(digits) - UNIT
    for wide, narrow in pairwise(intervals):
        assert max(wide.lower, narrow.lower) <= min(wide.upper, narrow.upper)
        assert narrow.width < wide.width / 2**10
    assert intervals[-1].width < Fraction(1, 2**500)


@pytest.mark.parametrize("number", [0, -3, Fraction(1, 3), sympy.Rational(-2, 7), sympy.sqrt(4)])
def test_rational_numbers_are_enclosed_by_themselves(number):
    assert enclose(number) == Interval(Fraction(number), Fraction(number))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.fractions(-5, 5, max_denominator=50), st.fractions(-5, 5, max_denominator=50))
def test_enclosures_of_sums_and_products_of_logarithms_hold_the_rational_truth(a, b):
    x, y = (sympy.Rational(r.numerator, r.denominator) for r in (a, b))
    ln2 = sympy.log(2)
    difference = enclose(x * ln2 + y * ln2 - (x + y) * sympy.log(4) / 2, 64)
    assert difference.lower <= 0 <= difference.upper
    quotient = enclose(sympy.Add(x * ln2 / ln2, y * sympy.exp(3) * sympy.exp(-3)), 64)
    assert quotient.lower <= a + b <= quotient.upper


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        (sympy.log(2), LOG_2_SHORT, 1),
        (LOG_2_SHORT, sympy.log(2), -1),
        (sympy.exp(1), Fraction(271828, 100000), 1),
        (sympy.exp(sympy.Rational(1, 10**30)), 1, 1),
        (sympy.sqrt(2) * sympy.sqrt(3), sympy.sqrt(6), 0),
        (Fraction(1, 3), Fraction(1, 3), 0),
        (2, 3, -1),
        (binary_entropy(Fraction(1, 3)), binary_entropy(Fraction(2, 3)), 0),
    ],
)
def test_compare_decides(left, right, order):
    assert compare(left, right) == order


def test_compare_does_not_call_numbers_equal_that_are_only_close():
    close = sympy.sqrt(2 + sympy.sqrt(3)) - (sympy.sqrt(6) + sympy.sqrt(2)) / 2
    assert compare(close, 0) in (0, None)  # equal; never said to be unequal
    assert compare(sympy.log(2) + sympy.Rational(1, 10**400), sympy.log(2)) == 1
    assert compare(sympy.exp(sympy.log(2) - sympy.Rational(1, 2**5000)), 2) is None


def test_compare_raises_the_precision_near_a_pole():
    small = sympy.log(2) - LOG_2_SHORT  # positive, below 10**-40: at 64 bits it may be zero
    assert compare(1 / small, 0) == 1
    assert compare(sympy.log(small), 0) == -1


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (sympy.Symbol("x"), "must be built from rational numbers .*, not x"),
        (sympy.Float(0.5), "must be built from rational numbers"),
        (sympy.sqrt(-2), "must be built from rational numbers"),
        (sympy.sin(1), "must be built from rational numbers"),
        (1 / (sympy.log(4) - 2 * sympy.log(2, evaluate=False)), "finite real enclosure at 128"),
        (sympy.log(1 - sympy.log(3)), "finite real enclosure|must be built from rational numbers"),
    ],
)
def test_what_has_no_real_enclosure_is_refused(expression, reason):
    with pytest.raises(DomainError, match=reason):
        enclose(expression)


def test_floats_are_not_compared():
    with pytest.raises(DomainError, match="must be an exact number, not the float 0"):
        compare(0.5, 1)


def test_an_interval_has_its_ends_in_order():
    assert Interval(Fraction(1), Fraction(1)).width == 0
    with pytest.raises(DomainError, match="lower <= upper, not 1 > 0"):
        Interval(Fraction(1), Fraction(0))


@settings(max_examples=50, derandomize=True, deadline=None)
@given(probabilities(60))
def test_binary_entropy_is_symmetric_and_at_most_one(p):
    assert compare(binary_entropy(p), binary_entropy(1 - p)) == 0
    assert compare(binary_entropy(p), 1) == (0 if p == Fraction(1, 2) else -1)
    assert compare(binary_entropy(p), 0) == (0 if p in (0, 1) else 1)


def test_binary_entropy_grows_up_to_one_half():
    values = [binary_entropy(Fraction(i, 20)) for i in range(11)]
    assert all(compare(a, b) == -1 for a, b in pairwise(values))
    for p in (Fraction(-1, 9), Fraction(10, 9), 2):
        with pytest.raises(DomainError, match=f"p must be between 0 and 1, not {p}"):
            binary_entropy(p)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 8), probabilities(7), st.integers(-2, 10))
def test_binomial_tail_is_the_sum_over_all_outcomes(trials, p, least):
    total = Fraction(0)
    for outcome in range(1 << trials):
        ones = outcome.bit_count()
        if ones >= least:
            total += p**ones * (1 - p) ** (trials - ones)
    assert binomial_tail(trials, p, least) == total


@pytest.mark.parametrize(("trials", "p"), [(-1, Fraction(1, 2)), (3, Fraction(-1, 2)), (3, 2)])
def test_binomial_tail_refuses_what_is_no_experiment(trials, p):
    with pytest.raises(DomainError, match=r"trials must be at least 0|probability must be between"):
        binomial_tail(trials, p, 1)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 300), probabilities(30), st.integers(-2, 302))
def test_enclosed_tails_hold_the_exact_ones_and_are_narrow(trials, p, least):
    exact, found = binomial_tail(trials, p, least), enclose_tail(trials, p, least)
    assert found.lower <= exact <= found.upper
    assert found.width <= exact / 2**100


def test_enclosed_tails_refuse_what_is_no_experiment():
    for trials, p, precision, words in (
        (-1, Fraction(1, 2), 128, "trials must be at least 0, not -1"),
        (3, Fraction(3, 2), 128, "probability must"),
        (3, Fraction(1, 2), 16, "precision must be at least 32 bits, not 16"),
    ):
        with pytest.raises(DomainError, match=words):
            enclose_tail(trials, p, 1, precision)
    with pytest.raises(InstanceTooLargeError, match="trials must be at most"):
        enclose_tail(2**41, Fraction(1, 2), 1)


@pytest.mark.parametrize("trials", [1, 2, 7, 12])
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(95, 100), Fraction(999, 1000)])
def test_clopper_pearson_is_the_widest_interval_that_the_exact_tails_allow(trials, confidence):
    level, step = (1 - confidence) / 2, Fraction(1, 2**58)
    for successes in range(trials + 1):
        interval = clopper_pearson(successes, trials, confidence)
        lower, upper = interval.lower, interval.upper
        if successes:
            assert binomial_tail(trials, lower, successes) <= level
            assert binomial_tail(trials, lower + step, successes) > level
        else:
            assert lower == 0
        if successes < trials:
            assert 1 - binomial_tail(trials, upper, successes + 1) <= level
            assert 1 - binomial_tail(trials, upper - step, successes + 1) > level
        else:
            assert upper == 1


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)])
def test_clopper_pearson_covers_every_truth_as_often_as_promised(p):
    trials, confidence = 10, Fraction(9, 10)
    covered = Fraction(0)
    for successes in range(trials + 1):
        interval = clopper_pearson(successes, trials, confidence)
        if interval.lower <= p <= interval.upper:
            weight = math.comb(trials, successes)
            covered += weight * p**successes * (1 - p) ** (trials - successes)
    assert covered >= confidence


def test_clopper_pearson_mirrors_failures_and_narrows_with_the_runs():
    few, many = (clopper_pearson(n // 10, n, Fraction(99, 100)) for n in (1_000, 1_000_000))
    assert few.lower < many.lower < Fraction(1, 10) < many.upper < few.upper
    mirror = clopper_pearson(900, 1_000, Fraction(99, 100))
    assert abs(1 - mirror.upper - few.lower) < Fraction(1, 2**58)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((3, 2, Fraction(1, 2)), "successes must be between 0 and trials = 2, not 3"),
        ((-1, 2, Fraction(1, 2)), "successes must be between 0 and trials = 2, not -1"),
        ((0, 0, Fraction(1, 2)), "trials must be at least 1, not 0"),
        ((1, 2, Fraction(1)), "confidence must be strictly between 0 and 1, not 1"),
        ((1, 2, Fraction(0)), "confidence must be strictly between 0 and 1, not 0"),
    ],
)
def test_clopper_pearson_refuses_what_is_no_experiment(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        clopper_pearson(*arguments)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1/3", Fraction(1, 3)), ("0.25", Fraction(1, 4)), (3, Fraction(3)), ("-2", Fraction(-2))],
)
def test_fractions_are_read_exactly(value, expected):
    assert as_fraction(value, "error") == expected


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((0.1, "error"), 'error must be an exact number, not the float 0.1: write "1/10"'),
        ((None, "error"), "not None"),
        ((True, "error"), "not True"),
        (("1/0", "error"), "error must be a fraction p/q or a decimal number, not '1/0'"),
        (("1e99999", "error"), "decimal number of at most 4000 digits, not '1e99999'"),
        (("1e9999999", "error"), "not '1e9999999'"),
        (("nan", "error"), "not 'nan'"),
        (("1" * 5000, "error"), "not '1111111111111111111111111111111111111111'$"),
        ((2, "error", 0, 1), "error must be between 0 and 1, not 2"),
        ((-1, "error", 0), "error must be at least 0, not -1"),
        ((2, "error", None, 1), "error must be at most 1, not 2"),
        ((10**5000, "error", 0, 1), "between 0 and 1, not a number of 16610 bits"),
        ((Fraction(-1, 10**5000), "error", 0), "at least 0, not a number of 16610 bits"),
    ],
)
def test_what_is_no_number_in_range_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        as_fraction(*arguments)


def test_ceil_log2_is_the_least_number_of_bits():
    for size in range(1, 70):
        bits = ceil_log2(size)
        assert 2**bits >= size > (2 ** (bits - 1) if bits else 0)
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        ceil_log2(0)


def test_common_denominator_is_the_least_one():
    assert common_denominator([]) == 1
    values = [Fraction(1, 6), Fraction(3, 4), Fraction(0)]
    fits = [d for d in range(1, 50) if all((v * d).denominator == 1 for v in values)]
    assert common_denominator(values) == fits[0] == 12


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "law must sum to 1, not 0"),
        (["1/2", "1/3"], "law must sum to 1, not 5/6"),
        ([2, -1], r"law\[1\] must be at least 0, not -1"),
        ([0.5, 0.5], r"law\[0\] must be an exact number, not the float 0.5"),
    ],
)
def test_what_is_no_distribution_is_refused(values, reason):
    with pytest.raises(DomainError, match=reason):
        probability_vector(values, "law")


def test_a_distribution_may_have_zeros():
    assert probability_vector([0, "1", 0]) == (0, 1, 0)


@pytest.mark.parametrize(
    ("attempt", "reason"),
    [
        (lambda: enclose(sympy.sqrt(2), 1), "precision must be an integer, at least 2, not 1"),
        (lambda: enclose(sympy.sqrt(2), 2.5), "precision must be an integer, not 2.5"),
        (lambda: enclose(sympy.Pow(3, 10**9, evaluate=False)), "must have a finite real enclosure"),
        (
            lambda: compare(0.5, Fraction(1, 2)),
            "expression must be an exact number, not the float 0.5",
        ),
        (lambda: binary_entropy(0.25), "p must be an exact number, not the float 0.25"),
        (lambda: Interval(0.1, 0.2), "lower must be an exact number, not the float 0.1"),
        (
            lambda: clopper_pearson(1, 10, 0.95),
            "confidence must be an exact number, not the float 0.95",
        ),
        (
            lambda: clopper_pearson(3, 10**15, Fraction(1, 2)),
            "trials must be at most 1099511627776",
        ),
        (
            lambda: binomial_tail(5, 0.5, 2),
            "probability must be an exact number, not the float 0.5",
        ),
    ],
)
def test_what_is_not_exact_or_out_of_reach_is_refused(attempt, reason):
    with pytest.raises((DomainError, InstanceTooLargeError), match=reason):
        attempt()


def test_the_ends_of_an_interval_are_those_of_plain_bisection():
    level, unit = Fraction(1, 200), 1 << 60
    for trials, least in [(1, 1), (7, 3), (1000, 1), (1000, 37), (1000, 1000), (10**6, 938)]:
        for above in (level, 1 - level, Fraction(1, 10**9), 1 - Fraction(1, 10**9)):
            low, high = 0, unit
            while high - low > 1:
                middle = (low + high) // 2
                if binomial._tail_exceeds(trials, Fraction(middle, unit), least, above):
                    high = middle
                else:
                    low = middle
            ends = Fraction(low, unit), Fraction(high, unit)
            assert binomial._bisect(trials, least, above) == ends


@pytest.mark.parametrize("guess", [-5, 0, 1, 1 << 59, (1 << 60) - 1, 1 << 60, 1 << 70])
def test_the_ends_of_an_interval_do_not_depend_on_the_first_guess(monkeypatch, guess):
    expected = binomial._bisect(50, 20, Fraction(1, 200))
    monkeypatch.setattr(binomial, "_approximate", lambda *_: guess)
    assert binomial._bisect(50, 20, Fraction(1, 200)) == expected
