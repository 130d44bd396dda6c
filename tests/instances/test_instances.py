"""The INSTANCE grammar: every family by name, and the one-line errors for invalid texts."""

import itertools
import math

import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import ConceptClass, lines, random_class, thresholds
from ccsim.cli.main import main
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
)
from ccsim.errors import (
    CcsimError,
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
    UnreadableInputError,
)
from ccsim.instances import parse_class, parse_instance, parse_problem
from ccsim.texts.built_in import BUILT_IN
from ccsim.texts.registry import find_family

SMALL = {"b": 2, "chosen": 5, "k": 1, "n": 3, "p": 3, "d": 2, "g": 1, "m": 4, "seed": 1}


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_family_is_named_as_it_calls_itself(name):
    text = f"{name}:{','.join(f'{key}={SMALL[key]}' for key in find_family(name).parameters)}"
    instance = parse_instance(text)
    assert isinstance(instance, ConceptClass | CommunicationProblem)
    assert instance.name == text


@pytest.mark.parametrize(
    ("text", "instance"),
    [
        ("thresholds:b=3", thresholds(3)),
        ("lines:p=5", lines(5)),
        ("random:seed=2, m=3, n=4", random_class(3, 4, 2)),
        ("equality:n=2^3", equality(8)),
        ("equality:n=4", equality(4)),
        ("greater_than:n=4", greater_than(4)),
        ("index:d=3", index(3)),
        ("augmented_index:d=3", augmented_index(3)),
    ],
)
def test_parameters_reach_the_family(text, instance):
    assert parse_instance(text) == instance


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("threshold:b=3", r"unknown family 'threshold' \(thresholds\?\); known: all_functions, "),
        ("", "unknown family ''; known: "),
        ("thresholds", r"thresholds: parameter b is missing; write thresholds:b=\.\.\."),
        ("random:m=1,n=2", r"random: parameter seed is missing; write random:m=\.\.\.,n=\.\.\.,"),
        ("points:n=3", r"points: unknown parameter n; write points:b=\.\.\."),
        ("points:b=1,b=1", "points: b is given twice"),
        ("thresholds:b=x", "thresholds: b must be an integer, not 'x'"),
        ("thresholds:b=1.5", "thresholds: b must be an integer, not '1.5'"),
        ("thresholds:b=1_0", "thresholds: b must be an integer, not '1_0'"),
        ("thresholds:b=\u0663", "thresholds: b must be an integer"),
        ("thresholds:b=", "thresholds: b must be an integer, not ''"),
        ("thresholds:b", "thresholds: parameters must be written key=value, not 'b'"),
        ("thresholds:3", "thresholds: parameters must be written key=value, not '3'"),
        ("thresholds:b=3,", "thresholds: parameters must be written key=value, not ''"),
        ("thresholds:b=" + "9" * 5000, "thresholds: b has 5000 digits; the limit is 18"),
        ("equality:n=2^", "equality: n must be an integer, not ''"),
        ("equality:n=2^-1", r"equality: n=2\^-1 must be an integer below 2\^4096"),
        ("equality:n=2^9999999999999999", r"equality: n=2\^9+ must be an integer below 2\^4096"),
    ],
)
def test_what_is_no_instance_is_refused_in_one_line(text, message):
    with pytest.raises(UnreadableInputError, match=f"^{message}") as caught:
        parse_instance(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("thresholds:b=-1", DomainError),
        ("lines:p=4", DomainError),
        ("k_points:b=1,k=3", DomainError),
        ("random:m=5,n=2,seed=0", DomainError),
        ("equality:n=0", DomainError),
        ("lines:p=1000003", InstanceTooLargeError),
        ("thresholds:b=40", InstanceTooLargeError),
        ("thresholds:b=999999999999", InstanceTooLargeError),
        ("random:m=100000,n=100000,seed=0", InstanceTooLargeError),
        ("intervals:n=100000", InstanceTooLargeError),
        ("k_points:b=40,k=1099511627775", InstanceTooLargeError),
        ("equality:n=999999999999999999", InstanceTooLargeError),
        ("augmented_index:d=62", InstanceTooLargeError),
    ],
)
def test_families_refuse_what_is_outside_their_domain_or_too_large(text, error):
    with pytest.raises(error) as caught:
        parse_instance(text)
    assert isinstance(caught.value, CcsimError)
    assert "\n" not in str(caught.value)


def test_total_problem_stands_for_the_class_of_its_rows():
    C = parse_class("equality:n=4")
    assert (C.rows, C.name, C.merged) == ((1, 2, 4, 8), "equality:n=4", 0)
    assert parse_class("thresholds:b=2") == thresholds(2)


def test_problem_with_a_promise_is_no_class():
    with pytest.raises(
        UnreadableInputError, match="be total to become a concept class, but has a promise"
    ):
        parse_class("augmented_index:d=2")


def test_class_stands_for_its_evaluation_problem():
    assert parse_problem("thresholds:b=2") == evaluation_problem(thresholds(2))
    assert parse_problem("index:d=2") == index(2)


@pytest.mark.parametrize(
    "text",
    [
        "balls:b=1,d=2",
        "halfspaces:b=1,d=2",
        "k_points:b=2,k=2",
        "polynomials:p=3,k=2",
        "random:m=9000,n=30,seed=0",
        "unions:n=4,k=2",
    ],
)
def test_a_family_whose_members_take_long_hears_the_limit_while_it_builds(text):
    with pytest.raises(NotDecidedError, match="not decided within the time limit"):
        parse_instance(text, time_limit=0)
    with pytest.raises(OutOfTimeError):  # at whichever step it is over
        parse_class(text, time_limit=Budget(3, clock=itertools.count().__next__))
    assert parse_class(text, time_limit=math.inf) == parse_class(text)


def test_a_command_without_time_for_its_instance_is_one_line(capsys):
    assert main(["dimensions", "balls:b=2,d=3", "--time-limit", "0"]) == 3
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "ccsim: error: balls:b=2,d=3: the instance was not built within the time limit\n",
    )
