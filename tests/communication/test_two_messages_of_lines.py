"""The search over classes of lines in `benchmarks/two_messages_of_lines.py`."""

from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import combinations, product
from pathlib import Path

import pytest

from ccsim import minimax_error

FILE = Path(__file__).parents[2] / "benchmarks" / "two_messages_of_lines.py"
WEIGHTS = {3: (8, 5), 5: (70, 23)}  # of the hardest distributions


@pytest.fixture(scope="module")
def benchmark():
    spec = spec_from_file_location(FILE.stem, FILE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def exceeded(lines, allowed):
    """Return the numbers of lines of each slope for which some class gains more than allowed."""
    return [
        order
        for slopes in lines.left(allowed)
        for order in lines.orders(slopes)
        if lines.exceeded(order, allowed)[0]
    ]


@pytest.mark.parametrize("p", [3, 5])
def test_least_error_is_found_and_no_more(benchmark, p):
    """No class exceeds the bound proved by the package's exact search, and one attains it."""
    lines = benchmark.Lines(p, *WEIGHTS[p])
    allowed = lines.total * (1 - 2 * minimax_error(f"lines:p={p}", 2).value)
    assert allowed.denominator == 1
    assert exceeded(lines, int(allowed)) == []
    assert exceeded(lines, int(allowed) - 1)


def test_every_class_of_lines_over_z_3_is_tried_up_to_symmetry(benchmark):
    """All classes are tried, for weights that are not the hardest."""
    lines, p = benchmark.Lines(3, 3, 1), 3
    where = [
        [(y - a * x - b) % p == 0 for x, y in lines.points] for a, b in product(range(p), repeat=2)
    ]
    gains = {}
    for s in range(p * p // 2 + 1):
        for chosen in combinations(range(p * p), s):
            numbers = [sum(where[i][x] for i in chosen) for x in range(p * p)]
            slopes = tuple(
                sorted([sum(i // p == a for i in chosen) for a in range(p)], reverse=True)
            )
            gain = sum(lines.gain(n, s) for n in numbers)
            gains[slopes] = max(gains.get(slopes, 0), gain)
    for allowed in sorted(set(gains.values())):
        for off in (-1, 0):
            reached = {slopes for slopes, gain in gains.items() if gain > allowed + off}
            found = {tuple(sorted(order, reverse=True)) for order in exceeded(lines, allowed + off)}
            assert found == reached


def test_two_slopes_of_seven_are_left_for_the_claimed_error(benchmark):
    lines = benchmark.Lines(7, 204, 41)
    allowed = lines.total * (1 - 2 * Fraction(211, 525))
    left = list(lines.left(int(allowed)))
    assert left == [(4, 4, 3, 3, 3, 3, 3), (4, 4, 4, 3, 3, 3, 3)]
    assert [len(lines.orders(slopes)) for slopes in left] == [1, 2]
