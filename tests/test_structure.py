"""The structure of the code: import directions, public names and docstrings, the README."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from tests.cases import every
from tests.public import documented, public_places

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ccsim", "protocols", "proofs_check")
LAYERS = (
    "version",
    "errors",
    "kernel",
    "budget",
    "frames",
    "arguments",
    "appearance",
    "data",
    "native",
    "exact",
    "certificates",
    "parallel",
    "programs",
    "information",
    "privacy",
    "texts",
    "classes",
    "symmetry",
    "dimensions",
    "communication",
    "measures",
    "representation",
    "learning",
    "families",
    "instances",
    "release",
    "surveys",
    "interchange",
    "pictures",
    "report",
    "cli",
    "__main__",
)
"""Parts of ccsim from the lowest to the highest; each imports only itself and lower ones."""


BY_NAME = {
    "ccsim/arguments/first_use.py": "imports the public names of packages at their first use",
    "ccsim/families.py": "hands out families when they are asked for",
    "ccsim/kernel/__init__.py": "loads the file of the kind of a certificate, from its table",
    "ccsim/kernel/rules.py": "loads the file of a form of proof, from its table",
    "ccsim/texts/registry.py": "loads what a name of a registry means, from its table",
    "ccsim/certificates/answer.py": "draws a result in a notebook, where it is shown there",
    "ccsim/cli/main.py": "loads the command that is called",
    "ccsim/cli/limits.py": "reads limits wherever they are set",
}
"""Files that load modules whose names are data, and why; all other imports state the module."""


MOST_LINES = 60
"""Of the body of a function, without its docstring: a function is one thought."""


def _modules(package):
    return sorted((ROOT / package).rglob("*.py"))


@cache
def _imports(path):
    """Return the modules that a file imports anywhere in its code, with their line numbers."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if path.parent == ROOT / "ccsim" / "kernel" and node.level:
                continue  # it runs without the rest; another test looks at its imports
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            found.append((node.module, node.lineno))
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
        elif (name := _loaded_name(node)) is not None:
            found.append((name, node.lineno))
    return found


def _executed(tree):
    """Yield the imports that can run, including those in functions, except those for types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            assert not node.orelse
            continue
        if isinstance(node, ast.Import | ast.ImportFrom) or _loaded_name(node) is not None:
            yield node
        yield from _executed(node)


def _loaded_name(node):
    """Return the module that a call loads by name; empty if the name is not a literal."""
    if not isinstance(node, ast.Call):
        return None
    if ast.unparse(node.func).rpartition(".")[2] not in {"import_module", "__import__"}:
        return None
    stated = node.args and isinstance(node.args[0], ast.Constant)
    return node.args[0].value if stated else ""


@cache
def _homes():
    """Return where the names are defined that packages import at their first use."""
    found = {}
    for path in (ROOT / "ccsim").rglob("__init__.py"):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        for block in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
                found |= {f"{package}.{a.name}": n.module for n in block.body for a in n.names}
    return found


def _imported(node, package, known):
    """Return the known modules that an import loads."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        source = f"{package}.{node.module or ''}".rstrip(".") if node.level else node.module
        inside = [f"{source}.{alias.name}" for alias in node.names]
        names = [name if name in known else _homes().get(name, source) for name in inside]
    else:
        names = [_loaded_name(node)]
    return [name for name in names if name in known]


def _breaches(path, forbidden):
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for name, line in _imports(path)
        if name.split(".")[0] in forbidden
    ]


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("ccsim", {"protocols", "proofs_check", "tests"}),
        ("protocols", {"proofs_check", "tests"}),
        ("proofs_check", {"tests"}),
    ],
)
def test_packages_import_in_one_direction(package, forbidden):
    assert [b for path in _modules(package) for b in _breaches(path, forbidden)] == []


def test_layers_of_ccsim_import_only_lower_ones():
    breaches = []
    for path in _modules("ccsim"):
        layer = path.relative_to(ROOT / "ccsim").parts[0].removesuffix(".py")
        if layer == "__init__":
            continue
        rank = LAYERS.index(layer)
        for name, line in _imports(path):
            parts = name.split(".")
            if parts[0] != "ccsim":
                continue
            if len(parts) == 1 or parts[1] not in LAYERS:
                breaches.append(f"{path.relative_to(ROOT)}:{line} imports {name}: name a layer")
            elif LAYERS.index(parts[1]) > rank:
                breaches.append(f"{path.relative_to(ROOT)}:{line} imports {name}, a higher layer")
    assert breaches == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_is_long(package):
    long = []
    for path in _modules(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) is not None else node.body
                if body and body[-1].end_lineno - body[0].lineno >= MOST_LINES:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert long == []


def test_imports_have_no_circle():
    graph = nx.DiGraph()
    for package in PACKAGES:
        for path in _modules(package):
            parts = path.relative_to(ROOT).with_suffix("").parts
            graph.add_node(".".join(parts).removesuffix(".__init__"), path=path)
    for module, path in list(graph.nodes(data="path")):
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        for node in _executed(ast.parse(path.read_text(encoding="utf-8"))):
            graph.add_edges_from((module, name) for name in _imported(node, package, graph))
    assert list(nx.simple_cycles(graph)) == []


