"""Writing the pages of the atlas into a folder; they need neither a network nor a server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ccsim.certificates.files import make_folder, write_text_atomically
from ccsim.report.atlas.class_page import CHECKER, class_page
from ccsim.report.atlas.index_page import index_files
from ccsim.report.html import program_files, write_pyodide
from ccsim.surveys.atlas.certificates import (
    FILE,
    certificates,
    classes_with_pages,
    prove,
    with_contributed,
)
from ccsim.surveys.atlas.statements import check_documents


def write_site(
    out: Path | str,
    *,
    file: Path = FILE,
    pyodide: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write the pages after the kernel has accepted each certificate; return how many were."""
    shipped = certificates(file)
    documents = {
        entry.identifier: with_contributed(entry, shipped.get(entry.identifier) or prove(entry))
        for entry in classes_with_pages()
        if entry.identifier in shipped or file == FILE
    }
    entries = [entry for entry in classes_with_pages() if entry.identifier in documents]
    linked = {entry.identifier for entry in entries}
    for i, entry in enumerate(entries, 1):
        check_documents(entry, documents[entry.identifier])
        if progress is not None:
            progress(i, len(entries))
    folder = make_folder(out)
    for name, text in index_files(linked).items():
        write_text_atomically(folder / name, text)
    shared = json.dumps(program_files())
    write_text_atomically(folder / CHECKER, f"globalThis.sharedFiles = {shared};\n")
    if pyodide is not None:
        write_pyodide(folder, pyodide)
    for entry in entries:
        made = class_page(entry, documents[entry.identifier], linked)
        text = json.dumps(made.to_dict(), indent=1)
        write_text_atomically(folder / f"{entry.identifier}.json", f"{text}\n")
        write_text_atomically(folder / f"{entry.identifier}.html", made.text())
    return sum(len(documents[name]) for name in linked)
