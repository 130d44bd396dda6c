"""The reference of the Python names on the documentation site: its pages and the links to them."""

import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from documented import DOCUMENTED
from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import ccsim
from ccsim.texts.built_in import FUNCTIONS

GROUPS = {
    group.replace(" ", "-"): [
        *(FUNCTIONS if "*FUNCTIONS" in names else ()),
        *re.findall(r'"(\w+)"', names),
    ]
    for group, names in re.findall(
        r"^__all__ \+?= \[  # (.+?)\n(.*?)^\]",
        Path(ccsim.__file__).read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
}
"""The public names in their groups, which comments of `ccsim` say."""
OWN_PAGES = [name for name in DOCUMENTED if name not in ("ccsim", "ccsim.errors", "ccsim.families")]
"""The packages that have names beside those of `ccsim`."""
PAGES = [*GROUPS, *OWN_PAGES]
"""The pages of the reference, in their order."""


def name_pages() -> dict[str, str]:
    """Return the pages of the public names: one for each group of `ccsim` and for each package."""
    pages = {
        f"names/{group}": names_text(group.replace("-", " ").capitalize(), "ccsim", names)
        for group, names in GROUPS.items()
    }
    for package in OWN_PAGES:
        pages[f"names/{package}"] = names_text(package, package, import_module(package).__all__)
    return pages


def names_text(title: str, module: str, names: Iterable[str]) -> str:
    """Return reStructuredText that documents names of a module, or links to those of `ccsim`."""
    package = import_module(module)
    listed = {*ccsim.__all__} if package is not ccsim else set()
    elsewhere = [f":py:obj:`~ccsim.{name}`" for name in sorted(listed.intersection(names))]
    text = [title, "=" * len(title), ""]
    text += [f"Names of ``{module}``.", ""] if package is ccsim else [summary(package), ""]
    text += ["Described with the names of ``ccsim``: " + ", ".join(elsewhere) + ".", ""] * bool(
        elsewhere
    )
    text += [f".. currentmodule:: {module}"]
    for name in sorted({*names} - listed) if listed else names:
        value = getattr(package, name)
        kind = "class" if inspect.isclass(value) else "function" if callable(value) else "data"
        text += ["", f".. auto{kind}:: {name}"]
        text += ["   :members:"] * (kind == "class") + ["   :no-value:"] * (kind == "data")
    return "\n".join(text) + "\n"


def summary(package: object) -> str:
    """Return the first paragraph of the docstring of a package."""
    return " ".join((inspect.getdoc(package) or "").partition("\n\n")[0].split())


def find_error(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: Element
) -> Element | None:
    """Resolve the exceptions in docstrings, which name no module, to those of `ccsim`."""
    if node.get("reftype") != "exc" or node["reftarget"] not in ccsim.__all__:
        return None
    target, domain = f"ccsim.{node['reftarget']}", env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, "exc", target, node, shown)


def mend_links(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Correct the links from shown sources, which expect the names of a module on one page."""
    if not page.startswith("_modules/"):
        return
    objects = app.env.domains["py"].data["objects"]
    within = [
        name for name in OWN_PAGES if f"{page}/".startswith(f"_modules/{name.replace('.', '/')}/")
    ]

    def place(link: re.Match[str]) -> str:
        package = max((p for p in DOCUMENTED if link[1].startswith(f"{p}.")), key=len, default="")
        name = link[1].removeprefix(f"{package}.")
        for target in (link[1], *(f"{home}.{name}" for home in (*within, *DOCUMENTED))):
            if target in objects:
                return (
                    f'href="{app.builder.get_relative_uri(page, objects[target].docname)}#{target}"'
                )
        return link[0]

    context["body"] = re.sub(r'href="[^"#:]*#((?:ccsim|protocols)[\w.]*)"', place, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("missing-reference", find_error)
    app.connect("html-page-context", mend_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
