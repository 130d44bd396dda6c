"""The structure of the code: import directions, public names, the commands of the README."""

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

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ccsim", "protocols", "proofs_check")
LAYERS = (
    "errors",
    "kernel",
    "budget",
    "frames",
    "arguments",
    "border",
    "appearance",
    "native",
    "exact",
    "certificates",
    "programs",
    "information",
    "privacy",
    "texts",
    "classes",
    "symmetry",
    "dimensions",
    "communication",
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
    return found


def _executed(tree):
    """Yield the imports that run when a module is loaded: none of functions or of types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            assert not node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _executed(node)


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
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                source = f"{package}.{node.module or ''}".rstrip(".") if node.level else node.module
                inside = [f"{source}.{alias.name}" for alias in node.names]
                names = [name if name in graph else source for name in inside]
            graph.add_edges_from((module, name) for name in names if name in graph)
    assert list(nx.simple_cycles(graph)) == []


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


@pytest.mark.parametrize("name", sorted(_importable()))
def test_public_names_exist_and_are_documented(name):
    module = importlib.import_module(name)
    assert module.__doc__, f"{name} has no docstring"
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__doc__, f"{name}.{public} has no docstring"


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
