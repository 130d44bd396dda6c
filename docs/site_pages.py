"""What the documentation site does not keep in files: generated pages, and the navigation.

`setup` is called by Sphinx. Before the pages are read, the folder ``generated`` is written: the
theorems from the registry of claims, the names from ``__all__``, the commands from click, the
limits from where they are set. The pages of the folder are listed in sections; a page that none
names is listed among the guides, so that none is an orphan.
"""

import json
import re
from collections.abc import Iterable
from fnmatch import filter as fnmatched
from itertools import groupby
from pathlib import Path
from typing import Any

from claim_pages import FOLDER as CLAIM_FOLDER
from claim_pages import ROOT, claim_pages, escaped, link_claims, table
from click.testing import CliRunner
from reference_pages import PAGES, name_pages
from sphinx.application import Sphinx

from ccsim.cli.limits import limits
from ccsim.texts.registry import LEARNER_CLASSES, MECHANISM_CLASSES, SANITIZER_CLASSES, Registry
from proofs_check.claims.table import CLAIMS

SECTIONS: dict[str, tuple[str, dict[str, list[str]]]] = {
    "Tutorials": (
        "Lessons to read from beginning to end. The notebooks are in `docs/notebooks`.",
        {"": ["first-session", "notebooks/*"]},
    ),
    "How-to guides": (
        "Each guide describes the steps of one task.",
        {
            "Your own data": [
                "your-own-data",
                "audit-own-mechanism",
                "measures-of-privacy",
                "composition",
                "learn-from-a-table",
            ],
            "Certificates": ["reading-certificates", "report"],
            "Many cores and many instances": ["many-cores", "surveys", "atlas"],
            "Communication": ["bounds", "protocols"],
            "Other programs": ["interoperability", "games-and-programs", "*"],
            "Extensions": ["write-your-own", "generated/contributing"],
        },
    ),
    "Reference": (
        "Definitions, sizes, names, commands and formats.",
        {
            "Questions and terms": [
                "questions",
                "generated/limits",
                "numbers",
                "glossary",
                "frontier",
            ],
            "Command line": [
                "generated/commands",
                "generated/mechanisms",
                "generated/learners",
                "generated/sanitizers",
                "json",
            ],
            "Certificates and changes": ["certificates", "certificates-*", "generated/changelog"],
            "Python": [
                "names",
                *(f"generated/names/{page}" for page in PAGES),
            ],
        },
    ),
    "Explanation": (
        "The meaning of the answers, their proofs, and measured running times.",
        {
            "Trust": [
                "verdicts",
                "theorems",
                "theorems-by-definition",
                "architecture",
            ],
            "Learning and privacy": [
                "private-learning",
                "approximate-privacy",
                "query-release",
                "public-data",
                "teaching",
            ],
            "Proofs on paper": ["closed-forms", "lines", "powers-small-matrices"],
            "Measurements": ["benchmarks-*"],
        },
    ),
    "Claims": ("", {"": ["errata", *(f"{CLAIM_FOLDER}/{key}" for key in CLAIMS)]}),
    "Gallery": ("", {}),
}
"""Sections: an introduction, and groups of patterns; ``*`` gets what no other pattern names."""
PLACES = {"Claims": "claims", "Gallery": "generated/gallery/index"}
"""The pages of sections that have a page of their own."""


