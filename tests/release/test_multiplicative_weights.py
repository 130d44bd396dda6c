"""Private multiplicative weights: distribution by enumeration, privacy, accounting, draws."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy import Verdict, audit
from ccsim.privacy.composition import epsilon_of_rho, largest_rho
from ccsim.privacy.noise import GaussianNoise, GeometricNoise
from ccsim.release.queries.covers import ClassCover, ThresholdCover
from ccsim.release.queries.multiplicative_weights import (
    FORMS,
    Accounting,
    MultiplicativeWeights,
    Round,
    affordable_round,
)

LN2, LN4, LN16 = (Epsilon.of(f"ln {n}") for n in (2, 4, 16))
SMALL = ClassCover(ConceptClass.from_matrix([[0, 1, 1], [0, 0, 1], [1, 0, 1]]), (0, 1, 2))
MILLIONTH = Fraction(1, 10**6)
LOUD = Epsilon.of("ln 1000000")


def weights_of(form, rounds, cover=SMALL, **options):
    choice = LN4 if form == "worst-query" else LN16
    return MultiplicativeWeights(cover, Round(form, choice, GeometricNoise(LN2)), rounds, **options)


# --- the law, in floats and by sums over noises -----------------------------------------------


def geometric(ratio, value):
    return (1 - ratio) / (1 + ratio) * ratio ** abs(value)


class ByHand:
    """All possible runs with their probabilities, by sums over noises from -80 to 80."""

    def __init__(self, mechanism, records):
        self.mechanism, self.size, self.distribution = mechanism, len(records), Counter()
        cover = mechanism.cover
        self.rows = [cover.signs(k).tolist() for k in range(cover.concepts)]
        self.true = [sum(row[x] > 0 for x in records) for row in self.rows]
        self.go((), [1 / cover.cells] * cover.cells, 0, 1.0)

    def go(self, transcript, weights, after, chance):
        if len(transcript) == self.mechanism.rounds:
            self.distribution[transcript] += chance
            return
        now = [sum(s * w for s, w in zip(row, weights, strict=True)) for row in self.rows]
        off = [abs(t - round((a + 1) / 2 * self.size)) for t, a in zip(self.true, now, strict=True)]
        worst = self.mechanism.round.form == "worst-query"
        for query, p in (worst_query(off) if worst else self.first_above(off, after)).items():
            if query is None:
                self.distribution[transcript] += chance * p
                continue
            measured = Counter()
            for noise in range(-80, 81):
                value = min(max(self.true[query] + noise, 0), self.size)
                measured[value] += geometric(0.5, noise)
            for value, q in measured.items():
                longer = (*transcript, (query, value))
                moved = self.fit(longer, weights) if worst else self.step(longer, weights, now)
                self.go(longer, moved, query + 1, chance * p * q)

    def first_above(self, off, after):
        chances, least = Counter(), math.ceil(self.mechanism.threshold * self.size / 2)
        for noise in range(-80, 81):
            missed = geometric(0.25, noise)
            for k in range(after, len(off)):
                short = least + noise - off[k]
                reached = sum(geometric(0.5, z) for z in range(short, 81))
                chances[k] += missed * reached
                missed *= 1 - reached
            chances[None] += missed
        return chances

    def step(self, transcript, weights, now):
        query, value = transcript[-1]
        up = value > round((now[query] + 1) / 2 * self.size)
        by = float(self.mechanism.threshold) / 2 * (1 if up else -1)
        moved = [w * math.exp(by * s) for w, s in zip(weights, self.rows[query], strict=True)]
        return [w / sum(moved) for w in moved]

    def fit(self, transcript, weights):
        moved = list(weights)
        for _ in range(self.mechanism.passes):
            for k, seen in transcript:
                row = self.rows[k]
                by = seen / self.size - sum(w for w, s in zip(moved, row, strict=True) if s > 0)
                moved = [w * math.exp(by * (s > 0)) for w, s in zip(moved, row, strict=True)]
                moved = [w / sum(moved) for w in moved]
        return moved


def worst_query(off):
    return {k: 2.0**o / sum(2.0**o for o in off) for k, o in enumerate(off)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("records", [(0,), (0, 2), (1, 1), (2, 2, 0)])
def test_distribution_by_another_enumeration(form, records) -> None:
    mechanism = weights_of(form, 2, passes=2)
    distribution, expected = (
        mechanism.distribution(records),
        ByHand(mechanism, records).distribution,
    )
    assert set(distribution) == set(expected)
    for transcript, p in distribution.items:
        assert float(p) == pytest.approx(expected[transcript], abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_draws_have_the_distribution(form) -> None:
    mechanism, rng, number = weights_of(form, 1), np.random.default_rng(11), 3000
    counts = np.array([1, 0, 2])
    seen = Counter(mechanism.draw(counts, rng) for _ in range(number))
    distribution = mechanism.distribution((0, 2, 2))
    assert set(seen) <= set(distribution)
    for transcript, p in distribution.items:
        assert abs(seen[transcript] - number * p) < 4.5 * math.sqrt(number * p) + 1


# --- privacy ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "rounds"), [(form, rounds) for form in FORMS for rounds in (1, 2)]
)
def test_private_for_all_neighbours(form, rounds) -> None:
    mechanism = weights_of(form, rounds)
    total = Fraction(8 if form == "worst-query" else 32) ** rounds
    for size in (1, 2):
        assert audit(mechanism, f"ln {total}", 0, size).verdict is Verdict.HOLDS
    assert audit(mechanism, LN2, 0, 2).verdict is Verdict.FAILS


class NoiseForgotten(MultiplicativeWeights):
    """Planted fault: the chosen query is measured without noise in the last round."""

    def _distribution(self, true, size, before, known):
        last = len(before) == self.rounds - 1
        loud = replace(self, round=replace(self.round, noise=GeometricNoise(LOUD)))
        return super(NoiseForgotten, loud if last else self)._distribution(
            true, size, before, known
        )


@pytest.mark.parametrize("form", FORMS)
def test_a_measurement_without_noise_is_caught(form) -> None:
    honest = weights_of(form, 2)
    faulty = NoiseForgotten(honest.cover, honest.round, honest.rounds)
    assert audit(faulty, f"ln {8**2 if form == 'worst-query' else 32**2}", 0, 1).verdict is (
        Verdict.FAILS
    )


def test_the_concentrated_total_is_kept_where_it_is_the_smaller_one() -> None:
    once = Round("worst-query", Epsilon.of("ln 25/16"), GeometricNoise(Epsilon.of("ln 5/4")))
    cover = ClassCover(ConceptClass.from_matrix([[0, 1], [1, 0]]), (0, 1))
    mechanism, delta = MultiplicativeWeights(cover, once, 3), Fraction(1, 10)
    account = mechanism.accounting(delta)
    assert account.epsilon == account.concentrated < account.basic
    stated = Epsilon(Fraction(math.ceil(account.epsilon * 64), 64))
    for size in (1, 2):
        assert audit(mechanism, stated, delta, size).verdict is Verdict.HOLDS
        assert audit(mechanism, Epsilon.of(0), delta, size).verdict is Verdict.FAILS


# --- accounting -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rounds", [1, 7, 40])
@pytest.mark.parametrize("delta", [Fraction(0), MILLIONTH])
def test_affordable_rounds_keep_the_budget(form, rounds, delta) -> None:
    budget = Epsilon.of(1)
    once = affordable_round(form, rounds, budget, delta)
    account = Accounting(once, rounds, delta)
    assert account.epsilon <= 1
    if delta:
        assert largest_rho(budget, delta) * Fraction(99, 100) < account.rho
        assert account.rho <= largest_rho(budget, delta)
        assert account.concentrated == epsilon_of_rho(account.rho, delta)
        assert isinstance(once.noise, GaussianNoise)
        if rounds > 1:
            assert account.basic > account.concentrated
    else:
        assert account.concentrated is None
        assert account.epsilon == account.basic == 1


def test_gaussian_noise_needs_a_delta() -> None:
    once = Round("worst-query", LN2, GaussianNoise(Fraction(4)))
    with pytest.raises(DomainError, match="Gaussian noise needs a positive delta"):
        _ = Accounting(once, 1, Fraction(0)).epsilon
    with pytest.raises(DomainError, match="requires geometric noise"):
        MultiplicativeWeights(SMALL, once, 1).distribution((0,))


def test_a_replayed_transcript_gives_the_weights_of_the_run() -> None:
    counts, rng = np.array([5, 20, 30]), np.random.default_rng(6)
    for form in FORMS:
        mechanism = weights_of(form, 5)
        transcript, stages = mechanism.run(counts, rng)
        again = list(mechanism.stages(transcript, 55))
        assert [s.cells.tolist() for s in again] == [s.cells.tolist() for s in stages]
        assert mechanism.answers(transcript, 55).tolist() == stages[-1].released.tolist()


# --- answers ----------------------------------------------------------------------------------


def test_measured_values_are_the_answers_of_queries_in_order() -> None:
    mechanism = weights_of("sparse-vector", 3, threshold=Fraction(1))
    answers = mechanism.answers(((0, 4), (2, 0)), 4)
    assert answers[0] == 1
    assert answers[2] == -1
    first = mechanism.stages(((0, 4),), 4)[-1]
    assert answers[1] == first.answers[1] != mechanism.stages(((0, 4), (2, 0)), 4)[-1].answers[1]


def test_many_passes_fit_what_was_measured() -> None:
    cover = ThresholdCover(2**64 - 1, tuple(10**k for k in range(1, 19)))
    mechanism = replace(weights_of("worst-query", 3, cover), passes=400)
    answers = mechanism.answers(((3, 20), (9, 50), (15, 90)), 100)
    assert answers[[3, 9, 15]].tolist() == pytest.approx([-0.6, 0, 0.8], abs=1e-3)


def test_large_samples_are_answered_well() -> None:
    rng = np.random.default_rng(2)
    cover = ThresholdCover(2**64 - 1, tuple(int(x) for x in rng.integers(2**63, size=60)))
    counts = cover.counts([int(x) for x in rng.integers(2**60, size=20_000)])
    true = cover.sums(counts / counts.sum())
    for form, most in (("worst-query", 0.02), ("sparse-vector", 0.3)):
        once = affordable_round(form, 20, Epsilon.of(1), MILLIONTH)
        mechanism = MultiplicativeWeights(cover, once, 20, Fraction(1, 5))
        answers = mechanism.answers(mechanism.draw(counts, rng), 20_000)
        assert np.abs(answers - true).max() < most


def test_a_start_is_kept_until_something_is_measured() -> None:
    start = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    assert weights_of("worst-query", 1, start=start).stages((), 5)[-1].cells.tolist() == [
        0.5,
        0.25,
        0.25,
    ]
    assert weights_of("worst-query", 1).stages((), 5)[-1].cells.tolist() == [1 / 3] * 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Round("best", LN2, GeometricNoise(LN2)), "form must be one of sparse-vector"),
        (
            lambda: Round("worst-query", Epsilon.of(0), GeometricNoise(LN2)),
            "choice in a round must be pos",
        ),
        (lambda: Round("worst-query", LN2, GeometricNoise(LN2, 2)), "noise must have sens"),
        (lambda: weights_of("worst-query", 0), "rounds and passes must be at least 1, not 0"),
        (lambda: weights_of("worst-query", 1, threshold=Fraction(3)), "threshold must be above 0"),
        (lambda: weights_of("worst-query", 1, start=(Fraction(1),)), "start must have 3 positive"),
        (
            lambda: weights_of("worst-query", 1).distribution(()),
            "private sample must have at least one record",
        ),
        (
            lambda: weights_of("worst-query", 1).draw(np.zeros(3, dtype=np.int64), None),
            "private sample must have at least one record",
        ),
        (lambda: affordable_round("worst-query", 0, LN2, MILLIONTH), "rounds must be at least 1"),
        (
            lambda: affordable_round("worst-query", 5, Epsilon.of(0), MILLIONTH),
            "epsilon is too small",
        ),
    ],
)
def test_refusals(make, words) -> None:
    with pytest.raises(DomainError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)
