"""``ccsim report``: a page that shows a certificate and checks it where it is read."""

from __future__ import annotations

from pathlib import Path

import click

from ccsim.certificates.files import check_outputs, make_folder, write_text_atomically
from ccsim.cli.output import report as printed
from ccsim.cli.parameters import INPUT, INPUT_FOLDER, Command

PYODIDE_OPTION = click.option(
    "--pyodide",
    type=INPUT_FOLDER,
    metavar="FOLDER",
    help="Folder of the unpacked npm package pyodide.",
)
"""Folder of the Python for browsers."""


@click.command(cls=Command)
@click.argument("certificate", type=INPUT)
@click.option(
    "--out",
    required=True,
    metavar="PATH",
    help="FILE.html, or a folder for index.html.",
)
@PYODIDE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def report(*, certificate: str, out: str, pyodide: Path | None, as_json: bool) -> None:
    """Write a web page that shows the statement of CERTIFICATE and checks it in the browser.

    The page needs neither a network nor a server. Its check button needs --pyodide, which writes a
    file of 8 MB next to the page. If the certificate is rejected, nothing is written, and the exit
    status is 4.
    """
    from ccsim.report.certificate import certificate_page
    from ccsim.report.html import PYODIDE, write_pyodide

    path = Path(out)
    is_folder = path.suffix.lower() not in {".html", ".htm"} or path.is_dir()
    text, lines = certificate_page(certificate)
    if is_folder:
        path = make_folder(out) / "index.html"
    beside = [] if pyodide is None else [path.parent / PYODIDE]
    check_outputs([path, *beside], [certificate])
    write_text_atomically(path, text)
    if pyodide is not None:
        write_pyodide(path.parent, pyodide)
    files = [str(each) for each in (path, *beside)]
    data = {"certificate": certificate, "proved": lines, "files": files}
    printed(
        data,
        [*(("proved", line) for line in lines), *(("file", file) for file in files)],
        as_json=as_json,
    )
