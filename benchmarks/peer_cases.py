"""The questions of `peers.py`: groups of instances with seeds, and programs that answer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Any

import clause_programs as clauses
import plain_methods as plain
import vc_dimension
from linear_programs import KINDS, SOLVERS, entries, installed
from littlestone import halfspaces, monotone, quadratics, two_intervals
from textbook_littlestone import littlestone_dimension as textbook

import ccsim
from ccsim import CommunicationProblem, random_class
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy import ExponentialMechanism
from ccsim.programs import solve_matrix_game

__all__ = ["PROGRAMS", "Case", "groups"]

SMALL = 1 << 8
"""Concepts times points up to which the textbook recursion in Python ends."""
PROGRAMS = ("bare_littlestone", "bare_public_coins", "textbook_vc")
"""The programs in C, which `peers.py` compiles."""
Tasks = dict[str, Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """A question on an instance of a family, and the functions by which other programs answer it.

    ``ask`` returns a result, ``value`` maps it to the compared value, and ``small`` answers a small
    question of the same kind. A peer returns the value, or the value and its own seconds. A peer
    that was stopped is not run on later cases of the same family. If ``again`` is True, the peers
    measure the mean of several short answers, and the warm answer is measured in the same way.
    """

    family: str
    size: str
    ask: Callable[[], Any]
    small: Callable[[], Any]
    peers: Mapping[str, Callable[[], Any]]
    value: Callable[[Any], Any] = attrgetter("value")
    again: bool = False


def littlestone(programs: Path) -> list[Case]:
    """Return the questions on Littlestone dimensions."""
    classes = [
        ("thresholds", "2^4", ccsim.thresholds(4)),
        ("thresholds", "2^8", ccsim.thresholds(8)),
        ("thresholds", "2^12", ccsim.thresholds(12)),
        ("lines", "p = 23", ccsim.lines(23)),
        ("lines", "p = 47", ccsim.lines(47)),
        ("intervals", "200 points", ccsim.intervals(200)),
        ("unions of two intervals", "20 points", two_intervals(20)),
        ("unions of two intervals", "24 points", two_intervals(24)),
        ("polynomials of degree 2", "p = 17", quadratics(17)),
        ("halfspaces", "{0,1}^4", halfspaces(4)),
        ("monotone functions", "5 bits", monotone(5)),
        ("random", "2000 x 40", random_class(2000, 40, seed=0)),
        ("random", "250 x 60", random_class(250, 60, seed=1)),
        ("boxes", "8 x 8", vc_dimension.CLASSES["boxes on 8 x 8"]()),
    ]
    ask, small = ccsim.littlestone_dimension, ccsim.lines(5)
    found = []
    for family, size, C in classes:
        peers: Tasks = {"search in C": partial(plain.in_c, programs / "bare_littlestone", C)}
        if len(C) * len(C.points) <= SMALL:
            peers["textbook recursion"] = partial(textbook, list(C.rows), len(C.points))
        warm = partial(ask, small, method="compiled")
        found.append(Case(family, size, partial(ask, C), warm, peers, again=True))
    return found


def shattering(programs: Path) -> list[Case]:
    """Return the questions on VC and dual VC dimensions."""
    names = {
        "random 250 x 60": "random",
        "density 0.3, 250 x 60": "density 0.3",
        "density 0.1, 1000 x 80": "density 0.1",
        "density 0.2, 1000 x 80": "density 0.2",
        "turns of 5 concepts on 60 points": "rotations of 5 concepts",
        "balls on 6 x 9": "balls on 6 x 9",
        "halfspaces on 8 x 8": "halfspaces on 8 x 8",
        "boxes on 8 x 8": "boxes on 8 x 8",
    }
    found = []
    for (name, family), (dual, ask) in product(names.items(), vc_dimension.SOLVE.items()):
        C = vc_dimension.CLASSES[name]()
        other = C.dual() if dual == "dual" else C
        peers: Tasks = {"listing in C": partial(plain.in_c, programs / "textbook_vc", other)}
        title, size = f"{family}, dual" if dual == "dual" else family, f"{len(C)} x {len(C.points)}"
        small = partial(ask, random_class(40, 20, seed=0))
        found.append(Case(title, size, partial(ask, C), small, peers, again=True))
    return found


def games(*, exact: bool) -> list[Case]:
    """Return the questions on matrix games, for solvers in floats or for exact solvers."""
    found = []
    for kind, n in product(KINDS, (30, 60, 150)):
        game, small = entries(kind, (n, n)), entries(kind, (12, 12))
        peers: Tasks = {
            name.removesuffix(" (floats)"): partial(plain.warmed, solve, small, game)
            for name, (solve, *_) in SOLVERS.items()
            if name != "ccsim" and installed(name) and name.endswith("(floats)") != exact
        }
        ask, warm = partial(solve_matrix_game, game), partial(solve_matrix_game, small)
        found.append(Case(kind, f"{n} x {n}", ask, warm, peers, again=True))
    return found


def by_clauses(
    question: Callable[..., Any], small: Sequence[Any], large: Sequence[Any], *omitted: str
) -> Tasks:
    """Return the solvers of programs over clauses that are installed."""
    return {
        name: partial(
            plain.warmed,
            lambda arguments, solver=solver: question(*arguments, solver),
            small,
            large,
        )
        for name, (solver, module, _) in clauses.SOLVERS.items()
        if name not in omitted and find_spec(module)
    }


def random_problem(n: int) -> CommunicationProblem:
    """Return a random problem with ``n`` inputs on each side."""
    return ccsim.evaluation_problem(random_class(n, n, seed=0))


def public_coins(programs: Path) -> list[Case]:
    """Return the questions on errors with public coins."""
    found = []
    for family, size, problem, k in (
        ("equality", "n = 6, k = 3", ccsim.equality(6), 3),
        ("equality", "n = 8, k = 4", ccsim.equality(8), 4),
        ("greater-than", "n = 6, k = 3", ccsim.greater_than(6), 3),
        ("greater-than", "n = 8, k = 3", ccsim.greater_than(8), 3),
        ("augmented index", "d = 3, k = 3", ccsim.augmented_index(3), 3),
        ("lines", "p = 3, k = 3", ccsim.evaluation_problem(ccsim.lines(3)), 3),
        ("random", "7 x 7, k = 3", random_problem(7), 3),
        ("random", "8 x 8, k = 3", random_problem(8), 3),
        ("random", "9 x 9, k = 3", random_problem(9), 3),
    ):
        program = programs / "bare_public_coins"
        peers: Tasks = {
            "column generation in C": partial(plain.public_coins_in_c, program, problem, k),
            "HiGHS, all partitions": partial(plain.public_coins, problem, k),
        }
        ask = partial(ccsim.minimax_error, problem, k)
        small = partial(ccsim.minimax_error, random_problem(5), 2)
        found.append(Case(family, size, ask, small, peers, again=True))
    return found


def one_distribution() -> list[Case]:
    """Return the questions on errors under the uniform distribution."""
    found = []
    for n, k in ((7, 2), (8, 3)):
        problem, small = random_problem(n), random_problem(5)
        uniform = {(x, y): Fraction(1, n * n) for x in range(n) for y in range(n)}
        even = {(x, y): Fraction(1, 25) for x in range(5) for y in range(5)}
        peers: Tasks = {"HiGHS": partial(plain.distributional, problem, k)}
        peers |= by_clauses(clauses.distributional, (small, 2), (problem, k), "HiGHS")
        ask = partial(ccsim.distributional_error, problem, uniform, k)
        warm = partial(ccsim.distributional_error, small, even, 2)
        size = f"{n} x {n}, k = {k}"
        found.append(Case("random", size, ask, warm, peers, again=True))
    return found


def teaching() -> list[Case]:
    """Return the questions on teaching dimensions."""
    ask, small = ccsim.teaching_dimension, ccsim.thresholds(2)
    return [
        Case(
            family,
            f"{len(C)} x {len(C.points)}",
            partial(ask, C),
            partial(ask, small),
            by_clauses(clauses.teaching, (small,), (C,)),
            again=True,
        )
        for family, C in (
            ("random", random_class(60, 20, seed=3)),
            ("random", random_class(120, 30, seed=3)),
            ("random", random_class(200, 40, seed=0)),
            ("intervals", ccsim.intervals(20)),
            ("monotone functions", monotone(4)),
        )
    ]


def no_clash() -> list[Case]:
    """Return the questions on teaching without clashes."""
    ask, small = ccsim.no_clash_teaching_dimension, ccsim.thresholds(2)
    return [
        Case(
            family,
            f"{len(C)} x {len(C.points)}",
            partial(ask, C),
            partial(ask, small),
            by_clauses(clauses.no_clash, (small,), (C,), "RC2"),
            again=True,
        )
        for family, C in (
            ("intervals", ccsim.intervals(10)),
            ("lines", ccsim.lines(5)),
            ("random", random_class(30, 10, seed=0)),
            ("random", random_class(40, 12, seed=0)),
            ("random", random_class(60, 16, seed=2)),
        )
    ]


def covers() -> list[Case]:
    """Return the questions on cover numbers."""
    ask, small = ccsim.cover_number, (ccsim.equality(3), 0)
    return [
        Case(
            family,
            f"{size}, value {value}",
            partial(ask, problem, value),
            partial(ask, *small),
            by_clauses(clauses.cover, small, (problem, value)),
            again=True,
        )
        for family, size, problem, value in (
            ("equality", "n = 6", ccsim.equality(6), 0),
            ("equality", "n = 7", ccsim.equality(7), 0),
            ("lines", "p = 3", ccsim.evaluation_problem(ccsim.lines(3)), 0),
            ("random", "10 x 10", random_problem(10), 1),
            ("random", "12 x 12", random_problem(12), 1),
            ("random", "14 x 14", random_problem(14), 1),
        )
    ]


def audits() -> list[Case]:
    """Return the audits of the exponential mechanism on votes."""
    found = []
    for text, values, size, delta in (
        ("ln 4", 4, 12, False),
        ("ln 4", 5, 12, False),
        ("ln 4", 4, 12, True),
        ("1", 3, 12, False),
        ("1", 4, 9, False),
    ):
        names, epsilon = "abcdefgh"[:values], Epsilon.of(text)
        vote = ExponentialMechanism(names, names, lambda votes, o: votes.count(o), epsilon)
        bound = Fraction(2) if delta else None
        asked = Epsilon.of("ln 2") if delta else epsilon
        floats = (values, size, float(epsilon), None if bound is None else float(bound))
        peers: Tasks = {
            "script in exact arithmetic": partial(plain.audit, vote, size, bound),
            "script in numpy": partial(
                plain.warmed, lambda given: plain.audit_in_floats(*given), (2, 2, 1.0), floats
            ),
        }
        if find_spec("dp_accounting"):
            peers["dp_accounting"] = partial(
                plain.warmed, lambda given: plain.accounted(*given), (2, 2, 1.0), floats
            )
        family = f"{'delta at ln 2' if delta else 'least epsilon'}, epsilon = {text}"
        found.append(
            Case(
                family,
                f"{size} entries, {values} values",
                partial(ccsim.audit, vote, asked, 0, size),
                partial(ccsim.audit, vote, asked, 0, 2),
                peers,
                attrgetter("worst.delta") if delta else attrgetter("factor"),
                again=True,
            )
        )
    return found


def groups(programs: Path) -> dict[str, Callable[[], list[Case]]]:
    """Return the groups of questions; ``programs`` is the folder of the programs in C."""
    return {
        "Littlestone dimension": partial(littlestone, programs),
        "VC dimension": partial(shattering, programs),
        "Public-coin error": partial(public_coins, programs),
        "Error under the uniform distribution": one_distribution,
        "Teaching dimension": teaching,
        "No-clash teaching dimension": no_clash,
        "Cover number": covers,
        "Audit": audits,
        "Matrix game, solvers in floats": partial(games, exact=False),
        "Matrix game, exact solvers": partial(games, exact=True),
    }
