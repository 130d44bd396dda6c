"""Sign ranks as theorems: random matrices for all forms of proof, and altered certificates."""

# ruff: noqa: S311 - seeds, not secrets

import json
from pathlib import Path
from random import Random

import pytest

from ccsim import sign_rank
from ccsim.errors import DomainError
from ccsim.kernel import read
from proofs_check.__main__ import main
from proofs_check.formal import form_without_theorem, formalize
from tests.formal.proving import disagreements, is_theorem, verdicts
from tests.formal.test_dimensions import forms, of, random_classes
from tests.kernel.corpus import stored
from tests.kernel.made import problem

WITHOUT_PLANES = [
    [0, 0, 1, 0, 1, 1],
    [0, 0, 1, 1, 1, 0],
    [0, 0, 0, None, None, 0],
    [0, 1, 1, 1, 0, None],
]
"""Signs of no vectors in the plane, as a tree of cases shows; no three lines have all patterns."""

CHIROTOPES = ("sign_rank_chirotope", "sign_rank_chirotope_plane", "sign_rank_relation")
HADAMARD = Path(__file__).parents[2] / "docs" / "frontier" / "830e1a19d5387459.json"


def matrices(seed, number):
    """Yield classes, and problems with undefined entries."""
    draw = Random(seed)
    yield from (C for C in random_classes(seed, number, 6, 6) if C.rows)
    for _ in range(number):
        width = draw.randint(1, 5)
        rows = ["".join(draw.choices("01*", k=width)) for _ in range(draw.randint(1, 5))]
        yield [[None if c == "*" else int(c) for c in row] for row in ("1" * width, *rows)]


def certificates(seed, number):
    """Yield certificates that have theorems."""
    return [c for c in of(map(sign_rank, matrices(seed, number))) if not form_without_theorem(c)]


def test_every_form_is_a_theorem(theory, tmp_path):
    known = {}
    for certificate in certificates(4, 12):
        kind = certificate["instance"]["type"]
        known |= {(kind, form): certificate for form in forms(certificate)}
    assert {form for _, form in known} == {"trivial", "shattered", "vectors"}
    [excluded] = of([sign_rank(WITHOUT_PLANES)])
    assert forms(excluded) == {"chirotope", "vectors"}
    assert is_theorem([*known.values(), excluded], theory, tmp_path)


def test_checkers_agree_on_altered_proofs(theory):
    documents = [*certificates(5, 20), *of([sign_rank(WITHOUT_PLANES)]), *map(stored, CHIROTOPES)]
    assert set(verdicts(documents, theory)) == {"proved"}
    only_kernel, only_proved, both = disagreements(documents, theory, 800, 6)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert both


def test_final_polynomials_are_theorems(theory, tmp_path):
    documents = [stored("sign_rank_final_polynomials"), read(HADAMARD)]
    assert verdicts(documents, theory) == ["proved", "proved"]
    assert is_theorem(documents[:1], theory, tmp_path)


def test_checkers_agree_on_altered_final_polynomials(theory):
    document = stored("sign_rank_final_polynomials")
    only_kernel, only_proved, both = disagreements([document], theory, 150, 7)
    assert only_kernel == []
    assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
    assert both


def has_name_twice(instance):
    """Return whether a label is repeated, which no theorem depends on."""
    sides = [instance[key] for key in ("alice", "bob", "concepts", "points") if key in instance]
    return any(len(set(map(str, side))) < len(side) for side in sides)


def least(rows, columns, dimension):
    """Return a certificate that the given vectors have the signs of a matrix."""
    return {
        "format": 2,
        "kind": "sign_rank",
        "instance": problem("10", "0*"),
        "statement": {"lower": None, "upper": dimension},
        "lower": None,
        "upper": {"vectors": {"rows": rows, "columns": columns}},
        "made_by": "",
    }


def test_products_have_the_signs_that_are_asked_for(theory):
    vectors = [
        ([[1, 1], [-1, 0]], [[2, 0], [0, -1]], 2),
        ([[1], [-1]], [[2], [-1]], 1),
        ([[1], [-1]], [[2], [0]], 1),
        ([[1], [1]], [[2], [-1]], 1),
        ([[1, 1], [-1]], [[2, 0], [0, -1]], 2),
        ([[1], [-1]], [[2]], 1),
    ]
    said = verdicts([least(*each) for each in vectors], theory)
    assert said == ["proved", "proved", "rejected", "rejected", "rejected", "rejected"]


@pytest.mark.parametrize(
    ("name", "kind", "form"),
    [
        ("sign_rank_spectral", "sign_rank", "spectral"),
        ("minimax_error_sign_rank", "minimax_error", "sign_rank"),
    ],
)
def test_forms_without_theorems_are_refused(name, kind, form, theory, tmp_path, capsys):
    document = stored(name)
    with pytest.raises(DomainError, match=f"{kind}: formalize does not support the form {form}"):
        formalize(document)
    file = tmp_path / "c.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert main(["verify", "--proved", str(file)]) == 2
    assert f"verified checker: does not support the form {form}" in capsys.readouterr().out
