"""Release with public data: privacy for every public sample, and errors at practical sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from statistics import NormalDist, median
from types import SimpleNamespace

import numpy as np
import pytest

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.privacy import CanonicalMechanism, PostProcessed, Verdict, audit
from ccsim.privacy.noise import GeometricNoise
from ccsim.release.queries import public_data
from ccsim.release.queries.covers import ClassCover, ThresholdCover
from ccsim.release.queries.multiplicative_weights import FORMS, MultiplicativeWeights, Round
from ccsim.release.queries.public_data import (
    METHODS,
    WeightsOptions,
    misfit,
    mixed_start,
    projection_error,
    release_queries,
    sampling_error,
)
from ccsim.release.sanitizers.thresholds import QuantileTree
from proofs_check.claims.public_data.constructions.assisted import PublicDataRelease

MILLIONTH = Fraction(1, 10**6)
LAST = 2**64 - 1

# --- privacy ----------------------------------------------------------------------------------

FOUR = (0, 1, 2, 3)
CLASSES = {
    "thresholds": [[int(x >= t) for x in FOUR] for t in range(5)],
    "intervals": [[int(a <= x <= b) for x in FOUR] for a in FOUR for b in FOUR[a:]],
    "all functions": [[f >> x & 1 for x in FOUR] for f in range(16)],
}
PUBLIC = [(x,) for x in FOUR] + list(combinations_with_replacement(FOUR, 2))
TOTAL = {"worst-query": "ln 8", "sparse-vector": "ln 32"}


def once(form: str) -> Round:
    choice = {"worst-query": "ln 4", "sparse-vector": "ln 16"}[form]
    return Round(form, Epsilon.of(choice), GeometricNoise(Epsilon.of("ln 2")))


def answers_of(cover, weights, size):
    """Return the released answers to all concepts of the class."""
    labels = cover.concept_class.concepts

    def handed_out(transcript):
        answers = weights.answers(transcript, size)
        return tuple(round(float(answers[cover.project(c)]), 6) for c in labels)

    return handed_out


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("size", [1, 2])
def test_private_for_every_public_sample(form, name, size) -> None:
    known = ConceptClass.from_matrix(CLASSES[name])
    for public in PUBLIC:
        cover = ClassCover(known, public)
        weights = MultiplicativeWeights(cover, once(form), 1)
        release = PublicDataRelease(weights, FOUR)
        result = audit(release, TOTAL[form], 0, size)
        assert result.verdict is Verdict.HOLDS, (public, result)
        handed_out = PostProcessed(release, answers_of(cover, weights, size))
        assert audit(handed_out, TOTAL[form], 0, size).verdict is Verdict.HOLDS


@dataclass(frozen=True, slots=True)
class CoverFromPrivate(CanonicalMechanism):
    """Planted fault: the private records determine the cover."""

    known: ConceptClass
    form: str

    symmetric = True

    @property
    def records(self):
        return FOUR

    def distribution_of(self, database):
        cover = ClassCover(self.known, database)
        weights = MultiplicativeWeights(cover, once(self.form), 1)
        distribution = PublicDataRelease(weights, FOUR).distribution(database)
        return distribution.map(answers_of(cover, weights, len(database)))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["thresholds", "intervals"])
@pytest.mark.parametrize("size", [1, 2])
def test_a_cover_from_private_records_is_caught(form, name, size) -> None:
    known = ConceptClass.from_matrix(CLASSES[name])
    result = audit(CoverFromPrivate(known, form), TOTAL[form], 0, size)
    assert result.verdict is Verdict.FAILS
    assert result.least_delta > Fraction(1, 10)


def test_neighbours_stay_neighbours_on_the_cells() -> None:
    for rows in CLASSES.values():
        for public in PUBLIC:
            cover = ClassCover(ConceptClass.from_matrix(rows), public)
            for x in FOUR:
                for y in FOUR:
                    moved = cover.counts([x, 1, 2]) - cover.counts([y, 1, 2])
                    assert np.abs(moved).sum() in (0, 2)


# --- thresholds over 2^64 ---------------------------------------------------------------------

DEVIATION = 29 * math.log(2) / (2 * NormalDist().inv_cdf(0.975))
"""Of the logarithm: the middle 95 % spread over a factor of 2^29."""


def records_of(number, rng):
    logs = 32 * math.log(2) + DEVIATION * rng.normal(size=number)
    return [min(int(math.exp(x)), LAST) for x in logs]


def true_answer(threshold):
    """Return the mean of the threshold under the distribution, from -1 to 1."""
    if threshold in (0, LAST + 1):
        return 1.0 if threshold else -1.0
    log = math.log(threshold) - 32 * math.log(2)
    return 2 * NormalDist().cdf(log / DEVIATION) - 1


def largest_error(release):
    """Return the largest error over all thresholds, which occurs at an end of a step."""
    cuts = sorted({0, LAST + 1, *release.cover.public, *(x + 1 for x in release.cover.public)})
    return max(abs(release.answer(t) - true_answer(t)) for t in cuts)


def tree_release(private, rng):
    """Return the best private release without public data; its records act as public sample."""
    tree = QuantileTree(LAST, Epsilon.of(1))
    cover = ThresholdCover(LAST, tree.release(tree.draw(private, rng)))
    return release_queries(cover, private, 1, 0, rng, method="public")


def errors_of(seed, private_size, public_size):
    rng = np.random.default_rng(seed)
    cover = ThresholdCover(LAST, tuple(records_of(public_size, rng)))
    private = records_of(private_size, rng)
    found = {
        method: release_queries(cover, private, 1, MILLIONTH, rng, method=method)
        for method in ("pap", "public", "histogram")
    }
    assert found["pap"].accounting.epsilon <= 1
    return {
        **{method: largest_error(release) for method, release in found.items()},
        "tree": largest_error(tree_release(private, rng)),
    }


def test_thresholds_of_a_long_range() -> None:
    """3000 private and 200 public records together are better than either sample."""
    errors = [errors_of(seed, 3000, 200) for seed in range(10)]
    assert median(e["pap"] for e in errors) <= 0.09
    assert median(e["histogram"] for e in errors) <= 0.09
    assert 0.09 < median(e["public"] for e in errors) < 0.13
    assert 0.08 < median(e["tree"] for e in errors) < 0.16
    assert sum(e["pap"] < min(e["public"], e["tree"]) for e in errors) >= 8


def test_both_ends_of_the_range_where_it_helps() -> None:
    few = [errors_of(seed, 1000, 200) for seed in range(5)]
    assert abs(median(e["pap"] for e in few) - median(e["public"] for e in few)) < 0.04
    many = [errors_of(seed, 10_000, 400) for seed in range(9)]
    assert 2 * median(e["pap"] for e in many) < median(e["public"] for e in many)
    assert 2 * median(e["pap"] for e in many) < median(e["tree"] for e in many)


# --- answers and estimates --------------------------------------------------------------------


def small_release(method="pap", **options):
    rng = np.random.default_rng(4)
    cover = ThresholdCover(99, tuple(range(5, 100, 10)))
    private = [int(x) for x in rng.integers(100, size=4000)]
    return release_queries(
        cover, private, 1, MILLIONTH, rng, method=method, options=WeightsOptions(**options)
    )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_answers_every_query(method) -> None:
    release = small_release(method)
    for threshold in range(101):
        assert abs(release.answer(threshold) - (2 * threshold / 100 - 1)) < 0.25
    drawn = release.synthetic(2000, np.random.default_rng(0))
    for threshold in range(0, 101, 10):
        share = sum(x < threshold for x in drawn) / len(drawn)
        assert abs(2 * share - 1 - release.answer(threshold)) < 0.35
    with pytest.raises(DomainError, match="query must be a threshold"):
        release.answer(102)
    assert (release.epsilon == Epsilon.of(0)) == (method == "public")


@pytest.mark.parametrize("noise", [(0, 0, 0, 0), (3, -9, 1, -1), (-4, -4, 5, -6), (9, 9, 9, 9)])
def test_a_noisy_histogram_becomes_the_nearest_distribution(noise, monkeypatch) -> None:
    known = SimpleNamespace(draw=lambda *_: np.array(noise), deviation=1.0)
    monkeypatch.setattr(public_data, "GeometricNoise", lambda *_: known)
    cover = ClassCover(ConceptClass.from_matrix(CLASSES["all functions"]), FOUR)
    records = [0] * 4 + [1] * 3 + [2] * 2 + [3]
    release = release_queries(
        cover, records, 1, MILLIONTH, np.random.default_rng(0), method="histogram"
    )
    noisy = (cover.counts(records) + np.array(noise)) / 10
    cells = np.array(release.cells)
    assert sum(cells) == pytest.approx(1)
    assert release.answers == pytest.approx(cover.sums(cells).tolist())
    cuts = noisy - cells  # one for all that remain, and no larger one for those that do not
    assert cuts[cells > 0] == pytest.approx(max(cuts))


def test_methods_say_what_they_cost() -> None:
    assert small_release("histogram").delta == 0
    assert small_release("histogram").accounting is None
    pap = small_release(rounds=7)
    assert pap.accounting.rounds == 7 == len(pap.transcript)
    assert pap.accounting.epsilon <= 1
    assert small_release(form="sparse-vector", rounds=3).accounting.round.form == "sparse-vector"


def test_public_answers_are_means_over_the_public_points() -> None:
    release = small_release("public")
    for threshold in range(101):
        below = sum(x < threshold for x in release.cover.public)
        assert release.answer(threshold) == pytest.approx(2 * below / 10 - 1)


def test_parts_of_the_error_are_of_the_right_size() -> None:
    """Compared with the true parts for uniform records: gaps, and Kolmogorov's distance."""
    rng, ratios = np.random.default_rng(1), {"projection": [], "sampling": []}
    for _ in range(12):
        public = sorted(int(x) for x in rng.integers(10**6, size=100))
        cover = ThresholdCover(10**6 - 1, tuple(public))
        gaps = np.diff([-1, *public, 10**6]).max() / 10**6
        ratios["projection"].append(projection_error(cover) / gaps)
        off = max(abs((i + 0.5) / 100 - x / 10**6) for i, x in enumerate(public))
        ratios["sampling"].append(sampling_error(cover, 100) / (2 * off))
    for found in ratios.values():
        assert 0.6 < median(found) < 1.7
    few = ThresholdCover(9, (1, 2, 3))
    assert projection_error(few) is None
    assert sampling_error(few, 10) is None
    assert misfit([], [], 5) == 0


