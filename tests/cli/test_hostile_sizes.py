"""Absurd sizes are refused with one line and status 2, or stopped by a limit, without a crash.

Each command runs in a child process with limits on memory and processor time, because some
libraries abort the process if memory is exhausted.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from fractions import Fraction
from itertools import count

import click
import numpy as np
import pytest

from ccsim import (
    DomainError,
    InstanceTooLargeError,
    equality,
    points,
    private_sample_complexity,
)
from ccsim.classes import all_functions
from ccsim.cli.main import cli
from ccsim.cli.parameters import Integer, Rational
from ccsim.communication.minimax import error_curve
from ccsim.communication.protocols.by_rules import simulate
from ccsim.exact import Epsilon
from ccsim.learning.learner import MAX_WORK, learning_trial
from ccsim.learning.learners.points import NonprivatePointLearner
from ccsim.learning.sample_size import check_parameters, constant_learner_runs, log_ceiling
from ccsim.representation.neighbourhoods import hypotheses_of
from ccsim.surveys.targets import point_target
from ccsim.texts.labels import check_size
from protocols import EqualityHashing

HUGE = "1" + "0" * 21
LONG = "1" + "0" * 3000
TINY = "1/" + "9" * 100
TINIEST = f"1/{LONG}"
NEARLY_ONE = "0." + "9" * 100
NUMBERS = (TINY, TINIEST, NEARLY_ONE, "1/1000000000", "0", "1", "2", "-1", LONG)
INTEGERS = (HUGE, LONG, "0", "-1")
EPSILONS = (TINY, "65536", "100000", f"ln {LONG}", "ln 1." + "0" * 99 + "1", "0", "ln 1", "-1")
INSTANCES = (
    "all_functions:n=40",
    "augmented_index:d=100",
    "balls:b=62,d=62",
    "boxes:b=10,d=10",
    "decision_stumps:p=999999999999999999",
    "disjointness:n=14",
    "equality:n=1000000000000",
    "gap_hamming:n=999999999999999999,g=1",
    "greater_than:n=99999999999",
    "halfspaces:b=9,d=9",
    "index:d=100",
    "inner_product:n=63",
    "intervals:n=1000000000",
    "k_points:b=62,k=99999999999999",
    "lines:p=1000000007",
    "parities:n=100",
    "points:b=2^4000",
    "polynomials:p=1000000007,k=1000000007",
    "random:m=1000000000,n=1000000000,seed=0",
    "random:m=1,n=60000000,seed=0",
    "thresholds:b=100",
    "unions:n=999999999999999999,k=999999999999999999",
)
LEARN = ["--accuracy", "1/4", "--failure", "1/4", "--runs", "1"]
COMMANDS = {
    "audit": None,  # its instances are mechanisms, with tests of their own
    "bounds": ["equality:n=4", "--time-limit", "1"],
    "compose": ["--parameters", "ln 3,0", "--epsilon", "1", "--time-limit", "1"],
    "complexity": ["equality:n=4", "--error", "1/4", "--time-limit", "1"],
    "dimensions": ["points:b=1", "--time-limit", "1"],
    **dict.fromkeys(("atlas", "doctor", "families", "limits", "report")),  # they take no size
    "error": ["equality:n=4", "--messages", "2", "--time-limit", "1"],
    "export": ["equality:n=3", "--messages", "2", "--out", "game.nfg", "--time-limit", "1"],
    **dict.fromkeys(("game", "program")),  # they read files alone
    "learn": ["points:b=2", "--learner", "nonprivate", *LEARN],
    "packing": ["points:b=1", *LEARN[:4], "--epsilon", "1", "--time-limit", "1"],
    "predict": None,  # no number
    "protocol": ["equality:bits=4,repetitions=1"],
    "release": [
        *("points:b=2", "--private", "records.csv:header=no", "--public", "records.csv:header=no"),
        *("--epsilon", "1", "--time-limit", "1", "--out", "synthetic.csv"),
    ],
    "represent": ["points:b=1", "--error", "1/4", "--time-limit", "1"],
    "sanitize": [
        *("points:b=2", "--records", "records.csv:header=no", "--sanitizer", "stability-histogram"),
        *("--epsilon", "1", "--time-limit", "1"),
    ],
    "sample-complexity": ["points:b=1", *LEARN[:4], "--epsilon", "ln 3", "--time-limit", "1"],
    "survey": ["dimensions", "points:b=1", "--out", "survey.db"],
    "survey learners": ["--bits", "2", "--learners", "nonprivate", "--runs", "2"],
    "tree": ["points:b=1", "--out", "tree.txt", "--time-limit", "1"],
}
OF_ITS_OWN = {
    ("error", "messages"): (f"1..{HUGE}", f"1..{LONG}", f"{HUGE}..{HUGE}", "1..1000000000", "3..2"),
    ("survey learners", "bits"): (HUGE, "65", "0", "-1", "", "4,,4"),
}
OTHERS = [
    *(
        ["learn", "points:b=2", "--learner", name, "--accuracy", accuracy, *LEARN[2:]]
        for name in ("improper-code", "improper-constant", "nonprivate", "proper", "occam")
        for accuracy in (TINY, TINIEST, "1/1000000000")
    ),
    *(
        ["learn", "points:b=2", "--learner", name, *LEARN, "--epsilon", epsilon]
        for name in ("improper-code", "improper-constant", "proper", "occam")
        for epsilon in EPSILONS
    ),
    ["learn", "points:b=2", "--learner", "representation", "--accuracy", TINY, *LEARN[2:]],
    ["learn", "points:b=2", "--learner", "occam", "--agnostic", "--accuracy", TINY, *LEARN[2:]],
    *(["learn", "points:b=2", "--learner", "occam", *LEARN[:4], "--runs", n] for n in INTEGERS),
    *(["learn", "lines:p=3", "--learner", "lines", *LEARN, "--delta", n] for n in ("0", "1", "2")),
    ["learn", "lines:p=3", "--learner", "lines", "--accuracy", TINY, *LEARN[2:]],
    ["learn", "lines:p=1000000007", "--learner", "lines", *LEARN],
    ["represent", "equality:n=1000", "--error", "1/4", "--proper", "--time-limit", "1"],
    ["represent", "all_functions:n=16", "--error", "1/4", "--proper", "--time-limit", "1"],
    ["survey learners", "--bits", "4", "--learners", "proper", "--accuracy", "1/1000000000"],
    ["error", "equality:n=24", "--messages", "4"],
    *(["export", f"equality:n={n}", "--messages", "1", "--out", "g.vipr"] for n in (40, 2000)),
]
"""Whatever the options by themselves do not meet."""


def options():
    """Return each option of each command that is a size, with the values to try."""
    context = click.Context(cli)
    for command in cli.list_commands(context):
        for parameter in cli.get_command(context, command).params:
            own = OF_ITS_OWN.get((command, parameter.name))
            if own is not None:
                values = own
            elif parameter.name == "epsilon":
                values = EPSILONS
            elif isinstance(parameter.type, Rational) or parameter.metavar in {"A", "F", "P/Q"}:
                values = NUMBERS
            elif isinstance(parameter.type, Integer | click.IntRange):
                values = INTEGERS
            else:
                continue
            yield command, parameter, values


def asked(command, parameter, value):
    """Return the arguments of a command with one option set to a value."""
    argv, option = list(COMMANDS[command]), parameter.opts[0]
    if (command, option) == ("sample-complexity", "--samples"):
        argv[argv.index("--failure")] = "--gap"
    if option in argv:
        argv[argv.index(option) + 1] = value
    else:
        argv += [option, value]
    return [command, *argv]


CASES = [
    asked(command, parameter, value)
    for command, parameter, values in options()
    if COMMANDS[command] is not None
    for value in values
]


def bounded():
    """Limit the resources of a child process: some minutes, and memory in addition to libraries."""
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


RUN = """
import os, sys
from click import Context
from ccsim.cli.main import cli, main
for name in cli.list_commands(Context(cli)):
    cli.get_command(Context(cli), name)