@pytest.mark.parametrize(
    ("line", "loaded"),
    [
        ("import ccsim.texts.csv", ["ccsim.texts.csv"]),
        ("from ccsim.texts import csv, calls", ["ccsim.texts.csv", "ccsim.texts.calls"]),
        ("from ccsim.texts.csv import read_csv", ["ccsim.texts.csv"]),
        ("from .csv import read_csv", ["ccsim.texts.csv"]),
        ("import_module('ccsim.texts.csv')", ["ccsim.texts.csv"]),
        ("importlib.import_module('ccsim.texts.csv').read_csv", ["ccsim.texts.csv"]),
        ("__import__('ccsim.texts.csv')", ["ccsim.texts.csv"]),
        ("import csv", []),
        ("from ccsim.classes import as_class, ConceptClass", ["ccsim.classes.given"]),
    ],
)
def test_imports_inside_functions_and_by_name_are_seen(line, loaded):
    known = {"ccsim.texts.csv", "ccsim.texts.calls", "ccsim.classes.given"}
    tree = (
        ast.parse(f"def f():\n    def g():\n        return [{line}]")
        if "(" in line
        else (ast.parse(f"def f():\n    if f:\n        {line}\n"))
    )
    found = [name for node in _executed(tree) for name in _imported(node, "ccsim.texts", known)]
    assert found == loaded
    assert list(_executed(ast.parse(f"if TYPE_CHECKING:\n    {line}"))) == []


def test_only_tables_of_names_load_modules_whose_names_are_data():
    loading = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in _modules(package)
        if re.search("import_module|__import__", text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if _loaded_name(node) == ""
    }
    assert loading == set(BY_NAME)


def test_every_part_of_ccsim_has_a_layer():
    parts = {path.relative_to(ROOT / "ccsim").parts[0] for path in _modules("ccsim")}
    assert {part.removesuffix(".py") for part in parts} - {"__init__"} <= set(LAYERS)


def test_kernel_files_import_the_standard_library_and_each_other_alone():
    files = sorted((ROOT / "ccsim" / "kernel").glob("*.py"))
    stems = {path.stem for path in files}
    assert len(stems) > 1
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = {node.module.split(".")[0]}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1
                within = {node.module} if node.module else {alias.name for alias in node.names}
                assert within <= stems, f"{path.name}:{node.lineno}"
                continue
            else:
                continue
            assert names <= sys.stdlib_module_names, f"{path.name}:{node.lineno}"


def _importable():
    for package in PACKAGES:
        yield package
        module = importlib.import_module(package)
        for info in pkgutil.walk_packages(module.__path__, f"{package}."):
            if not info.name.endswith("__main__"):
                yield info.name


@every("name", sorted(_importable()))
def test_public_names_exist_and_are_documented(name):
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} has no docstring"
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__doc__, f"{name}.{public} has no docstring"


def _lists_names(source):
    """Return whether a module assigns `__all__` anywhere."""
    return "__all__" in source and any(
        isinstance(node, ast.Name) and node.id == "__all__" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(ast.parse(source))
    )


WITH_NAMES = {"ccsim/errors.py", "ccsim/families.py"}
"""The documented modules that are no packages."""


def test_packages_alone_list_public_names():
    listing = {
        str(path.relative_to(ROOT))
        for path in _modules("ccsim")
        if _lists_names(path.read_text(encoding="utf-8"))
    }
    assert {name for name in listing if not name.endswith("__init__.py")} == WITH_NAMES


@pytest.mark.parametrize(
    ("source", "lists"),
    [
        ("__all__ = ['f']", True),
        ("if True:\n    __all__: list[str] = []", True),
        ("x = ['__all__']\nprint(__all__)", False),
    ],
)
def test_a_list_of_public_names_is_seen(source, lists):
    assert _lists_names(source) is lists


MOST_LINES_OF_A_DOCSTRING = 6
"""Of an internal object, without its proof, complexity and source; a public one has sections."""
REASON = re.compile(r"\n\n(Complexity|Method|Proof|Sources?): .*?(?=\n\n|\Z)", re.DOTALL)
SECTION = re.compile(
    r"^(Parameters|Returns|Yields|Raises|Attributes|Examples|Notes)\n-{3,}$", re.MULTILINE
)
KERNEL = "ccsim/kernel/"
"""The trusted base, which is kept short: its docstrings are neither long nor full."""


def _definitions(tree, prefix=""):
    """Yield the functions and classes of a module, each with its qualified name."""
    for node in ast.iter_child_nodes(tree):
        name = prefix
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node
            name = f"{prefix}{node.name}."
        yield from _definitions(node, name)


def _documented_as_public(source, public):
    """Yield the names of the internal objects of a module whose docstrings are too long."""
    for name, node in _definitions(ast.parse(source)):
        text = ast.get_docstring(node) or ""
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        is_command = re.search(r"\b(command|group|option|argument)\b", decorators)
        lines = REASON.sub("", text).count("\n") + 1
        is_long = lines > MOST_LINES_OF_A_DOCSTRING or SECTION.search(text)
        if is_long and not is_command and name not in public:
            yield name


