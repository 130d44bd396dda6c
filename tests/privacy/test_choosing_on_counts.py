"""Lemma 4.4 on counts of few points: the least delta at its sizes, and the least size."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import Epsilon
from ccsim.privacy import audit
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism, choosing_sample_size
from proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_on_counts import (
    least_paper_size,
    paper_delta,
)

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)


@pytest.mark.parametrize(
    ("points", "epsilon", "accuracy"),
    [(2, "2", "1"), (3, "ln 16", "1"), (3, "1", "1/2"), (4, "ln(81/16)", "1/3")],
)
def test_enclosures_contain_what_the_audit_finds(points, epsilon, accuracy):
    epsilon, accuracy = Epsilon.of(epsilon), Fraction(accuracy)
    domain = tuple(range(points))
    choosing = ChoosingMechanism(
        domain, domain, lambda d, s: d.count(s), epsilon, TENTH, 1, "paper", accuracy, any_size=True
    )
    for size in range(1, 6):
        exact = audit(choosing, epsilon, 0, size).least_delta
        found = paper_delta(points, size, epsilon, accuracy)
        assert found.lower <= exact <= found.upper
        assert found.width < Fraction(1, 2**90)


SETTINGS = [  # accuracy, epsilon, delta, points: records of the lemma, least delta, least size
    (1, 2, "1/10", 3, 41, 2.03e-5, 7),
    (1, 2, "1/10", 4, 41, 2.88e-5, 7),
    (1, 1, "1/10", 3, 93, 3.79e-6, 11),
    ("1/2", 2, "1/10", 3, 93, 8.46e-11, 8),
    ("1/2", 1, "1/10", 3, 207, 4.21e-12, 13),
    (1, 1, "1/100", 3, 130, 3.70e-8, 30),
]


@pytest.mark.parametrize(
    ("accuracy", "epsilon", "delta", "points", "asked", "needed", "least"), SETTINGS
)
def test_what_is_needed_at_the_size_of_the_lemma_and_around_the_least(
    accuracy, epsilon, delta, points, asked, needed, least
):
    accuracy, epsilon, delta = Fraction(accuracy), Epsilon.of(epsilon), Fraction(delta)
    assert choosing_sample_size(accuracy, HALF, epsilon, delta) == asked
    at_lemma = paper_delta(points, asked, epsilon, accuracy)
    assert abs(float(at_lemma.upper) / needed - 1) < 0.005
    below, reached = (paper_delta(points, m, epsilon, accuracy) for m in (least - 1, least))
    assert reached.upper <= delta < below.lower


def test_every_size_from_the_least_on_is_private():
    assert least_paper_size(3, Epsilon.of(2), TENTH, Fraction(1), HALF) == 7


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accuracy", "epsilon", "delta", "points", "asked", "needed", "least"), SETTINGS
)
def test_least_sizes_of_all_settings(accuracy, epsilon, delta, points, asked, needed, least):
    found = least_paper_size(points, Epsilon.of(epsilon), Fraction(delta), Fraction(accuracy), HALF)
    assert found == least < asked
    assert needed < Fraction(delta)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1, 3, Epsilon.of(1), HALF), DomainError, "points must be at least 2"),
        ((2, 0, Epsilon.of(1), HALF), DomainError, "size must be at least 1"),
        ((2, 3, Epsilon.of(0), HALF), DomainError, "epsilon must be positive"),
        ((2, 3, Epsilon.of(1), Fraction(2)), DomainError, "accuracy must be positive"),
    ],
)
def test_wrong_parameters_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        paper_delta(*arguments)


def test_too_many_databases_and_too_little_time_are_told(monkeypatch):
    monkeypatch.setattr(
        "proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_on_counts.MAX_COUNTS", 9
    )
    with pytest.raises(InstanceTooLargeError, match="must have at most 9 integer partitions"):
        paper_delta(3, 20, Epsilon.of(1), HALF)
    with pytest.raises(NotDecidedError, match="paper_delta: not decided within the time limit"):
        paper_delta(3, 20, Epsilon.of(1), HALF, time_limit=0)
