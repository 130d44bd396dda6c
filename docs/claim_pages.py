"""The pages of the claims, one for each, which are written at each build from their registry."""

import inspect
import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

import ccsim
from proofs_check.claims.claim import Claim, Verdict
from proofs_check.claims.table import CLAIMS, PAPERS

ROOT = Path(ccsim.__file__).parents[1]
FOLDER = "generated/claims"
VARIANTS = """\
## Strengthened variants, which must fail

Each variant replaces an ingredient of the claim by a stronger one and must fail on at least one
instance in every run. This shows that the check of the claim can fail."""
REPAIRS = """\
## Weakened variants, which must hold

The claim is an erratum: it fails as printed. Each variant weakens one ingredient and must hold on
all instances of the small grid."""


def escaped(text: str) -> str:
    """Return Markdown that shows a text as it is; what stands in double backticks is code."""
    parts = re.split(r"``(.+?)``", text, flags=re.DOTALL)
    plain = [re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", part) for part in parts[::2]]
    code = [f"`{part}`" for part in parts[1::2]] + [""]
    return "".join(a + b for a, b in zip(plain, code, strict=True))


def table(*rows: tuple[str, ...]) -> str:
    """Return a table of Markdown, whose first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def listed(what: str, keys: list[str]) -> str:
    """Return an item with links to claims, or nothing if there are none."""
    links = (f"[`{key}`](/{FOLDER}/{key}.md) {escaped(CLAIMS[key].title)}" for key in keys)
    return f"* {what}: " + "; ".join(links) if keys else ""


def source_of(claim: Claim) -> str:
    """Return the code that decides a claim, folded, with its place."""
    if claim.function is None:
        return ""
    lines, first = inspect.getsourcelines(claim.function)
    path = Path(inspect.getsourcefile(claim.function) or "").relative_to(ROOT)
    head = f"<details><summary>The code: <code>{path}</code>, line {first}</summary>"
    return f"{head}\n\n```{{code-block}} python\n{''.join(lines)}```\n\n</details>\n"


def variants(claim: Claim) -> str:
    """Return the table of the variants of a claim."""
    if not claim.near:
        return ""
    erratum = claim.recorded is Verdict.FAILS
    label = "weakened variant, must hold" if erratum else "strengthened variant, must fail"
    rows = (
        (escaped(" ".join(v.statement.split())), escaped(v.strength(claim.ingredients)))
        for v in claim.near
    )
    return f"{REPAIRS if erratum else VARIANTS}\n\n" + table((label, "replaced ingredient"), *rows)


def claim_page(claim: Claim) -> str:
    """Return the page of a claim."""
    paper = PAPERS[claim.paper]
    related = [
        listed("Corrected claim", [c.key for c in CLAIMS.values() if c.corrects == claim.key]),
        listed("Corrects", [claim.corrects] if claim.corrects else []),
        listed("Its proof uses", [*claim.uses]),
        listed("Used by", [c.key for c in CLAIMS.values() if claim.key in c.uses]),
    ]
    facts = table(
        ("claim", f"`{claim.key}`"),
        ("in the paper", escaped(claim.number)),
        ("paper", escaped(str(paper))),
        ("kind", claim.kind.value),
        ("recorded verdict", f"**{claim.recorded.value}** ([what a verdict means](/verdicts.md))"),
        ("margin", escaped(claim.margin.in_words)),
    )
    command = f"proofs-check run {claim.key}\nproofs-check show {claim.key}"
    said = [
        f"# {escaped(claim.title)}",
        facts,
        "> " + escaped(inspect.cleandoc(claim.statement)).replace("\n", "\n> "),
        claim.reason and f"Not decided: {escaped(claim.reason)}",
        claim.survives
        and "*Does the conclusion of the paper survive?* "
        f"{escaped(claim.survives[0].upper() + claim.survives[1:])}",
        variants(claim),
        any(related) and "## Related claims\n\n" + "\n".join(filter(None, related)),
        claim.function and "## Check this claim\n\n```sh\n" + command + "\n```",
        source_of(claim),
    ]
    return "\n\n".join(text for text in said if text)


def claim_pages() -> dict[str, str]:
    """Return the page of every claim by its place."""
    return {f"claims/{key}.md": claim_page(claim) for key, claim in CLAIMS.items()}


def link_claims(app: Sphinx, tree: nodes.document) -> None:
    """Make links of the keys of claims that a page names in code, outside headings and links."""
    page = app.env.docname
    for name in [*tree.findall(nodes.literal)]:
        key, around = name.astext(), (name.parent, name.parent.parent)
        unlinked = not any(
            isinstance(n, nodes.title | nodes.reference | pending_xref) for n in around
        )
        if key in CLAIMS and page != f"{FOLDER}/{key}" and unlinked:
            options = {"refdomain": "std", "reftype": "doc", "reftarget": f"/{FOLDER}/{key}"}
            link = pending_xref("", refdoc=page, refexplicit=True, refwarn=True, **options)
            name.replace_self(link)
            link += name
