"""Questions as programs over clauses, for other solvers: HiGHS, CP-SAT of OR-tools, and PySAT.

A program consists of clauses (non-zero integers as in DIMACS: ``v`` or ``-v`` for variable ``v``)
and of groups of variables. The question is for the least ``d`` such that some assignment satisfies
all clauses and makes at most ``d`` variables of each group true. The functions on questions build
programs; the solvers return ``d``, and prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from ccsim import CommunicationProblem, ConceptClass

__all__ = ["SOLVERS", "Program", "cover", "distributional", "no_clash", "teaching"]


@dataclass(frozen=True, slots=True)
class Program:
    """Clauses over the variables 1, ..., ``size``, and groups of variables."""

    size: int
    clauses: Sequence[Sequence[int]]
    groups: Sequence[Sequence[int]]


Solver = Callable[[Program], int]


def highs(program: Program) -> int:
    """Solve by the integer programs of HiGHS."""
    import highspy

    from ccsim.programs.highs import QuietHighs

    columns = program.size + 1  # column 0 is d
    rows = [(1.0 - sum(v < 0 for v in clause), clause) for clause in program.clauses]
    rows += [(0.0, [0, *(-v for v in group)]) for group in program.groups]
    forms = [form for _, form in rows]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = columns, len(rows)
    model.col_cost_ = np.eye(1, columns)[0]
    model.col_lower_ = np.zeros(columns)
    model.col_upper_ = np.append(np.inf, np.ones(program.size))
    model.row_lower_ = np.array([low for low, _ in rows])
    model.row_upper_ = np.full(len(rows), np.inf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.append(0, np.cumsum([len(form) for form in forms]))
    model.a_matrix_.index_ = np.array([abs(v) for form in forms for v in form])
    model.a_matrix_.value_ = np.array([-1.0 if v < 0 else 1.0 for form in forms for v in form])
    model.integrality_ = [highspy.HighsVarType.kInteger] * columns
    solver = QuietHighs()
    solver.setOptionValue("threads", 1)
    solver.passModel(model)
    solver.run()
    return round(solver.getInfo().objective_function_value)


def cp_sat(program: Program) -> int:
    """Solve by CP-SAT, with one worker."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(program.size + 1)]
    for clause in program.clauses:
        model.add_bool_or([x[v] if v > 0 else ~x[-v] for v in clause])
    sums = [cp_model.LinearExpr.sum([x[v] for v in group]) for group in program.groups]
    if len(sums) == 1:
        model.minimize(sums[0])
    else:
        most = model.new_int_var(0, max(map(len, program.groups)), "")
        for total in sums:
            model.add(total <= most)
        model.minimize(most)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) != cp_model.OPTIMAL:
        raise RuntimeError("CP-SAT did not solve a program")
    return round(solver.objective_value)


def rc2(program: Program) -> int:
    """Solve by the core-guided search RC2 of PySAT, for one group."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF()
    formula.extend([list(clause) for clause in program.clauses])
    (group,) = program.groups
    formula.extend([[-v] for v in group], weights=[1] * len(group))
    with RC2(formula) as solver:
        solver.compute()
        return int(solver.cost)


def cardinalities(program: Program) -> int:
    """Solve by SAT calls of PySAT (CaDiCaL) for d = 0, 1, 2, ..., with sequential counters."""
    from pysat.card import CardEnc
    from pysat.solvers import Solver as SatSolver

    for most in range(program.size + 1):
        clauses, top = [list(clause) for clause in program.clauses], program.size
        for group in program.groups:
            if most < len(group):
                encoded = CardEnc.atmost(lits=list(group), bound=most, top_id=top)
                clauses += encoded.clauses
                top = max(top, encoded.nv)
        with SatSolver("cadical153", bootstrap_with=clauses) as solver:
            if solver.solve():
                return most
    raise RuntimeError("the clauses are not satisfiable")


SOLVERS: dict[str, tuple[Solver, str, str]] = {
    "HiGHS": (highs, "highspy", "highspy"),
    "CP-SAT": (cp_sat, "ortools", "ortools"),
    "RC2": (rc2, "pysat", "python-sat"),
    "SAT calls": (cardinalities, "pysat", "python-sat"),
}
"""Name, function, module and package."""


def teaching(C: ConceptClass, solver: Solver) -> int:
    """Return the teaching dimension, by one program for each concept."""
    points, worst = range(len(C.points)), 0
    for concept in C.rows:
        differ = [concept ^ other for other in C.rows if other != concept]
        clauses = [[x + 1 for x in points if mask >> x & 1] for mask in differ]
        if clauses:
            worst = max(worst, solver(Program(len(points), clauses, [[x + 1 for x in points]])))
    return worst


def no_clash(C: ConceptClass, solver: Solver) -> int:
    """Return the no-clash teaching dimension; variables: the points in each teaching set."""
    width = len(C.points)
    groups = [range(c * width + 1, (c + 1) * width + 1) for c in range(len(C))]
    clauses = [
        [group[x] for group in (groups[a], groups[b]) for x in range(width) if (p ^ q) >> x & 1]
        for (a, p), (b, q) in combinations(enumerate(C.rows), 2)
    ]
    return solver(Program(len(C) * width, clauses, groups))


def cover(problem: CommunicationProblem, value: int, solver: Solver) -> int:
    """Return the cover number of a value; variables: the maximal rectangles."""
    n, m = range(len(problem.alice)), range(len(problem.bob))
    sides = [{y for y in m if problem.value(x, y) == value} for x in n]
    closed = {frozenset(m)}
    for side in sides:
        closed |= {columns & side for columns in closed}
    rectangles = [({x for x in n if columns <= sides[x]}, columns) for columns in closed]
    clauses = [
        [i for i, (rows, columns) in enumerate(rectangles, 1) if x in rows and y in columns]
        for x in n
        for y in sides[x]
    ]
    size = len(rectangles)
    return solver(Program(size, clauses, [range(1, size + 1)]))


def distributional(problem: CommunicationProblem, messages: int, solver: Solver) -> Fraction:
    """Return the least error under the uniform distribution, for a number of messages.

    Variables: whether an input is sent as a message, Bob's answers, and the wrong answers.
    """
    n, m, sent = len(problem.alice), len(problem.bob), range(messages)
    send = {key: i for i, key in enumerate(product(range(n), sent), 1)}
    answer = {key: i for i, key in enumerate(product(sent, range(m)), 1 + len(send))}
    first = 1 + len(send) + len(answer)
    wrong = {key: i for i, key in enumerate(product(range(n), range(m)), first)}
    clauses = [[send[x, k] for k in sent] for x in range(n)]
    for (x, y), k in product(wrong, sent):
        right = answer[k, y] if problem.value(x, y) else -answer[k, y]
        clauses.append([-send[x, k], right, wrong[x, y]])
    count = solver(Program(first + n * m - 1, clauses, [list(wrong.values())]))
    return Fraction(count, n * m)
