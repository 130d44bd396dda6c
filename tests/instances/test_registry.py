"""Families of other distributions are used like those of ccsim; invalid ones give one line."""

from __future__ import annotations

import json

import pytest

import ccsim
import ccsim.families
from ccsim.classes.given import as_class
from ccsim.cli.main import main
from ccsim.communication.given import as_problem
from ccsim.errors import DomainError, NotDecidedError, UnreadableInputError
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.surveys.instances import instances_of
from ccsim.texts.built_in import BUILT_IN
from ccsim.texts.registry import FAMILIES, find_family

POINTS = """
[ccsim.families]
paths = cycles_for_tests:paths
differences = cycles_for_tests:differences
promise = cycles_for_tests:promise
slow = cycles_for_tests:slow
optional = cycles_for_tests:optional
lines = cycles_for_tests:paths
number = cycles_for_tests:number
builtin = builtins:print
constant = cycles_for_tests:CONSTANT
unnamed = cycles_for_tests:unnamed
opaque = cycles_for_tests:Opaque
absent = a_module_for_tests_that_is_nowhere:family
broken = broken_for_tests:family
"""

SOURCE = '''
from ccsim import CommunicationProblem, ConceptClass
from ccsim.errors import DomainError

CONSTANT = 3


def paths(n):
    """Return the paths with ``n`` edges in a star."""
    if n < 1:
        raise DomainError(f"paths: n must be at least 1, not {n}")
    return ConceptClass.from_matrix([[int(x >= c) for x in range(n)] for c in range(n)])


def differences(n, m):
    """Return the problem whether ``x`` and ``y`` differ."""
    return CommunicationProblem.from_matrix([[int(x != y) for y in range(m)] for x in range(n)])


def promise(n):
    return CommunicationProblem.from_matrix([[None] * n, [1] * n])


def slow(n, *, time_limit=None):
    from ccsim.budget import Budget

    budget = Budget.of(time_limit)
    for _ in range(n):
        budget.spend()
    return paths(n)


def optional(n, scale=2, *rest, flavour="plain", **options):
    return paths(scale * n)


def number(n):
    return n


def unnamed(n, /):
    return paths(n)


class Opaque:
    __signature__ = "nothing"
'''


@pytest.fixture(autouse=True)
def _registered(tmp_path, monkeypatch):
    """Install a distribution with valid and invalid families."""
    info = tmp_path / "site" / "cycles_for_tests-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cycles_for_tests\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINTS)
    (info.parent / "cycles_for_tests.py").write_text(SOURCE)
    (info.parent / "broken_for_tests.py").write_text("raise RuntimeError('two\\nlines')\n")
    monkeypatch.syspath_prepend(info.parent)
    monkeypatch.chdir(tmp_path)


def test_a_registered_class_is_used_wherever_a_class_is():
    rows = (7, 6, 4)
    assert parse_instance("paths:n=3").rows == rows
    assert parse_class("paths:n=3").rows == rows
    assert as_class("paths:n=3").rows == rows
    assert ccsim.vc_dimension("paths:n=3").value == 1
    assert as_problem("paths:n=3") == ccsim.evaluation_problem(parse_class("paths:n=3"))
    assert ccsim.families.paths(3).rows == rows
    assert {"paths", "lines", "random_class"} <= {*dir(ccsim.families)}


def test_a_registered_problem_is_used_wherever_a_problem_is():
    f = parse_instance("differences:n=3,m=2")
    assert f == parse_problem("differences:m=2,n=3") == as_problem("differences:n=3,m=2")
    assert as_class("differences:n=3,m=2").rows == tuple(dict.fromkeys(f.ones))
    with pytest.raises(UnreadableInputError, match="promise"):
        as_class("promise:n=2")


def test_commands_and_surveys_take_registered_families(capsys):
    assert main(["dimensions", "paths:n=3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["concepts"] == 3
    assert main(["complexity", "differences:n=3,m=2", "--error", "1/4", "--json"]) == 0
    capsys.readouterr()
    assert [asked.text for asked in instances_of("paths:n=2..3")] == ["paths:n=2", "paths:n=3"]


def test_the_list_has_registered_families_and_why_others_cannot_be_used(capsys):
    assert main(["families", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    listed = {row["text"]: row["meaning"] for row in rows if row["for"] == "INSTANCE"}
    assert listed["paths:n=..."] == "the paths with n edges in a star."
    assert listed["promise:n=..."] == ""
    assert listed["slow:n=..."] == ""
    assert listed["optional:n=..."] == ""
    assert listed["lines:p=..."].startswith("the lines ")
    assert listed["broken"] == (
        "family broken: broken_for_tests:family cannot be loaded: two lines"
    )
    assert "a_module_for_tests_that_is_nowhere:family cannot be loaded" in listed["absent"]
    assert main(["families"]) == 0
    assert "  differences:n=...,m=...\n" in capsys.readouterr().out


def test_a_name_of_ccsim_always_means_the_family_of_ccsim():
    assert find_family("lines").build is ccsim.lines
    assert parse_instance("lines:p=2") == ccsim.lines(2)
    assert set(BUILT_IN) < set(FAMILIES.names())
    assert FAMILIES.names() == sorted(FAMILIES.names())


def test_a_time_limit_reaches_the_family_that_takes_one():
    assert find_family("slow").takes_limit
    assert not find_family("paths").takes_limit
    assert parse_instance("slow:n=2", time_limit=60) == parse_instance("paths:n=2")
    with pytest.raises(NotDecidedError):
        parse_instance("slow:n=100000", time_limit=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("path:n=3", r"^unknown family 'path' \(paths\?\); known: .*all_functions, .*paths, "),
        ("paths:k=3", r"^paths: unknown parameter k; write paths:n=\.\.\.$"),
        ("paths", r"^paths: parameter n is missing; write paths:n=\.\.\.$"),
        ("slow:n=2,time_limit=3", r"^slow: unknown parameter time_limit; "),
        ("optional:n=2,scale=3", r"^optional: unknown parameter scale; "),
        ("absent:n=1", "^family absent: a_module_.*:family cannot be loaded: No module named "),
        ("broken:n=1", "^family broken: broken_for_tests:family cannot be loaded: two lines$"),
        ("constant", "^family constant: cycles_for_tests:CONSTANT is not a function$"),
        ("opaque", "^family opaque: the parameters of cycles_for_tests:Opaque cannot be read: "),
        ("unnamed:n=1", "^family unnamed: parameter n of cycles_for_tests:unnamed must not be"),
    ],
)
def test_what_is_no_family_is_refused_in_one_line(text, message, capsys):
    for read in (parse_instance, parse_class, parse_problem):
        with pytest.raises(UnreadableInputError, match=message) as caught:
            read(text)
        assert "\n" not in str(caught.value)
    assert main(["dimensions", text]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_what_a_family_makes_is_checked():
    with pytest.raises(UnreadableInputError, match=r"^number:n=3: the family must return"):
        parse_class("number:n=3")
    for read in (parse_instance, parse_problem):
        with pytest.raises(UnreadableInputError, match="must return a ConceptClass or a Comm"):
            read("number:n=3")
    with pytest.raises(DomainError, match="paths: n must be at least 1, not 0"):
        parse_instance("paths:n=0")
