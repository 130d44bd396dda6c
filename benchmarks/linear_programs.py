"""Compare exact matrix games with the floating-point solver and with other exact solvers.

    python benchmarks/linear_programs.py [--limit SECONDS] [--repeat N] [--sizes 150x150 ...]

For each game, each solver runs in its own process. The process converts the game, given as lists of
Python integers, solves it several times, and reports the value and the least time. The values of
the exact solvers are compared. Times and limits are processor time, so that other programs on the
machine have little influence. A solver that reaches the limit is not run on larger games of the
same kind. Other solvers are optional; the table names the missing solvers:

    pip install '.[benchmarks]'                        # in a checkout
    apt-get install qsopt-ex glpk-utils                # the commands esolver and glpsol
    apt-get install libcdd-dev libgmp-dev && pip install pycddlib
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import platform
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import product
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

Game = list[list[int]]
KINDS = {
    "integers": (-100, 100),
    "bits": (0, 1),
    "diagonal": (1, 100),
    "long": (-(2**51), 2**51),
}
"""Least and greatest entries; entries outside the diagonal of a diagonal game are 0."""
MOST = 1e15
"""Entries from which on HiGHS refuses a program."""


def entries(kind: str, size: tuple[int, int]) -> Game:
    """Return a random game of a kind."""
    rng = Random(f"{kind} {size}")  # noqa: S311 - a benchmark, not a secret
    low, high = KINDS[kind]
    if kind == "diagonal":
        return [[rng.randint(low, high) * (i == j) for j in range(size[1])] for i in range(size[0])]
    return [[rng.randint(low, high) for _ in range(size[1])] for _ in range(size[0])]


def scale_of(game: Game) -> float:
    """Return a power of two by which a game is multiplied before solvers in floats read it."""
    return 2.0**-44 if max(max(map(abs, row)) for row in game) >= MOST else 1.0


def floats(game: Game) -> float:
    """Solve by HiGHS with default settings: maximise v under x A >= v for the longer side.

    Games with entries that HiGHS refuses are scaled by a power of two.
    """
    import highspy
    import numpy as np

    from ccsim.programs.highs import QuietHighs

    payoff = np.array(game, dtype=float)
    scale = scale_of(game)
    payoff *= scale
    if exchanged := len(game) < len(game[0]):
        payoff = -payoff.T
    m, n = payoff.shape
    columns = np.vstack([np.hstack([payoff, np.ones((m, 1))]), np.append(-np.ones(n), 0.0)])
    filled = columns != 0
    model, infinity = highspy.HighsLp(), highspy.kHighsInf
    model.num_col_, model.num_row_ = m + 1, n + 1
    model.col_cost_ = np.append(np.zeros(m), -1.0)
    model.col_lower_ = np.append(np.zeros(m), -infinity)
    model.col_upper_ = np.full(m + 1, infinity)
    model.row_lower_ = np.append(np.zeros(n), 1.0)
    model.row_upper_ = np.append(np.full(n, infinity), 1.0)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.append(0, np.cumsum(filled.sum(axis=1)))
    model.a_matrix_.index_ = np.nonzero(filled)[1]
    model.a_matrix_.value_ = columns[filled]
    highs = QuietHighs()
    highs.passModel(model)
    highs.run()
    value = float(-highs.getInfo().objective_function_value) / scale
    return -value if exchanged else value


def glop(game: Game) -> float:
    """Solve by the simplex method GLOP of OR-tools, in floats."""
    import numpy as np
    from ortools.linear_solver.python import model_builder_helper
    from scipy.sparse import csr_matrix

    payoff = np.array(game, dtype=float) * (scale := scale_of(game))
    m, n = payoff.shape
    rows = np.vstack([np.hstack([payoff.T, -np.ones((n, 1))]), np.append(np.ones(m), 0.0)])
    program = model_builder_helper.ModelBuilderHelper()
    program.fill_model_from_sparse_data(
        np.append(np.zeros(m), -np.inf),
        np.full(m + 1, np.inf),
        np.append(np.zeros(m), 1.0),
        np.append(np.zeros(n), 1.0),
        np.append(np.full(n, np.inf), 1.0),
        csr_matrix(rows),
    )
    program.set_maximize(maximize=True)
    solver = model_builder_helper.ModelSolverHelper("glop")
    solver.solve(program)
    if not solver.has_solution():
        raise RuntimeError("GLOP did not solve a game")
    return float(solver.objective_value()) / scale


def soplex(game: Game) -> float:
    """Solve by SoPlex in floats; the wheels of PySCIPOpt contain no exact arithmetic."""
    from pyscipopt import LP

    m, n = len(game), len(game[0])
    program = LP(sense="maximize")
    infinity = program.infinity()
    free = [0.0] * m + [-infinity]
    costs = [0.0] * m + [1.0]
    program.addCols([[]] * (m + 1), objs=costs, lbs=free, ubs=[infinity] * (m + 1))
    rows = [[(i, float(game[i][j])) for i in range(m) if game[i][j]] for j in range(n)]
    program.addRows([[*row, (m, -1.0)] for row in rows], lhss=[0.0] * n, rhss=[infinity] * n)
    program.addRow([(i, 1.0) for i in range(m)], lhs=1.0, rhs=1.0)
    return float(program.solve())


def ccsim(game: Game) -> Fraction:
    """Solve by this package, including both strategies."""
    from ccsim.programs import solve_matrix_game

    return solve_matrix_game(game).value


def cddlib(game: Game) -> Fraction:
    """Solve by cddlib's dual simplex method in GMP rationals."""
    import cdd.gmp

    m, n = len(game), len(game[0])
    rows = [[0, *(game[i][j] for i in range(m)), -1] for j in range(n)]
    rows += [[0, *(int(i == k) for i in range(m)), 0] for k in range(m)]
    rows.append([-1, *[1] * m, 0])
    matrix = cdd.gmp.matrix_from_array(
        rows,
        lin_set=[len(rows) - 1],
        rep_type=cdd.RepType.INEQUALITY,
        obj_type=cdd.LPObjType.MAX,
        obj_func=[0] * (m + 1) + [1],
    )
    program = cdd.gmp.linprog_from_matrix(matrix)
    cdd.gmp.linprog_solve(program)
    return Fraction(program.obj_value)


