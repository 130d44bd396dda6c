"""The part of a page that runs the kernel where the page is read.

The kernel's files go into the page as they are. Python itself does not: Pyodide (Python compiled
for browsers, the npm package ``pyodide``) is packed into one file beside the page. That file is a
script, because a browser lets a page that lies on a disk load scripts and nothing else, so that no
server is needed.
"""

from __future__ import annotations

import base64
import gzip
import json
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from ccsim.certificates import write_text_atomically
from ccsim.errors import UnreadableInputError
from ccsim.report.html import element, resource

PYODIDE = "pyodide-files.js"
"""The file beside a page that holds Pyodide."""
_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_MISSING = (
    f"Python for this browser is missing: the file {PYODIDE} must lie beside this page. The "
    "option --pyodide FOLDER of the command that wrote the page writes it; FOLDER is what "
    "'npm pack pyodide' gives, unpacked. Or run: python -I -S ccsim/kernel FILE"
)


def packed_pyodide(folder: Path) -> str:
    """Return Pyodide's files as one script."""
    if not (folder / _FILES[0]).is_file() and (folder / "package").is_dir():
        folder = folder / "package"
    packed = {}
    for name in _FILES:
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise UnreadableInputError(
                f"{folder / name}: cannot be read: {error.strerror}; --pyodide needs the npm "
                "package pyodide, unpacked"
            ) from None
        packed[name] = base64.b64encode(gzip.compress(content, mtime=0)).decode("ascii")
    return f"globalThis.pyodideFiles = {json.dumps(packed, indent=0)};\n"


def write_pyodide(folder: Path, package: Path) -> None:
    """Write Pyodide's files into the folder of a page, as one script."""
    write_text_atomically(folder / PYODIDE, packed_pyodide(package))


def kernel_files() -> dict[str, str]:
    """Return the text of each file of the kernel."""
    return {
        each.name: each.read_text(encoding="utf-8")
        for each in sorted(files("ccsim.kernel").iterdir(), key=lambda file: file.name)
        if each.name.endswith(".py")
    }


def values(certificate: str | None) -> dict[str, Any]:
    """Return what the page's program needs: the certificate's text, the kernel, the worker."""
    given = {} if certificate is None else {"certificate": certificate}
    return given | {"kernel": kernel_files(), "worker": resource("worker.js")}


def checker(*, given: bool) -> Element:
    """Return the section with the button."""
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
            f"The button runs ccsim's checker, the {lines} lines of the folder ccsim/kernel "
            f"unchanged, on {what}, in this browser. Nothing is sent anywhere.",
        ),
        element("noscript", element("p", "This needs JavaScript, which is switched off.")),
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
            element("summary", "Read or alter the text that is checked, or choose another file"),
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
