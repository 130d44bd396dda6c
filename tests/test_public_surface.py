"""The public API: its names, their parameters, and their results."""

from __future__ import annotations

import ast
import inspect
import math
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ccsim
from ccsim.budget import Budget, OutOfTimeError
from ccsim.exact import Epsilon
from ccsim.exact.bounds import Bounds
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.texts.built_in import FUNCTIONS
from tests.cases import every
from tests.test_argument_types import arguments_of

ROOT = Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "ccsim" / "__init__.py").read_text(encoding="utf-8")


def groups_in_the_code():
    return [
        eval(compile(ast.Expression(node.value), "ccsim", "eval"), {"FUNCTIONS": FUNCTIONS})  # noqa: S307 - our own text
        for node in ast.parse(SOURCE).body
        if isinstance(node, ast.Assign | ast.AugAssign) and ast.unparse(node).startswith("__all__ ")
    ]


def groups_on_the_page():
    section = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z ]+) \| (`.*`) \|$", section, flags=re.MULTILINE)
    return {title: re.findall(r"`(\w+)`", names) for title, names in rows}


OBJECTS, FAMILIES, QUESTIONS, WITH_A_PROTOCOL, ERRORS = groups_in_the_code()


def test_the_groups_are_those_of_the_page_in_its_order():
    on_page = groups_on_the_page()
    assert on_page.pop("families of classes and problems") == FAMILIES[len(FUNCTIONS) :]
    assert list(on_page.values()) == [OBJECTS, QUESTIONS, WITH_A_PROTOCOL, ERRORS]


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
    *nodes, families = block.body
    assert ast.unparse(families) == "from ccsim.families import *"
    given = [alias for node in nodes for alias in node.names]
    assert {alias.name for alias in given if alias.asname is None} | {*FUNCTIONS} == set(
        ccsim.__all__
    )
    assert {alias.name for alias in given if alias.asname} == set(ccsim._ELSEWHERE)
    assert all(alias.asname in {None, alias.name} for alias in given)


def test_type_checkers_see_every_family():
    source = (ROOT / "ccsim" / "families.py").read_text(encoding="utf-8")
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    given = {f"{node.module}:{alias.name}" for node in block.body for alias in node.names}
    assert given == set(FUNCTIONS.values())
    assert all(alias.asname == alias.name for node in block.body for alias in node.names)


def test_nothing_but_the_table_of_families_is_imported_before_it_is_asked_for():
    code = "import sys, ccsim; print([name for name in sys.modules if name.startswith('ccsim.')])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    light = "arguments", "arguments.renamed", "arguments.first_use"
    table = "texts", "texts.built_in", "version"
    assert shown.stdout.strip() == str([f"ccsim.{name}" for name in (*light, *table)])


def parameters_of(name):
    return list(inspect.signature(getattr(ccsim, name)).parameters.values())


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_what_is_asked_and_then_how_it_is_done(name):
    asked = [p for p in parameters_of(name) if p.kind is p.POSITIONAL_OR_KEYWORD]
    how = [p for p in parameters_of(name) if p.kind is p.KEYWORD_ONLY]
    assert asked + how == parameters_of(name)
    assert asked[0].default is asked[0].empty
    assert [p.name for p in how[:2]] == ["time_limit", "progress"]
    assert [p.annotation for p in how[:2]] == ["TimeLimit", "Progress | None"]
    assert all(p.default is not p.empty for p in how)


ARGUMENTS = {name: arguments_of(name) for name in QUESTIONS if name != "audit"} | {
    "minimax_error": arguments_of("minimax_error") | {"messages": 2},
    "audit": {
        "mechanism": RandomizedResponse((0, 1), Epsilon.of("ln 3")),
        "epsilon": 1,
        "delta": 0,
        "neighbours": 1,
    },
}


def answers(name, found):
    """Return the bounds in the answer to a question, if it has bounds."""
    several = {
        "error_curve": found,
        "failure_curve": found,
        "equivalence_table": getattr(found, "quantities", ()),
        "bounds": getattr(found, "results", ()),
    }
    return several.get(name, (found,))


