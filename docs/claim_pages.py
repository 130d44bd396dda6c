"""The pages of the claims, which are written at each build from their registry."""

import inspect
import re
from pathlib import Path

import ccsim
from proofs_check.claims.claim import Claim, Verdict
from proofs_check.claims.table import CLAIMS, PAPERS

ROOT = Path(ccsim.__file__).parents[1]


def escaped(text: str) -> str:
    """Return Markdown that shows a text as it is; what stands in double backticks is code."""
    parts = re.split(r"``(.+?)``", text, flags=re.DOTALL)
    plain = [re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", part) for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]] + [""]
    return "".join(a + b for a, b in zip(plain, code, strict=True))


def anchor(key: str) -> str:
    """Return the name of the place of a claim."""
    return "claim-" + key.replace("/", "-").replace(".", "-").lower()


def linked(keys: list[str]) -> str:
    """Return links to claims."""
    return ", ".join(f"[`{key}`](#{anchor(key)})" for key in keys)


def source_of(claim: Claim) -> str:
    """Return the code that decides a claim, folded, with its place."""
    if claim.function is None:
        return ""
    lines, first = inspect.getsourcelines(claim.function)
    path = Path(inspect.getsourcefile(claim.function) or "").relative_to(ROOT)
    head = f"<details><summary><code>{path}</code>, line {first}</summary>"
    return f"{head}\n\n```{{code-block}} python\n{''.join(lines)}```\n\n</details>\n"


def variants(claim: Claim) -> list[str]:
    """Return what the variants of a claim say, each on a line."""
    return [escaped(" ".join(variant.statement.split())) for variant in claim.near]


def claim_text(claim: Claim, used_by: dict[str, list[str]]) -> str:
    """Return the section of a claim."""
    facts = [f"`{claim.key}`", claim.kind.value, f"on record: **{claim.recorded.value}**"]
    facts += [f"margin: {escaped(claim.margin.in_words)}"]
    repairs = [other.key for other in CLAIMS.values() if other.corrects == claim.key]
    said = [
        f"({anchor(claim.key)})=",
        f"## {escaped(claim.title)}",
        f"{escaped(claim.number)}  \n{', '.join(facts)}",
        "> " + escaped(inspect.cleandoc(claim.statement)).replace("\n", "\n> "),
        claim.reason and f"Not decided: {escaped(claim.reason)}",
        claim.survives and f"What survives: {escaped(claim.survives)}",
        repairs and f"Holds instead: {linked(repairs)}",
        claim.corrects and f"Repairs {linked([claim.corrects])}",
        claim.near and "Strengthened variants:\n\n- " + "\n- ".join(variants(claim)),
        claim.uses and f"Uses {linked([*claim.uses])}",
        used_by.get(claim.key) and f"Used by {linked(used_by[claim.key])}",
        source_of(claim),
    ]
    return "\n\n".join(text for text in said if text)


def theorem_pages() -> dict[str, str]:
    """Return the pages of the claims, one for each paper, and an index."""
    used_by: dict[str, list[str]] = {}
    for claim in CLAIMS.values():
        for key in claim.uses:
            used_by.setdefault(key, []).append(claim.key)
    pages = {}
    for key, paper in PAPERS.items():
        claims = [claim for claim in CLAIMS.values() if claim.paper == key]
        counts = [f"{sum(c.recorded is v for c in claims)} {v.value}" for v in Verdict]
        pages[f"theorems/{key}"] = "\n\n".join(
            [
                f"# {paper.authors}",
                f"{escaped(paper.title)}. Claims `{key}/...`, on record: {', '.join(counts)} "
                "([what a verdict means](../../verdicts.md)).",
                *(claim_text(claim, used_by) for claim in claims),
            ]
        )
    return pages


def counts_table() -> str:
    """Return how many claims of each paper have which verdict on record."""
    rows = ["| paper | " + " | ".join(v.value for v in Verdict) + " |", "|---|---|---|---|"]
    for key, paper in PAPERS.items():
        found = [claim.recorded for claim in CLAIMS.values() if claim.paper == key]
        counts = " | ".join(str(found.count(verdict)) for verdict in Verdict)
        rows.append(f"| [{paper.authors}](theorems/{key}.md) | {counts} |")
    return "\n" + "\n".join(rows) + "\n"
