"""The pages of the atlas as a folder of the site, and links to them from the other pages.

A question to the atlas in the text of a page becomes a link to the search with this question. An
INSTANCE text of a class becomes a link to the page of this class.
"""

import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from ccsim.errors import DomainError
from ccsim.report.atlas.index_page import link_to
from ccsim.report.atlas.site import write_site
from ccsim.surveys.atlas.certificates import classes_with_pages
from ccsim.surveys.atlas.query import read_question

FOLDER = "atlas"
LINKING = ("atlas", "combinatorial-parameters", "frontier", "teaching")
"""The pages with questions to the atlas."""
COMMAND = re.compile(r'ccsim atlas query\s+"([^"]+)"')


def target_of(text: str) -> str:
    """Return the page of the folder that a text in code names, with its place, or nothing."""
    if text == f"{FOLDER}/index.html":
        return "index.html"
    if found := re.fullmatch(r"some_functions:n=(\d),chosen=(\d+)", text):
        name = f"C{found[1]}.{found[2]}"
        return f"{name}.html" if any(e.identifier == name for e in classes_with_pages()) else ""
    if found := COMMAND.search(text):
        text = found[1]
    try:
        return link_to(read_question(text).text)
    except DomainError:
        return ""


def link_questions(app: Sphinx, tree: nodes.document) -> None:
    """Make links of questions and classes in the text, and below the commands that ask."""
    page = app.env.docname
    if page not in LINKING:
        return
    for name in [*tree.findall(nodes.literal)]:
        target = target_of(" ".join(name.astext().split()))
        if target and not isinstance(name.parent, nodes.title | nodes.reference):
            link = nodes.reference("", "", refuri=f"{FOLDER}/{target}")
            name.replace_self(link)
            link += name
    for block in [*tree.findall(nodes.literal_block)]:
        questions = dict.fromkeys(COMMAND.findall(block.astext()))
        if questions:
            said = nodes.paragraph("", "In the browser: ")
            for i, question in enumerate(questions):
                link = nodes.reference("", "", refuri=f"{FOLDER}/{link_to(question)}")
                link += nodes.literal("", question)
                said += [nodes.Text(", " if i else ""), link]
            block.parent.insert(block.parent.index(block) + 1, said)


def write_atlas(app: Sphinx, failure: Exception | None) -> None:
    """Write the pages of the atlas; they check certificates if CCSIM_PYODIDE names a folder."""
    if failure is None and app.builder.format == "html":
        pyodide = os.environ.get("CCSIM_PYODIDE")
        write_site(Path(app.outdir, FOLDER), pyodide=Path(pyodide) if pyodide else None)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("doctree-read", link_questions)
    app.connect("build-finished", write_atlas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
