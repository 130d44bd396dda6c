"""Elements of a page: whatever text they hold is escaped when they are written out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from string import Template
from typing import Any
from xml.etree.ElementTree import Element, tostring

from ccsim.pictures.labels import show_label


def element(tag: str, *children: Element | str | None, **attributes: object) -> Element:
    """Return an element; texts are shown as labels are, on one line whatever they hold."""
    named = {k.rstrip("_").replace("_", "-"): v for k, v in attributes.items() if v is not None}
    made = Element(tag, {key: show_label(value) for key, value in named.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child is not None:
            text = show_label(child)
            if last is None:
                made.text = (made.text or "") + text
            else:
                last.tail = (last.tail or "") + text
    return made


def table(
    caption: Element | str, head: Iterable[str], rows: Iterable[Iterable[Element | str]]
) -> Element:
    """Return a table that scrolls on a narrow screen; the first cell of a row is its header."""
    body = [
        element("tr", *(_cell(cell, "td" if i else "th", i) for i, cell in enumerate(row)))
        for row in rows
    ]
    top = element("tr", *(element("th", name, scope="col") for name in head))
    whole = element("table", element("caption", caption), element("thead", top))
    whole.append(element("tbody", *body))
    label = caption if isinstance(caption, str) else "".join(caption.itertext())
    return element("div", whole, class_="wide", tabindex=0, role="region", aria_label=label)


def _cell(cell: Element | str, tag: str, column: int) -> Element:
    if isinstance(cell, Element) and cell.tag in {"td", "th"}:
        return cell
    return element(tag, cell, scope=None if column else "row")


def described(pairs: Iterable[tuple[str, Element | str]]) -> Element:
    """Return a list of terms and what they are."""
    listed = element("dl")
    for term, value in pairs:
        listed.append(element("div", element("dt", term), element("dd", value)))
    return listed


def data(identity: str, value: object) -> Element:
    """Return a JSON value for the page's program; nothing in it can end the element."""
    text = json.dumps(value).replace("<", "\\u003c")
    return element("script", text, id=identity, type="application/json")


def resource(name: str) -> str:
    """Return a file of this folder."""
    return (files("ccsim.report") / name).read_text(encoding="utf-8")


def page(title: str, body: Iterable[Element], values: dict[str, Any]) -> str:
    """Return the text of a page that needs no other file, and asks no network."""
    parts = [tostring(each, "unicode", "html") for each in body]
    parts += [tostring(data(key, value), "unicode", "html") for key, value in values.items()]
    program = resource("page.js") if values else ""
    return Template(resource("page.html")).substitute(
        title=tostring(element("title", title), "unicode", "html"),
        style=resource("page.css"),
        body="\n".join(parts),
        program=program,
    )
