"""Linear programs as theorems: every kind of outcome, and altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from random import Random

from ccsim.programs import solve_linear_program
from tests.formal.proving import are_no_theorems, disagreements, is_theorem, verdicts
from tests.programs.test_linear_program import random_program

FORMS = {"prices", "point", "contradiction", "ray"}


def made(seed, number, scales=(1,)):
    rng = Random(seed)
    programs = [random_program(rng, scales) for _ in range(number)]
    return [json.loads(solve_linear_program(p).certificate().to_json()) for p in programs]


def forms(certificate):
    return {next(iter(certificate[side])) for side in ("lower", "upper") if certificate[side]}


def test_every_outcome_is_a_theorem(theory, tmp_path):
    known = made(3, 60, (1, 10**30))
    listed = [next(c for c in known if form in forms(c)) for form in sorted(FORMS)]
    assert is_theorem(listed, theory, tmp_path)


def test_altered_proof_is_no_theorem(theory, tmp_path):
    listed = []
    for side, form, key in (("lower", "prices", "prices"), ("upper", "point", "values")):
        found = (c for c in made(5, 60) if form in forms(c) and c["instance"]["objective"])
        listed.append(next(found))
        listed[-1][side][form][key].append(1)
    assert are_no_theorems(listed, theory, tmp_path)


def test_checkers_agree_on_altered_programs(theory):
    documents = made(7, 60, (1, 10**30))
    assert set().union(*map(forms, documents)) == FORMS
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 600, 8)
    assert (only_kernel, only_proved) == ([], [])
    assert both
