"""The tracing attack: exact distributions and moments by enumeration, and simulations."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, exp, prod, sqrt
from types import SimpleNamespace

import numpy as np
import pytest

from ccsim import DomainError, InstanceTooLargeError
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.exponentials import enclose_log
from proofs_check.claims.public_data.constructions.tracing import stumps
from proofs_check.claims.public_data.constructions.tracing.exact import exact_tracing
from proofs_check.claims.public_data.constructions.tracing.scores import (
    SCORES,
    score_moments,
    tracing_bound,
)
from proofs_check.claims.public_data.constructions.tracing.simulation import (
    TracingRun,
    simulate_tracing,
    trace,
)
from proofs_check.claims.public_data.constructions.tracing.stumps import (
    MarginalRelease,
    exact_means,
    private_records_needed,
    public_records_needed,
    rounded_means,
)

HALF = Fraction(1, 2)
MIXED = Distribution.of({Fraction(1, 2): Fraction(1, 4), Fraction(-1, 3): Fraction(3, 4)})
FAIR = Distribution.of({Fraction(0): Fraction(1)})


def chance(record, biases):
    return prod((1 + s * b) / 2 for s, b in zip(record, biases, strict=True))


def enumerated(n, p, score, distribution, answer):
    """Return both distributions by enumeration of biases, databases and outsiders."""
    inside, outside = Counter(), Counter()
    cube = list(product((-1, 1), repeat=p))
    for drawn in product(distribution.items, repeat=p):
        biases = [b for b, _ in drawn]
        first = prod(w for _, w in drawn)
        for table in product(cube, repeat=n):
            weight = first * prod(chance(record, biases) for record in table)
            q = [answer([record[j] for record in table]) for j in range(p)]

            def scored(y, q=q, biases=biases):
                shift = biases if score == "centred" else [0] * p
                return sum(
                    (a - s) * (x - b) for a, s, x, b in zip(q, shift, y, biases, strict=True)
                )

            inside[scored(table[-1])] += weight
            for y in cube:
                outside[scored(y)] += weight * chance(y, biases)
    return inside, outside


def area_of(inside, outside):
    return sum(
        p * q * (HALF if a == b else a > b) for a, p in inside.items() for b, q in outside.items()
    )


def advantage_of(inside, outside):
    return max(
        sum(p for a, p in inside.items() if a >= t) - sum(q for b, q in outside.items() if b >= t)
        for t in {*inside, *outside}
    )


def mean(signs):
    return Fraction(sum(signs), len(signs))


def majority(signs):
    return Fraction((sum(signs) > 0) - (sum(signs) < 0))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize(
    ("n", "p", "distribution"),
    [(1, 1, FAIR), (1, 2, MIXED), (2, 1, MIXED), (2, 2, MIXED), (3, 2, FAIR), (4, 1, MIXED)],
)
@pytest.mark.parametrize("answer", [mean, majority])
def test_exact_distributions_are_those_of_an_enumeration(n, p, distribution, score, answer):
    inside, outside = enumerated(n, p, score, distribution, answer)
    exact = exact_tracing(
        n, p, score, distribution, lambda ones: answer([1] * ones + [-1] * (n - ones))
    )
    assert dict(exact.inside.items) == {s: w for s, w in inside.items() if w}
    assert dict(exact.outside.items) == {s: w for s, w in outside.items() if w}
    assert exact.area == area_of(inside, outside)
    assert exact.advantage == advantage_of(inside, outside)


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 3), (3, 7), (5, 10), (4, 10)])
def test_exact_distributions_for_fair_coins_are_binomial(n, p):
    """A member agrees with itself on every sign; all other products are fair coins."""
    inside, outside = Counter(), Counter()
    for heads in range(p * (n - 1) + 1):
        s = Fraction(p + 2 * heads - p * (n - 1), n)
        inside[s] += Fraction(comb(p * (n - 1), heads), 2 ** (p * (n - 1)))
    for heads in range(p * n + 1):
        outside[Fraction(2 * heads - p * n, n)] += Fraction(comb(p * n, heads), 2 ** (p * n))
    exact = exact_tracing(n, p)
    assert (exact.area, exact.advantage) == (
        area_of(inside, outside),
        advantage_of(inside, outside),
    )
    assert exact_tracing(n, p, "robust") == exact


def test_known_areas_and_advantages():
    assert exact_tracing(1, 1).area == Fraction(3, 4)
    assert exact_tracing(2, 2).area == Fraction(99, 128)
    largest = exact_tracing(5, 10)
    assert largest.area == Fraction(1055672070946816618827389201, 2**90)
    assert largest.curve[-1] == (1, 1)


def test_a_release_that_says_nothing_is_not_traced():
    silent = exact_tracing(3, 4, "robust", FAIR, lambda _: Fraction(1, 3))
    assert (silent.area, silent.advantage) == (HALF, 0)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_moments_are_those_of_exact_distributions_integrated_over_the_bias(n, score):
    """Given mu, moments are even polynomials of degree at most 6: four nodes integrate them."""
    nodes = [Fraction(k, 4) for k in range(4)]
    rows = []
    for mu in nodes:
        exact = exact_tracing(n, 1, score, Distribution.of({mu: Fraction(1)}))
        rows.append(
            [
                sum(w * s**k for s, w in distribution.items)
                for distribution in (exact.inside, exact.outside)
                for k in (1, 2)
            ]
        )

    def integral(values):
        # interpolate in mu^2 (degree 3), then integrate: E[mu^(2k)] = 1/(2k+1)
        total = Fraction(0)
        for i, value in enumerate(values):
            poly = [Fraction(1)]
            for j in range(4):
                if j != i:
                    a, b = nodes[j] ** 2, nodes[i] ** 2 - nodes[j] ** 2
                    poly = [
                        ((poly[k - 1] if k else 0) - a * (poly[k] if k < len(poly) else 0)) / b
                        for k in range(len(poly) + 1)
                    ]
            total += value * sum(c / (2 * k + 1) for k, c in enumerate(poly))
        return total

    first, second, outer, outer_second = (integral(column) for column in zip(*rows, strict=True))
    p = 7
    moments = score_moments(n, p, score)
    assert moments.inside == p * first
    assert moments.outside == p * outer == 0
    assert moments.inside_variance == p * (second - first**2)
    assert moments.outside_variance == p * outer_second


def test_moments_of_the_centred_score_are_the_stated_ones():
    for n, p in [(50, 1000), (7, 3)]:
        moments = score_moments(n, p)
        assert moments.inside == Fraction(2 * p, 3 * n)
        assert moments.outside_variance == Fraction(8 * p, 15 * n)
        assert moments.squared_separation == Fraction(5 * p, 6 * n)


def test_simulation_has_the_moments():
    rng = np.random.default_rng(1)
    for score in SCORES:
        runs = [trace(exact_means, 4, 60, rng, score=score, outsiders=50) for _ in range(300)]
        moments = score_moments(4, 60, score)
        for values, expected, variance in (
            (np.concatenate([r.inside for r in runs]), moments.inside, moments.inside_variance),
            (np.concatenate([r.outside for r in runs]), 0, moments.outside_variance),
        ):
            per_run = sqrt(float(variance) / 300)
            assert abs(values.mean() - float(expected)) < 4 * per_run
            assert 0.8 < values.var() / float(variance) < 1.2


def test_members_are_found_in_exact_means_and_robustly():
    """Acceptance tests (a) and (e): 1000 signs of 50 records."""
    found = simulate_tracing(exact_means, 50, 1000, 12, 0)
    assert found.power("1/100")[0] > 0.9
    assert abs(found.separation[0] / score_moments(50, 1000).separation - 1) < 0.05
    assert 0.4 < found.error[0] < 0.47
    robust = simulate_tracing(exact_means, 50, 1000, 12, 0, score="robust")
    assert 0.75 < robust.area[0] < 0.83
    assert 0.08 < robust.power("1/100")[0] < 0.17
    rounded = simulate_tracing(rounded_means("1/2"), 50, 1000, 12, 0)
    assert rounded.power("1/100")[0] < found.power("1/100")[0] - 0.1


def test_private_releases_stay_below_the_bound():
    for n in (100, 1000):
        slack = Fraction(1, 4 * n)
        release = MarginalRelease.private_for(200, Epsilon.of(1), slack)
        found = simulate_tracing(release, n, 200, 10, 0)
        power, width = found.power("1/100")
        assert power <= float(tracing_bound("1/100", Epsilon.of(1), slack)) + width


def test_a_release_without_enough_noise_is_noticed():
    """Planted fault: noise for records of one sign instead of 1000."""
    slack = Fraction(1, 200)
    release = MarginalRelease.private_for(1, Epsilon.of(1), slack)
    power, width = simulate_tracing(release, 50, 1000, 10, 0).power("1/100")
    assert power - width > float(tracing_bound("1/100", Epsilon.of(1), slack))


def test_public_records_are_not_attacked_and_answers_are_weighted():
    release = MarginalRelease(public=3)
    table = np.array([[1, -1], [1, 1], [-1, 1]], dtype=np.int8)
    assert np.allclose(release(table, np.random.default_rng(0)), [1 / 3, 1 / 3])
    both = MarginalRelease.private_for(2, Epsilon.of(1), "1/1000", public=400)
    run = trace(both, 40, 2, np.random.default_rng(0), public=400, outsiders=10)
    assert run.inside.shape == (40,)
    assert run.error < 0.25


def test_means_are_weighted_by_the_inverse_of_their_variances(monkeypatch):
    noiseless = SimpleNamespace(draw=lambda size, _: np.zeros(size, dtype=np.int64))
    monkeypatch.setattr(stumps, "GaussianNoise", lambda _: noiseless)
    table = np.ones((10, 1), dtype=np.int8)
    table[8:] = -1  # the public records
    for variance in (Fraction(1, 2), Fraction(4), Fraction(100)):
        weights = Fraction(1) / (Fraction(1, 8) + 4 * variance / 64), Fraction(2)
        answer = MarginalRelease(2, variance)(table, np.random.default_rng(0))
        assert np.allclose(answer, float((weights[0] - weights[1]) / sum(weights)))


def test_answers_lie_between_minus_one_and_one():
    table = np.ones((2, 100), dtype=np.int8)
    answers = MarginalRelease(variance=Fraction(100))(table, np.random.default_rng(0))
    assert (answers.min(), answers.max()) == (-1, 1)


def test_power_is_at_a_rank_that_outsiders_reach_at_most_that_often():
    outside = np.arange(99.0)
    run = TracingRun(np.array([97.5, 98.5, 98.0, -1.0]), outside, 0.0)
    assert run.power("1/100") == 0.25
    assert run.power("1/50") == 0.75
    with pytest.raises(DomainError, match=r"rate must be below 1 and at least 1/100, not 9/1000"):
        run.power("9/1000")


def test_area_counts_ties_half():
    assert TracingRun(np.array([1.0, 2.0]), np.array([1.0, 0.0]), 0.0).area == 0.875


def test_sizes_are_those_of_hoeffding():
    for p, alpha, beta in [(8, 0.5, 0.25), (1000, 0.1, 0.1)]:
        n = public_records_needed(p, str(alpha), str(beta))
        assert 2 * p * exp(-n * alpha**2 / 2) <= beta < 2 * p * exp(-(n - 1) * alpha**2 / 2)
        m = private_records_needed(p, str(alpha), str(beta), Epsilon.of(1), "1/1000000")
        v = float(MarginalRelease.private_for(p, Epsilon.of(1), "1/1000000").variance)

        def risk(m, p=p, alpha=alpha, v=v):
            sample = 2 * p * exp(-m * (alpha / 2) ** 2 / 2)
            return sample, 2 * p * exp(-((m * alpha / 4) ** 2) / (2 * v))

        assert max(risk(m)) <= beta / 2 < max(risk(m - 1))


def test_the_private_records_at_equality_are_enough(monkeypatch):
    """The privacy parameter makes the inequality for 1000 records an equality."""
    rho = 16 * 8 * enclose_log(Fraction(4 * 8 * 4)).upper / 1000**2
    monkeypatch.setattr(stumps, "largest_rho", lambda *_: rho)
    assert private_records_needed(8, "1", "1/4", Epsilon.of(1), "1/1000000") == 1000


def test_bad_input_is_refused():
    rng = np.random.default_rng(0)
    with pytest.raises(DomainError, match="score must be centred or robust, not 'strong'"):
        exact_tracing(1, 1, "strong")
    with pytest.raises(DomainError, match="each be at least 1, not 0 and 1"):
        score_moments(0, 1)
    with pytest.raises(DomainError, match="bias must be between -1 and 1, not 2"):
        exact_tracing(1, 1, "robust", Distribution.of({Fraction(2): Fraction(1)}))
    with pytest.raises(InstanceTooLargeError, match="values; the limit is"):
        exact_tracing(60, 60, "robust", MIXED, lambda ones: Fraction(1, ones + 2))
    with pytest.raises(InstanceTooLargeError, match="signs, more than"):
        trace(exact_means, 10**6, 10**6, rng)
    with pytest.raises(DomainError, match=r"release must give 2 answers, not \(1,\)"):
        trace(lambda records, rng: np.zeros(1), 2, 2, rng)
    with pytest.raises(DomainError, match="outsiders at least 1"):
        trace(exact_means, 2, 2, rng, outsiders=0)
    with pytest.raises(DomainError, match="runs must be at least 2, not 1"):
        simulate_tracing(exact_means, 2, 2, 1, 0)
    with pytest.raises(DomainError, match="private records, not 2 records"):
        MarginalRelease(public=1)(np.ones((2, 2), dtype=np.int8), rng)
    with pytest.raises(DomainError, match="step must be positive"):
        rounded_means(0)
    with pytest.raises(DomainError, match="public must be at least 1 without a variance"):
        MarginalRelease()
    with pytest.raises(DomainError, match="accuracy and failure positive"):
        public_records_needed(1, 0, 1)


def test_answers_with_noise_are_functions_of_noisy_counts():
    # floating-point sums of means and noise would tell equal totals apart by their last bits
    private, signs = 49, 20_000
    rng = np.random.default_rng(16)
    records = rng.choice(np.array([-1, 1], dtype=np.int8), size=(private, signs))
    answers = MarginalRelease(variance=Fraction(16))(records, rng)
    inner = answers[np.abs(answers) < 1]
    totals = np.rint(inner * private).astype(int)
    assert len(set(totals.tolist())) == len(set(inner.tolist())) > 20
