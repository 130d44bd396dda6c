"""What the reference says of a name: the members of a class, signatures, and links of types.

A class has an entry for every public member: its own methods with their docstrings, its fields
with type and meaning, and a list of those that another class of the reference describes.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pydoc import locate
from typing import Any

from documented import is_ours, members, public_objects, returned_classes
from docutils.nodes import Element, inline, literal
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer

from ccsim.certificates import Certified

PUBLIC = public_objects()
"""The public objects by the names under which they are documented."""
RETURNED = returned_classes()
"""The classes whose objects are only returned, by their names."""
OBJECTS = PUBLIC | RETURNED
NAMES = {id(value): name for name, value in OBJECTS.items() if is_ours(value)}
"""The names of the functions and classes."""
FULL: dict[str, list[str]] = {}
"""The names by their last parts."""
for _name in OBJECTS:
    FULL.setdefault(_name.rpartition(".")[2], []).append(_name)

COMMON = {
    "algorithm": "The algorithm with its parameters.",
    "accuracy": "Largest error of an accurate answer.",
    "concept_class": "The concept class.",
    "confidence": "Confidence of the interval.",
    "delta": "Privacy parameter delta.",
    "epsilon": "Privacy parameter epsilon.",
    "error": "Allowed error.",
    "failure": "Allowed failure probability.",
    "family": "Name of the family whose members are not built; empty for any class.",
    "is_pure": "Whether delta is 0.",
    "mechanism": "The mechanism.",
    "messages": "Number of messages.",
    "most_bits": "Largest number of bits of a point.",
    "num_points": "Number of points of the domain.",
    "problem": "The communication problem.",
    "program": "The linear program.",
    "representation": "The probabilistic representation.",
    "samples": "Number of examples.",
    "seed": "Seed of the random numbers.",
    "sensitivity": "Largest change of a score between neighbouring databases.",
    "status": "Name of the outcome.",
}
"""The meaning of fields of these names in classes that do not state it."""
SECTION = r"^{}\n-+\n(.*?)(?=^\w[^\n]*\n-{{3,}}$|\Z)"
"""A section of a docstring."""
ITEM = re.compile(r"^(\w[^\n:]*?)(?: :[^\n]*)?\n((?:[ \t][^\n]*\n|\n)*)", re.MULTILINE)
"""The names and the text of an item of a section."""


def is_data(kind: type, name: str) -> bool:
    """Whether a member of a class is a field or a constant, not a method or a property."""
    value = inspect.getattr_static(kind, name, None)
    return inspect.ismemberdescriptor(value) or not hasattr(value, "__get__")


@cache
def inherited(kind: type) -> dict[str, type]:
    """Return the members that another class of the reference describes, each with this class."""
    bases = [base for base in kind.__mro__[1:] if id(base) in NAMES]
    found = {}
    for name, definer in members(kind).items():
        describing = next((base for base in bases if name in members(base)), None)
        if is_data(kind, name):
            is_described = own_text(kind, name) != ""
        else:
            is_described = definer is kind and vars(kind)[name].__doc__ is not None
        if describing and not is_described:
            found[name] = describing
    return found


def own_methods(kind: type) -> list[str]:
    """Return the methods and properties that the entry of a class describes."""
    elsewhere = inherited(kind)
    return [name for name in members(kind) if name not in elsewhere and not is_data(kind, name)]


@cache
def described(kind: type, title: str) -> dict[str, str]:
    """Return the texts of the names that a section of the docstring of a class lists."""
    text = inspect.cleandoc(kind.__doc__ or "")
    section = re.search(SECTION.format(title), text, re.DOTALL | re.MULTILINE)
    items = ITEM.findall(section[1] + "\n") if section else ()
    return {
        name.strip(): inspect.cleandoc(lines) for names, lines in items for name in names.split(",")
    }


def own_text(kind: type, name: str) -> str:
    """Return what a class itself says of a field, in its docstring or below the field."""
    sections = described(kind, "Parameters") | described(kind, "Attributes")
    comments = ModuleAnalyzer.for_module(kind.__module__).find_attr_docs()
    return sections.get(name) or "\n".join(comments.get((kind.__qualname__, name), ())).strip()


def field_text(kind: type, name: str) -> str:
    """Return the meaning of a field of a class, from the class or a base of it."""
    texts = (text for base in _ours(kind) if (text := own_text(base, name)))
    return next(texts, COMMON.get(name, ""))


def field_type(kind: type, name: str) -> str:
    """Return the type of a field of a class as its source states it."""
    hints = (inspect.get_annotations(base).get(name) for base in _ours(kind))
    return next((plain_type(hint) for hint in hints if hint), "")


def _ours(kind: type) -> list[type]:
    return [base for base in kind.__mro__ if is_ours(base)]


def plain_type(hint: object) -> str:
    """Return the text of an annotation without `ClassVar` and without declared ranges."""
    text = hint if isinstance(hint, str) else inspect.formatannotation(hint)
    tree = ast.parse(text, mode="eval").body
    while isinstance(tree, ast.Subscript) and ast.unparse(tree.value) in ("ClassVar", "Annotated"):
        tree = tree.slice.elts[0] if isinstance(tree.slice, ast.Tuple) else tree.slice
    return ast.unparse(tree)


def describe_members(
    _app: Sphinx, what: str, _name: str, value: object, _options: object, lines: list[str]
) -> None:
    """Replace the attributes in the docstring of a class by an entry for each public member."""
    if not isinstance(value, type) or id(value) not in NAMES:
        return
    text = re.sub(
        SECTION.format("Attributes"), "", "\n".join(lines), flags=re.DOTALL | re.MULTILINE
    )
    elsewhere = inherited(value)
    is_parameter = described(value, "Parameters")
    added = []
    for name in members(value):
        if is_data(value, name) and name not in elsewhere:
            added += ["", f".. py:attribute:: {name}"]
            added += [f"   :type: {hint}"] if (hint := field_type(value, name)) else []
            added += ["   :no-typesetting:"] if name in is_parameter else []
            added += ["", *(f"   {line}" for line in field_text(value, name).splitlines())]
    for base in dict.fromkeys(elsewhere.values()):
        home = NAMES[id(base)]
        names = [name for name, other in elsewhere.items() if other is base]
        links = ", ".join(f":py:obj:`{name} <{home}.{name}>`" for name in names)
        added += ["", f"Inherited from :py:obj:`~{home}`: {links}."]
        for name in names:
            directive = "attribute" if is_data(value, name) else "method"
            added += ["", f".. py:{directive}:: {name}", "   :no-typesetting:"]
    lines[:] = [*text.splitlines(), *added, ""]


class _Source(str):
    """A text that stands in a signature as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def write_signature(
    _app: Sphinx, what: str, _name: str, value: object, _options: object, *shown: str | None
) -> tuple[str, str | None] | None:
    """Return the signature of a function or class with the types that its source states."""
    if not callable(value) or what not in ("class", "function", "method") or not shown[0]:
        return None
    if isinstance(value, type) and (value in RETURNED.values() or Certified in value.__mro__):
        return "", None  # users do not create it
    signature = inspect.signature(value)
    parameters = [
        each.replace(annotation=_Source(plain_type(each.annotation)))
        if each.annotation is not each.empty
        else each
        for each in signature.parameters.values()
    ]
    if what == "method" and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    result = signature.return_annotation
    is_stated = not isinstance(value, type) and result is not signature.empty
    shown_parameters = signature.replace(parameters=parameters, return_annotation=signature.empty)
    return str(shown_parameters), plain_type(result) if is_stated else None


