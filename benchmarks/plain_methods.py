"""Plain programs and recursions that answer the same questions without this package.

Each function returns only the value, as a float if it computes in floats, and proves nothing.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, permutations, product
from math import exp, log
from pathlib import Path
from typing import Any

import highspy
import numpy as np

from ccsim import CommunicationProblem, ConceptClass
from ccsim.privacy import ExponentialMechanism
from ccsim.programs.highs import QuietHighs

__all__ = [
    "accounted",
    "audit",
    "audit_in_floats",
    "distributional",
    "in_c",
    "processor",
    "public_coins",
    "public_coins_in_c",
    "repeated",
    "warmed",
]

SHORT = 0.05
"""Seconds from which on an answer is not repeated."""
FINE = 1e-8
"""Step to whose multiples dp_accounting rounds privacy losses."""
Rows = list[tuple[float, float, dict[int, float]]]
"""Lower and upper end of a linear form, and its coefficients."""


def in_c(program: Path, C: ConceptClass) -> tuple[int, float]:
    """Return the value that a program in C prints for a class, and its processor time."""
    width = len(C.points)
    rows = "".join(f"{format(row, f'0{width}b')[::-1]}\n" for row in C.rows)
    value, took = printed(program, f"{len(C)} {width}\n{rows}")
    return int(value), took


def public_coins_in_c(
    program: Path, problem: CommunicationProblem, messages: int
) -> tuple[float, float]:
    """Return the public-coin error that a program in C prints, and its processor time."""
    n, m = len(problem.alice), len(problem.bob)
    signs = {0: "0", 1: "1", None: "*"}
    rows = ["".join(signs[problem.value(x, y)] for y in range(m)) for x in range(n)]
    value, took = printed(program, "\n".join([f"{n} {m} {messages}", *rows, ""]))
    return float(value), took


def printed(program: Path, text: str) -> tuple[str, float]:
    """Return the first word that a program prints, and its processor time.

    If the program prints its own time, which excludes reading, this time is returned.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(  # noqa: S603 - a program of ours
        [str(program)], input=text, capture_output=True, text=True, check=True
    )
    value, *own = done.stdout.split()
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return value, float(own[0]) if own else took