def allow_breaks(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Let lines break within long names and paths."""
    names = re.compile(r'(?<=<span class="pre">)[^<]+')
    body = context.get("body", "")
    context["body"] = names.sub(
        lambda name: re.sub(r"(?<=[_(.:=,/])(?=\w)", "<wbr>", name[0]), body
    )


def limits_page() -> str:
    """Return the tables of what ``ccsim limits`` prints, one for each package."""
    rows = json.loads(CliRunner().invoke(limits, ["--json"], catch_exceptions=False).output)
    said = [LIMITS]
    for package, found in groupby(rows, lambda row: ".".join(row["where"].split(".")[:2])):
        cells = [
            (
                f"`{row['name']}`",
                f"{int(row['value']):,}".replace(",", "\N{NO-BREAK SPACE}"),
                f"{escaped(row['meaning'])} Beyond it: {row['beyond']}. (`{row['where']}`)",
            )
            for row in found
        ]
        said.append(f"## `{package}`\n\n" + table(("limit", "value", "meaning"), *cells))
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


LIMITS = """\
# Limits

`ccsim limits` prints this list. Limits are checked before any work. For an instance beyond a limit,
a function raises `InstanceTooLargeError`, with the limit and the size, or returns bounds.
[Questions and their sizes](/questions.md) lists the sizes that are practical within these limits.
To stop a search earlier, use `time_limit`."""

MECHANISMS = """\
The mechanisms that `ccsim audit` can create for a concept class. `--set KEY=VALUE` sets a
parameter; choices and switches are also options of the command. The mechanisms use the epsilon and
delta of the command. In Python, import the classes from their packages;
[`audit`](names/questions-privacy-and-learning.rst) compares their output distributions."""

LEARNERS = """\
The learners that `ccsim learn` runs on hard targets. The parameters in the tables, and accuracy,
failure, epsilon and delta, are options of the command. In Python, import the classes from their
packages; `ccsim.learning.learning_trial` runs them."""

SANITIZERS = """\
The sanitizers that `ccsim sanitize` runs on records. The parameters in the tables, and accuracy,
failure, epsilon and delta, are options of the command. In Python, import the classes from
`ccsim.release`."""

COMMANDS = """\
Commands
========

The help texts of ``ccsim``, ``proofs-check`` and all their commands.

.. click:: ccsim.cli.main:cli
   :prog: ccsim
   :nested: full

.. click:: proofs_check.commands:cli
   :prog: proofs-check
   :nested: full
"""


def write_pages(app: Sphinx) -> None:
    """Write the generated pages, those that have changed."""
    pages = claim_pages()
    pages |= {f"{name}.rst": text for name, text in name_pages().items()}
    pages["limits.md"] = limits_page()
    pages["learners.md"] = registry_page(LEARNER_CLASSES, LEARNERS)
    pages["sanitizers.md"] = registry_page(SANITIZER_CLASSES, SANITIZERS)
    pages["mechanisms.md"] = registry_page(MECHANISM_CLASSES, MECHANISMS)
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = Path(ROOT, f"{name}.md").read_text(encoding="utf-8")
        pages[f"{name.lower()}.md"] = text.replace("](docs/", "](/")
    for title in SECTIONS.keys() - PLACES.keys():
        pages[f"{Path(section_page(title)).name}.md"] = f"# {title}\n\n{SECTIONS[title][0]}\n"
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


def pages_of_sections(found: Iterable[str]) -> dict[str, dict[str, list[str]]]:
    """Sort pages into the groups of the sections, in the order of the patterns."""
    left = {page for page in found if not page.startswith("generated/gallery/plot")}
    left -= {"index", "installation", *map(section_page, SECTIONS)}
    places = [
        (title, group, pattern)
        for title, (_, groups) in SECTIONS.items()
        for group, patterns in groups.items()
        for pattern in patterns
    ]
    fitting = {}
    for place in sorted(places, key=lambda place: place[2] == "*"):
        fitting[place] = sorted(fnmatched(left, place[2]))
        left -= {*fitting[place]}
    sections: dict[str, dict[str, list[str]]] = {title: {} for title in SECTIONS}
    for title, group, pattern in places:
        sections[title].setdefault(group, []).extend(fitting[title, group, pattern])
    return sections


def section_page(title: str) -> str:
    """Return the name of the page of a section."""
    return PLACES.get(title, f"generated/{title.lower().replace(' ', '-')}")


def add_navigation(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the lists of pages: of sections to the first page, of pages to those of the sections."""
    source[0] = re.sub(r"\]\(\.\./([A-Z]+)\.md\)", up, source[0])
    source[0] = source[0].replace("](gallery)", f"](/{PLACES['Gallery']})")
    if docname == "index":
        source[0] += toctree(["installation", *map(section_page, SECTIONS)], ":hidden:")
    for title in SECTIONS:
        if docname == section_page(title) != PLACES.get("Gallery"):
            hidden = ":hidden:" if title in PLACES else ":maxdepth: 1"
            for group, pages in pages_of_sections(app.env.found_docs)[title].items():
                source[0] += toctree(pages, f":caption: {group}\n{hidden}" if group else hidden)


def up(link: re.Match[str]) -> str:
    """Return the link to the copy of a page of the checkout's first folder."""
    return f"](/generated/{link[1].lower()}.md)"


def toctree(pages: list[str], option: str) -> str:
    """Return a list of pages for Sphinx."""
    return "\n".join(["", "```{toctree}", option, "", *(f"/{page}" for page in pages), "```", ""])


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", link_claims)
    app.connect("html-page-context", allow_breaks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
