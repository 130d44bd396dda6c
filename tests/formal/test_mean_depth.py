"""Mean lengths of shattered trees as theorems: every form of proof, and altered certificates."""

import pytest

from ccsim import halfspaces, randomized_littlestone_dimension, thresholds
from proofs_check.formal import formalize
from tests.formal.proving import compiled, disagreements, is_theorem, verdicts
from tests.formal.test_dimensions import forms, of, random_classes, turning_classes
from tests.formal.test_sign_rank import has_name_twice
from tests.small_classes import EMPTY


def certificates(seed, number):
    """Yield certificates of random classes, some with symmetries, and of empty classes."""
    classes = (*random_classes(seed, number), *turning_classes(seed, number))
    return of(randomized_littlestone_dimension(C) for C in (*classes, EMPTY))


def test_every_form_is_a_theorem(theory, tmp_path):
    known = {form: c for c in certificates(1, 12) for form in forms(c)}
    moved = next(c for c in certificates(2, 12) if c["lower"].get("tree", {}).get("symmetries"))
    assert set(known) == {"trivial", "tree", "size", "potentials"}
    assert is_theorem([*known.values(), moved], theory, tmp_path)


def test_checkers_agree_on_altered_proofs(theory):
    documents = certificates(3, 20)
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 800, 4)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert both


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_another_bound_is_not_proved(side, theory):
    """The stated bound must be exactly the bound of the proof."""
    [found] = of([randomized_littlestone_dimension(thresholds(6))])
    made = []
    for bound in ("10/7", "3/2", "7/5", "0"):
        statement = found["statement"] | {side: bound}
        other = "upper" if side == "lower" else "lower"
        made.append(found | {"statement": statement | {other: None}, other: None})
    assert set(verdicts(made, theory)) == {"rejected"}


def test_halfspaces_by_definition(theory, tmp_path):
    [found] = of([randomized_littlestone_dimension(halfspaces(1, 2))])
    text = formalize(found, "halfspaces:b=1,d=2")
    assert "Theorem by_definition : rldim 4 (halfspace 2) (15 # 8)." in text
    done = compiled(text, theory, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
