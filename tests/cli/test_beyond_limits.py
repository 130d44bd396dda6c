"""Just beyond each limit that allows bounds, the answer is bounds that the kernel accepts."""

import json

import pytest

from ccsim import evaluation_problem, kernel, minimax_error, random_class, thresholds
from ccsim.cli.main import main
from ccsim.communication.problem import equality
from ccsim.dimensions import compression_size, randomized_littlestone_dimension, threshold_dimension
from ccsim.learning.least_failure import least_private_failure
from ccsim.representation import deterministic_representation_size

ASKED = {
    "partitions.tables.MAX_ROWS": lambda: minimax_error(
        evaluation_problem(random_class(21, 12, 1)), 3
    ),
    "partitions.tables.MAX_ROWS_OF_TWO": lambda: minimax_error(
        evaluation_problem(random_class(26, 9, 1)), 2
    ),
    "groups.MAX_ROWS": lambda: minimax_error(evaluation_problem(random_class(26, 9, 2)), 3),
    "groups.MAX_EXCHANGED_ROWS": lambda: minimax_error(equality(63), 3),
    "chains.MAX_CHAIN": lambda: threshold_dimension(
        ["".join("*" if x > 80 else "01"[c <= x] for x in range(90)) for c in range(90)]
    ),
    "threshold.MAX_THRESHOLDS": lambda: threshold_dimension(thresholds(9)),
    "neighbourhoods.MAX_POINTS": lambda: deterministic_representation_size(
        random_class(9, 11, 1), "1/4"
    ),
    "learning_program.MAX_VARIABLES": lambda: least_private_failure(
        random_class(9, 12, 1), 1, "1/4", "ln 3"
    ),
    "randomized_littlestone.MAX_SPACES": lambda: randomized_littlestone_dimension("points:b=6"),
    "trees.MAX_ENTRIES": lambda: minimax_error(
        evaluation_problem(random_class(21, 12, 1)), bits=3, model="two-way"
    ),
    "trees.MAX_STEPS": lambda: minimax_error(
        evaluation_problem(random_class(12, 12, 1)), bits=4, model="two-way"
    ),
    "compression.MAX_POINTS": lambda: compression_size(thresholds(4)),
    "compression.MAX_CLAUSES": lambda: compression_size(random_class(200, 10, 1)),
    "size.MAX_LISTED": lambda: deterministic_representation_size(random_class(9, 17, 1), "1/4"),
}
"""A question just beyond each of the limits, by the end of its name."""


@pytest.fixture(scope="module")
def table():
    from click.testing import CliRunner

    from ccsim.cli.limits import limits

    return json.loads(CliRunner().invoke(limits, ["--json"], standalone_mode=False).output)


def test_every_limit_says_what_is_beyond(table):
    bounded = {f"{row['where']}.{row['name']}" for row in table if row["beyond"] != "refused"}
    assert len(bounded) == len(ASKED)
    assert all(any(name.endswith(end) for name in bounded) for end in ASKED)


SLOW = (
    "groups.MAX_EXCHANGED_ROWS",
    "groups.MAX_ROWS",
    "learning_program.MAX_VARIABLES",
    "partitions.tables.MAX_ROWS",
    "partitions.tables.MAX_ROWS_OF_TWO",
    "randomized_littlestone.MAX_SPACES",
    "trees.MAX_ENTRIES",
    "trees.MAX_STEPS",
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in ASKED]
)
def test_beyond_the_limit_are_bounds(name):
    result = ASKED[name]()
    assert result.lower <= result.upper
    kernel.check(json.loads(result.certificate().to_json()))


def test_limits_are_printed(capsys):
    assert main(["limits", "Beyond"]) == 0
    assert "Beyond: bounds on the error" in " ".join(capsys.readouterr().out.split())