def ppl(game: Game) -> Fraction:
    """Solve by the simplex method of the Parma Polyhedra Library."""
    import ppl

    m, n = len(game), len(game[0])
    x = [ppl.Variable(i) for i in range(m + 1)]
    program = ppl.MIP_Problem(m + 1)
    for i in range(m):
        program.add_constraint(x[i] >= 0)
    program.add_constraint(ppl.Linear_Expression([1] * m + [0], 0) == 1)
    for j in range(n):
        form = ppl.Linear_Expression([game[i][j] for i in range(m)] + [-1], 0)
        program.add_constraint(form >= 0)
    program.set_objective_function(x[m])
    program.set_optimization_mode("maximization")
    value = program.optimal_value()
    return Fraction(int(value.numerator), int(value.denominator))


def gambit(game: Game) -> Fraction:
    """Solve by the linear program of Gambit, in rationals."""
    import pygambit

    m, n = len(game), len(game[0])
    payoffs = " ".join(f"{game[i][j]} {-game[i][j]}" for j in range(n) for i in range(m))
    text = f'NFG 1 R "" {{ "Alice" "Bob" }} {{ {m} {n} }}\n\n{payoffs}\n'
    table = pygambit.read_nfg(io.BytesIO(text.encode()))
    found = pygambit.nash.lp_solve(table, rational=True).equilibrium
    return Fraction(str(found.payoffs[next(iter(table.players))]))