WITHOUT_BOUNDS = {
    "audit": lambda found: found.verdict,
    "distributional_error": lambda found: found.value,
    "fewest_seeds": lambda found: found.seeds,
    "is_minimal_representation": lambda found: found in {True, False},
    "learning_lower_bound": lambda found: found.samples,
    "release_lower_bound": lambda found: found.records,
    "representative_domain": lambda found: found.points,
}
"""What the others give: a value that is always found, or a bound on one side."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_returns_bounds_or_a_value(name):
    found = getattr(ccsim, name)(**ARGUMENTS[name])
    if name in WITHOUT_BOUNDS:
        WITHOUT_BOUNDS[name](found)
        return
    for answer in answers(name, found):
        assert isinstance(answer, Bounds)
        assert answer.upper is None or answer.lower <= answer.upper
        assert answer.exact == (answer.lower == answer.upper)
        if answer.exact:
            assert answer.value == answer.lower


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_tells_its_bounds_and_hears_a_limit(name):
    told = []
    found = getattr(ccsim, name)(
        **ARGUMENTS[name], time_limit=math.inf, progress=lambda *two: told.append(two)
    )
    assert all(lower <= upper for lower, upper in told)
    assert found == getattr(ccsim, name)(**ARGUMENTS[name])
    try:
        hurried = getattr(ccsim, name)(**ARGUMENTS[name], time_limit=0)
    except ccsim.NotDecidedError:  # one kind of error where there are no bounds yet
        return
    assert type(hurried) is type(found)


def test_out_of_time_with_a_number_is_not_decided_and_with_a_budget_is_its_owner_s():
    protocol = ccsim.DeterministicProtocol((0, 1), (1, 2), 2)
    with pytest.raises(ccsim.NotDecidedError, match="worst_error: not decided within the time"):
        ccsim.worst_error(protocol, "equality:n=2", time_limit=0)
    budget = Budget(0)
    with pytest.raises(OutOfTimeError):
        ccsim.worst_error(protocol, "equality:n=2", time_limit=budget)


def checked_functions():
    """Yield the functions whose arguments are validated, with their modules."""
    constructions = (ROOT / "proofs_check" / "claims").glob("*/constructions/**/*.py")
    for path in sorted([*(ROOT / "ccsim").rglob("*.py"), *constructions]):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            decorators = getattr(node, "decorator_list", ())
            if any(ast.unparse(each) == "checked_types" for each in decorators):
                yield path, node


CHECKED = {f"{path.stem}.{node.name}": node for path, node in checked_functions()}
ONE_NAME = {
    "gamma": "excess",
    "mu": "distribution",
    "threshold": "target",
    "max_nodes": "work",
    "max_rounds": "work",
    "max_tries": "tries",
}


@every("name", CHECKED)
def test_a_number_may_be_a_fraction_an_integer_or_text(name):
    arguments = CHECKED[name].args
    for each in arguments.args + arguments.kwonlyargs:
        if ast.unparse(each.annotation).startswith("Callable"):
            continue
        if isinstance(each.annotation, ast.Subscript):
            continue  # elements of collections are read alike
        kinds = set(ast.unparse(each.annotation).split(" | "))
        if kinds & {"Fraction", "Epsilon"}:
            assert kinds >= {"Fraction", "int", "str"}, each.arg


@every("name", CHECKED)
def test_one_notion_has_one_name(name):
    arguments = CHECKED[name].args
    assert not {each.arg for each in arguments.args + arguments.kwonlyargs} & set(ONE_NAME)


@every("name", CHECKED)
def test_progress_and_limits_are_given_by_keyword(name):
    by_position = {each.arg for each in CHECKED[name].args.args}
    assert not by_position & {"time_limit", "progress", "trying", "gap", "jobs"}


def test_families_need_no_import_of_their_own():
    code = "import ccsim; print(ccsim.families.lines(3))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "lines:p=3: 9 concepts over 9 points\n"
