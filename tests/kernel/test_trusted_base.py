"""The trusted base is small enough to be read in a sitting, and stands alone."""

import ast
import sys
from pathlib import Path

import pytest

from ccsim import kernel2 as kernel

FILES = sorted(Path(kernel.__file__).parent.iterdir())
SOURCES = [path for path in FILES if path.suffix == ".py"]


def lines(path):
    return path.read_text(encoding="utf-8").count("\n")


def test_folder_holds_sources_alone():
    assert {path.suffix for path in FILES if path.name != "__pycache__"} == {".py"}


def test_base_has_at_most_nine_files():
    assert len(SOURCES) <= 9


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_file_has_more_than_250_lines(path):
    assert lines(path) <= 250


def test_base_has_at_most_1400_lines():
    assert sum(map(lines, SOURCES)) <= 1400


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
