"""The tables of claims in README and docs are what the command prints."""

from __future__ import annotations

from pathlib import Path

from proofs_check.__main__ import main
from proofs_check.tables import claims_page, errata_table

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_claims_is_what_the_command_prints(capsys):
    assert main(["list", "--markdown"]) == 0
    assert capsys.readouterr().out == claims_page()
    assert (ROOT / "docs" / "claims.md").read_text(encoding="utf-8") == claims_page()


def test_the_errata_of_the_readme_are_what_the_command_prints(capsys):
    assert main(["list", "--markdown", "errata"]) == 0
    assert capsys.readouterr().out == errata_table()
    assert errata_table() in (ROOT / "README.md").read_text(encoding="utf-8")


def test_tables_go_with_no_other_option(capsys):
    assert main(["list", "--markdown", "--missing"]) == 2
    assert "--markdown goes with no other option" in capsys.readouterr().err
