"""Small examples of functions of `ccsim.privacy` that no other test calls by name."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon, arithmetic
from ccsim.exact.exponentials import exponential
from ccsim.privacy.encoding import encode_polynomial, encode_real, over_common_denominator
from ccsim.privacy.mechanisms.exponential import draw_weighted
from ccsim.privacy.mechanisms.noisy_answers import geometric_tail
from ccsim.privacy.mechanisms.stable_choice import choice_privacy, optimal_releases
from ccsim.privacy.neighbours import Domain, count_neighbours, identity
from proofs_check.claims.beimel_nissim_stemmer.constructions.qualities import good_solutions


def test_domain_identity():
    assert (identity((0, 1)) == identity((0, True)), identity(0.0) == identity(-0.0)) == (
        False,
        False,
    )
    assert identity((0, "a")) == identity((0, "a"))


def test_domain_domain_of():
    with pytest.raises(
        DomainError, match=re.escape("records must be distinct, but 1 and True are equal")
    ):
        Domain.of((0, 1, True))


def test_domain_domain_numbered():
    assert Domain.of("ab").numbered("bab") == (1, 0, 1)
    with pytest.raises(
        DomainError, match=re.escape("entry 1 of a database must be a record of the domain, not")
    ):
        Domain.of((0, 1)).numbered((True,))


def test_encoding_encode_real():
    assert encode_real(1 / (1 + exponential(1)), 2) == {"over": 1, "under": [1, 0, 1]}


def test_encoding_encode_polynomial():
    assert (encode_polynomial([0, 1]), encode_polynomial([3]), encode_polynomial([])) == (
        [0, 1],
        3,
        0,
    )


def test_encoding_over_common_denominator():
    x = exponential(1)
    assert over_common_denominator([1 / (1 + x), x / (1 + x)], 2) == [
        [Fraction(1, 1)],
        [Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)],
    ]


def test_choosing_good_solutions():
    assert good_solutions([5, 9, 7], 10, Fraction(1, 5)) == (1, 2)


def test_geometric_geometric_tail():
    half = Fraction(1, 2)
    assert (geometric_tail(half, 0), geometric_tail(half, 1), geometric_tail(half, -1)) == (
        Fraction(2, 3),
        Fraction(1, 3),
        Fraction(5, 6),
    )


def test_range_choice_draw_weighted():
    import numpy as np

    powers = arithmetic(Epsilon.of(1))
    assert draw_weighted([Fraction(0), Fraction(3)], powers, np.random.default_rng(0)) == 1


def test_stable_choice_optimal_releases():
    from itertools import islice

    powers = arithmetic(Epsilon.of("ln 4"))
    assert ([str(p) for p in islice(optimal_releases(Fraction(1, 8), powers), 3)]) == [
        "0",
        "1/8",
        "5/8",
    ]


def test_neighbours_count_neighbours():
    assert count_neighbours(7, 4) == 1764


def test_the_printed_choice_is_private_at_twice_its_epsilon():
    asked = Epsilon.of("ln 3"), Fraction(1, 1000)
    found = [choice_privacy(*asked, variant) for variant in ("optimal", "printed")]
    assert [(str(e), str(d)) for e, d in found] == [("ln 3", "1/1000"), ("ln 9", "4501/1000000")]
