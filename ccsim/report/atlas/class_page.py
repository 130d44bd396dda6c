"""The page of a class: its matrix, values with certificates, symmetries, neighbours, families."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any
from xml.etree.ElementTree import Element

from ccsim.appearance import counted
from ccsim.data import frozen
from ccsim.kernel.reader import digest
from ccsim.report.drawings import instance
from ccsim.report.html import checker, described, element, page, table
from ccsim.surveys.atlas.contributions import Contribution, contributions_to
from ccsim.surveys.atlas.query import shown_value
from ccsim.surveys.atlas.relations import Relations, family_names, relations
from ccsim.surveys.atlas.statements import Documents, document_of, proved
from ccsim.surveys.atlas.table import ERRORS, QUANTITIES, Entry
from ccsim.version import __version__

PREFIX = "ccsim:"
CHECKER = "checker-files.js"  # the kernel and its worker, for all pages of the folder
_CITED = "The ccsim developers, ccsim: an atlas of all concept classes on few points"


@frozen
class Value:
    """A value on a page."""

    quantity: str
    shown: str
    document: str  # the name of the document that proves it
    digest: str  # of the document in canonical JSON, without ``made_by``


@frozen
class ClassPage:
    """The contents of the page of a class."""

    entry: Entry  # with the bounds that the documents prove
    documents: Documents
    relations: Relations
    values: tuple[Value, ...]
    linked: Collection[str]  # the identifiers of all classes with pages

    @property
    def families(self) -> tuple[str, ...]:
        """The INSTANCE texts of families that contain an isomorphic class."""
        return family_names().get((self.entry.points, self.entry.chosen), ())

    @property
    def contributed(self) -> tuple[Contribution, ...]:
        """The contributed values of the class."""
        return contributions_to(self.entry.points, self.entry.chosen)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON value of the class, with the digests of its certificates."""
        entry = self.entry
        near = self.relations
        return {
            "identifier": PREFIX + entry.identifier,
            "instance": entry.instance,
            "concepts": list(entry.concepts),
            "values": {
                each.quantity: {
                    "value": each.shown,
                    "meaning": meaning(each.quantity),
                    "certificate_sha256": each.digest,
                }
                for each in self.values
            },
            "symmetries": near.symmetries,
            "isomorphic_classes": near.isomorphic,
            "families": list(self.families),
            "one_concept_less": _names(entry.points, near.smaller),
            "one_concept_more": _names(entry.points, near.larger),
            "contributed": [each.credit for each in self.contributed],
            "citation": citation(entry),
        }

    def text(self) -> str:
        """Return the page."""
        entry = self.entry
        concepts = counted(len(entry.concepts), "concept", "concepts")
        size = f"A class with {concepts} on {counted(entry.points, 'point', 'points')}"
        body = [
            element("p", element("a", "Search the atlas", href="index.html"), class_="screen"),
            element("h1", PREFIX + entry.identifier),
            element("p", f"{size}, INSTANCE ", element("code", entry.instance), "."),
            *self._matrix(),
            *self._table(),
            *self._around(),
            element("h2", "Citation"),
            element("p", citation(entry)),
            *self._credits(),
            element("p", element("a", "This page as JSON", href=f"{entry.identifier}.json")),
            element(
                "p",
                "For a single value, add its name, such as ",
                element("code", f"{PREFIX}{entry.identifier}/{self.values[0].quantity}"),
                ", and the SHA-256 digest of its certificate.",
            ),
            checker(given=False),
        ]
        data = {f"certificate-{name}": _text(each) for name, each in self.documents.items()}
        return page(PREFIX + entry.identifier, body, data, [CHECKER])

    def _matrix(self) -> Iterator[Element]:
        rows = self.entry.concepts
        points = [f"x{i + 1}" for i in range(self.entry.points)]
        about = {"type": "concept class", "rows": rows, "concepts": rows, "points": points}
        drawn = instance(about, "The concepts as rows, the points as columns")
        if drawn is not None:
            yield drawn

    def _table(self) -> Iterator[Element]:
        yield element("h2", "Values")
        yield element(
            "p",
            "a..b denotes an interval: the certificate proves both bounds. The kernel accepted "
            "every certificate when this page was written; the buttons check it again in this "
            "browser.",
        )
        rows = [self._row(value) for value in self.values]
        head = ("quantity", "value", "certificate", "meaning", "SHA-256 of the certificate")
        yield table(f"Values of {self.entry.identifier}", head, rows)
        yield element(
            "p",
            "A least or largest value over all flips is proved by a list of certificates, one for "
            "each class that a flip yields. The errors with public coins are proved by a list of "
            "certificates, one for each number of messages, which also proves messages(e).",
        )

    def _row(self, value: Value) -> list[Element | str]:
        name, identity = value.quantity, f"certificate-{value.document}"
        file = f"{self.entry.identifier}-{value.document.replace('/', '_')}.json"
        anchor = element("a", element("code", name), href=f"#{name}", id=name)
        check = element(
            "button", "Check", type="button", data_certificate=identity, hidden="",
            data_needs_program="", aria_label=f"Check the certificate of {name}",
        )  # fmt: skip
        download = element(
            "a", "Download", href="#checker", download=file, class_="button", hidden="",
            data_certificate=identity, data_needs_program="",
            aria_label=f"Download the certificate of {name}",
        )  # fmt: skip
        both = element("span", check, download, class_="pair")
        sha = element("code", value.digest[:16], title=value.digest)
        return [anchor, value.shown, both, meaning(name), sha]

    def _around(self) -> Iterator[Element]:
        near = self.relations
        yield element("h2", "Symmetries, neighbours and families")
        group = f"{near.symmetries}; {counted(near.isomorphic, 'class', 'classes')} on the same "
        yield described(
            [
                ("Order of the symmetry group", f"{group}points are isomorphic to this class"),
                ("Without one concept", self._links(near.smaller)),
                ("With one more concept", self._links(near.larger)),
                ("Families", self._families()),
            ]
        )
        yield element(
            "p",
            "Isomorphisms permute the points and exchange 0 and 1 at points. A factor counts the "
            "concepts that lead to isomorphic classes.",
        )

    def _credits(self) -> Iterator[Element]:
        if self.contributed:
            yield element("p", "Contributed values, whose certificates are in the table:")
            yield element("ul", *(element("li", each.credit) for each in self.contributed))

    def _links(self, near: Mapping[int, int]) -> Element | str:
        shown: list[Element | str] = []
        for name, times in _names(self.entry.points, near).items():
            link = element("a", name, href=f"{name}.html") if name in self.linked else name
            shown += [", " if shown else "", link, f" ({times} times)" if times > 1 else ""]
        return element("span", *shown) if shown else "none"

    def _families(self) -> Element | str:
        if not self.families:
            return "isomorphic to no class of a named family"
        parts: list[Element | str] = ["isomorphic to "]
        for text in self.families:
            parts += [", " if len(parts) > 1 else "", element("code", text)]
        return element("span", *parts)


