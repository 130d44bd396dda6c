"""The verified checker of fractional partitions of powers of matrices, against the kernel."""

import copy
import json
from pathlib import Path

import pytest

from ccsim.kernel import Rejected, check
from tests.formal.proving import disagreements, verdicts
from tests.formal.test_sign_rank import has_name_twice
from tests.kernel.corpus import stored

NAMES = (
    "fractional_partition_of_power_rectangles",
    "fractional_partition_of_power_weights_rectangles",
    "fractional_partition_of_power_weights_rectangles_square",
)


def one_sided(name, side):
    """Return a stored certificate with the bound of one side only."""
    document = stored(name)
    other = {"lower": "upper", "upper": "lower"}[side]
    statement = document["statement"] | {other: None}
    return document | {"statement": statement, other: None}


LOWER = [one_sided(name, "lower") for name in NAMES[1:]]
UPPER = [one_sided(name, "upper") for name in NAMES]


@pytest.mark.parametrize("documents", [UPPER, LOWER], ids=["upper", "lower"])
def test_checkers_agree_on_altered_partitions_of_powers(documents, theory):
    assert verdicts(documents, theory) == ["proved"] * len(documents)
    only_kernel, only_proved, both = disagreements(documents, theory, 400, 9)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert both


ALMOST = [  # a side of the last certificate, the place of a value, and a false value
    ("upper", ("unit",), 2),
    ("upper", ("listed", 0, 2), 3),
    ("upper", ("listed", 0, 0), [0, 2]),
    ("upper", ("listed", 1, 1), [0, 1, 8]),
    ("upper", ("symmetries",), []),
    ("upper", ("transposition",), None),
    ("upper", ("transposition", 0), [1, 0, 2]),
    ("lower", ("heaviest",), 1),
    ("lower", ("types", 0, 1), 2),
    ("lower", ("types", 1, 0), [0, 2]),
    ("lower", ("types", 1, 1), 0),
    ("lower", ("symmetries",), [[[0, 2, 1], [0, 1, 2]]]),
]


@pytest.mark.parametrize(("side", "place", "false"), ALMOST)
def test_both_checkers_see_what_is_wrong_with_a_proof_about_a_power(side, place, false, theory):
    altered = copy.deepcopy({"upper": UPPER, "lower": LOWER}[side][-1])
    *path, last = place
    [part] = altered[side].values()
    for key in path:
        part = part[key]
    assert part[last] != false
    part[last] = false
    with pytest.raises(Rejected):
        check(copy.deepcopy(altered))
    assert verdicts([altered], theory) == ["rejected"]


@pytest.mark.parametrize("k", [6, 7, pytest.param(8, marks=pytest.mark.slow)])
def test_the_verified_checker_proves_the_bounds_on_the_limit_of_powers(k, theory):
    file = Path(__file__).parents[2] / "docs" / "powers" / f"domino-{k}.json"
    assert verdicts([json.loads(file.read_text(encoding="utf-8"))], theory) == ["proved"]
