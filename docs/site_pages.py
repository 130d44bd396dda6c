"""What the documentation site does not keep in files: generated pages, and the navigation.

`setup` is called by Sphinx. Before the pages are read, the folder ``generated`` is written: the
theorems from the registry of claims, the names by `reference_pages`, the commands from click, the
limits from where they are set. The pages of the folder are listed in sections; a page that none
names is listed among the guides, so that none is an orphan.
"""

import json
from collections.abc import Iterable
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path

from claim_pages import counts_table, escaped, theorem_pages
from click.testing import CliRunner
from reference_pages import PAGES, name_pages
from sphinx.application import Sphinx

from ccsim.cli.limits import limits
from ccsim.texts.registry import LEARNER_CLASSES, MECHANISM_CLASSES, SANITIZER_CLASSES, Registry
from proofs_check.claims.table import PAPERS

SECTIONS = {
    "Learn": (
        "Notebooks to play with, and pages to begin with.",
        ["notebooks/*", "reading-certificates", "your-own-data"],
    ),
    "Gallery": ("", ["generated/gallery/index"]),
    "Guides": (
        "What can be asked, subject by subject.",
        [
            "questions",
            "private-learning",
            "approximate-privacy",
            "query-release",
            "public-data",
            "surveys",
            "atlas*",
            "report",
            "*",
        ],
    ),
    "Theorems": (
        "The statements of four papers as claims that run, and what is proved about the answers.",
        [
            *(f"generated/theorems/{key}" for key in PAPERS),
            "verdicts",
            "claims",
            "closed-forms",
            "lines",
            "theorems",
            "theorems-by-definition",
        ],
    ),
    "Reference": (
        "Names, commands, formats and limits.",
        [
            *(f"generated/names/{page}" for page in PAGES),
            "generated/commands",
            "generated/mechanisms",
            "generated/learners",
            "generated/sanitizers",
            "generated/limits",
            "json",
            "certificates",
            "architecture",
        ],
    ),
    "Measured": ("How long things take, and how far they go.", ["benchmarks-*"]),
}
"""Sections with an introduction and the patterns of their pages; ``*`` gets what no other names."""


def limits_page() -> str:
    """Return the table that ``ccsim limits`` prints."""
    rows = json.loads(CliRunner().invoke(limits, ["--json"], catch_exceptions=False).output)
    said = ["# Limits", "What `ccsim limits` prints: sizes that are checked before any work."]
    place = ""
    for row in rows:
        if row["where"] != place:
            place = row["where"]
            said.append(f"## `{place}`\n\n| limit | value | meaning |\n|---|---|---|")
        cells = f"| `{row['name']}` | {row['value']} | {escaped(row['meaning'])} |"
        said[-1] += f"\n{cells}"
    return "\n\n".join(said) + "\n"


def registry_page(registry: Registry, introduction: str) -> str:
    """Return the page of what is registered, with a table of the parameters of each class."""
    said = [f"# {registry.what.capitalize()}s", introduction]
    for name, kind in registry.classes().items():
        package = ".".join(kind.__module__.split(".")[:2])
        summary = escaped((kind.__doc__ or "").partition("\n")[0])
        said += [f"## `{name}`", f"`{package}.{kind.__name__}`. {summary}"]
        if parameters := registry.declared(kind):
            rows = ["| parameter | type | range | default | meaning |", "|---|---|---|---|---|"]
            rows += [
                f"| `{p.name}` | {p.kind.__name__} | {p.about.rule} | {p.shown} "
                f"| {escaped(p.about.meaning)} |"
                for p in parameters.values()
            ]
            said.append("\n".join(rows))
    return "\n\n".join(said) + "\n"


MECHANISMS = """\
The mechanisms that `ccsim audit` makes for a concept class. `--set KEY=VALUE` sets a parameter;
choices and switches are options as well. Epsilon and delta are those of the command. In Python the
classes are exported by their packages; [`audit`](names/questions.rst) compares their output
distributions."""

LEARNERS = """\
The learners that `ccsim learn` runs on hard targets. The parameters are options of the command, as
accuracy, failure, epsilon and, where it is used, delta are. In Python the classes are exported by
their packages; `ccsim.learning.learning_trial` runs them."""

SANITIZERS = """\
The sanitizers that `ccsim sanitize` runs on records. The parameters are options of the command, as
accuracy, failure, epsilon and, where it is used, delta are. In Python the classes are exported by
`ccsim.release`."""

COMMANDS = """\
Commands
========

What ``ccsim --help`` and ``ccsim COMMAND --help`` say, and the same of ``proofs-check``.

.. click:: ccsim.cli.main:cli
   :prog: ccsim
   :nested: full

.. click:: proofs_check.commands:cli
   :prog: proofs-check
   :nested: full
"""


def write_pages(app: Sphinx) -> None:
    """Write the generated pages, those that have changed."""
    pages = {f"{name}.md": text for name, text in theorem_pages().items()}
    pages |= {f"{name}.rst": text for name, text in name_pages().items()}
    pages["limits.md"] = limits_page()
    pages["learners.md"] = registry_page(LEARNER_CLASSES, LEARNERS)
    pages["sanitizers.md"] = registry_page(SANITIZER_CLASSES, SANITIZERS)
    pages["mechanisms.md"] = registry_page(MECHANISM_CLASSES, MECHANISMS)
    for title, (introduction, _) in SECTIONS.items():
        if title != "Gallery":
            pages[f"{title.lower()}.md"] = f"# {title}\n\n{introduction}\n"
    pages["theorems.md"] += counts_table()
    pages["commands.rst"] = COMMANDS
    folder = Path(app.srcdir, "generated")
    for path in (found for kind in ("*.md", "*.rst") for found in folder.rglob(kind)):
        name = path.relative_to(folder).as_posix()
        if name not in pages and not name.startswith("gallery/"):
            path.unlink()  # what an earlier build wrote, and nothing names any more
    for name, text in pages.items():
        path = Path(app.srcdir, "generated", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def pages_of_sections(found: Iterable[str]) -> dict[str, list[str]]:
    """Sort pages into sections, in the order of the patterns."""
    left = {page for page in found if not page.startswith("generated/gallery/plot")}
    left -= {"index", *map(section_page, SECTIONS)}
    sorted_in: dict[tuple[str, str], list[str]] = {}
    patterns = [(title, pattern) for title in SECTIONS for pattern in SECTIONS[title][1]]
    for place in sorted(patterns, key=lambda place: place[1] == "*"):
        fitting = sorted(page for page in left if fnmatch(page, place[1]))
        left -= {*fitting}
        sorted_in[place] = fitting
    return {
        title: [page for pattern in SECTIONS[title][1] for page in sorted_in[title, pattern]]
        for title in SECTIONS
    }


def section_page(title: str) -> str:
    """Return the name of the page of a section."""
    return f"generated/{title.lower()}"


def add_navigation(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the lists of pages: of sections to the first page, of pages to those of the sections."""
    sections = pages_of_sections(app.env.found_docs)
    if docname == "index":
        shown = [title for title in SECTIONS if sections[title]]
        gallery = "generated/gallery/index"
        pages = [gallery if title == "Gallery" else section_page(title) for title in shown]
        source[0] += toctree(pages, ":hidden:")
    for title in SECTIONS:
        if docname == section_page(title):
            source[0] += toctree(sections[title], ":maxdepth: 1")


def toctree(pages: list[str], option: str) -> str:
    """Return a list of pages for Sphinx."""
    return "\n".join(["", "```{toctree}", option, "", *(f"/{page}" for page in pages), "```", ""])


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", add_navigation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
