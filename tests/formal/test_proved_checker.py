"""The verified checker and the kernel agree: on the stored corpus, and on altered certificates."""

import json
import re
from pathlib import Path

import pytest

from ccsim import DomainError
from ccsim.kernel import KINDS
from proofs_check.__main__ import main
from proofs_check.formal import WORDS, formalize
from proofs_check.formal.proved import judge, same_instances
from proofs_check.formal.rocq import build
from tests.formal.alterations import compare
from tests.formal.corpus import ACCEPTED, LAXER, REJECTED, covered


@pytest.mark.parametrize("name", covered(ACCEPTED))
def test_what_the_kernel_accepts_is_proved(name, theory):
    text = (ACCEPTED / name).read_bytes()
    judged = judge(text, theory)
    assert {each.verdict for each in judged} == {"proved"}
    assert same_instances(judged, json.loads(text))


@pytest.mark.parametrize("name", covered(REJECTED))
def test_what_the_kernel_rejects_is_not_proved(name, theory):
    verdicts = {each.verdict for each in judge((REJECTED / name).read_bytes(), theory)}
    assert (verdicts == {"proved"}) == (name in LAXER)


def test_files_named_as_laxer_exist():
    assert set(LAXER) <= set(covered(REJECTED))


@pytest.mark.parametrize("number", [4, pytest.param(12, marks=pytest.mark.slow)])
def test_altered_certificates_are_proved_if_the_kernel_accepts_them(number, theory):
    counts, missed = compare(number, 3, theory)
    assert missed == []
    assert sum(n for (_, verdict), n in counts.items() if verdict == "accepted by both") >= 2


def written(folder, name="c.json", **changes):
    document = json.loads((ACCEPTED / "matrix_game.json").read_text(encoding="utf-8")) | changes
    (folder / name).write_text(json.dumps(document), encoding="utf-8")
    return str(folder / name)


def test_command_asks_the_proved_checker(theory, tmp_path, capsys):
    assert main(["verify", "--proved", written(tmp_path, made_by='"\\\u00e9\U0001f600')]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1].endswith(
        "verified checker: accepts the certificate of the instance with sha256 e57d1503a78cf1c1"
    )
    assert main(["verify", "--proved", "--json", written(tmp_path)]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["proved"].startswith("accepts")


def test_a_checker_that_is_missing_is_no_pass(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["verify", "--proved", written(tmp_path)]) == 2
    said = capsys.readouterr()
    assert "verified checker: not built" in said.out
    assert "'proofs-check build' builds it" in said.err
    assert main(["verify", written(tmp_path)]) == 0


def test_building_without_tools_names_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["build"]) == 2
    assert (
        "apt-get install coq ocaml-nox ocaml-findlib libzarith-ocaml-dev" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "not an integer"),
        (b'{"a": 1, "a": 1}', "a key occurs twice"),
        (b"[1.5]", "not an integer"),
        (b"[01]", "not an integer"),
        (b"[1e5]", "not an integer"),
        (b"[1] 2", "more than one value"),
        (b'"\\u12', "not JSON"),
        (b'"a', "no end"),
        (b"[" * 200, "nested too deep"),
        (b"nul", "not JSON"),
    ],
)
def test_what_is_no_certificate_is_unreadable(text, why, theory):
    [judged] = judge(text, theory)
    assert judged.verdict == "unreadable"
    assert why in judged.kind


@pytest.mark.parametrize("text", [b"{}", b"[]", b"null", b'[null, {"kind": "matrix_game"}]', b"7"])
def test_what_has_no_kind_is_not_proved(text, theory):
    assert "proved" not in {each.verdict for each in judge(text, theory)}


@pytest.mark.parametrize(
    ("root", "bits", "verdict"),
    [
        (1, 60, "proved"),
        (2, 60, "rejected"),
        (str(2**63 + 1), 60, "unreadable"),
        (1, str(2**62 - 1), "unreadable"),
        (1, str(2**62), "unreadable"),
    ],
)
def test_numbers_beyond_machine_integers_are_not_taken_modulo(root, bits, verdict, theory):
    # a randomized response that tells the truth with odds t = 2^(1/root), and a false factor 2
    mechanism = {
        "type": "mechanism on pairs",
        "name": "",
        "outcomes": [0, 1],
        "t": {"root": root, "base": "2", "bits": bits},
        "laws": [[[1], [0, 1]], [[0, 1], [1]]],
        "pairs": [[0, 1]],
    }
    event = {"database": 0, "neighbour": 1, "outcomes": [1], "bound": "2"}
    certificate = {
        "format": 2,
        "kind": "privacy",
        "instance": mechanism,
        "statement": {"factor": None, "delta": "0", "lower": "2", "upper": None},
        "lower": {"event": event},
        "upper": None,
        "made_by": "",
    }
    assert [each.verdict for each in judge(json.dumps(certificate).encode(), theory)] == [verdict]


UNPROVED = ACCEPTED / "composition_losses_down_infinite.json"


def test_kinds_without_a_verified_checker_are_not_proved(theory, capsys):
    assert main(["verify", str(UNPROVED)]) == 0
    capsys.readouterr()
    assert main(["verify", "--proved", str(UNPROVED)]) == 2
    said = capsys.readouterr().out
    assert "verified checker: does not support composition" in said


def test_kinds_without_theorems_are_not_formalized():
    document = json.loads(UNPROVED.read_text(encoding="utf-8"))
    with pytest.raises(DomainError, match="composition: formalize supports only"):
        formalize(document)


def test_the_page_names_the_kinds_without_a_verified_checker():
    text = (Path(__file__).parents[2] / "docs" / "theorems.md").read_text(encoding="utf-8")
    [named] = re.findall(r"checker for every kind of certificate, except ([^.]*)\.", text)
    assert set(re.findall(r"`(\w+)`", named)) == set(KINDS) - set(WORDS)


def test_what_is_built_is_used_again(theory):
    assert build() == theory