def z3(game: Game) -> Fraction:
    """Solve by the optimiser of Z3, over the reals."""
    import z3

    m, n = len(game), len(game[0])
    x, v = [z3.Real(f"x{i}") for i in range(m)], z3.Real("v")
    solver = z3.Optimize()
    solver.add(z3.Sum(x) == 1, *(weight >= 0 for weight in x))
    for j in range(n):
        solver.add(z3.Sum([game[i][j] * x[i] for i in range(m) if game[i][j]]) >= v)
    best = solver.maximize(v)
    solver.check()
    value = best.value()
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def cvc5(game: Game) -> Fraction:
    """Solve by cvc5, which has no objectives: both strategies and the value are one system."""
    from cvc5 import Kind, Solver, TermManager

    terms, m, n = TermManager(), len(game), len(game[0])
    solver = Solver(terms)
    solver.setLogic("QF_LRA")
    solver.setOption("produce-models", "true")
    real, zero = terms.getRealSort(), terms.mkReal(0)
    x, y = ([terms.mkConst(real, f"{who}{i}") for i in range(k)] for who, k in (("x", m), ("y", n)))
    v = terms.mkConst(real, "v")
    for side in (x, y):
        total = terms.mkTerm(Kind.ADD, *side)
        solver.assertFormula(terms.mkTerm(Kind.EQUAL, total, terms.mkReal(1)))
        for variable in side:
            solver.assertFormula(terms.mkTerm(Kind.GEQ, variable, zero))
    columns = list(zip(*game, strict=True))
    for kind, side, lines in ((Kind.GEQ, x, columns), (Kind.LEQ, y, game)):
        for line in lines:
            parts = [
                terms.mkTerm(Kind.MULT, terms.mkReal(entry), variable)
                for entry, variable in zip(line, side, strict=True)
                if entry
            ]
            form = terms.mkTerm(Kind.ADD, zero, zero, *parts)
            solver.assertFormula(terms.mkTerm(kind, form, v))
    if not solver.checkSat().isSat():
        raise RuntimeError("cvc5 did not solve a game")
    return Fraction(solver.getValue(v).getRealValue())


def sympy(game: Game) -> Fraction:
    """Solve by the simplex method of SymPy."""
    from sympy import Matrix
    from sympy.solvers.simplex import linprog

    m, n = len(game), len(game[0])
    shift = min(min(row) for row in game)  # so that v may be taken non-negative
    above = Matrix(n, m + 1, lambda j, i: 1 if i == m else shift - game[i][j])
    value, _ = linprog([0] * m + [-1], A=above, b=[0] * n, A_eq=Matrix([[1] * m + [0]]), b_eq=[1])
    return shift - Fraction(int(value.p), int(value.q))


def as_text(game: Game) -> str:
    """Return the linear program of a game in CPLEX's format LP."""
    m, n = len(game), len(game[0])
    lines = ["Maximize", " obj: v", "Subject To"]
    for j in range(n):
        terms = "\n ".join(f"{game[i][j]:+d} x{i}" for i in range(m) if game[i][j])
        lines.append(f" c{j}: {terms} - v >= 0")
    lines.append(" s: " + "\n + ".join(f"x{i}" for i in range(m)) + " = 1")
    return "\n".join([*lines, "Bounds", " v free", "End", ""])