def named(path: str) -> Iterator[str]:
    """Yield the names of the reference that a path may mean, those of its own package first."""
    parts = path.split(".")
    package = ".".join(parts[:2])
    for i, part in enumerate(parts):
        for name in sorted(FULL.get(part, ()), key=lambda name: not name.startswith(package)):
            yield ".".join([name, *parts[i + 1 :]])


def find_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, shown: Element
) -> Element | None:
    """Resolve a name without its module; a type of another library is shown without a link."""
    if node.get("refdomain") != "py":
        return None
    target, domain = node["reftarget"].lstrip("."), env.domains["py"]
    near = node.get("py:module") or "ccsim"
    for name in named(f"{near}.{target}"):
        if name in domain.data["objects"]:
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, shown)
    if target.startswith(("ccsim.", "protocols.")) and locate(target) is None:
        return None  # it does not exist; what does is internal
    return inline("", shown.astext()) if isinstance(shown, literal) else shown


def mend_links(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Correct the links from shown sources, which expect the names of a module on one page."""
    if not page.startswith("_modules/"):
        return
    objects = app.env.domains["py"].data["objects"]

    def place(link: re.Match[str]) -> str:
        for target in (link[1], *named(link[1])):
            if target in objects and not objects[target].aliased:
                address = app.builder.get_relative_uri(page, objects[target].docname)
                return f'href="{address}#{target}"'
        return link[0]

    context["body"] = re.sub(r'href="[^"#:]*#((?:ccsim|protocols)[\w.]*)"', place, context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions of this module with the events of Sphinx."""
    app.connect("autodoc-process-docstring", describe_members, priority=400)  # before napoleon
    app.connect("autodoc-process-signature", write_signature)
    app.connect("missing-reference", find_name)
    app.connect("html-page-context", mend_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
