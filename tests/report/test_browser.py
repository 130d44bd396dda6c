"""The pages in a browser: they open, fit a phone, and run the kernel.

The tests need Chromium and Playwright and, for the kernel, the npm package ``pyodide``, unpacked in
the folder that the variable CCSIM_PYODIDE names. Tests of missing components are skipped.
"""

from __future__ import annotations

import json
import os
import shutil
from itertools import product
from pathlib import Path

import pytest
from playwright import sync_api as playwright

from ccsim import (
    CommunicationProblem,
    ConceptClass,
    PublicCoinProtocol,
    deterministic_cost,
    equality,
    littlestone_dimension,
    minimax_error,
    protocol_size,
)
from ccsim.cli.main import main
from ccsim.families import gap_hamming
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
    """Return a function that opens a file in a new tab, and the tab's errors and requests."""
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


def _evil_problem():
    names = [f"{EVIL} a long label of an input {i}" for i in range(4)]
    return CommunicationProblem.from_matrix(["0011", "011*", "1111", "0001"], names, names)


@pytest.mark.parametrize(
    "result",
    [
        _evil,
        lambda: minimax_error(equality(16), 3),
        lambda: deterministic_cost(_evil_problem()),
    ],
)
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


@pytest.mark.parametrize("question", [deterministic_cost, protocol_size])
def test_a_reader_steps_through_every_play(tmp_path, opened, question):
    problem = _evil_problem()
    result = question(problem)
    tab = opened(_report(tmp_path, result))
    [section] = tab.query_selector_all(".play")
    back, following, end = section.query_selector_all("button")
    inputs = section.query_selector_all("select")
    for x, y in product(range(4), range(4)):
        inputs[0].select_option(str(x))
        inputs[1].select_option(str(y))
        play, left = result.protocol.play(x, y), 16
        for sent in [None, *play.messages]:
            if sent is not None:
                following.click()
                left = len(sent.alice) * len(sent.bob)
            assert 16 - left == len(section.query_selector_all("td.out"))
            assert len(section.query_selector_all("td.marked")) == 1
        assert following.is_disabled()
        verdict = "outside the promise" if play.is_outside else "correct"
        said = section.query_selector(".verdict").inner_text()
        assert said.endswith(f"The answer is {play.answer} ({verdict}).")
        assert said.startswith(f"{play.bits} bit")
        listed = [item.inner_text() for item in section.query_selector_all("li")]
        assert [text.partition(";")[0] for text in listed] == [
            f"{sent.speaker.capitalize()} sends {sent.bits}" for sent in play.messages
        ]
        if play.messages:
            back.click()
            assert "inputs remain" in section.query_selector(".verdict").inner_text()
            end.click()
            assert section.query_selector(".verdict").inner_text() == said
    assert tab.complaints == []


def test_a_public_coin_protocol_is_played_for_each_component(tmp_path, opened):
    problem = gap_hamming(3, 1)
    result = next(
        found
        for found in (minimax_error(m, 2) for m in (problem, ["0011", "0101", "0110", "1000"]))
        if isinstance(found.protocol, PublicCoinProtocol) and len(found.protocol.weights) > 1
    )
    tab = opened(_report(tmp_path, result))
    section = tab.query_selector(".play")
    choices = section.query_selector_all("select")
    section.query_selector_all("button")[2].click()
    answers = set()
    for option in range(len(result.protocol.weights)):
        choices[2].select_option(str(option))
        section.query_selector_all("button")[2].click()
        answers.add(section.query_selector(".verdict").get_attribute("class"))
    assert answers == {"verdict good", "verdict bad"}


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
