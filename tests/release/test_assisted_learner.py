"""Learners from releases with and without public data: identities by exhaustion, bounds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam
from ccsim.learning.learners.occam import labelled_examples
from ccsim.privacy import audit
from ccsim.privacy.constructions import Deterministic
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.padding import padded
from proofs_check.claims.public_data.constructions.assisted import (
    assisted_learner,
    learn_from_release,
    without_public,
)
from proofs_check.claims.public_data.constructions.public_bound import (
    accuracy_of_learner,
    public_sample_bound,
)

LN2, LN4 = Epsilon.of("ln 2"), Epsilon.of("ln 4")


@pytest.mark.parametrize("text", ["points:b=1", "thresholds:b=2", "intervals:n=3"])
def test_agreement_is_told_by_both_images_and_neighbours_stay_neighbours(text):
    C = parse_class(text)
    places, k = range(len(C.points)), 2 * len(C.points)
    for sample in product(range(k), repeat=2):
        images = [padded(sample, y, places) for y in (0, 1)]
        minus = Fraction(sum(i % 2 == 0 for i in sample), 2)
        for row in C.rows:
            sign = [2 * (row >> x & 1) - 1 for x in places]
            means = [Fraction(sum(sign[x] for x in image), 2) for image in images]
            stated = means[1] - means[0] - sign[0] * (minus - (1 - minus))
            assert stated == Fraction(sum((2 * (i % 2) - 1) * sign[i // 2] for i in sample), 2)
        for place, other in product(range(2), range(k)):
            changed = [*sample[:place], other, *sample[place + 1 :]]
            for y in (0, 1):
                moved = zip(images[y], padded(changed, y, places), strict=True)
                assert sum(a != b for a, b in moved) <= 1


def test_learner_is_private_for_all_public_samples_and_hears_them():
    C = parse_class("points:b=1")
    seen = []

    def release(points):
        seen.append(tuple(points))
        return SyntheticDatabase(C, LN4, 1 + len(set(points)) % 2)

    factors = []
    for public in product(labelled_examples(2), repeat=2):
        learner = assisted_learner(release, C, public, LN2)
        assert seen[-2:] == [tuple(x if s == y else 0 for x, s in public) for y in (0, 1)]
        factors.append(audit(learner, "ln 32", 0, 1).factor)
    assert all(f <= 32 for f in factors)  # ln 4 twice, and ln 2
    assert len({float(f) for f in factors}) > 1
    bare = assisted_learner(lambda _: Deterministic(C.points, tuple), C, [(0, 1)], LN2)
    assert audit(bare, "ln 32", 0, 1).verdict.value == "fails"


class Exact:
    """A release without noise."""

    def __init__(self, points):
        self.points = points

    def answer(self, threshold):
        return sum(1 if x < threshold else -1 for x in self.points) / len(self.points)


def test_learning_from_exact_answers_finds_the_error_up_to_the_noise_on_the_count():
    rng = np.random.default_rng(0)
    examples = [
        (int(x), 1 if (x < 30) != (rng.random() < 0.1) else -1)
        for x in rng.integers(100, size=4000)
    ]
    learned = learn_from_release(
        lambda private, public: Exact(private), examples, examples[:50], Epsilon.of(1), rng,
        candidates=lambda public: range(101), sign=lambda t, x: 1 if x < t else -1, padding=0,
    )  # fmt: skip
    errors = [np.mean([y != (1 if x < t else -1) for x, y in examples]) for t in range(101)]
    assert abs(learned.error - errors[learned.concept]) < 0.005
    assert errors[learned.concept] <= min(errors) + 0.01


def test_bad_examples_are_refused():
    rng = np.random.default_rng(0)
    kept = {"candidates": lambda public: [], "sign": lambda t, x: 1, "padding": 0}
    with pytest.raises(DomainError, match="must each have at least one example"):
        learn_from_release(lambda a, b: Exact(a), [], [(0, 1)], LN2, rng, **kept)
    with pytest.raises(DomainError, match="label must be 1 or -1"):
        learn_from_release(lambda a, b: Exact(a), [(0, 0)], [(0, 1)], LN2, rng, **kept)
    with pytest.raises(DomainError, match="candidates must return at least one concept"):
        learn_from_release(lambda a, b: Exact(a), [(0, 1)], [(0, 1)], LN2, rng, **kept)
    with pytest.raises(DomainError, match="at least 0, not -1"):
        without_public(lambda public: PrivateOccam(2, (1, 2), LN4), (0, 1), -1, Fraction(1, 2))


def test_without_any_public_example_the_learner_gets_none():
    seen = []
    without_public(lambda public: seen.append(public) or PrivateOccam(2, (1, 2), LN4), (0, 1), 0, 1)
    assert seen == [()]


def test_without_public_is_the_learner_on_a_distribution_with_an_atom():
    share, atom, n = Fraction(1, 3), (0, 1), 2
    inner = PrivateOccam(2, (1, 2, 3), LN4)
    alone = without_public(lambda public: inner, atom, 2, share)
    D = {(0, 1): Fraction(1, 4), (1, 0): Fraction(3, 4)}
    mixed = Counter({e: share * p for e, p in D.items()})
    mixed[atom] += 1 - share

    def answers(mechanism, distribution):
        total = Counter()
        for sample in product(distribution, repeat=n):
            weight = distribution[sample[0]] * distribution[sample[1]]
            for h, p in mechanism.distribution(sample).items:
                total[h] += weight * p
        return total

    assert answers(alone, D) == answers(inner, mixed)
    assert audit(alone, "ln 2", 0, n).verdict.value == "holds"  # 1 + (4 - 1)/3
    assert audit(inner, "ln 2", 0, n).verdict.value == "fails"


def tail(d, most):
    return Fraction(sum(comb(d, i) for i in range(most + 1)), 2**d)


@pytest.mark.parametrize(("depth", "private"), [(5, 0), (9, 3), (33, 20), (65, 60), (400, 300)])
def test_bound_is_the_stated_inequality_in_fractions(depth, private):
    alpha, beta, d = Fraction(1, 20), Fraction(1, 10), depth - 1

    def excluded(m, share):
        growth = (1 + share) ** private  # e^epsilon is 2
        return beta / (1 - share) ** m < 1 - growth * tail(d, int(alpha * d / share))

    found = public_sample_bound(depth, alpha, beta, "ln 2", private)
    assert found.public > 0
    assert excluded(found.public - 1, found.share)
    assert not excluded(found.public, found.share)
    others = [alpha * d / (k + 1) * (1 + Fraction(1, 10**6)) for k in range(d // 2)]
    assert sum(share < 1 and excluded(found.public + 2, share) for share in others) == 0


def test_bound_holds_for_a_learner_from_public_examples_alone():
    """The learner repeats the labels of public points and guesses the others."""
    d, alpha, share = 3, Fraction(1, 8), Fraction(1, 2)
    for m in range(4):
        failing = Fraction(0)
        for drawn in product(range(d + 1), repeat=m):  # d is the atom
            mass = Fraction(1)
            for x in drawn:
                mass *= 1 - share if x == d else share / d
            unseen = d - len(set(drawn) - {d})
            failing += mass * (1 - tail(unseen, int(alpha * d / share)))
        assert failing >= (1 - share) ** m * (1 - tail(d, int(alpha * d / share)))
        assert public_sample_bound(d + 1, alpha, failing, "ln 2", 0).public <= m


def test_equality_in_the_bound_excludes_nothing():
    alpha = Fraction(1, 2) / (1 + Fraction(1, 1 << 20))  # the share that is tried is 1/2
    found = public_sample_bound(2, alpha, Fraction(1, 16), "ln 2", 0)
    assert (found.share, found.public) == (Fraction(1, 2), 3)
    assert Fraction(1, 16) / (1 - found.share) ** 3 == 1 - tail(1, 0)
    assert public_sample_bound(2, alpha, Fraction(1, 17), "ln 2", 0).public == 4


def test_bound_grows_with_depth_and_falls_with_private_examples():
    numbers = [public_sample_bound(2**b, "1/100", "1/10", 1, 100).public for b in range(2, 41, 3)]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 113  # ln 10 / -ln(98/100) is 113.97
    falling = [public_sample_bound(64, "1/100", "1/10", 1, n).public for n in range(0, 2000, 100)]
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] == 0


def test_entropy_bounds_the_tail_from_where_it_is_used():
    exact = public_sample_bound(1025, "1/10", "1/10", 1, 100).public
    bounded = public_sample_bound(1026, "1/10", "1/10", 1, 100).public
    assert exact - 1 <= bounded <= exact + 1


def test_parameters_out_of_range_are_refused():
    with pytest.raises(DomainError, match="depth must be between 2"):
        public_sample_bound(1, "1/100", "1/10", 1, 100)
    with pytest.raises(DomainError, match="must be strictly between 0 and 1"):
        public_sample_bound(5, 0, "1/10", 1, 100)
    assert accuracy_of_learner("1/10", "1/100") == Fraction(11, 50)
