"""SanPoints and sets of points: distributions by enumeration of all runs, and privacy costs."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import arithmetic
from ccsim.privacy import audit
from ccsim.privacy.composition import advanced_composition
from ccsim.privacy.constructions import PostProcessed
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism
from ccsim.release.sanitizers.budget import composed_epsilon, split_budget
from ccsim.release.sanitizers.frequent_points import PointSets, SanPoints
from ccsim.release.sanitizers.steps import CountChoice, RoundedLaplace
from proofs_check.claims.beimel_nissim_stemmer.constructions.sanitizer_events import point_events
from proofs_check.claims.beimel_nissim_stemmer.constructions.shares_failure import (
    san_points_failure,
)

LN16, HALF, TENTH = Epsilon.of("ln 16"), Fraction(1, 2), Fraction(1, 10)
MILLIONTH = Fraction(1, 10**6)
WIDE = 2**64 - 1


def tiny(accuracy="9/10", delta="1/8", last=2, **more):
    return SanPoints(last, Fraction(accuracy), HALF, LN16, Fraction(delta), **more)


def runs(counts, rounds, delta, threshold):
    """Yield the chosen points of every run, with its probability, for ``e^(epsilon / 4) = 2``."""
    if not rounds:
        yield (), Fraction(1)
        return
    good = [x for x in counts if counts[x] > 0]
    nothing = Fraction(1)
    if good:
        # Pr[count + noise >= threshold] for noise of scale 4 / epsilon
        best = max(counts.values())
        above = Fraction(2) ** best / (threshold if threshold else 1 / delta)
        nothing = 1 - above / 2 if above <= 1 else 1 / (2 * above)
        whole = sum(2 ** counts[x] for x in good)
        for x in good:
            left = {y: n for y, n in counts.items() if y != x}
            for rest, p in runs(left, rounds - 1, delta, threshold):
                yield (x, *rest), (1 - nothing) * Fraction(2 ** counts[x], whole) * p
    for rest, p in runs(counts, rounds - 1, delta, threshold):
        yield (None, *rest), nothing * p


def sets_by_hand(database, rounds, delta, threshold=None):
    found = Counter()
    for run, p in runs(Counter(database), rounds, delta, threshold):
        found[frozenset(run) - {None}] += p
    return found


def noise_by_hand(value, count, size):
    """Return the probability that a noisy count, rounded and clamped to 0 .. size, has a value."""

    def below(t):  # Pr[count + Laplace < t], where 4 is e^(epsilon / 2)
        twice = 2 * (t - count)
        assert twice.denominator == 1
        power = Fraction(4) ** -abs(int(twice))
        return power / 2 if twice <= 0 else 1 - power / 2

    low = Fraction(0) if value == 0 else below(Fraction(2 * value - 1, 2))
    high = Fraction(1) if value == size else below(Fraction(2 * value + 1, 2))
    return high - low


def full_by_hand(database, rounds, delta):
    distribution, counts, size = Counter(), Counter(database), len(database)
    for chosen, p in sets_by_hand(database, rounds, delta).items():
        points = sorted(chosen)
        for values in product(range(size + 1), repeat=len(points)):
            share = p
            for x, v in zip(points, values, strict=True):
                share *= noise_by_hand(v, counts[x], size)
            distribution[tuple(zip(points, values, strict=True))] += share
    return distribution


@pytest.mark.parametrize("size", [0, 1, 2, 4])
@pytest.mark.parametrize(("accuracy", "rounds"), [("9/10", 3), ("1/2", 4)])
def test_the_distribution_of_the_chosen_set_is_that_of_all_runs(size, accuracy, rounds):
    san = tiny(accuracy)
    assert san.rounds == rounds
    for database in combinations_with_replacement(range(3), size):
        by_hand = sets_by_hand(database, rounds, Fraction(1, 8))
        assert san.chosen_distribution(database).as_mapping() == {
            k: p for k, p in by_hand.items() if p
        }


def test_the_distribution_of_the_paper_s_threshold():
    san = tiny("4/5", threshold="paper", any_size=True)
    for database in combinations_with_replacement(range(3), 5):
        by_hand = sets_by_hand(database, 3, Fraction(1, 8), Fraction(2))
        assert san.chosen_distribution(database).as_mapping() == {
            k: p for k, p in by_hand.items() if p
        }


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_distribution_of_the_noisy_numbers(size):
    for database in combinations_with_replacement(range(3), size):
        by_hand = full_by_hand(database, 3, Fraction(1, 8))
        assert tiny().distribution(database).as_mapping() == by_hand


def least_delta_by_hand(distributions, factor):
    """Return the least delta over all neighbours, from the distributions on all databases."""
    worst = Fraction(0)
    for a, b in product(distributions, repeat=2):
        if sum((Counter(a) - Counter(b)).values()) == 1:
            far = (p - factor * distributions[b].get(o, 0) for o, p in distributions[a].items())
            worst = max(worst, sum((d for d in far if d > 0), Fraction(0)))
    return worst


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("times", [1, 5])
def test_the_audit_of_the_chosen_set(size, times):
    chosen = PostProcessed(tiny(), lambda outcome: frozenset(x for x, _ in outcome))
    databases = list(combinations_with_replacement(range(3), size))
    distributions = {d: sets_by_hand(d, 3, Fraction(1, 8)) for d in databases}
    found = audit(chosen, LN16 * times, Fraction(1, 8), size)
    assert found.least_delta == least_delta_by_hand(distributions, Fraction(16) ** times)
    if times == 5:
        assert (tiny().privacy[0].exp(), tiny().privacy[1]) == (16**5, Fraction(3, 8))
        assert 0 < found.least_delta <= tiny().privacy[1]


@pytest.mark.parametrize("size", [1, 2])
def test_the_audit_of_all_that_is_released(size):
    databases = list(combinations_with_replacement(range(3), size))
    distributions = {d: full_by_hand(d, 3, Fraction(1, 8)) for d in databases}
    total, allowed = tiny().privacy
    found = audit(tiny(), total, allowed, size)
    assert 0 < found.least_delta == least_delta_by_hand(distributions, Fraction(16) ** 5) <= allowed


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_audit_of_sets_of_points(k):
    sets = PointSets(tiny(), k)
    distributions = {}
    for database in combinations_with_replacement(range(3), 2):
        distribution = Counter()
        for outcome, p in full_by_hand(database, 3, Fraction(1, 8)).items():
            noisy = dict(outcome)
            distribution[
                tuple(sum(noisy.get(x, 0) for x in c) for c in combinations(range(3), k))
            ] += p
        assert sets.distribution(database).as_mapping() == distribution
        distributions[database] = distribution
    found = audit(sets, LN16, Fraction(1, 8), 2)
    assert 0 < found.least_delta == least_delta_by_hand(distributions, Fraction(16))


def test_a_sanitizer_that_chooses_too_often_is_found():
    total, allowed = tiny().privacy
    often = tiny(delta="1/2")
    assert audit(tiny(), total, allowed, 1).least_delta <= allowed
    assert audit(often, total, allowed, 1).least_delta > allowed


@pytest.mark.parametrize("growth", [1, 2])
def test_a_choice_among_counts_is_the_choosing_mechanism(growth):
    count = lambda database, solution: database.count(solution)  # noqa: E731
    ours = CountChoice(LN16, Fraction(1, 8), growth)
    for database in combinations_with_replacement("abc", 4):
        theirs = ChoosingMechanism("abc", "abc", count, LN16, Fraction(1, 8), growth)
        assert (
            ours.distribution(Counter(database), 4).as_mapping()
            == theirs.distribution(database).as_mapping()
        )


def close(seen, chance, draws):
    return abs(seen / draws - chance) < 5 * (chance * (1 - chance) / draws) ** 0.5 + 1e-9


def test_draws_follow_the_distributions():
    rng = np.random.default_rng(4)
    choice, counts = CountChoice(LN16, Fraction(1, 4)), [1, 0, 2, 2]
    distribution = choice.distribution(dict(enumerate(counts)), 5)
    seen = Counter(choice.draw(counts, 5, rng) for _ in range(3000))
    assert all(close(seen[o], float(distribution[o]), 3000) for o in (None, 0, 1, 2, 3))
    assert choice.draw([0, 0], 5, rng) is None
    noise = RoundedLaplace(Epsilon.of("1/3"))
    drawn = Counter(noise.draw(rng) for _ in range(3000))
    powers = arithmetic(noise.epsilon, 128)
    with powers.working():
        for value in range(-9, 10):
            chance = float(noise.tail(value, powers) - noise.tail(value + 1, powers))
            assert close(drawn[value], chance, 3000)
    san, database = tiny(), [0, 0, 0, 1]
    kept = san.chosen_distribution(database)
    runs_seen = Counter(frozenset(san.sanitize(database, rng).released) for _ in range(2000))
    assert all(close(runs_seen[s], float(kept[s]), 2000) for s in kept)


class Octets:
    """A generator with given bytes."""

    def __init__(self, *octets):
        self._left = list(octets)

    def bytes(self, length):
        octets = self._left.pop(0)
        assert len(octets) == length
        return octets


@pytest.mark.parametrize("minus", [False, True])
def test_a_uniform_number_that_starts_with_zeros_gets_more_bits(minus):
    """It is 2^-65, whose logarithm is -45.05."""
    rng = Octets(b"\x80" if minus else b"\0", bytes(8), (1 << 63).to_bytes(8, "little"))
    assert RoundedLaplace(Epsilon.of(1)).draw(rng) == (-45 if minus else 45)


@pytest.mark.parametrize(("further", "size"), [(bytes(8), 1), (b"\xff" * 8, 0)])
def test_a_uniform_number_beside_the_end_of_a_rounded_one_gets_more_bits(further, size):
    with localcontext(prec=60):
        first = int(Decimal("-0.5").exp() * 2**64)  # more than 1/2 is rounded up
    rng = Octets(b"\0", first.to_bytes(8, "little"), further)
    assert RoundedLaplace(Epsilon.of(1)).draw(rng) == size


def test_privacy_is_proved_of_the_paper_s_threshold_from_a_size_on():
    san = tiny(threshold="paper")
    assert san.needed > 0
    assert san.privacy == tiny().privacy


def test_a_wide_domain_and_its_events():
    san = SanPoints.for_budget(WIDE, TENTH, TENTH, Epsilon.of(1), MILLIONTH)
    rng = np.random.default_rng(5)
    records = {x << 50: 4000 for x in range(20)} | dict.fromkeys(range(20_000), 1)
    found = san.sanitize(records, rng)
    assert found.error.error <= TENTH
    assert point_events(found) == {"E1": False, "E2": False}
    assert len(found.estimates) + found.bottoms == san.rounds == 20
    few = san.sanitize({5: 30, 7: 20}, rng)
    assert not few.released
    assert point_events(few) == {"E1": False, "E2": True}
    assert few.error.query == 5


def test_the_worst_set_of_points_by_hand():
    rng = np.random.default_rng(6)
    for last, k in ((3, 1), (3, 2), (5, 3), (3, 4)):
        sets = PointSets(tiny(last=last, delta="1/2"), k)
        for _ in range(20):
            database = rng.integers(last + 1, size=6).tolist()
            found = sets.sanitize(database, rng)
            far = max(
                abs(sum(Fraction(database.count(x), 6) - found.released.get(x, 0) for x in chosen))
                for chosen in combinations(range(last + 1), k)
            )
            assert found.error.error == far
            named = [int(x) for x in found.error.query.split(",")]
            assert len(set(named)) == k
            assert found.error.true == sum(Fraction(database.count(x), 6) for x in named)


@pytest.mark.parametrize("accounting", ["counted", "printed"])
def test_a_budget_is_kept(accounting):
    san = SanPoints.for_budget(WIDE, TENTH, TENTH, Epsilon.of(1), MILLIONTH, accounting)
    total, delta = san.privacy
    assert total.enclose().upper <= 1
    assert delta <= MILLIONTH
    if accounting == "printed":
        assert abs(float(san.epsilon) - 1 / (320 * np.log(5e6)) ** 0.5) < 1e-12
        assert (san.delta, san.slack) == (MILLIONTH / 50, MILLIONTH / 5)
        assert san.rounds * san.delta + san.slack < MILLIONTH
    else:
        assert san.epsilon == Epsilon.of("1/22")


@pytest.mark.parametrize("times", [2, 100, 3080])
def test_the_steps_are_as_large_as_composition_allows(times):
    steps = split_budget(Epsilon.of(1), MILLIONTH, times, times)
    assert times * steps.delta + steps.slack == MILLIONTH
    kept = composed_epsilon(steps.epsilon, times, steps.slack)
    assert float(kept) <= 1 < float(composed_epsilon(steps.epsilon * Fraction(101, 100), times, 0))
    more = composed_epsilon(steps.epsilon * Fraction(101, 100), times, steps.slack)
    assert float(more) > 1
    if steps.slack:
        theirs = advanced_composition(steps.epsilon, steps.delta, times, steps.slack)
        assert abs(float(theirs[0]) - float(kept)) < 1e-9


@pytest.mark.parametrize(("times", "delta"), [(30, "7/32"), (60, "17/64")])
def test_steps_that_add_up_to_just_the_budget_are_taken(times, delta):
    steps = split_budget(Epsilon.of(1), Fraction(delta), times, times)
    assert composed_epsilon(steps.epsilon, times, steps.slack).rational == 1
    longer = Epsilon(steps.epsilon.rational + Fraction(1, 1 << 48))
    assert composed_epsilon(longer, times, steps.slack).rational > 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tiny("1"), "accuracy must be strictly between 0 and 1, not 1"),
        (lambda: tiny(delta="3/4"), "delta must be positive and at most 1/2, not 3/4"),
        (lambda: tiny(threshold="low"), "threshold must be one of fixed, paper"),
        (lambda: tiny(last=-1), "last record must be at least 0"),
        (lambda: tiny("0"), "accuracy must be strictly between 0 and 1, not 0"),
        (lambda: tiny(slack=Fraction(-1, 2)), "slack must be at least 0 and below 1"),
        (lambda: tiny(slack=Fraction(1)), "slack must be at least 0 and below 1"),
        (
            lambda: tiny(threshold="paper").distribution([0]),
            "database must have at least [0-9]+ records",
        ),
        (lambda: tiny(threshold="paper", any_size=True).privacy, "privacy is not proved"),
        (lambda: PointSets(tiny(threshold="paper", any_size=True), 2).privacy, "is not proved"),
        (lambda: PointSets(tiny(), 4), "k must be between 1 and the number of points, not 4"),
        (lambda: composed_epsilon(LN16, 0, HALF), "times must be at least 1"),
        (lambda: composed_epsilon(LN16, 1, Fraction(2)), "slack must be at least 0"),
        (lambda: split_budget(LN16, Fraction(1), 1, 1), "delta must be strictly between 0 and 1"),
        (lambda: RoundedLaplace(Epsilon.of(0)), "epsilon must be positive"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()


@pytest.mark.parametrize("accuracy", ["9/10", "1/2", "2/5"])
def test_the_failure_is_that_of_all_runs(accuracy):
    san = tiny(accuracy)
    for database in [*combinations_with_replacement(range(3), 4), (0,) * 6 + (1,) * 2]:
        counts, size = Counter(database), len(database)
        allowed = Fraction(accuracy) * size
        # rounded noise of more than that: Pr[|Z| >= n - 1/2] for n = floor + 1, with e^(eps/2) = 4
        far = Fraction(4) ** -(2 * int(allowed) + 1)
        sets = sets_by_hand(database, san.rounds, Fraction(1, 8))
        good = sum(
            p * (1 - far) ** len(chosen)
            for chosen, p in sets.items()
            if all(counts[x] <= allowed for x in counts if x not in chosen)
        )
        found = san_points_failure(san, list(counts.values()))
        assert found.lower <= 1 - good <= found.upper
        assert found.width < Fraction(1, 2**100)


def test_how_many_records_the_paper_s_sanitizer_really_needs():
    enough = SanPoints.for_budget(WIDE, TENTH, TENTH, Epsilon.of(1), MILLIONTH)
    for size, holds in ((14_500, True), (13_000, False)):
        heavy = [size // 10 + 1] * 9
        failure = san_points_failure(enough, [*heavy, size - sum(heavy)])
        assert (failure.upper <= TENTH) == holds
    for counts in ([], [3, 0]):
        with pytest.raises(DomainError, match="counts must have at least one entry"):
            san_points_failure(enough, counts)
    with pytest.raises(DomainError, match="database must have at least 758535 records, not 3"):
        san_points_failure(
            SanPoints.for_budget(WIDE, TENTH, TENTH, Epsilon.of(1), MILLIONTH, "printed", "paper"),
            [3],
        )


def test_a_delta_is_at_most_one():
    large = SanPoints(1, Fraction(9, 10), Fraction(1, 2), Epsilon.of(1), Fraction(1, 2))
    assert large.privacy[1] == 1
