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
