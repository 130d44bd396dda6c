"""The pages of the reference of the Python names, by groups of `ccsim` and by packages.

A package with many names has a page for each kind of names; `reference_entries` describes them.
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from documented import DOCUMENTED, is_ours
from reference_entries import OBJECTS, PUBLIC, RETURNED, own_methods

import ccsim
from ccsim.certificates import Certified
from ccsim.communication import TwoPartyProtocol
from ccsim.learning import Learner
from ccsim.privacy import Mechanism
from ccsim.release import Sanitizer
from ccsim.texts.built_in import FUNCTIONS
from ccsim.texts.registry import SANITIZER_CLASSES

GROUPS = {
    group: [*(FUNCTIONS if "*FUNCTIONS" in names else ()), *re.findall(r'"(\w+)"', names)]
    for group, names in re.findall(
        r"^__all__ \+?= \[  # (.+?)\n(.*?)^\]",
        Path(ccsim.__file__).read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
}
"""The names of `ccsim` in their groups, from the comments of its `__all__`."""
SUBJECTS = {
    "dimensions": ("dimensions",),
    "communication": ("communication",),
    "complexity measures": ("measures",),
    "representations": ("representation",),
    "privacy and learning": ("learning", "privacy", "release"),
}
"""The subjects of questions, with the packages that answer them."""
KINDS = {
    "functions": "Functions",
    "constants": "Constants and types",
    "results": "Results",
    "objects": "Other classes",
    "mechanisms": "Mechanisms",
    "learners": "Learners",
    "sanitizers": "Sanitizers",
    "protocols": "Protocols",
    "returned": "Returned objects",
}
"""The kinds of names with their titles, in the order of a page."""
FIRST = ("functions", "constants")
"""The kinds on the first page of a package."""
ON_ONE_PAGE = 20
"""Most names of a package whose kinds share a page."""
NOTE = "Functions and methods return objects of these classes; users do not create them."


def kind_of(name: str) -> str:
    """Return the kind of a name."""
    value = OBJECTS[name]
    if name in RETURNED:
        return "returned"
    if not isinstance(value, type):
        return "functions" if inspect.isroutine(value) else "constants"
    if value is Sanitizer or value in SANITIZER_CLASSES.classes().values():
        return "sanitizers"
    bases = {
        Mechanism: "mechanisms",
        Learner: "learners",
        TwoPartyProtocol: "protocols",
        Certified: "results",
    }
    return next((kind for base, kind in bases.items() if base in value.__mro__), "objects")


def group_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages of the names of `ccsim`, one for each group and each subject of questions."""
    for group, short in GROUPS.items():
        names = [f"ccsim.{name}" for name in short]
        if group != "questions":
            yield group, page(group.capitalize(), "", {"": names})
            continue
        for subject, packages in SUBJECTS.items():
            homes = tuple(f"ccsim.{package}." for package in packages)
            own = [name for name in names if PUBLIC[name].__module__.startswith(homes)]
            yield f"questions-{subject}", page(f"Questions: {subject}", "", {"": own})


def package_pages(package: str) -> Iterator[tuple[str, str]]:
    """Yield the pages of a package: one, or a first one and one for each kind of classes."""
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in OBJECTS:
        if home(name) == package:
            kinds[kind_of(name)].append(name)
    kinds = {kind: sorted(names) for kind, names in kinds.items() if names}
    module = import_module(package)
    known = [name for name in GROUPS_NAMES if name in module.__all__]
    first = [summary(package)]
    if known:
        first.append(f"Described as names of ``ccsim``: {linked(f'ccsim.{n}' for n in known)}.")
    if sum(map(len, kinds.values())) <= ON_ONE_PAGE:
        yield package, page(package, "\n\n".join(first), kinds)
        return
    apart = {kind: names for kind, names in kinds.items() if kind not in FIRST}
    first += [f"{KINDS[kind]}: {linked(names)}." for kind, names in apart.items()]
    together = {kind: names for kind, names in kinds.items() if kind in FIRST}
    yield package, page(package, "\n\n".join(first), together)
    for kind, names in apart.items():
        title = f"{package}: {KINDS[kind].lower()}"
        yield f"{package}-{kind}", page(title, NOTE * (kind == "returned"), {"": names})


def page(title: str, introduction: str, kinds: dict[str, list[str]]) -> str:
    """Return reStructuredText that documents names, with a heading for each of several kinds."""
    text = [title, "=" * len(title), "", introduction]
    for kind, names in kinds.items():
        if kind and len(kinds) > 1:
            text += ["", KINDS[kind], "-" * len(KINDS[kind]), "", NOTE * (kind == "returned")]
        for name in names:
            text += ["", *entry(name)]
    return "\n".join(text) + "\n"


def entry(name: str) -> Iterator[str]:
    """Yield the directives that document a name."""
    value = OBJECTS[name]
    package, _, short = name.rpartition(".")
    kind = "class" if isinstance(value, type) else "function" if is_ours(value) else "data"
    yield f".. py:currentmodule:: {package}"
    yield ""
    yield f".. auto{kind}:: {short}"
    if kind == "data":
        yield "   :no-value:"
    elif isinstance(value, type) and (own := own_methods(value)):
        yield f"   :members: {', '.join(own)}"


def home(name: str) -> str:
    """Return the documented package of a name."""
    package = name.rpartition(".")[0]
    return max((p for p in DOCUMENTED if f"{package}.".startswith(f"{p}.")), key=len)


def linked(names: Iterable[str]) -> str:
    """Return links to names, which are shown by their last parts."""
    return ", ".join(f":py:obj:`~{name}`" for name in names)


def summary(package: str) -> str:
    """Return the first paragraph of the docstring of a package."""
    text = inspect.getdoc(import_module(package)) or ""
    return " ".join(text.partition("\n\n")[0].split())


GROUPS_NAMES = sorted(name for names in GROUPS.values() for name in names)
OWN_PAGES = [name for name in DOCUMENTED if name not in ("ccsim", "ccsim.errors", "ccsim.families")]
"""The packages that have names beside those of `ccsim`."""
TEXTS = dict([*group_pages(), *(pair for name in OWN_PAGES for pair in package_pages(name))])
TEXTS = {name.replace(" ", "-"): text for name, text in TEXTS.items()}
PAGES = [*TEXTS]
"""The pages of the reference, in their order."""


def name_pages() -> dict[str, str]:
    """Return the texts of the pages of the reference."""
    return {f"names/{name}": text for name, text in TEXTS.items()}
