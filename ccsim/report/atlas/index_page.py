"""The first page of the atlas: a search over all classes on at most 5 points."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode
from xml.etree.ElementTree import Element

from ccsim.report.html import element, page, resource, table
from ccsim.surveys.atlas.table import COLUMNS, ERRORS, MOST_POINTS, QUANTITIES, atlas, texts_of

DATA = "atlas-data.js"  # the rows of the atlas, for the scripts of the search
SCRIPTS = ("query.js", "search.js")
_SAVED = (
    ("Littlestone dimension 2 and VC dimension 1", "littlestone = 2 and vc = 1"),
    ("the recursive teaching dimension exceeds the VC dimension", "recursive_teaching > vc"),
    ("the no-clash teaching dimension exceeds the VC dimension", "no_clash_teaching > vc"),
    ("DRDim exceeds PRDim by 1", "drdim(1/3) - prdim(1/3) >= 1"),
    ("private coins cost two more messages than public coins",
     "private_messages(1/3) - messages(1/3) >= 2"),
    ("the threshold dimension exceeds the Littlestone dimension by 3",
     "threshold_most - littlestone >= 3"),
)  # fmt: skip


def link_to(question: str) -> str:
    """Return the address of a question, relative to the folder of the pages."""
    return f"index.html#{urlencode({'q': question})}"


def atlas_data(linked: Collection[str]) -> str:
    """Return the script with the rows of the atlas and the identifiers of classes with pages."""
    rows = [(e.points, e.chosen, e.classes, *texts_of(e)) for e in atlas()]
    data: dict[str, Any] = {
        "columns": COLUMNS,
        "errors": [str(error) for error in ERRORS],
        "full": MOST_POINTS - 1,
        "pages": sorted(linked),
        "quantities": {
            name: {"points": each.most_points, "arguments": each.arguments}
            for name, each in QUANTITIES.items()
        },
    }
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    head = json.dumps(data, separators=(",", ":"))
    return f'globalThis.atlasData = {head[:-1]},"rows":[\n{lines}\n]}};\n'


def index_page() -> str:
    """Return the page with the search."""
    body = [
        element("h1", "An atlas of all classes on at most 5 points"),
        element(
            "p",
            "Concept classes up to isomorphism: permutations of the points and exchanges of 0 and "
            "1 at points. On 5 points, classes with the same values share a row, which names the "
            "first of them. The smallest classes come first.",
        ),
        element("noscript", element("p", "The search requires JavaScript, which is switched off.")),
        _form(),
        element("p", "", id="said", class_="verdict", role="status"),
        element("div", id="found"),
        element("p", element("button", "Show more", id="more", type="button", hidden="")),
        element("h2", "Questions of the documentation"),
        _saved(),
        element("h2", "Quantities"),
        _quantities(),
    ]
    return page("ccsim: an atlas of small concept classes", body, {}, [DATA, *SCRIPTS])


def _form() -> Element:
    points = (
        element("option", f"at most {n}", value=n, selected="" if n == MOST_POINTS else None)
        for n in range(1, MOST_POINTS + 1)
    )
    return element(
        "form",
        element("label", "Question, or the identifier of a class", for_="q"),
        element("input", id="q", type="search", autocomplete="off", spellcheck="false",
                placeholder="littlestone = 2 and vc = 1"),
        element("label", "Points ", element("select", *points, id="points")),
        element("button", "Search", type="submit", class_="first"),
        id="search", role="search", hidden="",
    )  # fmt: skip


def _saved() -> Element:
    listed = element("ul")
    for words, question in _SAVED:
        link = element("a", element("code", question), href=link_to(question))
        listed.append(element("li", f"{words}: ", link))
    return listed


def _quantities() -> Element:
    signs = {"": "", "k": "(k)", "e": "(e)", "e1": "(e)"}
    rows: list[list[Element | str]] = [
        [element("code", name + signs[each.arguments]), each.meaning, str(each.most_points)]
        for name, each in QUANTITIES.items()
    ]
    return table("Quantities in questions", ("quantity", "meaning", "known up to"), rows)


def index_files(linked: Collection[str]) -> dict[str, str]:
    """Return the texts of the files of the search, by name."""
    scripts = {name: resource(f"atlas/{name}") for name in SCRIPTS}
    return {"index.html": index_page(), DATA: atlas_data(linked)} | scripts
