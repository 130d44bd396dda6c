"""The tables of claims in README and docs say what is registered."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

from proofs_check.claims.claim import Verdict
from proofs_check.claims.table import CLAIMS

ROOT = Path(__file__).resolve().parents[2]


def rows_after(path: Path, header: str) -> list[str]:
    """Return the rows of all tables with this header."""
    rule = "|" + "---|" * header.strip("|").count(" | ") + "---|"
    tables = path.read_text(encoding="utf-8").split(f"{header}\n{rule}\n")[1:]
    return [row for table in tables for row in takewhile(lambda r: r[:1] == "|", table.split("\n"))]


def test_docs_list_the_registered_claims():
    rows = [
        "| "
        + " | ".join([f"`{c.key}`", c.number, c.title.replace("|", "\\|"), c.recorded.value])
        + " |"
        for c in CLAIMS.values()
    ]
    listed = rows_after(ROOT / "docs" / "claims.md", "| claim | place | title | recorded |")
    assert sorted(listed) == sorted(rows)


def test_readme_lists_the_statements_that_fail_as_printed():
    errata = [c for c in CLAIMS.values() if c.recorded is Verdict.FAILS]
    rows = [f"| `{c.key}` | {c.number} | {c.title} |" for c in errata]
    assert rows_after(ROOT / "README.md", "| claim | place | title |") == rows
