"""The pages of claims and errata, generated from the registered claims."""

from __future__ import annotations

from collections.abc import Iterable

from proofs_check.claims.claim import Claim, Verdict
from proofs_check.claims.table import CLAIMS, PAPERS

__all__ = ["claims_page", "errata_page"]

_HEAD = """\
# Claims

This page lists the statements that `proofs-check run` decides, in the order of its report.
`proofs-check show KEY` prints one of them in full, and `proofs-check run KEY --report FOLDER`
writes [a page](report.md) that also draws the certificates of an instance. The columns are:

* *place*: the number in the paper; a number in brackets with `=` is that of the full version;
* *recorded*: the expected verdict;
* *margin*: the largest factor by which a variant strengthens the statement (all variants fail).

[What a verdict means](verdicts.md) explains verdicts and margins. *As read* marks a statement whose
formulas or minus signs are missing in the available copy of the paper and are restored in the
claim. Claims `ccsim/...` are this project's own statements, proved or conjectured in
[closed-forms.md](closed-forms.md). `proofs-check list --missing` lists the statements of the papers
without a claim. This page is the output of `proofs-check list --markdown`.
"""

_ERRATA_HEAD = """\
# Errata

The following statements of the four papers are incorrect as printed. `proofs-check show KEY` prints
a statement, its counterexample and its variants; `proofs-check run KEY` checks it again. The last
column names the claim with the corrected statement. *As read* marks a statement whose formulas or
minus signs are missing in the available copy of the paper and are restored in the claim.
[What a verdict means](verdicts.md) explains the verdicts, and [Claims](claims.md) lists all claims.
"""


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    rule = "|" + "---|" * len(head)
    return "\n".join([_row(*head), rule, *(_row(*row) for row in rows)]) + "\n"


def _cells(claim: Claim) -> tuple[str, str, str]:
    return f"`{claim.key}`", claim.number, claim.title


def claims_page() -> str:
    """Return the page of all claims, paper by paper.

    Examples
    --------
    >>> claims_page().count("| `fx/lemma-9` | Lemma 9 (=4.1) |")
    1
    """
    sections = [_HEAD]
    for key, paper in PAPERS.items():
        claims = [claim for claim in CLAIMS.values() if claim.paper == key]
        rows = ((*_cells(claim), claim.recorded.value, str(claim.margin)) for claim in claims)
        table = _table(("claim", "place", "title", "recorded", "margin"), rows)
        sections.append(f"## {paper.authors}: `{key}/...`\n\n{table}")
    blunt = (claim for claim in CLAIMS.values() if not claim.near)
    table = _table(("claim", "why"), ((f"`{claim.key}`", claim.reason) for claim in blunt))
    sections.append(f"## Claims without a variant\n\n{table}")
    return "\n".join(sections)


def errata_page() -> str:
    """Return the page of the statements that are incorrect as printed, with their corrections."""
    repairs = {claim.corrects: claim for claim in CLAIMS.values() if claim.corrects}
    errata = [claim for claim in CLAIMS.values() if claim.recorded is Verdict.FAILS]
    rows = (
        (*_cells(claim), f"`{repairs[claim.key].key}`" if claim.key in repairs else "")
        for claim in errata
    )
    return f"{_ERRATA_HEAD}\n{_table(('claim', 'place', 'title', 'corrected claim'), rows)}"
