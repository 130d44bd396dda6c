"""Cheapest partitions where Bob has few inputs: the best answers for his messages (``k`` medians).

The *gain* of an answer is the sum of the positive ``potential - error`` over the rows; a choice of
answers costs at least the sum of the potentials minus its ``k`` gains.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from ctypes import c_double, c_int64
from heapq import heappop, heappush, heapreplace
from itertools import accumulate
from typing import Any

import highspy
import numpy as np

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.partitions.tables import Table, Weights, check_rows, integer_array
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.exact import common_denominator
from ccsim.native import Library
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program
from ccsim.programs.highs import QuietHighs
from ccsim.symmetry.matrix import Symmetry

Node = tuple[int, tuple[int, ...] | None, int | None]  # unit, potentials in it, answer

MAX_COLUMNS = 10  # most columns for which all answers are compared
_MAX_MOVES = 255  # most symmetries by which answers are told apart, besides the identity
_NODES = 20000  # most nodes of a search
_NODES_IF_CHEAP = 40  # most nodes of a search that has found what it was for
_KERNEL = 3 << 26  # most steps of the kernel for the tree that proves a bound
_OTHERS = 12
_TRIES = 12  # choices of answers that are improved before the search
_NEAR, _NEAR_AT_ROOT = 1e-4, 1e-2  # what a bound may lack before it is worth a linear program
_ROOT_STEPS, _STEPS = 400, 40
_GRID = 1 << 44  # what the weights in units of the potentials sum to, about
_ROUNDS, _NEW = 60, 20  # most rounds, and constraints that are added in one
_NOTHING = -1e-12
_FREE, _CHOSEN, _BARRED = 0, 1, 2

_FLOATS, _SIDES, _INTEGERS = (
    np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i1", "i8")
)
_TABLE = (_FLOATS, c_int64, c_int64)
_CASE = (_FLOATS, _SIDES, c_int64, c_double, c_int64, _FLOATS, _INTEGERS)
_LIBRARY = Library(
    "medians",
    {
        "improve_potentials": (c_int64, (*_TABLE, *_CASE)),
        "swap_answers": (c_int64, (*_TABLE, _INTEGERS, c_int64, c_int64)),
    },
)


def needs_answers(rows: int, columns: int, messages: int) -> bool:
    """Say whether there are too many rows for tables, and few enough columns for all answers."""
    try:
        check_rows(rows, columns, messages)
    except InstanceTooLargeError:
        return columns <= MAX_COLUMNS
    return False


def good_choices(
    weights: Table, messages: int, tries: int, rng: np.random.Generator
) -> tuple[Table, Table]:
    """Return partitions by locally best choices of answers, the cheapest first, and their costs."""
    errors = np.ascontiguousarray(errors_of_answers(weights), float)
    chosen = exchanged_choices(errors, messages, tries, rng)
    costs = errors[:, chosen].min(axis=2).sum(axis=0)
    order = np.argsort(costs, kind="stable")
    return errors[:, chosen[order]].argmin(axis=2).T.copy(), costs[order]


def exchanged_choices(
    errors: Table, messages: int, tries: int, rng: np.random.Generator | None = None
) -> Table:
    """Return choices of answers of which no exchange of one is better, from random starts."""
    rng = rng or np.random.default_rng(0)
    number = min(messages, errors.shape[1])
    chosen: Table = rng.random((tries, errors.shape[1])).argsort(axis=1)[:, :number].copy()
    swap_answers(errors, chosen)
    return chosen


def errors_of_answers(weights: Table) -> Table:
    """Return what each answer errs on each row."""
    columns = weights.shape[1]
    sides: Table = np.arange(1 << columns)[:, None] >> np.arange(columns) & 1
    sides = sides.astype(weights.dtype)
    errors: Table = np.maximum(weights, 0) @ (1 - sides).T
    errors += np.maximum(-weights, 0) @ sides.T
    return errors


def orbit_of(answer: int, moves: Table) -> list[int]:
    """Return the images of an answer under the group that permutations of answers generate."""
    found = [answer]
    for each in found:  # grows while it is read
        found += sorted(set(moves[:, each].tolist()) - set(found))
    return found


def images_of_answers(moves: Sequence[tuple[Sequence[int], int]], columns: int) -> Table:
    """Return up to `_MAX_MOVES` products of symmetries as permutations of answers."""
    answers = np.arange(1 << columns)
    generators = []
    for images, flips in moves:
        moved = answers ^ flips
        image: Table = np.zeros_like(answers)
        for y, place in enumerate(images):
            image |= (moved >> y & 1) << place
        generators.append(image)
    found = {answers.tobytes(): answers}
    listed = [answers]
    for element in listed:  # grows while it is read
        for generator in generators:
            product = generator[element]
            if product.tobytes() not in found and len(found) <= _MAX_MOVES:
                found[product.tobytes()] = product
                listed.append(product)
    return np.array(listed[1:]).reshape(-1, len(answers))


@frozen
class AnswerTree:
    """What proves that all choices of answers cost so much."""

    bound: int  # every choice costs at least this
    # in preorder; the answer is chosen in the first case, not in the second. If potentials decide
    # about it, only the other case follows. Without potentials, no image of the answer
    # under symmetries that keep what is chosen is chosen in the second case.
    nodes: tuple[Node, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the tree as a part of a certificate."""
        return {
            "bound": encode_integers([self.bound])[0],
            "nodes": [
                {
                    "unit": encode_integers([unit])[0],
                    "potentials": None if potentials is None else encode_integers(potentials),
                    "answer": answer,
                }
                for unit, potentials, answer in self.nodes
            ],
        }


