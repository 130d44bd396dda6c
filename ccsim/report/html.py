"""HTML elements with escaped text, and the section of a page that runs the kernel.

Pyodide (Python compiled for browsers) is packed into one script next to the page, because a browser
loads only scripts from a disk.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from xml.etree.ElementTree import Element, tostring

from ccsim.appearance import show_label
from ccsim.certificates.files import write_text_atomically
from ccsim.errors import UnreadableInputError


def element(tag: str, *children: Element | str | None, **attributes: object) -> Element:
    """Return an element; its texts are shown on one line and escaped."""
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
    """Return a list of terms with their descriptions."""
    listed = element("dl")
    for term, value in pairs:
        listed.append(element("div", element("dt", term), element("dd", value)))
    return listed


def data(identity: str, value: object) -> Element:
    """Return a JSON value for the script of the page, escaped so that it cannot end the element."""
    text = json.dumps(value).replace("<", "\\u003c")
    return element("script", text, id=identity, type="application/json")


def resource(name: str) -> str:
    """Return the text of a file of this folder."""
    return (files("ccsim.report") / name).read_text(encoding="utf-8")


def page(
    title: str, body: Iterable[Element], values: dict[str, Any], scripts: Iterable[str] = ()
) -> str:
    """Return the text of a page that loads only the scripts named, from its own folder."""
    parts = [tostring(each, "unicode", "html") for each in body]
    parts += [tostring(data(key, value), "unicode", "html") for key, value in values.items()]
    program = resource("page.js") + resource("play.js") if values else ""
    return Template(resource("page.html")).substitute(
        title=tostring(element("title", title), "unicode", "html"),
        style=resource("page.css"),
        body="\n".join(parts),
        scripts="".join(f'<script src="{name}"></script>\n' for name in scripts),
        program=program,
    )


PYODIDE = "pyodide-files.js"  # the file beside a page that holds Pyodide
_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_MISSING = (
    f"Python for this browser is missing: the file {PYODIDE} must be in the folder of this page. "
    "Write the page again with the option --pyodide FOLDER, where FOLDER is the unpacked result "
    "of 'npm pack pyodide'. Or run: python -I -S ccsim/kernel FILE"
)


def packed_pyodide(folder: Path) -> str:
    """Return the files of Pyodide as one script."""
    if not (folder / _FILES[0]).is_file() and (folder / "package").is_dir():
        folder = folder / "package"
    packed = {}
    for name in _FILES:
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise UnreadableInputError(
                f"{folder / name}: cannot be read: {error.strerror}; --pyodide must be the folder "
                "of the unpacked npm package pyodide"
            ) from None
        packed[name] = base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")
    return f"globalThis.pyodideFiles = {json.dumps(packed, indent=0)};\n"


def write_pyodide(folder: Path, package: Path) -> None:
    """Write the files of Pyodide, as one script, into the folder of a page."""
    write_text_atomically(folder / PYODIDE, packed_pyodide(package))


def kernel_files() -> dict[str, str]:
    """Return the text of each file of the kernel."""
    return {
        each.name: each.read_text(encoding="utf-8")
        for each in sorted(files("ccsim.kernel").iterdir(), key=lambda file: file.name)
        if each.name.endswith(".py")
    }


def program_files() -> dict[str, Any]:
    """Return the data that the program of every page with a checker reads."""
    return {"kernel": kernel_files(), "worker": resource("worker.js")}


def values(certificate: str | None) -> dict[str, Any]:
    """Return the data for the script of the page: the certificate, the kernel and the worker."""
    given = {} if certificate is None else {"certificate": certificate}
    return given | program_files()


def checker(*, given: bool) -> Element:
    """Return the section with the button that runs the checker."""
    lines = sum(text.count("\n") for text in kernel_files().values())
    own = [
        element("button", "Alter a digit", id="alter", type="button", hidden=None if given else ""),
        element("button", "Restore", id="restore", type="button", hidden=None if given else ""),
    ]
    what = "the certificate" if given else "a certificate that you choose"
    return element(
        "section",
        element("h2", "Check it here", id="checker"),
        element(
            "p",
            f"The button runs ccsim's checker (the {lines} unchanged lines of the folder "
            f"ccsim/kernel) on {what} in this browser. Nothing is sent anywhere.",
        ),
        element("noscript", element("p", "The check requires JavaScript, which is switched off.")),
        element(
            "div",
            element("button", "Check it here", id="check", type="button", class_="first"),
            element("button", "Stop", id="stop", type="button", hidden=""),
            *own,
            hidden="",
            data_needs_program="",
        ),
        element(
            "p", "Not checked in this browser yet.", id="result", class_="verdict", role="status"
        ),
        element(
            "details",
            element("summary", "Read or alter the text to check, or choose another file"),
            element(
                "p",
                element("label", "Another certificate: ", for_="file"),
                element("input", id="file", type="file", accept=".json,application/json"),
            ),
            element("label", "Text of the certificate", for_="text"),
            element("textarea", id="text", spellcheck="false", autocomplete="off"),
            open=None if given else "",
        ),
        element("p", _MISSING, id="missing", hidden=""),
        class_="screen",
        aria_labelledby="checker",
    )
