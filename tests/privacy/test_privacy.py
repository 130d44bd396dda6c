"""Mechanisms as exact distributions, and the auditor that compares all neighbours."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import ccsim
from ccsim import kernel, points
from ccsim.cli.main import main
from ccsim.errors import (
    CertificateError,
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
)
from ccsim.exact import Distribution, Epsilon, Interval
from ccsim.exact.exponentials import exponential
from ccsim.information import divergence, least_factor
from ccsim.learning import NoisyConsistentPoint, PrivateOccam, SubsampledPoint
from ccsim.privacy import (
    Composed,
    ExponentialMechanism,
    Mechanism,
    NoisyArgmax,
    NoisyThreshold,
    PostProcessed,
    RandomizedResponse,
    StableMode,
    Subsampled,
    TruncatedGeometric,
    Verdict,
    advanced_composition,
    audit,
    basic_composition,
    keeping_rate,
    laplace_tail,
    neighbouring_databases,
    optimal_composition,
    privacy_curve,
)
from ccsim.privacy.composition import rho_of_pure
from ccsim.privacy.constructions import printed_keeping_rate
from ccsim.privacy.mechanisms.stable_choice import votes_to_change
from ccsim.privacy.neighbours import sensitivity
from proofs_check.claims.beimel_brenner.constructions.biased_points import (
    BiasedConsistentPoint,
    SubsampledBiasedPoint,
)

F = Fraction
LN2, LN3, LN4 = (Epsilon.of(f"ln {k}") for k in (2, 3, 4))


@st.composite
def distributions(draw):
    weights = draw(st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any))
    return Distribution.proportional({i: F(w) for i, w in enumerate(weights)})


def _events(size):
    return chain.from_iterable(combinations(range(size), k) for k in range(size + 1))


# --- Distributions and divergence ----------------------------------------------------------------


@given(distributions(), distributions(), st.fractions(min_value=1, max_value=5, max_denominator=4))
@settings(max_examples=100, deadline=None)
def test_divergence_is_the_largest_excess_of_an_event(p, q, factor):
    excess = max(sum(p[o] for o in S) - factor * sum(q[o] for o in S) for S in _events(4))
    assert divergence(p, q, factor) == excess


@given(distributions(), distributions(), st.fractions(min_value=0, max_value=1, max_denominator=8))
@settings(max_examples=100, deadline=None)
def test_least_factor_is_the_least_that_satisfies_the_definition(p, q, delta):
    found = least_factor(p, q, delta)
    if found is None:
        assert any(sum(p[o] for o in S) > delta and not any(q[o] for o in S) for S in _events(4))
        return
    assert divergence(p, q, found) <= delta
    assert found == 1 or divergence(p, q, found - F(1, 10**9)) > delta


@pytest.mark.parametrize("delta", [F(0), F(1, 2), F(1)])
def test_no_factor_below_one_is_the_least(delta):
    fair = Distribution.of({0: F(1, 2), 1: F(1, 2)})
    assert least_factor(fair, fair, delta) == 1
    assert least_factor(fair, Distribution.of({0: F(1, 3), 1: F(2, 3)}), delta) >= 1
    result = audit(PrivateOccam(2, (1,), LN4), 0, delta, 1)
    assert (result.factor, result.least_epsilon.lower) == (1, 0)


@pytest.mark.parametrize(
    ("weights", "message"),
    [({0: F(1, 2)}, "sum to 1, not 1/2"), ({0: F(3, 2), 1: F(-1, 2)}, "at least 0, not -1/2")],
)
def test_a_distribution_that_is_none_is_refused(weights, message):
    with pytest.raises(DomainError, match=message):
        Distribution.of(weights)


def test_draws_follow_the_distribution():
    distribution = Distribution.of({"a": exponential(-1), "b": 1 - exponential(-1)})
    rng = np.random.default_rng(0)
    drawn = Counter(distribution.draw(rng) for _ in range(2000))
    assert abs(drawn["a"] / 2000 - math.exp(-1)) < 0.05


def test_neighbours_are_all_pairs_that_differ_in_one_entry():
    records = tuple("abc")
    ordered = {
        frozenset((s, t))
        for s, t in product(product(records, repeat=2), repeat=2)
        if sum(a != b for a, b in zip(s, t, strict=True)) == 1
    }
    found = [frozenset(p) for p in neighbouring_databases(records, 2, symmetric=False)]
    assert len(found) == len(set(found))
    assert set(found) == ordered
    unordered = {
        frozenset(("".join(sorted(s)), "".join(sorted(t)))) for s, t in map(tuple, ordered)
    }
    symmetric = [
        frozenset("".join(sorted(d)) for d in pair) for pair in neighbouring_databases(records, 2)
    ]
    assert len(symmetric) == len(set(symmetric))
    assert set(symmetric) == {pair for pair in unordered if len(pair) == 2}


# --- Parameters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "factor"), [("ln 3", F(3)), ("ln(9/4)", F(9, 4)), ("ln2", F(2)), ("0", F(1))]
)
def test_epsilon_is_read_as_a_logarithm(text, factor):
    assert Epsilon.of(text).exp() == factor


@pytest.mark.parametrize("text", ["-1", "ln 1/2", "e", "ln", "-1e3", 0.5, True])
def test_what_is_no_privacy_parameter_is_refused(text):
    with pytest.raises(DomainError, match="epsilon"):
        Epsilon.of(text)


def test_an_irrational_power_is_exact():
    root = LN3.exp("1/2")
    assert root * root == 3
    assert root == Epsilon.of("ln 9").exp("1/4")
    assert float(root) == pytest.approx(math.sqrt(3))


@pytest.mark.parametrize(
    ("text", "written", "number"),
    [
        ("log(3)", "ln 3", math.log(3)),
        ("log 3", "ln 3", math.log(3)),
        ("ln 3/2", "ln(3/2)", math.log(1.5)),
        (" ln( 9 ) / 2 ", "ln 3", math.log(3)),
        ("ln(3)/2", "ln(3)/2", math.log(3) / 2),
        ("1/2 * ln(27)", "ln(27)/2", math.log(27) / 2),
        ("2 ln 3", "ln 9", math.log(9)),
        ("ln(1)/7", "0", 0),
        ("1e-3 + ln 3", "1/1000 + ln 3", 0.001 + math.log(3)),
        ("1e-3+ln 3", "1/1000 + ln 3", 0.001 + math.log(3)),
        ("ln(3)/2-1e-2", "-1/100 + ln(3)/2", math.log(3) / 2 - 0.01),
        ("ln 3 - ln(2)/3", "ln(27/2)/3", math.log(3) - math.log(2) / 3),
        (sympy.log(3) / 2 + 1, "1 + ln(3)/2", 1 + math.log(3) / 2),
        (sympy.Rational(1, 3), "1/3", 1 / 3),
    ],
)
def test_epsilon_is_a_sum_of_numbers_and_parts_of_logarithms(text, written, number):
    epsilon = Epsilon.of(text)
    assert str(epsilon) == written
    assert float(epsilon) == pytest.approx(number)
    assert Epsilon.of(written) == epsilon
    assert epsilon * 6 / 6 == epsilon
    assert epsilon.enclose().lower <= number + 1e-9
    assert epsilon.is_positive == (number > 0)


def test_the_refusal_of_an_epsilon_shows_the_text_and_what_may_be_written():
    with pytest.raises(DomainError) as caught:
        Epsilon.of("1 + pi")
    assert str(caught.value) == (
        "epsilon must be a number or a sum of logarithms, such as 1/2, 0.5, ln 3, ln(3)/2 or "
        "1 + ln 3, not '1 + pi'"
    )


@pytest.mark.parametrize(
    "text",
    ["log", "log2", "log10(3)", "ln(3)/0", "ln(-1)", "ln 0", "ln(3)ln(2)", "-ln 3", "1 - ln 3",
     "ln(3", "1/0 ln 3", "ln 3 +", sympy.sqrt(2), sympy.Symbol("x"), sympy.oo],
    ids=str,
)  # fmt: skip
def test_what_is_no_sum_of_logarithms_is_refused(text):
    with pytest.raises(DomainError, match=r"^epsilon") as caught:
        Epsilon.of(text)
    assert len(str(caught.value).splitlines()) == 1


def test_half_a_logarithm_is_a_privacy_parameter():
    response = RandomizedResponse((0, 1), "ln(3)/2")
    asked = {text: audit(response, text, 0, 1) for text in ("log(3)/2", "1/2", "ln(2)/3", "0.55")}
    holds = {text: result.verdict == Verdict.HOLDS for text, result in asked.items()}
    assert holds == {"log(3)/2": True, "1/2": False, "ln(2)/3": False, "0.55": True}
    for result in asked.values():
        result.check()


def test_irrational_powers_of_two_numbers_are_refused():
    with pytest.raises(DomainError, match="powers of e and 3 cannot be combined exactly"):
        (LN3 + Epsilon.of(1)).exp("1/2")


# --- Mechanisms --------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["ln 9/4", "1"])
def test_exponential_mechanism_is_private_and_its_bound_is_approached(epsilon):
    learner = PrivateOccam(4, (1, 2, 4, 8), Epsilon.of(epsilon))
    result = audit(learner, epsilon, 0, 3)
    assert result.verdict is Verdict.HOLDS
    assert result.least_delta == 0
    assert result.factor < Epsilon.of(epsilon).exp()


def test_exponential_mechanism_on_two_points_has_the_known_ratio():
    result = audit(PrivateOccam(4, (1, 2, 4, 8), Epsilon.of("ln 9/4")), "ln 9/4", 0, 2)
    assert result.factor == F(31, 16)


def test_noise_of_half_the_scale_is_caught():
    faulty = PrivateOccam(4, (1, 2, 4, 8), Epsilon.of(1), sensitivity=F(1, 2))
    result = audit(faulty, 1, 0, 3)
    assert result.verdict == "fails"
    result.check()
    found = result.witness
    assert found.probability > exponential(1) * found.neighbour_probability


@pytest.mark.parametrize(
    ("points", "size", "accuracy", "ratio"),
    [
        (2, 1, F(2, 5), F(133, 43)),
        (2, 2, F(2, 5), F(5320, 1719)),
        (3, 2, F(2, 5), F(5320, 1719)),
        (2, 3, F(2, 5), F(53200, 17181)),
        (2, 2, F(1, 4), F(22816, 7455)),
        (2, 2, F(49, 100), F(331040800, 106283151)),
    ],
)
def test_subsampled_point_learner_is_private_with_the_known_ratios(points, size, accuracy, ratio):
    result = audit(SubsampledPoint(points, accuracy), "ln 4", 0, size)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == ratio
    assert ratio < 1 + 8 / (4 - accuracy)


def test_functions_with_too_small_a_bias_are_less_private_than_flipped_values():
    biased = [audit(SubsampledBiasedPoint(2, F(2, 5), F(1, n)), 4, 0, 1) for n in (10, 20, 25)]
    assert [result.factor for result in biased] == [F(19, 9), F(29, 9), F(34, 9)]


def test_a_biased_function_is_one_on_the_positive_point_and_fair_elsewhere():
    distribution = BiasedConsistentPoint(3, F(1, 5)).distribution([(1, 1), None, (0, 0)])
    assert distribution[0b010] == F(16, 25)
    assert distribution[0b111] == F(1, 25)
    assert distribution[0b101] == 0
    assert BiasedConsistentPoint(2, F(1, 5)).distribution([(0, 1), (1, 1)]).items == ((None, 1),)
    with pytest.raises(DomainError, match="above 0"):
        BiasedConsistentPoint(2, F(0))
    assert BiasedConsistentPoint(1, F(1, 5)).distribution([(0, 1)]).items == ((1, 1),)


def test_an_outcome_that_is_not_randomised_is_caught():
    result = audit(SubsampledPoint(2, F(2, 5), flip=F(0)), "ln 4", 0, 1)
    assert result.verdict is Verdict.FAILS
    assert result.factor is None
    assert result.least_epsilon is None
    assert result.witness.neighbour_probability == 0


@pytest.mark.parametrize(("votes", "candidates"), [(4, 2), (4, 3), (5, 3), (4, 4)])
def test_votes_to_change_is_the_distance_to_another_mode(votes, candidates):
    names = tuple(range(candidates))

    def mode(database):
        count = Counter(database)
        return max(names, key=lambda c: (count[c], -c))

    everything = list(product(names, repeat=votes))
    for database in everything:
        nearest = min(
            sum(a != b for a, b in zip(database, other, strict=True))
            for other in everything
            if mode(other) != mode(database)
        )
        assert votes_to_change(database, names) == (mode(database), nearest)


@pytest.mark.parametrize("p", [2, 3])
@pytest.mark.parametrize("epsilon", ["1/2", "ln 2"])
def test_stable_release_needs_exactly_its_delta(p, epsilon):
    candidates = tuple(range(2 * p * p + 1))
    release = StableMode(candidates, 0, Epsilon.of(epsilon), F(1, 100))
    result = audit(release, epsilon, "1/100", 3)
    assert result.verdict is Verdict.HOLDS
    assert result.least_delta == F(1, 100)


def test_a_threshold_that_is_lower_by_one_is_caught():
    release = StableMode(tuple("0ab"), "0", LN2, F(1, 100), margin=F(0))
    result = audit(release, LN2, "1/100", 3)
    assert result.verdict is Verdict.FAILS
    assert result.witness.delta == F(2, 100)


def test_noise_of_half_the_scale_behind_a_threshold_is_caught():
    release = StableMode(tuple("0a"), "0", LN2, F(1, 100), scale=F(1, 2))
    assert audit(release, LN2, "1/100", 20).verdict is Verdict.FAILS


@pytest.mark.parametrize("exponent", ["-2", "-1/2", "0", "1/2", "3"])
def test_laplace_tail_is_the_integral_of_the_density(exponent):
    t = float(F(exponent))
    tail = float(laplace_tail(Epsilon(F(exponent))))
    assert tail == pytest.approx(math.exp(-t) / 2 if t > 0 else 1 - math.exp(t) / 2)


def test_noisy_threshold_is_private_at_its_sensitivity_only():
    fair = NoisyThreshold((0, 1), sum, LN2, LN2 * 2)
    assert audit(fair, LN2, 0, 3).verdict is Verdict.HOLDS
    double = NoisyThreshold((0, 2), sum, LN2, LN2 * 2)
    assert audit(double, LN2, 0, 3).verdict is Verdict.FAILS
    assert audit(replace(double, sensitivity=F(2)), LN2, 0, 3).verdict is Verdict.HOLDS


def test_truncated_geometric_is_private_and_tight():
    count = TruncatedGeometric((0, 1), sum, LN3, 0, 3)
    result = audit(count, LN3, 0, 3)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == 3


def _votes(votes, candidate):
    return votes.count(candidate)


@pytest.mark.parametrize("votes", ["aab", "abc", "ccc", "bcc"])
def test_noisy_argmax_has_the_distribution_of_its_definition(votes):
    mechanism = NoisyArgmax("abc", "abc", _votes, LN4)
    distribution = mechanism.distribution(tuple(votes))
    noise = {z: (1 / 3) * 0.5 ** abs(z) for z in range(-40, 44)}
    for i, winner in enumerate("abc"):
        total = 0.0
        for z in noise:
            chance = noise.get(z - votes.count(winner), 0.0)
            for j, other in enumerate("abc"):
                if j != i:
                    limit = z if j > i else z - 1
                    chance *= sum(m for n, m in noise.items() if n + votes.count(other) <= limit)
            total += chance
        assert float(distribution[winner]) == pytest.approx(total, abs=1e-9)


def test_noisy_argmax_is_private():
    result = audit(NoisyArgmax("abc", "abc", _votes, LN4), LN4, 0, 3)
    assert result.verdict is Verdict.HOLDS
    halved = ExponentialMechanism("abc", "abc", _votes, LN4, F(1, 2))
    assert audit(halved, LN4, 0, 3).verdict is Verdict.FAILS


def test_composition_adds_and_randomised_response_shows_that_it_is_tight():
    response = RandomizedResponse((0, 1), LN3)
    twice = Composed((response, response))
    epsilon, delta = basic_composition([(LN3, F(0))] * 2)
    result = audit(twice, epsilon, delta, 1)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == 9
    assert Composed((response,)).records == response.records
    with pytest.raises(DomainError, match="same records"):
        Composed((response, RandomizedResponse((0, 1, 2), LN3)))


def test_advanced_composition_holds_for_randomised_response():
    from ccsim.exact import enclose

    times, slack = 30, F(1, 100)
    epsilon, delta = advanced_composition(Epsilon.of("1/20"), F(0), times, slack)
    e = Epsilon.of("1/20").exp()
    p = Distribution.of(
        {i: math.comb(times, i) * e**i / (1 + e) ** times for i in range(times + 1)}
    )
    q = Distribution.of(
        {i: math.comb(times, i) * e ** (times - i) / (1 + e) ** times for i in range(times + 1)}
    )
    bound = enclose(epsilon).lower
    rounded = exponential(F(int(bound * 20), 20))  # a smaller epsilon is a stronger statement
    assert divergence(p, q, rounded) <= delta
    assert float(bound) < float(F(times, 20))


def _told_or_flipped(bit, delta, epsilon, times):
    """Return the distribution of runs that reveal the bit with probability delta."""
    e = epsilon.exp()
    one = {("told", bit): delta, bit: (1 - delta) * e / (1 + e), 1 - bit: (1 - delta) / (1 + e)}
    runs = {}
    for outcomes in product(one, repeat=times):
        runs[outcomes] = math.prod((one[o] for o in outcomes), start=F(1))
    return Distribution.of(runs)


@pytest.mark.parametrize("delta", [F(0), F(1, 10), F(1)])
@pytest.mark.parametrize("times", [1, 2, 4])
def test_the_optimal_composition_is_that_of_randomised_responses_that_may_tell_all(times, delta):
    zero, one = (_told_or_flipped(bit, delta, LN2, times) for bit in (0, 1))
    for total in (Epsilon(F(0)), LN3, LN4, Epsilon.of("ln 17"), Epsilon.of("1/2")):
        exact = divergence(zero, one, total.exp())
        found = optimal_composition(LN2, delta, times, total)
        assert found.lower <= exact <= found.upper
        assert found.width < F(1, 2**100)
    wide = optimal_composition(LN2, delta, times, Interval(F(1, 4), F(1, 2)))
    least, most = (optimal_composition(LN2, delta, times, Epsilon(F(1, d))) for d in (2, 4))
    assert wide.lower <= least.lower <= most.upper <= wide.upper


def test_the_optimal_composition_bounds_adaptive_mechanisms():
    # the second mechanism depends on the answer of the first one
    response, count = RandomizedResponse((0, 1), LN3), TruncatedGeometric((0, 1), sum, LN3, -1, 2)

    def distribution(bit):
        found = {}
        for first, p in response.distribution((bit,)).items:
            for second, q in (count if first == 0 else response).distribution((bit,)).items:
                found[first, second] = p * q
        return Distribution.of(found)

    for total in (Epsilon(F(0)), LN2, LN3, Epsilon.of("ln 6")):
        bound = optimal_composition(LN3, F(0), 2, total).upper
        assert divergence(distribution(0), distribution(1), total.exp()) <= bound
        assert divergence(distribution(1), distribution(0), total.exp()) <= bound


def test_the_optimal_composition_refuses_what_is_no_composition():
    for epsilon, delta, times, total, precision, words in (
        (Epsilon(F(0)), F(0), 1, LN2, 128, "epsilon must be positive, not 0"),
        (LN2, F(2), 1, LN2, 128, "delta must"),
        (LN2, F(0), 0, LN2, 128, "times must be at least 1, not 0"),
        (LN2, F(0), 1, Interval(F(-1), F(1)), 128, "total must be at least 0, not -1"),
        (LN2, F(0), 1, LN2, 8, "precision must be at least 32 bits, not 8"),
    ):
        with pytest.raises(DomainError, match=words):
            optimal_composition(epsilon, delta, times, total, precision)
    with pytest.raises(InstanceTooLargeError, match="limited to 1048576 runs"):
        optimal_composition(LN2, F(0), 1 << 21, LN2)


def test_post_processing_costs_nothing():
    count = TruncatedGeometric((0, 1), sum, LN3, 0, 3)
    parity = PostProcessed(count, lambda answer: answer % 2)
    result = audit(parity, LN3, 0, 3)
    assert result.verdict is Verdict.HOLDS
    assert result.factor <= 3


@pytest.mark.parametrize("rate", [keeping_rate, printed_keeping_rate])
@pytest.mark.parametrize(
    "inner", [SubsampledPoint(2, F(2, 5)), RandomizedResponse((0, 1, None), LN4)]
)
def test_subsampling_makes_a_mechanism_more_private(rate, inner):
    kept = rate(LN2, LN4)
    assert printed_keeping_rate(LN2, LN4) <= kept <= keeping_rate(LN2, LN4)
    result = audit(Subsampled(inner, kept, None), LN2, 0, 2)
    assert result.verdict is Verdict.HOLDS


def test_subsampling_averages_over_the_kept_records():
    inner = NoisyConsistentPoint(2, F(1, 8))
    database = [(0, 1), (0, 1), (1, 0)]
    distribution = Subsampled(inner, F(1, 3), None).distribution(database)
    expected = Counter()
    for kept in product((0, 1), repeat=3):
        chance = math.prod(F(1, 3) if k else F(2, 3) for k in kept)
        masked = [r if k else None for r, k in zip(database, kept, strict=True)]
        for outcome, q in inner.distribution(masked).items:
            expected[outcome] += chance * q
    assert distribution.as_mapping() == dict(expected)


# --- The auditor -------------------------------------------------------------------------------


class _OrderMatters(Mechanism):
    """A mechanism that publishes the first record if the second record is 1."""

    symmetric = False
    records = (0, 1)

    def distribution(self, database):
        if database[1]:
            return Distribution.certain(database[0])
        return Distribution.of({0: F(1, 2), 1: F(1, 2)})


def test_databases_are_ordered_where_the_mechanism_is_not_symmetric():
    result = audit(_OrderMatters(), "ln 2", 0, 2)
    assert result.verdict is Verdict.FAILS
    assert result.pairs == 4
    assert {result.witness.database, result.witness.neighbour} == {(0, 1), (1, 1)}


def test_given_neighbours_are_checked():
    response = RandomizedResponse((0, 1), LN3)
    assert audit(response, LN3, 0, [((0,), (1,))]).verdict is Verdict.HOLDS
    with pytest.raises(DomainError, match="differ in one entry"):
        audit(response, LN3, 0, [((0, 0), (1, 1))])
    assert audit(response, LN3, 0, []).verdict is Verdict.NOT_DECIDED
    with pytest.raises(InstanceTooLargeError, match="limit"):
        audit(response, LN3, 0, 40)


def test_privacy_curve_falls_to_zero_at_the_least_epsilon():
    curve = privacy_curve(RandomizedResponse((0, 1), LN3), [0, "ln 3/2", "ln 2", "ln 3"], 1)
    assert [delta for _, delta in curve] == [F(1, 2), F(3, 8), F(1, 4), F(0)]


def test_no_time_decides_nothing_but_a_violation_found_before():
    honest = audit(SubsampledPoint(2, F(2, 5)), "ln 4", 0, 2, time_limit=0)
    assert (honest.verdict, honest.pairs, honest.least_delta) == ("not decided", 1, None)
    assert honest.reason == "stopped after 1 of 50 pairs of databases"
    broken = audit(RandomizedResponse((0, 1), LN3), "ln 2", 0, 3, time_limit=0)
    assert (broken.verdict, broken.pairs) == ("fails", 1)
    broken.check()


def test_an_interrupt_ends_an_audit_if_there_is_a_limit():
    def interrupt(done, _total):
        if done == 3:
            raise KeyboardInterrupt

    mechanism = SubsampledPoint(2, F(2, 5))
    with pytest.raises(KeyboardInterrupt):
        audit(mechanism, "ln 4", 0, 2, progress=interrupt)
    result = audit(mechanism, "ln 4", 0, 2, time_limit=1000, progress=interrupt)
    assert result.reason == "interrupted after 3 of 50 pairs of databases"


def test_an_altered_witness_is_rejected():
    result = audit(RandomizedResponse((0, 1), LN3), LN2, 0, 1)
    result.check()
    found = result.witness
    event = replace(result, worst=replace(found, event=((0,), (1,))))
    with pytest.raises(CertificateError, match="probabilities of the worst event"):
        event.check()
    far = replace(result, worst=replace(found, neighbour=found.database))
    with pytest.raises(CertificateError, match="probabilities of the worst event"):
        far.check()


def test_a_verdict_that_does_not_hold_is_rejected():
    with pytest.raises(CertificateError, match="violate the stated bound"):
        replace(audit(RandomizedResponse((0, 1), LN3), LN3, 0, 2), epsilon=LN2).check()
    audit(RandomizedResponse((0, 1), LN3), LN3, 0, 2).check()
    audit(StableMode(tuple("0ab"), "0", LN2, F(1, 10)), LN2, "1/10", 3).check()
    audit(RandomizedResponse((0, 1), LN3), LN3, 0, [((0, 0), (0, 1))]).check()
    with pytest.raises(NotDecidedError, match="stopped after 1 of 4"):
        audit(RandomizedResponse((0, 1), LN3), LN3, 0, 2, time_limit=0).check()


def test_audit_is_a_public_name():
    assert ccsim.audit is audit


# --- Certificates ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "size"),
    [
        (SubsampledPoint(2, F(2, 5)), "ln 4", 2),
        (PrivateOccam(2, (1, 2), Epsilon.of("ln 9/4"), F(1, 4)), "ln 9/4", 2),
        (StableMode(tuple("0ab"), "0", LN2, F(1, 10)), "ln 2", 3),
        (RandomizedResponse((0, 1), LN3), "ln 2", 2),
    ],
)
def test_kernel_accepts_the_certificate_of_an_audit(mechanism, epsilon, size):
    result = audit(mechanism, epsilon, 0, size)
    first, second = kernel.check(result.certificate().to_dict()).split("\n")
    assert first.endswith(f"least delta: exactly {result.least_delta}")
    least = "infinite" if result.factor is None else f"exactly {result.factor}"
    assert second.endswith(f"least factor, delta 0: {least}")


@pytest.mark.parametrize(
    ("mechanism", "epsilon", "delta", "size"),
    [
        (PrivateOccam(4, points(2).rows, Epsilon.of(1)), 1, 0, 2),
        (RandomizedResponse((0, 1), Epsilon.of("1/3")), "1/2", 0, 2),
        (StableMode(tuple("0ab"), "0", Epsilon.of("1/2"), F(1, 10)), "1/2", F(1, 10), 4),
        (StableMode(tuple("0ab"), "0", Epsilon.of("1/2") + LN2, F(1, 10)), "1", F(1, 10), 2),
    ],
)
def test_kernel_accepts_irrational_distributions(mechanism, epsilon, delta, size):
    result = audit(mechanism, epsilon, delta, size)
    made = result.certificate().to_dict()
    first, _ = kernel.check(made).split("\n")
    assert ", t = e^(1/" in first
    if isinstance(result.least_delta, F):
        assert first.endswith(f"least delta: exactly {result.least_delta}")


def test_kernel_accepts_an_irrational_least_delta():
    result = audit(RandomizedResponse((0, 1), Epsilon.of(1)), "1/2", 0, 1)
    first, _ = kernel.check(result.certificate().to_dict()).split("\n")
    assert first.endswith("exactly [0, -1, 1] / [1, 0, 1]")  # (e - e^(1/2)) / (1 + e)
    fault = PrivateOccam(4, points(2).rows, Epsilon.of(1), F(1, 2))
    found = audit(fault, 1, 0, 2)
    assert found.verdict == "fails"
    kernel.check(found.certificate().to_dict())


# --- The command -------------------------------------------------------------------------------


def _json(capsys, *arguments):
    status = main(["audit", *arguments, "--json"])
    captured = capsys.readouterr()
    return status, json.loads(captured.out) if captured.out else captured.err


def test_command_reports_the_least_epsilon(capsys):
    status, data = _json(
        capsys,
        "points:b=1",
        "--mechanism",
        "subsampled-point",
        "--samples",
        "2",
        "--epsilon",
        "ln 4",
    )
    assert status == 0
    assert data["verdict"] == "holds"
    assert data["least_factor"] == "5320/1719"
    assert data["least_epsilon"] == pytest.approx([math.log(5320 / 1719)] * 2)
    low, high = map(Fraction, data["least_epsilon"])
    assert low < high  # a logarithm of a fraction is no float, so that the ends cannot meet


def test_command_prints_the_privacy_curve(capsys):
    arguments = ["points:b=1", "--mechanism", "randomized-response", "--samples", "1"]
    status, data = _json(capsys, *arguments, "--epsilon", "ln 3", "--curve", "0, ln 2,ln 3")
    assert status == 0
    assert [point["least_delta"] for point in data["curve"]] == ["1/3", "1/6", "0"]


def test_command_names_the_witness_by_labels(capsys, tmp_path):
    table = tmp_path / "named.csv"
    table.write_text("name,left,right\nL,1,0\nR,0,1\n")
    status, data = _json(
        capsys, f"@{table}", "--mechanism", "exponential", "--samples", "1",
        "--epsilon", "1", "--set", "scale=1/4",
    )  # fmt: skip
    assert status == 5
    assert data["witness"]["event"] in (["L"], ["R"])
    assert data["witness"]["database"][0] in ("(left, 0)", "(left, 1)", "(right, 0)", "(right, 1)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["lines:p=3", "--mechanism", "subsampled-point"],
            "learns only the class of all point functions",
        ),
        (["points:b=1", "--mechanism", "exponential", "--set", "flip=1"], "no parameter flip"),
        (["points:b=1", "--mechanism", "exponential", "--set", "speed=1"], "speed"),
        (["points:b=1", "--mechanism", "exponential", "--delta", "2"], "delta must be between"),
        (["points:b=1", "--mechanism", "stable-mode"], "delta must be positive"),
    ],
)
def test_command_explains_bad_input(capsys, arguments, message):
    status, text = _json(capsys, *arguments, "--samples", "1", "--epsilon", "1")
    assert status == 2
    assert message in text


def test_sensitivity_is_the_largest_change_of_all_coordinates_together():
    records = ("a", "b", "c")

    def by_hand(f, size):
        most = F(0)
        for D in product(records, repeat=size):
            for place in range(size):
                for other in records:
                    E = (*D[:place], other, *D[place + 1 :])
                    most = max(most, sum(abs(x - y) for x, y in zip(f(D), f(E), strict=True)))
        return most

    queries = [
        lambda D: [D.count(x) for x in records],
        lambda D: [D.count("a"), len(set(D))],
        lambda D: [F(ord(D[0]), 2)],
        lambda D: [0],
    ]
    for size in (1, 2, 3):
        for query in queries:
            assert sensitivity(query, records, size) == by_hand(query, size)
    assert sensitivity(len, records, 2) == 0
    assert sensitivity(lambda D: D[0], (7,), 2) == 0


def test_sensitivity_refuses_what_is_no_function_of_databases():
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        sensitivity(sum, (0, 1), 0)
    with pytest.raises(DomainError, match="vectors of equal length"):
        sensitivity(lambda D: D if D[0] else [0], (0, 1), 2)
    with pytest.raises(DomainError, match="records"):
        sensitivity(sum, (0, 0), 2)
    with pytest.raises(DomainError, match="value of the function"):
        sensitivity(lambda D: [0.5], (0, 1), 2)
    with pytest.raises(InstanceTooLargeError, match="pairs of neighbours of"):
        sensitivity(sum, range(10), 9)


@pytest.mark.parametrize(
    "tenth", ["1/10", F(1, 10), "0.1", "1e-1", sympy.Rational(1, 10), Epsilon.of("1/10")]
)
@pytest.mark.parametrize("zero", [0, "0", F(0), np.int64(0)])
def test_helpers_take_numbers_as_people_write_them(tenth, zero):
    exact = Epsilon.of("1/10")
    expected = advanced_composition(exact, F(0), 30, F(1, 10**6))
    assert advanced_composition(tenth, zero, np.int64(30), "1/1000000") == expected
    assert advanced_composition(tenth, zero, 30, "1e-6") == expected
    assert basic_composition([(tenth, zero)] * 3) == (exact * 3, 0)
    assert keeping_rate(tenth, "ln 2") == keeping_rate(exact, LN2)
    assert laplace_tail(tenth, "1/2") == laplace_tail(exact, F(1, 2))
    assert laplace_tail("-1/10") == laplace_tail(Epsilon(F(-1, 10)))
    assert rho_of_pure(tenth) == F(1, 200)


@pytest.mark.parametrize("wrong", [0.1, None, True, "x", [1], object(), 1j, math.nan])
def test_helpers_refuse_what_is_no_number_in_one_line(wrong):
    for call in (
        lambda: advanced_composition(wrong, 0, 30, "1/10"),
        lambda: advanced_composition(1, wrong, 30, "1/10"),
        lambda: advanced_composition(1, 0, wrong, "1/10"),
        lambda: advanced_composition(1, 0, 30, wrong),
        lambda: basic_composition([(wrong, 0)]),
        lambda: basic_composition([(1, wrong)]),
        lambda: keeping_rate(wrong, 1),
        lambda: keeping_rate(1, wrong),
        lambda: laplace_tail(wrong),
        lambda: laplace_tail(1, wrong),
        lambda: rho_of_pure(wrong),
    ):
        with pytest.raises(DomainError) as caught:
            call()
        assert len(str(caught.value).splitlines()) == 1


def test_helpers_refuse_numbers_outside_their_domain():
    assert keeping_rate(1, 0) == keeping_rate(0, 0) == 1
    for call in (
        lambda: printed_keeping_rate(1, 0),
        lambda: laplace_tail(1, 0),
        lambda: laplace_tail(1, -1),
        lambda: advanced_composition(1, 2, 30, "1/10"),
        lambda: advanced_composition(1, 0, 0, "1/10"),
        lambda: advanced_composition(1, 0, 1, 0),
        lambda: basic_composition([(-1, 0)]),
        lambda: rho_of_pure(-1),
    ):
        with pytest.raises(DomainError):
            call()