def processor() -> float:
    """Return the processor time of this process and of its finished child processes."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def repeated(ask: Callable[[], Any]) -> tuple[Any, float]:
    """Return an answer and its seconds, the mean over several calls if one call is short."""
    began, times, took = processor(), 0, 0.0
    while not times or took < SHORT:
        found = ask()
        took = processor() - began
        times += 1
    return found, took / times


def warmed(solve: Callable[[Any], Any], small: Any, large: Any) -> tuple[Any, float]:  # noqa: ANN401
    """Return the answer of a solver after a small question, and its seconds."""
    solve(small)
    return repeated(partial(solve, large))


def public_coins(problem: CommunicationProblem, messages: int) -> float:
    """Return the minimax error with public coins, by one linear program over all partitions.

    A protocol is a distribution on partitions of Alice's inputs. For each partition, message and
    input of Bob, a variable is the part of the partition's probability with which Bob answers 1.
    """
    n, m = len(problem.alice), len(problem.bob)
    columns, rows = 1, list[tuple[float, float, dict[int, float]]]()
    errors: dict[tuple[int, int], dict[int, float]] = {
        (x, y): {0: 1.0} for x in range(n) for y in range(m)
    }
    whole: dict[int, float] = {}
    for partition in partitions(n, messages):
        weight = columns
        whole[weight] = 1.0
        columns += 1
        for block in range(max(partition) + 1):
            for y in range(m):
                rows.append((0.0, np.inf, {weight: 1.0, columns: -1.0}))
                for x in (x for x in range(n) if partition[x] == block):
                    form = errors[x, y]  # error >= sum of wrong answers
                    if problem.value(x, y):
                        form[weight] = form.get(weight, 0.0) - 1.0
                        form[columns] = 1.0
                    else:
                        form[columns] = -1.0
                columns += 1
    rows += [(0.0, np.inf, form) for form in errors.values()]
    rows.append((1.0, 1.0, whole))
    return solved(np.eye(1, columns)[0], rows)


def distributional(problem: CommunicationProblem, messages: int) -> float:
    """Return the least error under the uniform distribution, by a mixed integer program."""
    n, m = len(problem.alice), len(problem.bob)
    sends = {(x, k): i for i, (x, k) in enumerate(product(range(n), range(messages)))}
    answers = {
        (k, y): len(sends) + i for i, (k, y) in enumerate(product(range(messages), range(m)))
    }
    columns = len(sends) + len(answers)
    rows: Rows = [(1.0, 1.0, {sends[x, k]: 1.0 for k in range(messages)}) for x in range(n)]
    wrong = list[int]()
    for x, y in product(range(n), range(m)):
        wrong.append(columns)
        for k in range(messages):  # sent, and answered wrongly
            least, sign = (0.0, 1.0) if problem.value(x, y) else (-1.0, -1.0)
            form = {columns: 1.0, sends[x, k]: -1.0, answers[k, y]: sign}
            rows.append((least, np.inf, form))
        columns += 1
    cost = np.zeros(columns)
    cost[wrong] = 1 / (n * m)
    return solved(cost, rows, integers=len(sends) + len(answers))


def audit(mechanism: ExponentialMechanism, size: int, bound: Fraction | None = None) -> Fraction:
    """Return a number of the definition of privacy for databases of ``size`` entries, in fractions.

    Without ``bound``, it is the least factor at delta 0; with it, the least delta at this factor.
    """
    worst = Fraction(1 if bound is None else 0)
    records = range(len(mechanism.records))
    distributions = {
        counts: dict(mechanism.distribution([mechanism.records[i] for i in counts]).items)
        for counts in combinations_with_replacement(records, size)
    }
    for rest in combinations_with_replacement(records, size - 1):
        for one, other in permutations(records, 2):
            p = distributions[tuple(sorted((one, *rest)))]
            q = distributions[tuple(sorted((other, *rest)))]
            if bound is None:
                worst = max(worst, *(p[o] / q[o] for o in p))
            else:
                worst = max(worst, sum(max(p[o] - bound * q[o], Fraction(0)) for o in p))
    return worst


def neighbours(values: int, size: int, epsilon: float) -> np.ndarray:
    """Return the distributions of the exponential mechanism on votes, one row for each record.

    Each block belongs to a multiset of ``size - 1`` records; its rows add one record each.
    """
    others = combinations_with_replacement(range(values), size - 1)
    rest = np.array([[each.count(i) for i in range(values)] for each in others])
    weights = np.exp(epsilon / 2 * (rest[:, None, :] + np.eye(values)))
    return np.asarray(weights / weights.sum(axis=2, keepdims=True))


def audit_in_floats(values: int, size: int, epsilon: float, bound: float | None = None) -> float:
    """Return the number of `audit` for votes, computed by arrays of floats."""
    p = neighbours(values, size, epsilon)
    if bound is None:
        return float((p.max(axis=1) / p.min(axis=1)).max())
    gaps = np.maximum(p[:, :, None, :] - bound * p[:, None, :, :], 0)
    return float(gaps.sum(axis=3).max())


def accounted(values: int, size: int, epsilon: float, bound: float | None = None) -> float:
    """Return the number of `audit` for votes, by a privacy loss distribution for each pair."""
    from dp_accounting.pld import privacy_loss_distribution

    worst = 0.0
    for block in neighbours(values, size, epsilon):
        masses = [dict(enumerate(row)) for row in np.log(block)]
        for lower, upper in combinations(masses, 2):
            losses = privacy_loss_distribution.from_two_probability_mass_functions(
                lower, upper, value_discretization_interval=FINE, symmetric=False
            )
            if bound is None:
                worst = max(worst, exp(losses.get_epsilon_for_delta(0.0)))
            else:
                worst = max(worst, losses.get_delta_for_epsilon(log(bound)))
    return worst


def partitions(size: int, blocks: int) -> Iterator[list[int]]:
    """Yield all partitions of ``range(size)`` into at most ``blocks`` blocks, as growth strings."""

    def grown(before: list[int]) -> Iterator[list[int]]:
        if len(before) == size:
            yield before
            return
        for block in range(min(max(before, default=-1) + 2, blocks)):
            yield from grown([*before, block])

    return grown([])


def solved(cost: np.ndarray, rows: Rows, integers: int = 0) -> float:
    """Return the minimum cost of non-negative variables; the first ``integers`` are 0 or 1."""
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(cost), len(rows)
    model.col_cost_ = cost
    model.col_lower_ = np.zeros(len(cost))
    model.col_upper_ = np.append(np.ones(integers), np.full(len(cost) - integers, np.inf))
    model.row_lower_ = np.array([low for low, _, _ in rows])
    model.row_upper_ = np.array([high for _, high, _ in rows])
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.append(0, np.cumsum([len(form) for _, _, form in rows]))
    model.a_matrix_.index_ = np.array([j for _, _, form in rows for j in form])
    model.a_matrix_.value_ = np.array([c for _, _, form in rows for c in form.values()])
    if integers:
        kinds = [highspy.HighsVarType.kInteger] * integers
        model.integrality_ = kinds + [highspy.HighsVarType.kContinuous] * (len(cost) - integers)
    highs = QuietHighs()
    highs.setOptionValue("threads", 1)
    highs.passModel(model)
    highs.run()
    return float(highs.getInfo().objective_function_value)