def class_page(entry: Entry, documents: Documents, linked: Collection[str]) -> ClassPage:
    """Return the page of a class with the values that the documents prove."""
    sizes = {name: entry.values[name] for name in ("points", "concepts")}
    shown = replace(entry, values=sizes | proved(documents))
    digests = {name: digest(_without_maker(each)) for name, each in documents.items()}
    values = tuple(
        Value(name, shown_value(name, shown), found, digests[found])
        for name in quantities_of(shown)
        if (found := document_of(name)) in digests
    )
    return ClassPage(shown, documents, relations(entry.points, entry.chosen), values, linked)


def quantities_of(entry: Entry) -> Iterator[str]:
    """Yield the quantities of a class in the order of the atlas, with arguments."""
    for name, about in QUANTITIES.items():
        if about.arguments == "k":
            numbers = range(1, len(entry.concepts) + 1)
            yield from takewhile(entry.values.__contains__, (f"{name}({k})" for k in numbers))
        elif about.arguments:
            yield from (f"{name}({error})" for error in ERRORS)
        else:
            yield name


def meaning(quantity: str) -> str:
    """Return the meaning of a quantity with its argument."""
    name, _, argument = quantity.rstrip(")").partition("(")
    text = QUANTITIES[name].meaning
    messages = counted(argument, "message", "messages") if name == "error" else ""
    text = text.replace("k messages", messages).replace("error e,", f"error {argument},")
    text = text.replace("one, failure e", f"representation, failure {argument}")
    text = text.replace(f"e = {' and '.join(map(str, ERRORS))}", f"e = {argument}")
    return text.replace("size(e)", f"size({argument})")


def citation(entry: Entry) -> str:
    """Return the line with which a class of the atlas is cited."""
    return f"{_CITED}, version {__version__}, {PREFIX}{entry.identifier}."


def _names(points: int, near: Mapping[int, int]) -> dict[str, int]:
    return {f"C{points}.{chosen}": times for chosen, times in near.items()}


def _without_maker(document: Any) -> Any:  # noqa: ANN401 - a JSON value
    if isinstance(document, list):
        return [_without_maker(each) for each in document]
    return {key: value for key, value in document.items() if key != "made_by"}


def _text(document: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return the text of a document, a line for each certificate of a list."""
    lines = [json.dumps(each, separators=(",", ":")) for each in
             (document if isinstance(document, list) else [document])]  # fmt: skip
    return "[\n" + ",\n".join(lines) + "\n]\n" if isinstance(document, list) else lines[0] + "\n"
