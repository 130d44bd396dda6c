"""The pages of claims and of errata are equal to the output of the command."""

from __future__ import annotations

from pathlib import Path

from proofs_check.__main__ import main
from proofs_check.claims.table import CLAIMS
from proofs_check.tables import claims_page, errata_page

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_claims_is_what_the_command_prints(capsys):
    assert main(["list", "--markdown"]) == 0
    assert capsys.readouterr().out == claims_page()
    assert (ROOT / "docs" / "claims.md").read_text(encoding="utf-8") == claims_page()


def test_the_page_of_errata_is_what_the_command_prints(capsys):
    assert main(["list", "--markdown", "errata"]) == 0
    assert capsys.readouterr().out == errata_page()
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == errata_page()


def test_tables_go_with_no_other_option(capsys):
    assert main(["list", "--markdown", "--missing"]) == 2
    assert "--markdown must not be combined with other options" in capsys.readouterr().err


def test_the_numbers_of_claims_in_the_readme_are_those_of_the_registry():
    own = sum(claim.paper == "ccsim" for claim in CLAIMS.values())
    textbook = sum(claim.paper in ("kn", "ls", "jk") for claim in CLAIMS.values())
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    counts = (
        f"{textbook} textbook statements on two-way communication, "
        f"and {own} statements of this project."
    )
    assert f": {len(CLAIMS) - own - textbook} claims from these papers, {counts}" in text
