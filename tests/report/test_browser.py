"""The pages in a real browser: they open, fit a phone, and the kernel runs in them.

Chromium and Playwright are needed, and for the kernel the npm package ``pyodide``, unpacked in the
folder that the variable CCSIM_PYODIDE names; what is not there is skipped, and said to be.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from ccsim import ConceptClass, equality, littlestone_dimension, minimax_error
from ccsim.cli.main import main
from proofs_check.__main__ import main as check

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PYODIDE = os.environ.get("CCSIM_PYODIDE")
EVIL = "<script>document.title = 'taken'</script>"
MINUTES = 240_000

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser):
    """Return a function that opens a file in a new tab, and the tab's complaints and requests."""
    tabs = []

    def open_page(path, **options):
        tab = browser.new_page(**options)
        tabs.append(tab)
        tab.complaints, tab.asked = [], []
        tab.on("console", lambda message: tab.complaints.append(message.text))
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.goto(Path(path).as_uri())
        return tab

    yield open_page
    for tab in tabs:
        tab.close()


def _report(tmp_path, result, *options):
    certificate = tmp_path / "certificate.json"
    result.certificate().write(certificate)
    assert main(["report", str(certificate), "--out", str(tmp_path), *options]) == 0
    return tmp_path / "index.html"


def _evil():
    points = [f"{EVIL} a long label of a point {i}" for i in range(4)]
    return littlestone_dimension(ConceptClass.from_rows(range(16), points, name=EVIL * 3))


@pytest.mark.parametrize("result", [_evil, lambda: minimax_error(equality(16), 3)])
def test_a_page_opens_in_silence_and_fits_a_phone(tmp_path, opened, result):
    path = _report(tmp_path, result())
    tab = opened(path, viewport={"width": 390, "height": 800})
    assert tab.title() == "certificate: a certificate"
    width = "document.documentElement.scrollWidth"
    assert tab.evaluate(width) <= 390
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert tab.evaluate(width) <= 390
    assert tab.complaints == []
    assert tab.asked == [path.as_uri()]


def test_every_control_has_a_name_and_the_keyboard_reaches_the_button(tmp_path, opened):
    tab = opened(_report(tmp_path, _evil()))
    unnamed = """() => [...document.querySelectorAll(
            'button, input, textarea, a, [role=region], svg')]
        .filter(each => !(each.textContent.trim() || each.getAttribute('aria-label')
            || (each.labels && each.labels.length))).length"""
    assert tab.evaluate(unnamed) == 0
    for _ in range(40):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.id") == "check":
            break
    assert tab.evaluate("document.activeElement.id") == "check"


def test_without_python_the_button_says_what_is_missing(tmp_path, opened):
    tab = opened(_report(tmp_path, _evil()))
    tab.click("#check")
    tab.wait_for_function("!document.getElementById('check').disabled")
    assert "npm pack pyodide" in tab.inner_text("#result")


def test_the_download_is_the_certificate(tmp_path, opened):
    tab = opened(_report(tmp_path, _evil()))
    with tab.expect_download() as waited:
        tab.click("#download")
    saved = Path(waited.value.path())
    assert saved.read_bytes() == (tmp_path / "certificate.json").read_bytes()


def test_a_certificate_of_a_claim_is_downloaded_and_handed_to_the_checker(tmp_path, opened):
    assert check(["run", "fx/ldim-line", "fx/lemma-9", "--report", str(tmp_path)]) == 0
    tab = opened(tmp_path / "index.html", viewport={"width": 390, "height": 800})
    tab.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    with tab.expect_download() as waited:
        tab.click("article[id='fx/ldim-line'] a.button")
    assert waited.value.suggested_filename == "fx-ldim-line.1.json"
    saved = Path(waited.value.path()).read_text()
    assert json.loads(saved)["kind"] == "littlestone_dimension"
    tab.click("article[id='fx/ldim-line'] button")
    tab.wait_for_function("!document.getElementById('check').disabled")
    assert tab.input_value("#text") == saved
    assert "npm pack pyodide" in tab.inner_text("#result")
    tab.click("#alter")
    assert json.loads(tab.input_value("#text"))["statement"] != json.loads(saved)["statement"]
    tab.click("#restore")
    assert tab.input_value("#text") == saved


@pytest.mark.skipif(PYODIDE is None, reason="needs CCSIM_PYODIDE, the unpacked npm package pyodide")
def test_the_kernel_in_the_page_accepts_and_rejects(tmp_path, opened):
    tab = opened(_report(tmp_path, _evil(), "--pyodide", PYODIDE))

    def checked():
        tab.click("#check")
        tab.wait_for_function("!document.getElementById('check').disabled", timeout=MINUTES)
        return tab.inner_text("#result")

    assert checked().startswith("Accepted:\nlittlestone_dimension of a 16 x 4 concept class")
    tab.click("#alter")
    document = json.loads(tab.input_value("#text"))
    assert document["statement"] == {"lower": 5, "upper": 4}
    assert checked().startswith("Rejected:\nlower: the bound that is proved is 4")
    tab.fill("#text", "{")
    assert checked().startswith("Not readable:\nrow 1")
    tab.click("#restore")
    assert checked().startswith("Accepted:")
    assert tab.title() == "certificate: a certificate"
    assert all(url.startswith(("file:", "blob:", "data:")) for url in tab.asked)
    assert tab.complaints == []