def by_command(game: Game, command: str, *arguments: str) -> str:
    """Return the file ``solution`` that a command writes for the file ``game.lp``."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "game.lp").write_text(as_text(game), encoding="ascii")
        done = subprocess.run(  # noqa: S603 - a fixed command
            [shutil.which(command) or command, *arguments],
            cwd=directory,
            check=False,
            capture_output=True,
        )
        if done.returncode < 0:  # it was stopped at the limit, and so is this process
            signal.raise_signal(-done.returncode)
        return next(Path(directory).glob("solution*")).read_text(encoding="ascii")


def qsopt_ex(game: Game) -> Fraction:
    """Solve by QSopt_ex, through its command esolver."""
    text = by_command(game, "esolver", "-L", "-O", "solution", "game.lp")
    return Fraction(text.split("Value = ", 1)[1].split()[0])


def glpsol(game: Game) -> float:
    """Solve by the exact simplex method of GLPK, which prints a float."""
    text = by_command(game, "glpsol", "--exact", "--lp", "game.lp", "--write", "solution")
    return float(next(line for line in text.splitlines() if line.startswith("s ")).split()[-1])


SOLVERS: dict[str, tuple[Callable[[Game], Fraction | float], str, str]] = {
    "HiGHS (floats)": (floats, "highspy", "highspy"),
    "GLOP (floats)": (glop, "ortools", "ortools"),
    "SoPlex (floats)": (soplex, "pyscipopt", "pyscipopt"),
    "ccsim": (ccsim, "ccsim", "ccsim"),
    "QSopt_ex": (qsopt_ex, "", "esolver"),
    "cddlib": (cddlib, "cdd", "pycddlib"),
    "PPL": (ppl, "ppl", "pplpy"),
    "Gambit": (gambit, "pygambit", "pygambit"),
    "Z3": (z3, "z3", "z3-solver"),
    "cvc5": (cvc5, "cvc5", "cvc5"),
    "glpsol --exact": (glpsol, "", "glpsol"),
    "SymPy": (sympy, "sympy", "sympy"),
}
"""Name, function, module to look for (or none), and package or command."""


def installed(name: str) -> str | None:
    """Return the version of a solver, None if it is absent."""
    _, module, package = SOLVERS[name]
    if not module:
        return "installed" if shutil.which(package) else None
    try:
        return version(package) if find_spec(module) else None
    except PackageNotFoundError:
        return None


def _cpu() -> float:
    """Return the processor time of this process and of its finished child processes."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def run(
    name: str, kind: str, size: tuple[int, int], limits: tuple[float, int], answer: Connection
) -> None:
    """Send the value and the least processor time of several runs within the limit."""
    limit, repeat = limits
    game = entries(kind, size)
    solve = SOLVERS[name][0]
    solve(entries(kind, (12, 12)))  # imports, and whatever else is done once
    seconds = ceil(_cpu() + 2 * limit)  # also of each command that is run
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    times: list[float] = []
    while len(times) < repeat and sum(times) < limit:
        start = _cpu()
        value = solve(game)
        times.append(_cpu() - start)
    answer.send((value, min(times)))


def measure(
    name: str, kind: str, size: tuple[int, int], limits: tuple[float, int]
) -> tuple[Fraction | float, float] | str:
    """Run a solver in its own process; return a text with the reason if there is no answer."""
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=run, args=(name, kind, size, limits, sender)
    )
    process.start()
    sender.close()
    try:
        value, seconds = receiver.recv()
    except EOFError:  # stopped by the system
        process.join()
        stopped = process.exitcode in {-signal.SIGXCPU, -signal.SIGKILL}
        return f"> {limits[0]:g}" if stopped else "failed"
    else:
        return (value, seconds) if seconds <= limits[0] else f"> {limits[0]:g}"
    finally:
        process.kill()
        process.join()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=120, help="processor seconds for one run")
    parser.add_argument("--repeat", type=int, default=3, help="runs; the fastest counts")
    parser.add_argument("--solvers", nargs="+", choices=SOLVERS, default=SOLVERS)
    parser.add_argument(
        "--sizes", nargs="+", default=["30x30", "60x60", "150x150", "300x300"], metavar="MxN"
    )
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    say = lambda line: print(line, flush=True)  # noqa: E731, T201 - the table is the output
    present = {name: found for name in options.solvers if (found := installed(name))}
    say(f"Python {platform.python_version()}, {multiprocessing.cpu_count()} cores")
    say("Solvers: " + ", ".join(f"{name} {found}" for name, found in present.items()))
    say("Absent: " + (", ".join(n for n in options.solvers if n not in present) or "none"))
    say("\n| game | solver | CPU seconds | times HiGHS | value |\n|---|---|---|---|---|")
    given_up: set[tuple[str, str]] = set()
    for text, kind in product(options.sizes, options.kinds):
        rows, columns = map(int, text.split("x"))
        exact, base = None, None
        for name in present:
            if (name, kind) in given_up:  # larger games take longer
                continue
            done = measure(name, kind, (rows, columns), (options.limit, options.repeat))
            if isinstance(done, str):
                given_up.add((name, kind))
                say(f"| {text} {kind} | {name} | {done} | | |")
                continue
            value, seconds = done
            base = seconds if name == "HiGHS (floats)" else base
            ratio = f"{seconds / base:.1f}" if base else ""
            if isinstance(value, float):
                verdict = "float"
            elif exact is None or exact == value:
                exact, verdict = value, f"exact, {value.denominator.bit_length()} bits"
            else:
                verdict = "DIFFERENT"
            say(f"| {text} {kind} | {name} | {seconds:.4f} | {ratio} | {verdict} |")


if __name__ == "__main__":
    main()
