"""The links between the pages of the folder and of the repository."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_every_page_of_the_folder_is_two_clicks_from_the_readme():
    """This holds on a code host, which lacks the pages that the site generates."""
    reached = {ROOT / "README.md"}
    for _ in range(2):
        reached |= {
            (page.parent / link).resolve()
            for page in reached
            if page.suffix == ".md"
            for link in re.findall(r"\]\(([^):#]+)[^)]*\)", page.read_text(encoding="utf-8"))
            if (page.parent / link).exists()
        }
    folders = (DOCS, DOCS / "notebooks")
    written = {path for folder in folders for path in folder.iterdir()}
    assert {path for path in written if path.suffix in (".md", ".ipynb")} - reached == set()


def shown(page):
    """Return the text of a page without its blocks of code."""
    return re.sub(
        r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def places(text):
    """Return the anchors of headings, as the site and code hosts name them."""
    headings = re.findall(r"^#{1,3} (.*)$", text, re.MULTILINE)
    words = (re.sub(r"[^\w\- ]", "", heading.strip().lower()) for heading in headings)
    return {each.replace(" ", "-") for each in words}


def broken(page):
    """Return the links of a page to files and headings that do not exist."""
    found = []
    for target, _, place in re.findall(r"\]\(([^):#\s]*)(#([^)\s]*))?\)", shown(page)):
        path = page.parent / target if target else page
        read = path.suffix == ".md" and path.exists()
        if not path.exists() or (place and read and place not in places(shown(path))):
            found.append(f"{target}#{place}" if place else target)
    return found


def test_links_lead_to_files_and_headings():
    pages = [*ROOT.glob("*.md"), *DOCS.glob("*.md")]
    assert {page.name: broken(page) for page in pages if broken(page)} == {}


def test_a_broken_link_is_seen(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# A `b` title\n[1](#a-b-title) [2](#other) [3](gone.md) [4](page.md#c)\n")
    assert broken(page) == ["#other", "gone.md", "page.md#c"]