class AnswerSearch:
    """The cheapest partition of rows into at most ``messages`` classes, by branch and bound."""

    def __init__(
        self,
        weights: Weights,
        messages: int,
        budget: Budget | None = None,
        cheap: int = 0,
        slack: int = 0,
        moves: Sequence[tuple[Sequence[int], int]] = (),
    ) -> None:
        self._messages, self._cheap, self._slack = messages, cheap, slack
        array = integer_array(weights)
        total = max(1, int(np.abs(array).sum()))
        self._unit = max(1, _GRID // total)
        self._errors = errors_of_answers(array)
        self._scale = float(total) * self._unit
        self._floats = np.ascontiguousarray((self._errors / float(total)).astype(float))
        self._nodes: list[tuple[int, Table, int | None]] = []
        self._cases: list[tuple[int, int]] = []
        self._open: dict[int, tuple[Table, Table, Table]] = {}
        self._moves: list[Table] = []
        self._chosen: dict[tuple[int, ...], int] = {}
        self.cost, self.classes = total + 1, [0] * len(array)
        self._take(np.argsort(self._errors.sum(axis=0), kind="stable")[:1])
        self.lower = 0
        self._search(images_of_answers(moves, array.shape[1]), budget or Budget())
        best = sorted(self._chosen, key=self._chosen.__getitem__)[1 : _OTHERS + 1]
        self.others = [self._errors[:, list(q)].argmin(axis=1).tolist() for q in best]

    def tree(self) -> AnswerTree:
        """Return what proves the lower bound, without what is not needed for it."""
        return AnswerTree(self.lower, tuple(node for node, _ in self._tree(self.lower)))

    def _tree(self, bound: int) -> Iterator[tuple[Node, int]]:
        """Yield the nodes that prove a bound in preorder, and the steps of the kernel for each."""
        left = [(0, np.zeros(self._errors.shape[1], np.int8))]
        while left:
            at, status = left.pop()
            unit, potentials, answer = self._nodes[at]
            closed, narrow = self._decided(at, status, bound)
            whole = tuple(map(int, potentials))
            node: Node = unit, whole, None if closed else answer
            if len(self._moves[at]) and not closed and answer is not None:
                node, narrow = (1, None, answer), status
            words = 3 + (max(map(int.bit_length, (unit, *whole))) >> 7)
            yield node, int((status != _BARRED).sum()) * (20 + words * len(potentials))
            if not closed and answer is not None:
                sides = (_BARRED, _CHOSEN)
                for case, side in zip(self._cases[at][::-1], sides, strict=True):
                    if narrow[answer] in (_FREE, side):
                        left.append((case, self._case(at, narrow, answer, side)))

    def _is_long(self, share: int) -> bool:
        """Say whether so many parts in 1024 of the lower bound take the kernel too many steps."""
        steps = accumulate(steps for _, steps in self._tree(self.lower * share >> 10))
        return any(so_far > _KERNEL for so_far in steps)

    def _case(self, at: int, status: Table, answer: int, side: int) -> Table:
        """Return a case of a node: the answer is chosen, or barred with its images."""
        case = status.copy()
        case[answer] = side
        if side == _BARRED and len(self._moves[at]):
            case[orbit_of(answer, self._moves[at])] = side
        return case

    def _search(self, moves: Table, budget: Budget) -> None:
        """Branch where the bound is least, until no case is left below the best choice."""
        for chosen in exchanged_choices(self._floats, self._messages, _TRIES):
            self._take(chosen)
        free = np.zeros(self._errors.shape[1], np.int8)
        heap = [self._new(free, self._floats.mean(axis=1), _ROOT_STEPS, moves)]
        sharpened: set[int] = set()
        with budget:
            while heap and heap[0][0] < self.cost - self._slack:
                if len(self._nodes) >= (_NODES if self.cost >= self._cheap else _NODES_IF_CHEAP):
                    break
                budget.spend()
                bound, at = heap[0]
                near = (_NEAR if at else _NEAR_AT_ROOT) * self.cost
                if self.cost - bound < near and at not in sharpened:
                    sharpened.add(at)
                    heapreplace(heap, (max(bound, self._sharpened(at, budget)), at))
                    continue
                status, potentials, favour = self._open[at]
                closed, narrow = self._decided(at, status, self.cost)
                moves = self._moves[at]
                cases = []
                if not closed:
                    narrow = status if len(moves) else narrow
                    possible = np.flatnonzero(narrow == _FREE)
                    answer = int(possible[favour[possible].argmax()])
                    for side in (_CHOSEN, _BARRED):
                        case = self._case(at, narrow, answer, side)
                        kept = moves[moves[:, answer] == answer] if side == _CHOSEN else moves
                        cases.append(self._new(case, potentials.copy(), _STEPS, kept))
                    self._nodes[at] = *self._nodes[at][:2], answer
                    self._cases[at] = cases[0][1], cases[1][1]
                del self._open[at]
                heappop(heap)
                for bound_of_case, number in cases:
                    heappush(heap, (max(bound, bound_of_case), number))
        self.lower = min([self.cost, *(bound for bound, _ in heap)])
        if len(self._nodes) * self._errors.size > _KERNEL >> 3 and self._is_long(1 << 10):
            self.lower = self.lower * bisect_left(range(1, 1025), 1, key=self._is_long) >> 10

    def _new(self, status: Table, potentials: Table, steps: int, moves: Table) -> tuple[int, int]:
        """Add a node with good potentials for a case; return its bound and its number."""
        wanted = float(self.cost * self._unit) / self._scale
        favour, chosen = improve_potentials(
            self._floats, potentials, status, self._messages, wanted, steps
        )
        self._take(chosen)
        whole = np.array([round(u * self._scale) for u in potentials.tolist()], self._errors.dtype)
        self._nodes.append((self._unit, whole, None))
        self._cases.append((-1, -1))
        self._moves.append(moves)
        self._open[len(self._nodes) - 1] = status, potentials, favour
        bound, _, _ = self._bounded(len(self._nodes) - 1, status)
        return -(-bound // self._unit), len(self._nodes) - 1

    def _sharpened(self, at: int, budget: Budget) -> int:
        """Give a node the best potentials, exactly, if they close it; return its bound then."""
        status, potentials, _ = self._open[at]
        wanted = float((self.cost - self._slack) * self._unit) / self._scale
        case, before = (status, self._messages), self._nodes[at]
        found = exact_potentials(self._errors, self._floats, potentials, case, wanted, budget)
        if found is None:
            return 0
        self._nodes[at] = *found, None
        bound, _, _ = self._bounded(at, status)
        if -(-bound // found[0]) < self.cost - self._slack:
            self._nodes[at] = before
            return 0
        return -(-bound // found[0])

    def _bounded(self, at: int, status: Table) -> tuple[int, Table, Table]:
        """Return a bound in units, the free answers from the largest gain on, and their gains."""
        unit, potentials, _ = self._nodes[at]
        errors = self._errors.astype(potentials.dtype) * unit
        gains = np.maximum(potentials[:, None] - errors, 0).sum(axis=0)
        chosen = status == _CHOSEN
        free = np.flatnonzero(status == _FREE)
        free = free[np.argsort(-gains[free], kind="stable")]
        room = self._messages - int(chosen.sum())
        bound = int(potentials.sum()) - int(gains[chosen].sum()) - int(gains[free[:room]].sum())
        return bound, free, gains[free]

    def _decided(self, at: int, status: Table, target: int) -> tuple[bool, Table]:
        """Say whether no choice of a case costs less than a target, and what the others have."""
        bound, free, gains = self._bounded(at, status)
        enough = self._nodes[at][0] * (target - 1)
        if bound > enough:
            return True, status
        status = status.copy()
        room = self._messages - int((status == _CHOSEN).sum())
        if room < len(free):
            last, next_ = (gains[room - 1] if room else 0), gains[room]
            status[free[room:][bound + last - gains[room:] > enough]] = _BARRED
            status[free[:room][bound + gains[:room] - next_ > enough]] = _CHOSEN
        chosen = np.flatnonzero(status == _CHOSEN)
        if len(chosen) < self._messages and (status == _FREE).any():
            return False, status
        self._take(chosen)
        return True, status

    def _take(self, answers: Table) -> None:
        """Keep a choice of answers if it is the best so far, or cheap."""
        if len(answers):
            cost = int(self._errors[:, answers].min(axis=1).sum())
            if cost < self.cost:
                self.cost = cost
                self.classes = self._errors[:, answers].argmin(axis=1).tolist()
            if cost < self._cheap:
                self._chosen[tuple(sorted(answers.tolist()))] = cost


def searched_answers(
    matrix: Weights,
    messages: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    cheap: int = 0,
    slack: int = 0,
) -> tuple[AnswerSearch, list[list[int]]]:
    """Search the rows and columns that have weight; return also the classes of good partitions."""
    rows = [i for i, row in enumerate(matrix) if any(row)]
    columns = [j for j, column in enumerate(zip(*matrix, strict=True)) if any(column)]
    place = {j: i for i, j in enumerate(columns)}
    moves = []
    for g in symmetries:
        flips = sum((g.flips >> j & 1) << i for i, j in enumerate(columns))
        moves.append(([place[g.columns[j]] for j in columns], flips))
    weighted = [[matrix[i][j] for j in columns] for i in rows]
    found = AnswerSearch(weighted, messages, budget, cheap, slack, moves)
    parts = (dict(zip(rows, part, strict=True)) for part in (found.classes, *found.others))
    return found, [[part.get(i, 0) for i in range(len(matrix))] for part in parts]


def exact_potentials(
    errors: Table,
    floats: Table,
    start: Table,
    case: tuple[Table, int],
    wanted: float,
    budget: Budget,
) -> tuple[int, Table] | None:
    """Return a unit and integer potentials of the rows that bound choices of answers best."""
    game = _Classes(errors, floats, *case)
    u, room = np.minimum(start, game.most), 1.0
    for _ in budget.each(range(_ROUNDS)):
        if not game.add(u, room if len(game.classes) else -1.0):
            return game.exact(budget) if game.bound() > wanted - 1e-9 else None
        u, room = game.solve()
    return None


class _Classes:
    """The program over the potentials and the largest gain, with the classes so far."""

    def __init__(self, errors: Table, floats: Table, status: Table, messages: int) -> None:
        self.errors, self.floats = errors, floats
        self.free = np.flatnonzero(status == _FREE)
        chosen = np.flatnonzero(status == _CHOSEN)
        self.room = messages - len(chosen)
        whole, part = errors, floats
        if len(chosen):
            whole, part = errors[:, chosen], floats[:, chosen]
        self.limits: list[int] = (whole.min if len(chosen) else whole.max)(axis=1).tolist()
        self.most: Table = (part.min if len(chosen) else part.max)(axis=1)
        self.classes: dict[tuple[int, bytes], Table] = {}
        self._highs = QuietHighs()
        none: Table = np.array([], np.int32)
        for limit in self.most.tolist():
            self._highs.addCol(-1.0, 0.0, limit, 0, none, np.array([]))
        self._highs.addCol(float(self.room), 0.0, highspy.kHighsInf, 0, none, np.array([]))

    def add(self, u: Table, room: float) -> int:
        """Add classes whose gain is above the room; return how many."""
        over = np.maximum(u[:, None] - self.floats[:, self.free], 0)
        gains = over.sum(axis=0)
        added = 0
        for i in np.argsort(-gains, kind="stable")[:_NEW]:
            if gains[i] <= room + 1e-10:
                break
            q = int(self.free[i])
            rows = np.flatnonzero(over[:, i] > 0)
            if (key := (q, rows.tobytes())) in self.classes:
                continue
            self.classes[key] = rows
            index = np.append(rows, len(u)).astype(np.int32)
            values = np.append(np.ones(len(rows)), -1.0)
            cost = float(self.floats[rows, q].sum())
            self._highs.addRow(-highspy.kHighsInf, cost, len(index), index, values)
            added += 1
        return added

    def solve(self) -> tuple[Table, float]:
        self._highs.run()
        values = np.array(self._highs.getSolution().col_value)
        return values[:-1], float(values[-1])

    def bound(self) -> float:
        """Return the value of the program so far."""
        return -float(self._highs.getInfo().objective_function_value)

    def exact(self, budget: Budget) -> tuple[int, Table] | None:
        """Solve the program with the classes that are nearly tight exactly."""
        rows = len(self.errors)
        constraints = []
        gained = self._highs.getSolution().row_value
        for ((q, _), members), value in zip(self.classes.items(), gained, strict=True):
            if value > float(self.floats[members, q].sum()) - 1e-9:
                row = [0] * rows + [-1]
                for x in members.tolist():
                    row[x] = 1
                constraints.append((row, "<=", int(self.errors[members, q].sum())))
        cost, limits = [-1] * rows + [self.room], [*self.limits, None]
        program = LinearProgram.minimise(cost, constraints, 0, limits)
        outcome = solve_linear_program(program, time_limit=budget)
        if not isinstance(outcome, OptimalSolution):
            return None
        *shared, _ = outcome.primal
        unit = common_denominator(shared)
        return unit, np.array([int(p * unit) for p in shared], object)


def improve_potentials(
    errors: Table, potentials: Table, status: Table, messages: int, wanted: float, steps: int
) -> tuple[Table, Table]:
    """Improve potentials by subgradients; return how well answers are branched on, and a choice."""
    if (library := _LIBRARY.found()) is None:
        return _improve(errors, potentials, status, messages, wanted, steps)
    favour, chosen = np.empty(errors.shape[1]), np.empty(messages, np.int64)
    each = (*errors.shape, potentials, status, messages, wanted, steps, favour, chosen)
    if (number := library.improve_potentials(errors, *each)) < 0:
        raise MemoryError
    return favour, chosen[:number]


def swap_answers(errors: Table, choices: Table) -> None:
    """Improve choices of answers, one a row, by exchanging one answer as long as that helps."""
    if (library := _LIBRARY.found()) is None:
        for choice in choices:
            while _exchange(errors, choice):
                pass
    elif not library.swap_answers(errors, *errors.shape, choices, *choices.shape):
        raise MemoryError


def _improve(
    errors: Table, potentials: Table, status: Table, messages: int, wanted: float, steps: int
) -> tuple[Table, Table]:
    is_chosen = status == 1
    most: Table = errors[:, is_chosen].min(axis=1, initial=2.0)
    trial = np.minimum(potentials, most)
    favour, chosen = np.zeros(len(status)), np.empty(0, np.int64)
    best, step, idle = -np.inf, 1.0, 0
    for _ in range(steps):
        gains = _added(np.maximum(trial[:, None] - errors, 0.0))
        ranks = np.choose(status, (-gains, -np.inf, np.inf))
        order = np.argsort(ranks, kind="stable")[:messages]
        order = order[status[order] != 2]
        free = order[status[order] == 0]
        bound = _added(np.concatenate([trial, -gains[free]]))
        favour *= 0.9
        favour[free] += 0.1
        idle += 1
        if bound > best - _NOTHING:
            best, idle, chosen = bound, 0, order
            potentials[:] = trial
        elif idle == 4:
            step, idle = step * 0.6, 0
        covered = (trial[:, None] > errors[:, order]).sum(axis=1)
        covered += (trial[:, None] == errors[:, is_chosen]).sum(axis=1)
        norm = ((1 - covered) ** 2)[(covered != 0) | (trial < most)].sum()
        if best >= wanted or norm <= 0:
            break
        missing = step * (wanted * 1.01 - bound)  # as far as would win what is missing
        trial = np.minimum(most, np.maximum(0.0, trial + missing / norm * (1 - covered)))
    return favour * (1.2 - favour), chosen


def _exchange(errors: Table, choice: Table) -> bool:
    """Improve a choice by the best exchange of one answer; return whether there was one."""
    each = errors[:, choice]
    near = each.argmin(axis=1)
    nearest = np.full((2, len(errors)), np.inf)
    nearest[: len(choice)] = np.sort(each, axis=1).T[:2]
    first, second = nearest[:, :, None]
    gains = _added(np.maximum(first - errors, 0))
    losses = np.maximum(np.minimum(second, errors) - first, 0)
    change = np.array([_added(losses[near == m]) for m in range(len(choice))]) - gains
    place = int(change.argmin())
    if change.flat[place] > _NOTHING:
        return False
    choice[place // errors.shape[1]] = place % errors.shape[1]
    return True


def _added(terms: Table) -> Any:  # noqa: ANN401 - a number or a row
    """Add terms one after the other, as C does."""
    return terms.cumsum(axis=0)[-1] if len(terms) else np.zeros(terms.shape[1:])
