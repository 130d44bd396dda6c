"""The page that follows a certificate to its theorem contains the output of the programs."""

import json
import re
from pathlib import Path

from ccsim import littlestone_dimension
from proofs_check.__main__ import main
from proofs_check.formal import formalize
from proofs_check.formal.rocq import SOURCES

PAGE = (Path(__file__).parents[2] / "docs" / "theorems.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def certificate():
    return littlestone_dimension([[0, 0, 1], [0, 1, 1], [1, 1, 1]]).certificate().to_dict()


def test_certificate_on_the_page_is_the_one_that_is_found():
    [shown] = blocks("json")
    assert json.loads(shown) == certificate() | {"made_by": "ccsim"}


def test_theorem_on_the_page_is_the_one_that_is_written():
    [shown] = [block for block in blocks("text") if "Theorem certified" in block]
    assert set(shown.splitlines()) <= set(formalize(certificate()).splitlines())


def test_definitions_on_the_page_are_those_of_the_theory():
    texts = [path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.v")]
    quoted = [b for b in blocks("text") if b.startswith(("Definition mistakes", "Theorem accepts"))]
    assert len(quoted) == 2
    assert all(any(block in text for text in texts) for block in quoted)


def test_commands_say_what_the_page_shows(tmp_path, monkeypatch, capsys, theory):
    monkeypatch.chdir(tmp_path)
    Path("c.json").write_text(json.dumps(certificate()), encoding="utf-8")
    assert main(["verify", "--proved", "c.json"]) == 0
    shown = [block for block in blocks("text") if block.startswith("c.json: ")]
    assert len(shown) == 2
    assert capsys.readouterr().out == "".join(shown)
