"""All measures of random small matrices, also partial ones, against the definitions."""

# ruff: noqa: S311 - seeds, not secrets

import random

import pytest

from ccsim.measures import bounds
from tests.truth import is_true
from tests.truth.measures import MEANINGS

__all__ = []

KEYS = [
    "fooling_1", "fooling_0", "rank", "gf2_rank", "gamma_2", "discrepancy_uniform", "discrepancy",
    "fractional_cover_1", "fractional_cover_0",
    "fractional_partition_1", "fractional_partition_0", "cover_1", "cover_0",
    "partition_1", "partition_0", "leaves", "D",
    "rectangle_bound_1", "rectangle_bound_0",
    "smooth_rectangle_bound_1", "smooth_rectangle_bound_0", "partition_bound",
]  # fmt: skip
ERRORS = ("0", "1/10", "1/4", "1/3", "499/1000")


def a_matrix(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 4), rng.randint(1, 4)
    entries = rng.choice(("01", "01", "01*", "0001", "01**"))
    rows = ["".join(rng.choice(entries) for _ in range(width)) for _ in range(height)]
    return rows if any(row.strip("*") for row in rows) else ["0" * width] * height


@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_true_and_proved(seed):
    table = bounds(a_matrix(seed), ERRORS[seed % 5], only=KEYS)
    table.check()
    for row in table.rows:
        document = row.result.certificate().to_dict()
        assert is_true(document) is not False, (row.key, document["statement"])
        statement = dict(document["statement"])
        for side in ("lower", "upper"):
            statement[side] = str(getattr(row, side))
        stated = document | {"statement": statement}
        assert is_true(stated) is not False, (row.key, row.lower_by, row.upper_by)


EXACT = set(KEYS) - {"rank", "gf2_rank", "gamma_2"}


@pytest.mark.parametrize("seed", range(40))
def test_small_matrices_are_decided(seed):
    table = bounds(a_matrix(seed), ERRORS[seed % 5], only=sorted(EXACT))
    assert {row.key for row in table.rows if row.lower != row.upper} == set()


def test_meanings_are_of_all_measures():
    results = [row.result for row in bounds("equality:n=3", "1/4", only=KEYS).rows]
    assert {result.measure for result in results} == set(MEANINGS) - {
        "fractional_partition_of_power"
    }
