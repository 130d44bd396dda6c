"""The verified checker of fractional partitions of powers of matrices, against the kernel."""

import copy

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


UPPER = [one_sided(name, "upper") for name in NAMES]


def test_checkers_agree_on_altered_partitions_of_powers(theory):
    assert verdicts(UPPER, theory) == ["proved"] * len(UPPER)
    only_kernel, only_proved, both = disagreements(UPPER, theory, 400, 9)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert both


ALMOST = [  # the place of one value in the last certificate, and what is false there
    (("unit",), 2),
    (("listed", 0, 2), 3),
    (("listed", 0, 0), [0, 2]),
    (("listed", 1, 1), [0, 1, 8]),
    (("symmetries",), []),
    (("transposition",), None),
    (("transposition", 0), [1, 0, 2]),
]


@pytest.mark.parametrize(("place", "false"), ALMOST)
def test_both_checkers_see_what_is_wrong_with_a_partition(place, false, theory):
    altered = copy.deepcopy(UPPER[-1])
    *path, last = place
    part = altered["upper"]["rectangles"]
    for key in path:
        part = part[key]
    assert part[last] != false
    part[last] = false
    with pytest.raises(Rejected):
        check(copy.deepcopy(altered))
    assert verdicts([altered], theory) == ["rejected"]