for line in sys.stdin:
    argv = eval(line)
    sys.stdout.flush()
    child = os.fork()
    if not child:
        os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(os.open("err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        status = main(argv)
        sys.stdout.flush()
        os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(repr((ended, open("err").read())), flush=True)
"""
"""Runs each command in a child, after the libraries are loaded once."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "records.csv").write_text("1\n2\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-c", RUN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        preexec_fn=bounded,  # noqa: PLW1509 - no thread runs here
    ) as process:

        def ask(argv):
            process.stdin.write(f"{argv!r}\n")
            process.stdin.flush()
            return eval(process.stdout.readline())  # noqa: S307 - what RUN prints

        yield ask
        process.stdin.close()


def test_every_command_is_here():
    assert set(COMMANDS) == set(cli.list_commands(click.Context(cli)))


@pytest.mark.parametrize("argv", [*CASES, *OTHERS], ids=lambda argv: " ".join(argv)[:70])
def test_an_absurd_number_is_refused_in_one_line_or_work_that_ends(run, argv):
    status, errors = run(argv)
    assert status in {0, 2, 3}, errors
    lines = len(errors.splitlines())
    assert lines <= 1 if status == 3 else lines == (status == 2)  # at a limit perhaps no answer
    assert "Traceback" not in errors


@pytest.mark.parametrize("command", ["complexity", "dimensions", "error", "packing", "represent"])
@pytest.mark.parametrize("instance", INSTANCES)
def test_an_absurd_instance_is_refused_in_one_line(run, command, instance):
    status, errors = run([command, instance, *COMMANDS[command][1:]])
    assert status == 2
    assert len(errors.splitlines()) == 1


# --- The limits -----------------------------------------------------------------------------------


def test_labels_of_one_side_have_a_limit():
    check_size(1 << 21, 1, "C")
    with pytest.raises(InstanceTooLargeError, match="the limit is 2097152 on each side"):
        check_size(1, (1 << 21) + 1, "C")


def test_a_curve_has_a_limit_that_endless_ones_meet():
    with pytest.raises(
        InstanceTooLargeError, match="messages must have at most 16384 values in a curve"
    ):
        error_curve(equality(2), count(1))


def test_representations_have_a_limit():
    with pytest.raises(
        InstanceTooLargeError, match="16777216 weights of neighbourhoods; the limit is 4194304"
    ):
        hypotheses_of(points(8), points(8).rows)
    C = all_functions(12)
    with pytest.raises(InstanceTooLargeError, match=r"needs 4096\^2 weights of pairs of concepts"):
        hypotheses_of(C, C.rows)


def test_a_learner_that_needs_too_much_is_refused_before_its_first_run():
    quarter, target = Fraction(1, 4), point_target(2, Fraction(1, 2), np.random.default_rng(0))
    large = NonprivatePointLearner(quarter, quarter, Epsilon.of(1), 2, MAX_WORK + 1)
    with pytest.raises(InstanceTooLargeError, match=r"at most 33554432 .* not 33554433"):
        learning_trial(large, target, 1, 0)
    small = NonprivatePointLearner(quarter, quarter, Epsilon.of(1), 2)
    with pytest.raises(InstanceTooLargeError, match="at most 1099511627776, not"):
        learning_trial(small, target, 10**21, 0)


def test_a_simulation_of_too_many_runs_is_refused_before_the_first():
    with pytest.raises(InstanceTooLargeError, match="at most 1099511627776, not"):
        simulate(EqualityHashing(bits=4, repetitions=1), 1, 2, 10**21, 0)


def test_ceilings_at_long_powers_are_decided_without_the_powers():
    factor, base, divisor = Fraction(10**100), Fraction(3), Epsilon.of("ln 3")
    assert log_ceiling(factor, base, divisor) == 10**100
    assert log_ceiling(factor, base**2, divisor) == 2 * 10**100
    assert log_ceiling(factor, base**2 + 1 / factor, divisor) == 2 * 10**100 + 1
    assert log_ceiling(factor, base**2, Epsilon.of("ln 27") + Epsilon.of("ln 3")) == factor / 2


@pytest.mark.parametrize("digits", [1, 2, 10, 3000])
def test_runs_of_the_constant_learner_are_the_fewest(digits):
    failure = Fraction(1, 10**digits)
    runs = constant_learner_runs(failure)
    assert Fraction(4, 5) ** runs <= failure / 5 < Fraction(4, 5) ** (runs - 1)


def test_an_epsilon_beyond_exact_arithmetic_is_refused():
    half = Fraction(1, 2)
    with pytest.raises(DomainError, match="at most 65536, not a number of 333 bits"):
        check_parameters(half, half, Epsilon.of(10**100))
    with pytest.raises(InstanceTooLargeError, match="epsilon must be at most 8192"):
        private_sample_complexity(points(1), "1/4", "1/4", 65536)