def test_estimates_from_a_part_of_many_points(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    cover = ThresholdCover(10**9 - 1, tuple(int(x) for x in rng.integers(10**9, size=1000)))
    whole = projection_error(cover), sampling_error(cover, 1000)
    monkeypatch.setattr("ccsim.release.queries.public_data._MOST_SIGNS", 200 * cover.concepts)
    part = projection_error(cover), sampling_error(cover, 1000)
    assert part != whole
    assert part == pytest.approx(whole, rel=0.6)


def test_private_releases_estimate_no_projection() -> None:
    assert small_release("private").estimate.projection is None


def test_a_start_from_public_records() -> None:
    cover = ThresholdCover(9, (2, 2, 5))
    assert sum(mixed_start(cover, "1/3")) == 1
    assert mixed_start(cover, 0) == (Fraction(1, cover.cells),) * cover.cells
    close = small_release(rounds=1, public_share=Fraction(9, 10))
    assert max(abs(close.answer(t) - (2 * t / 100 - 1)) for t in range(101)) < 0.25


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"private": []}, "private sample must have at least one record"),
        ({"private": [100]}, "record must be an integer from 0 to 99"),
        ({"method": "best"}, "method must be one of pap, private, public, histogram, not 'best'"),
        ({"delta": 1}, "delta must be below 1, not 1"),
        ({"epsilon": -1}, "epsilon must be at least 0"),
        ({"epsilon": 0}, "epsilon is too small"),
        ({"options": WeightsOptions(rounds=0)}, "rounds must be at least 1, not 0"),
        ({"options": WeightsOptions(public_share=Fraction(1))}, "share of public records must"),
        ({"options": WeightsOptions(form="first")}, "form must be one of"),
    ],
)
def test_refusals(change, words) -> None:
    given = {"private": [1, 2], "epsilon": 1, "delta": MILLIONTH, "method": "pap", "options": None}
    given |= change
    cover = ThresholdCover(99, (3,))
    with pytest.raises(DomainError, match=words) as caught:
        release_queries(cover, rng=np.random.default_rng(0), **given)
    assert "\n" not in str(caught.value)
    with pytest.raises(InstanceTooLargeError, match="must be at most 16777216, not 16777217"):
        small_release().synthetic((1 << 24) + 1, np.random.default_rng(0))
    with pytest.raises(DomainError, match="number of records must be at least 0"):
        small_release().synthetic(-1, np.random.default_rng(0))
