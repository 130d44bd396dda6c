"""Theorems on learners, for random instances and altered certificates."""

import copy

import pytest

from tests.formal.proving import are_no_theorems, disagreements, is_theorem
from tests.kernel.corpus import stored
from tests.kernel.fresh import fresh

NAMES = (
    "one learner",
    "failure of learners",
    "samples",
    "packing",
    "proper",
    "few or likely",
    "approximate samples",
)


def certificates(name, seeds=range(40, 46)):
    """Yield certificates of one kind about random classes of two points."""
    documents = (fresh(seed).get(name) for seed in seeds)
    return [
        c for d in documents for c in (d if isinstance(d, list) else [d]) if c and c["instance"]
    ]


def test_new_instances_are_theorems(theory, tmp_path):
    assert is_theorem([certificates(name)[0] for name in NAMES], theory, tmp_path)


def test_a_larger_bound_is_no_theorem(theory, tmp_path):
    false = []
    for original in (c for name in NAMES for c in certificates(name)[:2]):
        made = copy.deepcopy(original)
        side = "lower" if made["lower"] else "upper"
        bound = made["statement"][side]
        other_bound = bound + 1 if isinstance(bound, int) else "7/6" if side == "lower" else "-1/6"
        other = {"lower": "upper", "upper": "lower"}[side]
        made["statement"] |= {side: other_bound, other: None}
        made[other] = None
        false.append(made)
    assert are_no_theorems(false, theory, tmp_path)


def test_altered_cuts_at_weights_are_proved_if_the_kernel_accepts_them(theory):
    missed, _, both = disagreements([stored("private_failure_cuts_at_weights")], theory, 200, 5)
    assert not missed
    assert both


@pytest.mark.parametrize("name", NAMES)
def test_what_the_kernel_accepts_is_proved(name, theory):
    missed, _, both = disagreements(certificates(name), theory, 150, 3)
    assert not missed
    assert both
