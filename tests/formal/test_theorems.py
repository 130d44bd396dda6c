"""Certificates as theorems of Rocq, where it is installed: proved, without assumptions."""

import json
import subprocess
from pathlib import Path
from shutil import copy, which

import pytest

from ccsim import HypothesisSet, points, representation_error
from ccsim.errors import DomainError
from ccsim.programs import solve_matrix_game
from proofs_check.__main__ import main
from proofs_check.formal import KINDS, formalize

ROCQ = Path(__file__).parents[2] / "proofs_check" / "rocq"
MODULES = [
    "Definitions",
    "Sums",
    "Mixture",
    "Games",
    "Representations",
    "Privacy",
    "OneWay",
    "Subsets",
    "Littlestone",
    "Shattering",
]
"""In the order of their compilation."""

needs_rocq = pytest.mark.skipif(which("coqc") is None, reason="coqc is not installed")


def compiled(file, folder):
    command = ["coqc", "-Q", str(folder), "CCSim", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


@pytest.fixture(scope="module")
def theory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rocq")
    for name in MODULES:
        copy(ROCQ / f"{name}.v", folder)
        found = compiled(folder / f"{name}.v", folder)
        assert found.returncode == 0, found.stderr
    return folder


def certificates():
    H = HypothesisSet.from_rows([0b0011, 0b0101, 0b1001], 4)
    return {
        "representation": representation_error(H, points(2)).certificate().to_dict(),
        "game": solve_matrix_game([[1, "-1/2"], [0, "2/3"]]).certificate().to_dict(),
    }


def test_every_file_is_compiled():
    assert {path.stem for path in ROCQ.glob("*.v")} == set(MODULES)


def test_nothing_is_admitted():
    for path in ROCQ.glob("*.v"):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text for word in ("Admitted", "admit.", "Axiom", "Parameter "))


@needs_rocq
def test_checkers_are_proved_without_assumptions(theory):
    names = [
        "Games.check_value_sound",
        "Representations.check_error_sound",
        "Privacy.check_sequences_sound",
        "Privacy.check_multisets_sound",
        "OneWay.check_sound",
        "Subsets.search_sound",
        "Littlestone.check_sound",
        "Shattering.check_sound",
        "Shattering.check_orbits_sound",
    ]
    modules = " ".join(dict.fromkeys(name.split(".")[0] for name in names))
    lines = [f"From CCSim Require {modules}.", *(f"Print Assumptions {name}." for name in names)]
    (theory / "assumptions.v").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = compiled(theory / "assumptions.v", theory)
    assert found.stdout.split("\n")[:-1] == ["Closed under the global context"] * len(names)


@needs_rocq
@pytest.mark.parametrize("name", sorted(certificates()))
def test_certificate_is_a_theorem_without_assumptions(name, theory):
    (theory / f"{name}.v").write_text(formalize(certificates()[name]), encoding="utf-8")
    found = compiled(theory / f"{name}.v", theory)
    assert (found.returncode, found.stdout) == (0, "Closed under the global context\n")


@needs_rocq
@pytest.mark.parametrize("name", sorted(certificates()))
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_falsehood_is_no_theorem(name, side, theory):
    certificate = certificates()[name]
    other = "lower" if side == "upper" else "upper"
    certificate["statement"] |= {side: {"lower": "2", "upper": "-1"}[side], other: None}
    certificate[other] = None
    file = theory / f"{name}_{side}.v"
    file.write_text(formalize(certificate), encoding="utf-8")
    assert compiled(file, theory).returncode != 0


def test_command_writes_a_theorem_of_what_the_kernel_accepts(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    certificate = certificates()["game"]
    Path("game.json").write_text(json.dumps(certificate), encoding="utf-8")
    assert main(["formalize", "game.json", "--out", "game.v"]) == 0
    assert Path("game.v").read_text(encoding="utf-8") == formalize(certificate)
    certificate["statement"]["upper"] = "0"
    Path("game.json").write_text(json.dumps(certificate), encoding="utf-8")
    assert main(["formalize", "game.json", "--out", "false.v"]) == 4
    assert not Path("false.v").exists()
    assert "rejected" in capsys.readouterr().out


def test_other_kinds_are_named():
    made = certificates()["game"] | {"kind": "vc_dimension"}
    with pytest.raises(DomainError, match=f"vc_dimension: .* for {', '.join(KINDS)}"):
        formalize(made)
