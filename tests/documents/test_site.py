"""The documentation site is built without warnings, is complete, and needs no network."""

import ast
import fcntl
import json
import posixpath
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from sphinx.util.inventory import InventoryFile

from ccsim.surveys.atlas.query import read_question
from docs import documented
from proofs_check.claims.claim import Verdict
from proofs_check.claims.table import CLAIMS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # building takes one and a half minutes


class Page(HTMLParser):
    """The resources, links, anchors and text of a page."""

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
    """Build the site once for all workers, from a copy, because building writes files."""
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


def test_every_page_of_the_folder_is_in_the_site(pages):
    written = [path for path in DOCS.rglob("*.*") if path.suffix in (".md", ".ipynb")]
    names = {str(path.relative_to(DOCS).with_suffix(".html")) for path in written}
    names = {name for name in names if not name.startswith("generated")}
    assert "questions.html" in names <= pages.keys()


def test_every_page_is_two_clicks_from_the_first(pages):
    reached = {"index.html"}
    for _ in range(2):
        reached |= {
            str((Path("/", name).parent / link.partition("#")[0]).resolve())[1:]
            for name in reached & pages.keys()
            for link in pages[name].links
            if "://" not in link
        }
    made_by_sphinx = {"genindex.html", "py-modindex.html", "search.html"}
    shown = {name for name in pages if not name.startswith("_")} - made_by_sphinx
    classes = {name for name in shown if re.fullmatch(r"atlas/C\d\.\d+\.html", name)}
    assert len(classes) > 429  # the search of the atlas finds them
    assert shown - reached - classes == set()


def test_links_within_the_site_lead_somewhere(pages, site):
    for name, page in pages.items():
        for link in page.links:
            target, _, place = link.partition("#")
            if "://" in link or link.startswith("mailto:"):
                continue
            path = (site / name).parent / target if target else site / name
            assert path.exists(), f"{name}: {link}"
            found = str(path.resolve().relative_to(site.resolve()))
            if place.startswith("q=") and found == "atlas/index.html":
                assert read_question(parse_qs(place)["q"][0])
            elif place and found in pages:
                assert place in pages[found].places, f"{name}: {link}"


def test_questions_and_classes_of_the_atlas_are_links(pages):
    links = pages["atlas.html"].links + pages["frontier.html"].links
    asked = {parse_qs(link.partition("#")[2])["q"][0] for link in links if "#q=" in link}
    assert {"recursive_teaching > vc", "littlestone = 3 and prsize(1/3) <= 4"} <= asked
    assert len(asked) >= 27
    assert {"atlas/index.html", "atlas/C4.553.html", "atlas/C3.105.html"} <= {*links}
    assert "atlas/index.html#q=no_clash_teaching+%3E+vc" in pages["teaching.html"].links


def test_nothing_is_loaded_from_elsewhere(pages, site):
    for name, page in pages.items():
        loaded = [source for source in page.loaded if source]
        assert [url for url in loaded if re.match(r"(\w+:)?//", url)] == [], name
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:\w+:)?//[^)]*", text) == [], path


def test_every_claim_has_a_page_that_the_table_links_to(pages):
    for key, claim in CLAIMS.items():
        page = f"generated/claims/{key}.html"
        assert claim.title in pages[page].text
        assert page in pages["claims.html"].links
        label = "must hold" if claim.recorded is Verdict.FAILS else "must fail"
        assert not claim.near or f"variant, {label}" in pages[page].text, key
    assert "generated/claims/fx/thm-5.3.html" in pages["lines.html"].links


def test_every_public_name_and_member_has_an_entry(site):
    """This includes classes that are only returned, with their fields and methods."""
    with Path(site, "objects.inv").open("rb") as file:
        entries = InventoryFile.load(file, "", posixpath.join)
    held = {name for kind in entries if kind.startswith("py:") for name in entries[kind]}
    objects = documented.public_objects() | documented.returned_classes()
    wanted = {*objects}
    for name, value in objects.items():
        if isinstance(value, type) and documented.is_ours(value):
            wanted |= {f"{name}.{member}" for member in documented.members(value)}
    assert wanted <= held, sorted(wanted - held)
    listed = {name for package in documented.DOCUMENTED for name in import_module(package).__all__}
    assert listed <= {name.rpartition(".")[2] for name in objects}
    result = "ccsim.communication.MinimaxResult"
    assert {result, f"{result}.lower", f"{result}.check", f"{result}.certificate"} <= held


def test_types_link_to_their_classes(pages):
    page = pages["generated/names/questions-dimensions.html"]
    links = [link.partition("#")[2] for link in page.links]
    assert links.count("ccsim.dimensions.VCResult") >= 2  # in the signature and the result
    assert "ccsim.classes.ClassLike" in links


def test_every_command_and_limit_is_described(pages):
    places = pages["generated/commands.html"].places
    assert {"ccsim-dimensions", "ccsim-error", "proofs-check-run", "proofs-check-show"} <= places
    assert "MAX_VARIABLES" in pages["generated/limits.html"].text


def test_every_picture_of_the_gallery_is_drawn(site):
    scripts = sorted(path.stem for path in (DOCS / "gallery").glob("plot_*.py"))
    drawn = {path.name for path in (site / "_images").glob("*.png")}
    assert scripts
    assert {f"sphx_glr_{script}_001.png" for script in scripts} <= drawn


WIDTHS = (390, 1280)  # a phone, a laptop
FITTING = (
    "atlas/index",
    "atlas/C4.553",
    "claims",
    "errata",
    "generated/claims/fx/thm-7-ge-printed",
    "glossary",
    "installation",
)


def test_pages_open_from_a_disk_without_a_network_and_fit_a_phone(site):
    from playwright import sync_api as playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs chromium")
    asked, complaints = [], []
    wide = ("questions", "lines", "public-data", "query-release", "frontier", "generated/limits")
    names = ("index", "notebooks/2-equivalence", *wide, *FITTING)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for width in WIDTHS:
            tab = browser.new_page(viewport={"width": width, "height": 844})
            tab.on("request", lambda request: asked.append(request.url))
            tab.on("pageerror", lambda error: complaints.append(str(error)))
            for name in names:
                tab.goto((site / f"{name}.html").as_uri())
                assert tab.evaluate("document.documentElement.scrollWidth") <= width, name
                assert tab.locator(".katex-error").count() == 0, name
                assert tab.locator(".math:not(:has(.katex))").count() == 0, name
                cut = "tables => tables.filter(t => t.scrollWidth > t.clientWidth).length"
                if width == 1280 or name in FITTING:
                    assert tab.locator("table").evaluate_all(cut) == 0, name
        browser.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def texts_of_outputs(cells):
    """Return the outputs of code cells as text, without pictures, which depend on fonts."""
    return [
        ["".join(each.get("text") or each["data"]["text/plain"]) for each in cell["outputs"]]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_run_and_shown_with_what_it_answers(path, site, pages):
    """The build stops at a cell that raises; the stored outputs are those of this run."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    again = json.loads((site.parent / "jupyter_execute/notebooks" / path.name).read_text("utf-8"))
    assert texts_of_outputs(cells) == texts_of_outputs(again["cells"])
    assert path.stat().st_size < 200_000
    assert any("assert " in "".join(cell["source"]) for cell in code)
    said = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
    last = [ast.parse("".join(cell["source"])).body[-1] for cell in code]
    values = [node.value for node in last if isinstance(node, ast.Expr)]
    answers = [value for value in values if not isinstance(value, ast.Call)]
    assert said.count("cell_output docutils") >= len(answers) > 2
    assert "Traceback" not in pages[f"notebooks/{path.stem}.html"].text
