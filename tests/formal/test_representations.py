"""Representations as theorems: new instances of every form, and altered proofs that fail."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random

import pytest

from ccsim import representation_error
from ccsim.classes import ConceptClass
from ccsim.representation import HypothesisSet
from proofs_check.formal import formalize
from proofs_check.formal.rocq import compile_file


def proves(document, theory, folder):
    """Whether the theorem of a certificate is proved; then it rests on no assumption."""
    file = folder / "theorem.v"
    file.write_text(formalize(document), encoding="utf-8")
    found = compile_file(file, theory)
    assert found.returncode or found.stdout == "Closed under the global context\n"
    return found.returncode == 0


def written(result):
    return json.loads(result.certificate().to_json())


def some_class(rng, points=3):
    return ConceptClass.from_rows(rng.sample(range(1 << points), rng.randint(3, 6)), range(points))


@pytest.mark.parametrize("seed", range(2))
def test_error_of_hypotheses_is_a_theorem(seed, theory, tmp_path):
    rng = random.Random(seed)
    found = (
        representation_error(HypothesisSet.from_rows(rng.sample(range(16), 4), 4), some_class(rng, 4))
        for _ in range(1000)
    )
    certificate = written(next(result for result in found if 0 < result.value < 1))
    assert proves(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert "representation_error 4 (table 4 (concepts rows)) (concepts hypotheses)" in words
    wrong = copy.deepcopy(certificate)
    wrong["lower"]["hard_distribution"]["distribution"] = [1, 2, 4, 9]
    assert not proves(wrong, theory, tmp_path)
    wrong = copy.deepcopy(certificate)
    wrong["upper"]["mixtures"]["weights"] = [[1, 2, 4, 11]] * len(certificate["instance"]["rows"])
    assert not proves(wrong, theory, tmp_path)
