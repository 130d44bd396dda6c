"""The pages of the atlas: complete, linked, and with certificates that the kernel accepts."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from ccsim import kernel
from ccsim.cli.main import main
from ccsim.report.atlas.class_page import class_page, meaning
from ccsim.report.atlas.index_page import SCRIPTS, atlas_data
from ccsim.report.atlas.site import write_site
from ccsim.surveys.atlas.certificates import certificates, classes_with_pages, pack
from ccsim.surveys.atlas.query import value_of
from ccsim.surveys.atlas.spans import read_span
from ccsim.surveys.atlas.statements import proved
from ccsim.surveys.atlas.table import COLUMNS, QUANTITIES, atlas

ENTRIES = {entry.identifier: entry for entry in classes_with_pages()}
SOME = (*[name for name in ENTRIES if name[1] in "123"][::5], "C4.39", "C4.553", "C5.429934659")


class Page(HTMLParser):
    """The rows of tables, the scripts by identity, the anchors, and the links of a page."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.scripts, self.places, self.links, self.buttons = [], {}, set(), [], []
        self.script = self.cell = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places.add(given.get("id"))
        self.links += [given["href"]] if "href" in given and tag == "a" else []
        self.buttons += [given["data-certificate"]] if "data-certificate" in given else []
        if tag == "script":
            self.script = given.get("id", "")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.cell = True

    def handle_endtag(self, tag):
        self.script = None if tag == "script" else self.script
        self.cell = None if tag in ("td", "th") else self.cell

    def handle_data(self, data):
        if self.script is not None:
            self.scripts[self.script] = self.scripts.get(self.script, "") + data
        elif self.cell:
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("atlas")
    file = out / "some.json.xz"
    file.write_bytes(pack({name: certificates()[name] for name in SOME}))
    number = write_site(out / "site", file=file)
    assert number == sum(len(certificates()[name]) for name in SOME)
    return out / "site"


def check_page(entry, text):
    """Check that each value has a certificate on the page that the kernel accepts."""
    page = Page(text)
    documents = {
        name.removeprefix("certificate-"): json.loads(json.loads(script))
        for name, script in page.scripts.items()
        if name.startswith("certificate-")
    }
    lines = {name: kernel.check(each).split("\n") for name, each in documents.items()}
    rows = [row for row in page.rows if len(row) == 5 and row[0].partition("(")[0] in QUANTITIES]
    assert {row[0] for row in rows} <= page.places
    assert len({row[0] for row in rows}) == len(rows)
    assert set(map(str, entry.values)) - {"points", "concepts"} <= {row[0] for row in rows}
    known = proved(documents) | entry.values  # of some quantities, the atlas has no column
    assert page.buttons == [
        f"certificate-{stem(row[0])}" for row in rows for _ in ("check", "download")
    ]
    for name, shown, *_ in rows:
        low, high = read_span(re.sub(r"log2\((.*)\)", r"\1", shown))
        below, above = value_of(name.replace("dim(", "size("), known)
        assert below <= low <= high
        assert above is None or high <= above
        said = lines[stem(name)]
        if name.endswith(("_least", "_most")):
            values = [Fraction(line.rpartition("exactly ")[2]) for line in said]
            assert low == high == (min(values) if name.endswith("_least") else max(values))
        elif name.startswith("messages"):
            errors = [Fraction(re.search(r"([0-9/]+)( \[named|$)", line)[1]) for line in said]
            wanted = Fraction(name[9:-1])
            assert errors[int(high) - 1] <= wanted
            assert low == 1 or errors[int(low) - 2] > wanted or low < high
        else:
            words = {f": exactly {low}"} if low == high else {f"at least {low}", f"at most {high}"}
            some = [line for line in said if all(word in line for word in words)]
            number = re.search(r"error\((\d+)\)", name)
            place = f"messages {number[1]}," if number else ""
            assert low < high or any(place in line for line in some), (name, said)
    return page


def stem(name):
    if name.startswith(("error", "messages")):
        return "error"
    return re.sub(r"_(least|most)$", "", name).replace("dim(", "size(")


