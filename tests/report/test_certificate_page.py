"""Pages of certificates: they are complete, escaped, and make no network requests."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest

from ccsim import (
    ConceptClass,
    deterministic_cost,
    equality,
    kernel,
    littlestone_dimension,
    minimax_error,
)
from ccsim.cli.main import main
from ccsim.errors import CertificateError, UnreadableInputError
from ccsim.report import certificate
from ccsim.report.certificate import MEANINGS, certificate_page
from ccsim.report.html import packed_pyodide

ROOT = Path(__file__).resolve().parents[2]
ACCEPTED = sorted((ROOT / "tests" / "certificate_corpus" / "format_2" / "accepted").glob("*.json"))
EVIL = "<script>alert('&')</script>"
VOID = {"meta", "link", "input", "br", "hr", "img"}


class Reader(HTMLParser):
    """An independent reader of a page: its elements, its scripts, and whether all are closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.seen, self.scripts, self.texts = [], [], {}, []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        self.last = dict(attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[self.last.get("id", self.last.get("type", ""))] = data
        elif self.open:
            self.texts.append(data)


@pytest.fixture
def evil(tmp_path):
    points = [f"{EVIL}{i}" for i in range(3)]
    C = ConceptClass.from_rows(range(8), points, [f"{EVIL}c{x}" for x in range(8)], EVIL)
    path = tmp_path / "evil.json"
    littlestone_dimension(C).certificate().write(path)
    return path


def test_labels_are_text_and_nothing_else(evil):
    text, lines = certificate_page(str(evil))
    assert len(lines) == 1
    assert EVIL not in text
    page = Reader(text)
    assert {attrs.get("id") for tag, attrs in page.seen if tag == "script"} == {
        None, "certificate", "kernel", "worker"
    }  # fmt: skip
    assert f"{EVIL}0" in page.texts
    assert any(f"concept {EVIL}c7" in shown for shown in page.texts)


def test_the_page_holds_the_file_byte_for_byte_and_the_kernel_unchanged(evil):
    page = Reader(certificate_page(str(evil))[0])
    assert json.loads(page.scripts["certificate"]).encode() == evil.read_bytes()
    files = json.loads(page.scripts["kernel"])
    folder = ROOT / "ccsim" / "kernel"
    assert files == {path.name: path.read_text() for path in folder.glob("*.py")}


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_every_form_has_a_page_without_addresses(path):
    text, lines = certificate_page(str(path))
    page = Reader(text)
    for line in lines:
        assert any(line in shown for shown in page.texts)
    for _, attrs in page.seen:
        assert not {"src", "action"} & attrs.keys()
        assert re.match("#|data:,$", attrs.get("href", "#"))
    named = [attrs["id"] for _, attrs in page.seen if "id" in attrs]
    assert len(named) == len(set(named))


def test_every_kind_of_the_kernel_has_a_meaning(monkeypatch):
    assert MEANINGS.keys() <= kernel.KINDS.keys()
    monkeypatch.setattr(certificate, "MEANINGS", {})
    for file in set(kernel.KINDS.values()):
        import_module(f"ccsim.kernel.{file}")
    assert all(certificate._meaning(kind) for kind in kernel.KINDS)


def test_wrong_answers_of_a_protocol_are_marked(tmp_path):
    path = tmp_path / "equality.json"
    found = minimax_error(equality(3), 2)
    found.certificate().write(path)
    document = json.loads(path.read_text())
    page = Reader(certificate_page(str(path))[0])
    marked = sum(attrs.get("class") == "wrong" for tag, attrs in page.seen if tag == "td")
    rows, wrong = document["instance"]["rows"], 0
    for part in document["upper"]["protocol"]["tables"]["components"]:
        for x, message in enumerate(part["alice"]):
            wrong += sum(a != b for a, b in zip(part["bob"][message], rows[x], strict=True))
    assert marked == wrong > 0


def test_a_two_way_protocol_is_on_the_page_to_be_played(tmp_path):
    path = tmp_path / "cost.json"
    result = deterministic_cost([[0, 1, None], [1, 1, 0]])
    result.certificate().write(path)
    page = Reader(certificate_page(str(path))[0])
    data = json.loads(page.scripts["application/json"])
    assert data["rows"] == ["01*", "110"]
    [tree] = data["trees"]
    nodes = result.protocol.nodes
    assert tree == [n if isinstance(n, int) else [n.side, [*n.messages]] for n in nodes]


def test_large_protocols_are_not_played(tmp_path):
    path = tmp_path / "cost.json"
    deterministic_cost([[0, 1]] * 49).certificate().write(path)
    page = Reader(certificate_page(str(path))[0])
    assert "Play the protocol" not in page.texts


def test_what_is_rejected_gets_no_page(tmp_path, capsys):
    document = json.loads(ACCEPTED[0].read_text())
    document["statement"]["lower"] = document["statement"]["upper"] = "7"
    path = tmp_path / "false.json"
    path.write_text(json.dumps(document))
    with pytest.raises(CertificateError, match="rejected: "):
        certificate_page(str(path))
    assert main(["report", str(path), "--out", str(tmp_path / "page.html")]) == 4
    assert not (tmp_path / "page.html").exists()
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_folder_or_a_file_is_written(evil, tmp_path, capsys):
    assert main(["report", str(evil), "--out", str(tmp_path / "out")]) == 0
    assert main(["report", str(evil), "--out", str(tmp_path / "page.html"), "--json"]) == 0
    assert (tmp_path / "out" / "index.html").read_text() == (tmp_path / "page.html").read_text()
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["files"] == [str(tmp_path / "page.html")]


def test_a_folder_without_pyodide_is_refused(tmp_path):
    with pytest.raises(
        UnreadableInputError, match="must be the folder of the unpacked npm package"
    ):
        packed_pyodide(tmp_path)
