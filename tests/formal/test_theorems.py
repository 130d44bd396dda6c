"""Certificates as theorems of Rocq, if it is installed: proved, without assumptions."""

import json
from pathlib import Path

import pytest

from ccsim.communication import equality, minimax_error
from ccsim.errors import DomainError
from ccsim.programs import solve_matrix_game
from proofs_check.__main__ import main
from proofs_check.formal import WORDS, formalize
from proofs_check.formal.rocq import SOURCES, compile_file, modules, requirements
from tests.formal.corpus import ACCEPTED, covered
from tests.formal.proving import are_no_theorems

THEOREMS = [
    "Certificate.proves_sound",
    "Kinds.accepts_sound",
    "Games.guaranteed_at_most_conceded",
    "Databases.sequences_spec",
    "Databases.multisets_spec",
    "Halfspaces.no_halfspace_is_missing",
    "Halfspaces.halfspace_moved",
    "Covering.certain",
    "Separation.sperner",
    "NoiseSums.antidifference_step",
    "NoiseSums.geometric_tail",
    "NoiseSums.range_suffices",
    "NoiseSums.telescoping",
    "NoiseSums.weighted_antidifference",
    "Spectral.trace_bound",
    "Spectral.forster_step",
]
"""Of which no file of a certificate prints the assumptions."""


def test_every_file_is_compiled():
    files = {path.relative_to(SOURCES) for path in SOURCES.rglob("*.v")}
    theory = {path.with_suffix("").as_posix() for path in files if path.parts[0] != "native"}
    assert theory == set(modules())


def test_modules_are_listed_after_what_they_require():
    listed = modules()
    needed = requirements()
    assert set(needed) == set(listed)
    assert all(listed.index(m) < listed.index(name) for name in needed for m in needed[name])


def test_nothing_is_admitted():
    for path in SOURCES.rglob("*.v"):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in ("Admitted", "admit.", "Axiom", "Parameter "))


def test_theorems_are_proved_without_assumptions(theory, tmp_path):
    names = " ".join(dict.fromkeys(name.split(".")[0] for name in THEOREMS))
    together = f"Definition together := ({', '.join('@' + name for name in THEOREMS)})."
    lines = [f"From CCSim Require {names}.", together, "Print Assumptions together.\n"]
    file = tmp_path / "assumptions.v"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert compile_file(file, theory).stdout == "Closed under the global context\n"


def whole(name):
    """Return the certificates of a stored file, each with its instance."""
    document = json.loads((ACCEPTED / name).read_text(encoding="utf-8"))
    listed = document if isinstance(document, list) else [document]
    return [c | {"instance": c["instance"] or listed[0]["instance"]} for c in listed]


def stored():
    """Return the stored certificates: the first of each kind and pair of forms, and the others."""
    first, others = {}, []
    for certificate in (c for name in covered(ACCEPTED) for c in whole(name)):
        forms = (tuple(certificate[side] or ()) for side in ("lower", "upper"))
        if first.setdefault((certificate["kind"], *forms), certificate) is not certificate:
            others.append(certificate)
    return list(first.values()), others


def are_theorems_without_assumptions(listed, theory, folder):
    file = folder / "theorems.v"
    file.write_text(formalize(listed), encoding="utf-8")
    return compile_file(file, theory).stdout == "Closed under the global context\n"


def test_every_form_is_a_theorem_without_assumptions(theory, tmp_path):
    assert are_theorems_without_assumptions(stored()[0], theory, tmp_path)


@pytest.mark.slow
def test_every_stored_certificate_is_a_theorem_without_assumptions(theory, tmp_path):
    assert are_theorems_without_assumptions(stored()[1], theory, tmp_path)


def first_of(kind, side):
    """Return the first stored certificate of a kind, with a finite bound on a side if possible."""
    documents = (
        json.loads((ACCEPTED / name).read_text(encoding="utf-8")) for name in covered(ACCEPTED)
    )
    known = [d for d in documents if isinstance(d, dict) and d["kind"] == kind]
    infinite = (None, "infinity", "-infinity")
    return next((d for d in known if d["statement"][side] not in infinite), known[0])


def falsehood(kind, side):
    """Return the first certificate of a kind with a false bound; None without a bound."""
    certificate = first_of(kind, side)
    stated = certificate["statement"][side]
    if stated is None:
        return None
    step = 1 if side == "lower" else -1
    other = "lower" if side == "upper" else "upper"
    false = (
        str(int(stated.split("/")[0]) + 1000 * step) if isinstance(stated, str) else stated + step
    )
    certificate["statement"] |= {side: false, other: None}
    certificate[other] = None
    return certificate


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_falsehoods_are_no_theorems(side, theory, tmp_path):
    listed = [c for kind in sorted(WORDS) if (c := falsehood(kind, side)) is not None]
    assert len(listed) > len(WORDS) / 2
    assert are_no_theorems(listed, theory, tmp_path)


def test_command_writes_a_theorem_of_what_the_kernel_accepts(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = solve_matrix_game([[1, "-1/2"], [0, "2/3"]]).certificate().to_dict()
    Path("game.json").write_text(json.dumps(certificate), encoding="utf-8")
    assert main(["formalize", "game.json", "--out", "game.v"]) == 0
    assert Path("game.v").read_text(encoding="utf-8") == formalize(certificate)
    certificate["statement"]["upper"] = "0"
    Path("game.json").write_text(json.dumps(certificate), encoding="utf-8")
    assert main(["formalize", "game.json", "--out", "false.v"]) == 4
    assert not Path("false.v").exists()
    assert "rejected" in capsys.readouterr().out


def test_a_form_without_a_theorem_is_refused():
    certificate = minimax_error(equality(3), 2, coins="private").certificate().to_dict()
    assert "Theorem certified" in formalize(certificate)
    certificate["lower"] = {"spectral": {"squarings": 1}}
    with pytest.raises(
        DomainError, match=r"minimax_error: formalize does not support the form spectral"
    ):
        formalize(certificate)
