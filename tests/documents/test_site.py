"""The documentation site is built without a warning, says what it should, and needs no network."""

import ast
import fcntl
import importlib
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import ccsim
from docs.documented import DOCUMENTED
from proofs_check.claims.table import CLAIMS

DOCS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.timeout(900)  # half a minute of the processor, which may be busy


class Page(HTMLParser):
    """What a page loads, where its links lead, the places in it, and its text."""

    def __init__(self, path):
        super().__init__()
        self.loaded, self.links, self.places, self.text = [], [], set(), ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places.add(given.get("id"))
        if tag == "a":
            self.links.append(given.get("href") or "")
        elif tag == "link" and given.get("rel") not in ("index", "search", "next", "prev"):
            self.loaded.append(given.get("href"))
        else:
            self.loaded.append(given.get("src"))

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory, request):
    """Build the site once for all workers, from a copy: building writes beside what it reads."""
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        folder = folder.parent
    folder /= "site"
    folder.mkdir(exist_ok=True)
    with Path(folder, "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            shutil.copytree(DOCS, folder / "docs", ignore=shutil.ignore_patterns("generated"))
            command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", "built"]
            built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            (folder / "said").write_text(built.stderr * bool(built.returncode), encoding="utf-8")
    assert (folder / "said").read_text(encoding="utf-8") == ""
    return folder / "built"


@pytest.fixture(scope="module")
def pages(site):
    found = {path.relative_to(site): Page(path) for path in site.rglob("*.html")}
    return {str(name): page for name, page in found.items()}


def test_every_page_of_the_folder_is_in_the_site_and_reached_from_the_first(pages):
    written = [path for path in DOCS.rglob("*.*") if path.suffix in (".md", ".ipynb")]
    names = {str(path.relative_to(DOCS).with_suffix(".html")) for path in written}
    names = {name for name in names if not name.startswith("generated")}
    assert "questions.html" in names <= pages.keys()
    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        new = {
            str((Path("/", name).parent / link.partition("#")[0]).resolve())[1:]
            for name in new
            for link in pages[name].links
            if link.partition("#")[0].endswith(".html") and "://" not in link
        } - reached
    assert names <= reached


def test_links_within_the_site_lead_somewhere(pages, site):
    for name, page in pages.items():
        for link in page.links:
            target, _, place = link.partition("#")
            if "://" in link or link.startswith("mailto:"):
                continue
            path = (site / name).parent / target if target else site / name
            assert path.exists(), f"{name}: {link}"
            found = str(path.resolve().relative_to(site.resolve()))
            if place and found in pages:
                assert place in pages[found].places, f"{name}: {link}"


def test_nothing_is_loaded_from_elsewhere(pages, site):
    for name, page in pages.items():
        loaded = [source for source in page.loaded if source]
        assert [url for url in loaded if re.match(r"(\w+:)?//", url)] == [], name
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:\w+:)?//[^)]*", text) == [], path


def test_every_claim_has_its_place(pages):
    said = [page for name, page in pages.items() if name.startswith("generated/theorems/")]
    places = set().union(*(page.places for page in said))
    assert {f"claim-{re.sub('[/.]', '-', key).lower()}" for key in CLAIMS} <= places
    text = "".join(page.text for page in said)
    assert all(claim.title in text for claim in CLAIMS.values())


def test_every_public_name_is_described(pages):
    said = [page for name, page in pages.items() if name.startswith("generated/names/")]
    places = set().union(*(page.places for page in said))
    listed = {*ccsim.__all__}
    for package in DOCUMENTED:
        for name in importlib.import_module(package).__all__:
            assert f"{'ccsim' if name in listed else package}.{name}" in places


def test_every_command_and_limit_is_described(pages):
    places = pages["generated/commands.html"].places
    assert {"ccsim-dimensions", "ccsim-error", "proofs-check-run", "proofs-check-show"} <= places
    assert "MAX_VARIABLES" in pages["generated/limits.html"].text


def test_every_picture_of_the_gallery_is_drawn(site):
    scripts = sorted(path.stem for path in (DOCS / "gallery").glob("plot_*.py"))
    drawn = {path.name for path in (site / "_images").glob("*.png")}
    assert scripts
    assert {f"sphx_glr_{script}_001.png" for script in scripts} <= drawn


def test_pages_open_from_a_disk_without_a_network_and_fit_a_phone(site):
    from playwright import sync_api as playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs chromium")
    asked, complaints = [], []
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 390, "height": 844})
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        for name in ("index", "generated/theorems/fx", "notebooks/2-equivalence", "questions"):
            tab.goto((site / f"{name}.html").as_uri())
            assert tab.evaluate("document.documentElement.scrollWidth") <= 390, name
        browser.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_run_and_shown_with_what_it_answers(path, site, pages):
    """The build stops at a cell that raises; what a page shows is from this run alone."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert any("assert " in "".join(cell["source"]) for cell in code)
    said = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
    last = [ast.parse("".join(cell["source"])).body[-1] for cell in code]
    values = [node.value for node in last if isinstance(node, ast.Expr)]
    answers = [value for value in values if not isinstance(value, ast.Call)]
    assert said.count("cell_output docutils") >= len(answers) > 2
    assert "Traceback" not in pages[f"notebooks/{path.stem}.html"].text
