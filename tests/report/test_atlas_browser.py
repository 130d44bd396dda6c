"""The atlas in a browser: its search agrees with the command, and a class is found and checked.

The tests need Chromium and Playwright; `tests.report.test_browser` describes the environment.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from ccsim.cli.main import main
from ccsim.errors import DomainError
from ccsim.report.atlas.site import write_site
from ccsim.surveys.atlas.certificates import certificates, pack
from ccsim.surveys.atlas.query import query_atlas, shown_value
from ccsim.surveys.atlas.table import ERRORS, QUANTITIES

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PYODIDE = os.environ.get("CCSIM_PYODIDE")
MINUTES = 240_000
PHONE = {"width": 390, "height": 800}
WRITTEN = ("C3.39", "C4.39", "C4.553")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("atlas")
    file = out / "some.json.xz"
    file.write_bytes(pack({name: certificates()[name] for name in WRITTEN}))
    write_site(out, file=file, pyodide=None if PYODIDE is None else Path(PYODIDE))
    return out


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser, folder):
    """Return a function that opens a page in a new tab, with its complaints and requests."""
    tabs = []

    def open_page(name, **options):
        tab = browser.new_page(**options)
        tabs.append(tab)
        tab.complaints, tab.asked = [], []
        tab.on("console", lambda message: tab.complaints.append(message.text))
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        path, _, place = name.partition("#")
        tab.goto((folder / path).as_uri() + (f"#{place}" if place else ""))
        return tab

    yield open_page
    for tab in tabs:
        assert tab.complaints == []
        assert all(url.startswith(("file:", "blob:", "data:")) for url in tab.asked)
        tab.close()


ASK = """question => {
    try {
        const read = atlasQuery.readQuestion(question, atlasData), held = [], open = [];
        for (const row of atlasQuery.readRows(atlasData)) {
            if (row.points > read.points) continue;
            const verdict = read.holds(row.known);
            const values = read.asked.map(name => atlasQuery.shown(name, row.known));
            if (verdict !== false) (verdict ? held : open).push([row.identifier, values]);
        }
        return [read.asked, read.points, held, open];
    } catch (error) {
        if (!(error instanceof atlasQuery.WrongQuestion)) throw error;
        return "wrong";
    }
}"""
FIXED = (
    "littlestone = 2 and vc = 1",
    "not (vc < littlestone or star != 3) and points <= 4",
    "1 <= vc < littlestone <= 3",
    "drdim(1/3) - prdim(1/3) >= 1",
    "drdim(1/4)/2 + 0.5*prdim(1/4) <= 3/2 or prdim(1/3) = 1",
    "private_messages(1/3) - messages(1/3) >= 2",
    "-(vc - 2*star)/3 > 0.75",
    "error(3) - error(2) = 0 and error(17) = 0",
    "messages(0.3) = messages(3/10)",
    "no_clash_teaching >= 3",
    "samples > 3*vc",
    # wrong questions
    "vc",
    "vc = ",
    "vc = 1 and",
    "1 = 1",
    "width = 3",
    "vc * star = 2",
    "vc / 0 = 1",
    "error = 1",
    "error(1/2) = 1",
    "messages(2) = 1",
    "drsize(1/5) = 1",
    "vc = 1)",
    "(vc = 1) = 1",
    "vc = $",
    "not vc",
)


def questions(number, seed):
    """Yield random questions about sums of quantities."""
    chance = random.Random(seed)  # noqa: S311 - not a secret
    arguments = {"": [""], "k": ["(1)", "(2)", "(3)"], "e": ["(1/3)", "(2/7)", "(0)"],
                 "e1": [f"({e})" for e in ERRORS]}  # fmt: skip

    def term():
        name = chance.choice([*QUANTITIES])
        factor = chance.choice(["", "2*", "1/3*", "-"])
        return f"{factor}{name}{chance.choice(arguments[QUANTITIES[name].arguments])}"

    def comparison():
        sides = " - ".join(term() for _ in range(chance.choice([1, 1, 2])))
        sign = chance.choice(["<", "<=", ">", ">=", "=", "!="])
        return f"{chance.choice(['', '', 'not '])}{sides} {sign} {chance.choice([0, 1, 2, '5/2'])}"

    for _ in range(number):
        words = chance.choice([" and ", " or "])
        yield words.join(comparison() for _ in range(chance.choice([1, 2])))


def test_the_search_agrees_with_the_command(opened):
    tab = opened("index.html")
    for question in [*FIXED, *questions(60, 1)]:
        found = tab.evaluate(ASK, question)
        try:
            expected = query_atlas(question)
        except DomainError:
            assert found == "wrong", question
            continue
        asked, points, held, undecided = found
        assert (tuple(asked), points) == (expected.asked, expected.most_points), question
        for entries, rows in ((expected.matches, held), (expected.undecided, undecided)):
            assert rows == [
                [entry.identifier, [shown_value(name, entry) for name in expected.asked]]
                for entry in entries
            ], question


def test_a_class_is_found_and_opened(opened):
    tab = opened("index.html", viewport=PHONE)
    tab.fill("#q", "littlestone = 2 and vc = 1")
    tab.press("#q", "Enter")
    assert tab.inner_text("#said").startswith(
        "Searched 1228586 classes on 1 to 5 points: holds for 35."
    )
    assert tab.url.endswith("#q=littlestone+%3D+2+and+vc+%3D+1")
    width = "document.documentElement.scrollWidth"
    assert tab.evaluate(width) <= 390
    tab.click("#found tbody tr:first-child a")
    assert tab.inner_text("h1") == "ccsim:C3.39"
    assert tab.evaluate(width) <= 390


def test_an_address_keeps_question_points_and_order(opened):
    tab = opened("index.html#q=vc+%3D+2&points=4&sort=-littlestone")
    assert tab.input_value("#q") == "vc = 2"
    assert tab.input_value("#points") == "4"
    cells = tab.locator("#found tbody tr:first-child td").all_inner_texts()
    assert cells[3] == "3"
    tab.click("text=concepts")
    assert "sort=concepts" in tab.url
    tab.click("text=concepts")
    assert "sort=-concepts" in tab.url
    again = opened("index.html" + tab.url.partition("index.html")[2])
    assert again.inner_text("#found") == tab.inner_text("#found")


def test_more_rows_are_shown_and_open_classes_are_listed(opened):
    tab = opened("index.html#q=private_messages(1%2F3)+-+messages(1%2F3)+%3E%3D+3+and+vc+%3C+4")
    assert "holds for 0, open for 260" in tab.inner_text("#said")
    assert tab.inner_text("caption") == "Classes for which it is open"
    assert tab.locator("#found tbody tr").count() == 25
    tab.click("#more")
    assert tab.locator("#found tbody tr").count() == 100


def test_a_wrong_question_is_explained(opened):
    tab = opened("index.html#q=width+%3D+3")
    assert tab.inner_text("#said") == "Question: unknown quantity 'width'"
    tab = opened("index.html#q=threshold+%3D+3")
    assert tab.inner_text("#said").endswith("did you mean threshold_least or threshold_most?")
    assert tab.locator("#found table").count() == 0


@pytest.mark.parametrize("name", ["ccsim:C4.553", "C4.553", "some_functions:n=4,chosen=553"])
def test_a_class_is_found_by_its_name_and_its_row_is_json(opened, name, capsys):
    tab = opened("index.html")
    tab.fill("#q", name)
    tab.press("#q", "Enter")
    assert tab.locator("#found tbody tr").count() == 1
    with tab.expect_download() as waited:
        tab.click("#found tbody tr td a")
    row = json.loads(Path(waited.value.path()).read_text(encoding="utf-8"))
    assert main(["atlas", "show", "ccsim:C4.553", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {key: row[key] for key in ("identifier", "classes", "values")} == {
        key: shown[key] for key in ("identifier", "classes", "values")
    }


def test_a_certificate_is_downloaded_from_its_row(opened):
    tab = opened("C4.553.html#littlestone", viewport=PHONE)
    with tab.expect_download() as waited:
        tab.click("[aria-label='Download the certificate of littlestone']")
    assert waited.value.suggested_filename == "C4.553-littlestone.json"
    saved = json.loads(Path(waited.value.path()).read_text(encoding="utf-8"))
    assert saved == certificates()["C4.553"]["littlestone"]


@pytest.mark.skipif(PYODIDE is None, reason="needs CCSIM_PYODIDE, the unpacked npm package pyodide")
def test_the_page_of_a_class_checks_its_certificates_and_rejects_an_altered_one(opened):
    tab = opened("C4.553.html", viewport=PHONE)

    def finished():
        tab.wait_for_function("!document.getElementById('check').disabled", timeout=MINUTES)
        return tab.inner_text("#result")

    for name, said in (
        ("littlestone", "littlestone_dimension of a 4 x 4 concept class"),
        ("threshold_most", "threshold_dimension of a 4 x 4 concept class"),
        ("messages(1/3)", "minimax_error of a 4 x 4 communication problem"),
    ):
        tab.click(f"[aria-label='Check the certificate of {name}']")
        assert finished().startswith(f"Accepted:\n{said}")
    tab.click("[aria-label='Check the certificate of littlestone']")
    assert finished().startswith("Accepted:")
    tab.click("#alter")
    tab.click("#check")
    assert finished().startswith("Rejected:\nlower: the bound that is proved is 1")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