def test_every_value_on_a_page_has_a_certificate_that_the_kernel_accepts(folder):
    for name in SOME:
        page = check_page(ENTRIES[name], (folder / f"{name}.html").read_text(encoding="utf-8"))
        assert "index.html" in page.links
        for link in page.links:
            assert link.startswith("#") or (folder / link).exists(), link
        data = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        assert data["identifier"] == f"ccsim:{name}"
        assert data["identifier"] in data["citation"]
        assert data["concepts"] == [*ENTRIES[name].concepts]
        assert [*data["values"]] == [row[0] for row in page.rows if row[0] in data["values"]]


def test_a_page_draws_the_class_and_names_its_families():
    made = class_page(ENTRIES["C4.39"], certificates()["C4.39"], ENTRIES)
    assert made.families == ("thresholds:b=2",)
    page = Page(made.text())
    for text in made.entry.concepts:
        assert [text, *text] in page.rows
    assert "C4.7.html" in page.links
    assert "C3.39.html" not in page.links


def test_only_classes_with_pages_are_linked():
    made = class_page(ENTRIES["C5.3"], certificates()["C5.3"], ENTRIES)
    links = {link for link in Page(made.text()).links if link.startswith("C5.")}
    assert links <= {f"{name}.{end}" for name in ENTRIES for end in ("html", "json")}
    assert len(made.relations.larger) > len(links) - 2


def test_meanings_contain_their_arguments():
    for name in ("error(1)", "messages(1/3)", "private_messages(1/4)", "drsize(1/3)", "prdim(1/4)"):
        assert re.search(r"\(e\)|\be\b,|\bk\b", meaning(name)) is None
        assert name[name.index("(") + 1 : -1] in meaning(name)
    assert meaning("error(1)") == "minimax error with 1 message and public coins"


def test_the_search_has_all_rows_and_columns():
    text = atlas_data({"C4.553"})
    data = json.loads(text.removeprefix("globalThis.atlasData = ").removesuffix(";\n"))
    assert data["columns"] == [*COLUMNS]
    assert data["pages"] == ["C4.553"]
    assert [(row[0], row[1], row[2]) for row in data["rows"]] == [
        (entry.points, entry.chosen, entry.classes) for entry in atlas()
    ]
    assert sum(row[2] for row in data["rows"]) == 1_228_586
    for row, entry in zip(data["rows"], atlas(), strict=True):
        assert read_span(row[3 + COLUMNS.index("vc")]) == entry.values["vc"]


def test_the_folder_needs_no_network(folder):
    for name in ("index.html", "C4.553.html"):
        text = (folder / name).read_text(encoding="utf-8")
        assert re.findall(r"(?:src|href)=\"(?:\w+:)?//", text) == []
    assert {path.name for path in folder.glob("*.js")} == {
        *SCRIPTS, "atlas-data.js", "checker-files.js"
    }  # fmt: skip


def test_the_command_writes_pages_and_refuses_a_wrong_certificate(tmp_path, capsys):
    documents = {"C1.1": dict(certificates()["C1.1"])}
    file, out = tmp_path / "file.json.xz", tmp_path / "site"
    file.write_bytes(pack(documents))
    command = ["atlas", "site", "--out", str(out), "--certificates", str(file), "--json"]
    assert main(command) == 0
    number = len(documents["C1.1"])
    found = json.loads(capsys.readouterr().out)
    assert found == {"file": str(out / "index.html"), "accepted": number}
    documents["C1.1"]["vc"] = documents["C1.1"]["star"]
    file.write_bytes(pack(documents))
    assert main(command) == 4
    said = capsys.readouterr().err
    assert "C1.1/vc: the certificate must state vc_dimension" in said


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_page_of_the_atlas(tmp_path):
    write_site(tmp_path)
    assert {path.stem for path in tmp_path.glob("C*.html")} == ENTRIES.keys()
    for name, entry in ENTRIES.items():
        page = check_page(entry, (tmp_path / f"{name}.html").read_text(encoding="utf-8"))
        for link in page.links:
            assert link.startswith("#") or (tmp_path / link).exists(), (name, link)
