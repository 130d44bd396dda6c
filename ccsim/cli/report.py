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
    help="What 'npm pack pyodide' gives, unpacked: packed into a file beside the page (8 MB), with "
    "which the button on the page works.",
)
"""Where the Python for browsers is."""


@click.command(cls=Command)
@click.argument("certificate", type=INPUT)
@click.option(
    "--out",
    required=True,
    metavar="PATH",
    help="A file FILE.html, or a folder, in which index.html is written.",
)
@PYODIDE_OPTION
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def report(*, certificate: str, out: str, pyodide: Path | None, as_json: bool) -> None:
    """Write a page that shows what CERTIFICATE proves, and can check it in the reader's browser.

    The page needs no network and no server. The status is 4, and nothing is written, if the
    certificate is rejected.
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
