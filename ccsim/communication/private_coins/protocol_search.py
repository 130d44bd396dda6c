"""Good private-coin protocols in floats from random starts, and what inputs make them err.

They are made better by successive linear programs (`SuccessivePrograms`).

The error on an input is a sum of products of a probability of Alice's and one of Bob's. Around a
protocol it is nearly linear; the linear program of all small changes finds a better protocol, or
shows that no small change helps. Nothing here decides: the result is rounded and evaluated exactly
by the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.tables import PrivateCoinProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.programs import solve_matrix_game
from ccsim.programs.highs import QuietHighs

Floats = npt.NDArray[np.float64]

_STARTS, _HITS = 20, 3  # random starts, and how often the best error comes up before they end
# the same where a table has at most so many products of probabilities
_SMALL, _SMALL_STARTS, _SMALL_HITS = 75, 60, 8
_SAME = 1e-7
_TRIES = 10  # random starts to see whether fewer inputs can be answered with a smaller error


def random_starts(
    programs: SuccessivePrograms, messages: int, most: int, budget: Budget
) -> Iterator[tuple[float, Floats]]:
    """Yield error and Bob's table of improved random protocols; end when the best recurs."""
    rng = np.random.default_rng(0)
    n, m = programs.shape
    best, hits = inf, 0
    small = n * m * messages <= _SMALL
    starts, enough = (_SMALL_STARTS, _SMALL_HITS) if small else (_STARTS, _HITS)
    for _ in range(min(starts, most)):
        if hits == enough:
            return
        budget.spend()
        alice = rng.dirichlet(np.full(messages, 0.7), n)
        error, _, table = programs.improve(alice, rng.random((messages, m)), budget)
        yield error, table
        hits = hits + 1 if abs(error - best) < _SAME else 1 if error < best else hits
        best = min(error, best)


def needed_inputs(values: Floats, messages: int, target: float, budget: Budget) -> tuple[int, ...]:
    """Return inputs of Alice on which no error below a target was found.

    Complexity: at most 10 random starts for each input, mostly one.
    """
    kept = list(range(len(values)))
    for x in range(len(values) - 1, -1, -1):
        rest = [z for z in kept if z != x]
        if len(rest) <= messages:
            break
        found = random_starts(SuccessivePrograms(values[rest]), messages, _TRIES, budget)
        if all(error >= target for error, _ in found):
            kept = rest
    return tuple(kept)


def coin_protocol(problem: CommunicationProblem, messages: int) -> PrivateCoinProtocol:
    """Return the protocol in which Bob answers by a fair coin."""
    half = ((Fraction(1, 2),) * len(problem.bob),) * messages
    silent = tuple(Fraction(m == 0) for m in range(messages))
    return PrivateCoinProtocol((silent,) * len(problem.alice), half)


def rounded(
    problem: CommunicationProblem, reduced: Reduced, bob: Floats, grid: int, budget: Budget
) -> PrivateCoinProtocol:
    """Round Bob's table to multiples of ``1 / grid``, and let Alice reply exactly."""
    small = [[Fraction(round(float(p) * grid), grid) for p in row] for row in bob]
    rows = []
    for row in small:
        answers = []
        for column, flip in reduced.answers:
            one = Fraction(0) if column is None else row[column]
            answers.append(1 - one if flip else one)
        rows.append(tuple(answers))
    table = tuple(rows)
    return PrivateCoinProtocol(best_alice(problem, table, budget), table)


def best_alice(
    problem: CommunicationProblem, bob: tuple[tuple[Fraction, ...], ...], budget: Budget
) -> tuple[tuple[Fraction, ...], ...]:
    """Return Alice's best table against a table of Bob: for each of her inputs a matrix game."""
    result = []
    for x in range(len(problem.alice)):
        budget.spend()
        inside = [
            (y, value)
            for y in range(len(problem.bob))
            if (value := problem.value(x, y)) is not None
        ]
        if inside:
            errors = [[1 - row[y] if value else row[y] for row in bob] for y, value in inside]
            result.append(solve_matrix_game(errors).column_strategy)
        else:
            result.append(tuple(Fraction(m == 0) for m in range(len(bob))))
    return tuple(result)


