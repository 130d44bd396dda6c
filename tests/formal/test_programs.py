"""Linear programs as theorems: every kind of outcome, and altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from random import Random

import pytest

from ccsim.programs import solve_linear_program
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.programs.test_linear_program import random_program

FORMS = {"prices", "point", "contradiction", "ray"}


def made(seed, number, scales=(1,)):
    rng = Random(seed)
    programs = [random_program(rng, scales) for _ in range(number)]
    return [json.loads(solve_linear_program(p).certificate().to_json()) for p in programs]


def forms(certificate):
    return {next(iter(certificate[side])) for side in ("lower", "upper") if certificate[side]}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_outcome_is_a_theorem(form, theory, tmp_path):
    certificate = next(c for c in made(3, 60, (1, 10**30)) if form in forms(c))
    assert is_theorem(certificate, theory, tmp_path)


@pytest.mark.parametrize(("form", "key"), [("prices", "prices"), ("point", "values")])
def test_altered_proof_is_no_theorem(form, key, theory, tmp_path):
    certificate = next(c for c in made(5, 60) if form in forms(c) and c["instance"]["objective"])
    side = "lower" if form == "prices" else "upper"
    certificate[side][form][key].append(1)
    assert not is_theorem(certificate, theory, tmp_path)


def test_checkers_agree_on_altered_programs(theory):
    documents = made(7, 60, (1, 10**30))
    assert set().union(*map(forms, documents)) == FORMS
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 8)
    assert (only_kernel, only_proved) == ([], [])
    assert both
