"""The trusted base is small enough to be read in a sitting, and stands alone."""

import ast
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

from ccsim import kernel

FILES = sorted(Path(kernel.__file__).parent.iterdir())
SOURCES = [path for path in FILES if path.suffix == ".py"]


def lines(path):
    return path.read_text(encoding="utf-8").count("\n")


def test_folder_holds_sources_alone():
    assert {path.suffix for path in FILES if path.name != "__pycache__"} == {".py"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_file_has_more_than_250_lines(path):
    assert lines(path) <= 250


LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
import kernel
try:
    kernel.check({"format": 2, "kind": sys.argv[2], "instance": {}, "statement": {}, "lower": {},
                  "upper": {}, "made_by": ""})
except kernel.Rejected:
    print(*(name for name in sys.modules if name.split(".")[0] == "kernel"))
"""


@pytest.mark.parametrize("kind", sorted(kernel.KINDS))
def test_what_runs_for_a_certificate_is_at_most_nine_files_of_1400_lines(kind, tmp_path):
    copytree(SOURCES[0].parent, tmp_path / "kernel")
    command = [sys.executable, "-I", "-S", "-c", LOADED, str(tmp_path), kind]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {name.partition(".")[2] or "__init__" for name in printed.split()} | {"__main__"}
    read = [path for path in SOURCES if path.stem in names]
    assert {"__init__", "reader", "rules", kernel.KINDS[kind]} <= names
    assert len(read) == len(names) <= 9
    assert sum(map(lines, read)) <= 1400


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_file_imports_the_standard_library_and_its_neighbours_alone(path):
    neighbours = {each.stem for each in SOURCES}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module.split(".")[0] in sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1
            names = {node.module} if node.module else {alias.name for alias in node.names}
            assert names <= neighbours


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_function_of_the_base_asserts_or_evaluates_text(path):
    """An assertion is switched off by ``-O``; a text that is run is not read."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Assert)
        assert not (isinstance(node, ast.Name) and node.id in ("eval", "exec", "compile"))