Table = npt.NDArray[np.float64]

_STEPS = 40
_FIRST_RADIUS = 0.5
_LEAST_RADIUS, _LEAST_GAIN = 1e-7, 1e-11


class SuccessivePrograms:
    """Improves private-coin protocols for a matrix of values."""

    def __init__(self, values: Table) -> None:
        self._values = values
        self._x, self._y = np.nonzero(~np.isnan(values))
        inside = values[self._x, self._y]
        self._sign = np.where(inside == 1, -1.0, 1.0)
        self._highs = QuietHighs()

    @property
    def shape(self) -> tuple[int, int]:
        """How many inputs Alice and Bob have."""
        n, m = self._values.shape
        return n, m

    def error(self, alice: Table, bob: Table) -> float:
        """Return the largest error; ``alice[x][m]`` and ``bob[m][y]`` are probabilities."""
        return float(np.nanmax(np.abs(alice @ bob - self._values)))

    def improve(
        self, alice: Table, bob: Table, budget: Budget | None = None
    ) -> tuple[float, Table, Table]:
        """Return the error and tables of a protocol that small changes do not improve.

        When the budget is over, of the best one by then.
        """
        best, radius = self.error(alice, bob), _FIRST_RADIUS
        for _ in range(_STEPS):
            if budget is not None and budget.limited:
                if budget.expired:
                    break
                # the solver adds up the time of all its runs
                end = self._highs.getRunTime() + budget.remaining
                self._highs.setOptionValue("time_limit", end)
            changed = self._step(alice, bob, radius)
            error = best if changed is None else self.error(*changed)
            if changed is not None and error < best:
                small = best - error < _LEAST_GAIN
                alice, bob, best = *changed, error
                radius = min(1.0, 2 * radius)
                if small:
                    break
            else:
                radius /= 4
                if radius < _LEAST_RADIUS:
                    break
        return best, alice, bob

    def _step(self, alice: Table, bob: Table, radius: float) -> tuple[Table, Table] | None:
        """Solve the program linearised around a protocol, with changes of at most `radius`."""
        (n, k), m, cells = alice.shape, bob.shape[1], len(self._x)
        rows = np.arange(cells)
        # a b is about a b0 + a0 b - a0 b0, and v >= sign * (sum_m a b - f)
        at_alice = 1 + self._x[:, None] * k + np.arange(k)
        at_bob = 1 + n * k + np.arange(k) * m + self._y[:, None]
        index = np.hstack([np.zeros((cells, 1), int), at_alice, at_bob])
        slopes = np.hstack([bob[:, self._y].T, alice[self._x]]) * -self._sign[:, None]
        value = np.hstack([np.ones((cells, 1)), slopes])
        current = np.concatenate([alice.ravel(), bob.ravel()])
        products = (alice @ bob + self._values)[self._x, self._y]
        law = 1 + np.arange(n * k)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = 1 + n * k + k * m, cells + n
        program.col_cost_ = np.eye(1, program.num_col_)[0]
        program.col_lower_ = np.concatenate([[0.0], np.maximum(current - radius, 0.0)])
        program.col_upper_ = np.concatenate([[1.0], np.minimum(current + radius, 1.0)])
        program.row_lower_ = np.concatenate([-self._sign * products, np.ones(n)])
        program.row_upper_ = np.concatenate([np.full(cells, highspy.kHighsInf), np.ones(n)])
        matrix = program.a_matrix_
        matrix.format_ = highspy.MatrixFormat.kRowwise
        width = 1 + 2 * k
        starts = np.concatenate([rows * width, cells * width + np.arange(n + 1) * k])
        matrix.start_ = starts.astype(np.int32)
        matrix.index_ = np.concatenate([index.ravel(), law]).astype(np.int32)
        matrix.value_ = np.concatenate([value.ravel(), np.ones(n * k)])
        self._highs.passModel(program)
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = np.clip(np.array(self._highs.getSolution().col_value)[1:], 0.0, 1.0)
        laws = solution[: n * k].reshape(n, k)
        totals = laws.sum(axis=1, keepdims=True)
        if totals.min() <= 0:
            return None
        return laws / totals, solution[n * k :].reshape(k, m)
