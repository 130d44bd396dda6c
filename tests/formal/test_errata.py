"""Printed statements that are refuted by theorems, by the keys of their claims."""

import re

import pytest

from proofs_check.claims.claim import Kind
from proofs_check.claims.table import CLAIMS
from proofs_check.formal.rocq import SOURCES, compile_file

TEXT = (SOURCES / "Errata.v").read_text(encoding="utf-8")
KEYS = re.findall(r"^\(\* ---- (\S+):", TEXT, re.MULTILINE)
REFUTED = re.findall(r"^Theorem (\w+)_refuted : ~ (\w+)_printed\.$", TEXT, re.MULTILINE)


def test_each_refuted_statement_is_the_claim_of_an_erratum():
    assert len(KEYS) == len(REFUTED) >= 10
    assert all(theorem == statement for theorem, statement in REFUTED)


@pytest.mark.parametrize("key", KEYS)
def test_claim_is_recorded_as_an_erratum(key):
    assert CLAIMS[key].kind is Kind.ERRATUM


def test_refutations_rest_on_no_assumption(theory, tmp_path):
    together = ", ".join(f"{name}_refuted" for name, _ in REFUTED)
    lines = f"Definition together := ({together}).\nPrint Assumptions together.\n"
    file = tmp_path / "errata.v"
    file.write_text("From CCSim Require Import Errata.\n" + lines, encoding="utf-8")
    assert compile_file(file, theory).stdout == "Closed under the global context\n"


def test_a_true_statement_is_not_refuted(theory, tmp_path):
    """The refutation fails for the repaired statement: dimension 4 of boxes in the plane."""
    repaired = TEXT.replace("Z.of_nat (d + 1)", "Z.of_nat (2 * d)")
    assert repaired != TEXT
    file = tmp_path / "repaired.v"
    file.write_text(repaired, encoding="utf-8")
    found = compile_file(file, theory)
    assert found.returncode != 0
    assert "Cannot find witness" in found.stderr
