"""Errors without public coins as theorems: each form of proof, and altered certificates."""

import copy
import json

import pytest

from ccsim import augmented_index, equality, greater_than, index, minimax_error
from tests.formal.proving import disagreements, is_theorem, verdicts

MADE = {
    "conflicts": (augmented_index(2), 3, "deterministic", "0"),
    "radon": (equality(4), 3, "private", "1/4"),
    "boxes": (greater_than(4), 2, "private", "1/50"),
    "unsorted": (index(2), 2, "private", "0"),
}


def of_form(form):
    problem, messages, coins, gap = MADE[form]
    found = json.loads(minimax_error(problem, messages, coins, gap=gap).certificate().to_json())
    listed = found if isinstance(found, list) else [found]
    return next(c for c in listed if c["lower"] and form in c["lower"])


@pytest.mark.parametrize("form", sorted(MADE))
def test_each_form_is_a_theorem(form, theory, tmp_path):
    certificate = of_form(form)
    assert is_theorem(certificate, theory, tmp_path)
    public = copy.deepcopy(certificate)
    public["statement"]["coins"] = "public"
    assert verdicts([certificate, public], theory) == ["proved", "rejected"]


@pytest.mark.parametrize("form", sorted(MADE))
def test_checkers_agree_on_altered_proofs(form, theory):
    only_kernel, only_proved, both = disagreements([of_form(form)], theory, 200, 5)
    assert only_kernel == []
    assert both
    for certificate in only_proved:  # that labels are distinct matters to no theorem
        names = [certificate["instance"][key] for key in ("alice", "bob")]
        assert any(len(set(map(str, side))) < len(side) for side in names)