def test_docstrings_of_internal_objects_are_short():
    public = {}
    for module, name in public_places():
        public.setdefault(module, set()).add(name)
    long = []
    for path in _modules("ccsim"):
        file = str(path.relative_to(ROOT))
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        source = path.read_text(encoding="utf-8")
        long += [
            f"{file}: {name}"
            for name in _documented_as_public(source, public.get(module, set()))
            if not file.startswith(KERNEL)
        ]
    assert long == []


SECTIONS = "Return it.\n\n    Returns\n    -------\n    int\n        It.\n    "
LINES = "Return it.\n\n" + "    Where it is needed.\n" * 5


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (f'def f():\n    """{SECTIONS}"""', ["f"]),
        (f'def f():\n    """{LINES}"""', ["f"]),
        (f'class F:\n    def f(self):\n        """{SECTIONS}"""', ["F.f"]),
        (f'if True:\n  def f():\n    def g():\n      """{LINES}"""', ["f.g"]),
        (f'def public():\n    """{SECTIONS}"""', []),
        (f'@click.command()\ndef f():\n    """{LINES}"""', []),
        ('def f():\n    """Return it.\n\n    Where it is needed.\n    """', []),
        (f'def f():\n    """{LINES.replace("Where", "Proof: where")}"""', []),
    ],
)
def test_a_long_docstring_of_an_internal_object_is_seen(source, found):
    assert list(_documented_as_public(source, {"public"})) == found


WITHOUT_EXAMPLES = {
    "ccsim.interchange.from_gambit": "needs pygambit",
    "ccsim.interchange.to_gambit": "needs pygambit",
    "ccsim.interchange.to_privacy_loss": "needs dp_accounting",
}
RESULT_FIRST = re.compile("(Return|Yield|Whether|Compute|Find|Bound|Enclose)\\b")
"""Summaries that say what a function returns."""


def _missing(value):
    """Return the required parts that a public numpydoc docstring lacks."""
    text = inspect.getdoc(value) or ""
    sections = set(SECTION.findall(text))
    missing = ["summary"] if not (value.__doc__ or "").strip() else []
    if inspect.isclass(value):
        hints = inspect.get_annotations(value)
        has_fields = any(name[0] != "_" and "ClassVar" not in str(hints[name]) for name in hints)
        is_named = sections & {"Parameters", "Attributes"}
        return missing + ["Attributes"] * (has_fields and not is_named)
    signature = inspect.signature(value)
    if signature.parameters and "Parameters" not in sections:
        missing.append("Parameters")
    returns = signature.return_annotation not in ("None", None)
    if returns and not sections & {"Returns", "Yields"} and not RESULT_FIRST.match(text):
        missing.append("Returns")
    return missing + ["Examples"] * (">>> " not in text)


@every("name", documented())
def test_public_functions_and_classes_have_full_docstrings(name):
    value = documented()[name]
    file = value.__module__.replace(".", "/") + "/"
    missing = _missing(value)
    if name in WITHOUT_EXAMPLES:
        assert missing == ["Examples"]
    elif not file.startswith(KERNEL):
        assert missing == []


def _made(source):
    """Return the last function or class of the module with the given source."""
    made = {}
    exec(source, made)  # noqa: S102 - our own text
    return list(made.values())[-1]


EXAMPLE = "Examples\n    --------\n    >>> 1\n    1\n    "


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("def f() -> int:\n    pass", ["summary", "Returns", "Examples"]),
        (f'def f() -> int:\n    """Return 1.\n\n    {EXAMPLE}"""', []),
        (f'def f() -> int:\n    """Add.\n\n    {EXAMPLE}"""', ["Returns"]),
        (f'def f() -> None:\n    """Add.\n\n    {EXAMPLE}"""', []),
        (f'def f(x: int) -> int:\n    """Return 1.\n\n    {EXAMPLE}"""', ["Parameters"]),
        ('class F:\n    """It."""\n    _x: int', []),
        ('class F:\n    """It."""\n    x: int', ["Attributes"]),
        ('class F:\n    """It.\n\n    Attributes\n    ----------\n    x : int"""\n    x: int', []),
    ],
)
def test_what_a_public_docstring_lacks_is_seen(source, missing):
    assert _missing(_made(source)) == missing


def test_protocols_are_sorted_and_named_once():
    names = importlib.import_module("protocols").__all__
    assert list(names) == sorted(set(names))


def test_subpackages_are_not_hidden_by_functions():
    import ccsim

    for info in pkgutil.iter_modules(ccsim.__path__):
        assert info.name not in ccsim.__all__


def test_readme_has_two_commands_of_one_line():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## Two commands\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"^```sh\n(.*?)^```$", section, flags=re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    assert all(block.count("\n") == 1 for block in blocks)
    assert "proofs-check run" in blocks[0]
    assert "pytest" in blocks[1]
    assert section.count("```") == 4


def test_help_loads_no_solver():
    code = "import sys, ccsim.cli.main; print({'numpy', 'flint', 'scipy'} & sys.modules.keys())"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"
