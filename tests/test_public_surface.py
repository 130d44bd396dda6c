"""The public surface: which names there are, how they are called, and what they return."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ccsim

ROOT = Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "ccsim" / "__init__.py").read_text(encoding="utf-8")


def groups_in_the_code():
    return [
        ast.literal_eval(node.value)
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.Assign | ast.AugAssign) and ast.unparse(node).startswith("__all__ ")
    ]


def groups_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("\n## The names\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| ([a-z ]+) \| (`.*`) \|$", section, flags=re.MULTILINE)
    return {title: re.findall(r"`(\w+)`", names) for title, names in rows}


OBJECTS, FAMILIES, QUESTIONS, WITH_A_PROTOCOL, ERRORS = groups_in_the_code()


def test_the_groups_are_those_of_the_readme_in_its_order():
    assert list(groups_in_the_readme().values()) == groups_in_the_code()


def test_every_public_name_is_in_one_group():
    assert ccsim.__all__ == OBJECTS + FAMILIES + QUESTIONS + WITH_A_PROTOCOL + ERRORS
    assert len(ccsim.__all__) == len(set(ccsim.__all__))
    assert not set(ccsim.__all__) & set(ccsim._ELSEWHERE)


def test_a_name_says_by_its_group_what_it_is():
    kinds = {name: getattr(ccsim, name) for name in ccsim.__all__}
    assert {name for name in kinds if isinstance(kinds[name], type)} == {*OBJECTS, *ERRORS}
    assert all(issubclass(kinds[name], ccsim.CcsimError) for name in ERRORS)
    assert not any(issubclass(kinds[name], Exception) for name in OBJECTS)


@pytest.mark.parametrize("name", ccsim._ELSEWHERE)
def test_names_outside_the_groups_may_be_imported_all_the_same(name):
    assert getattr(ccsim, name).__name__ == name
    assert name in dir(ccsim)


def test_type_checkers_see_every_name():
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    given = [alias for node in block.body for alias in node.names]
    assert {alias.name for alias in given if alias.asname is None} == set(ccsim.__all__)
    assert {alias.name for alias in given if alias.asname} == set(ccsim._ELSEWHERE)
    assert all(alias.asname in {None, alias.name} for alias in given)


def test_nothing_is_imported_before_it_is_asked_for():
    code = "import sys, ccsim; print([name for name in sys.modules if name.startswith('ccsim.')])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
