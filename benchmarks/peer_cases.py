"""The questions of `peers.py`: families with seeds, functions that answer, and their peers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from operator import attrgetter
from pathlib import Path
from typing import Any

import plain_methods as plain
import vc_dimension
from linear_programs import SOLVERS, entries, installed
from littlestone import halfspaces, monotone, quadratics, two_intervals
from textbook_littlestone import littlestone_dimension as textbook

import ccsim
from ccsim import random_class
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy import ExponentialMechanism
from ccsim.programs import solve_matrix_game

__all__ = ["Case", "cases"]

SMALL = 1 << 8
"""Concepts times points up to which the textbook recursion in Python ends."""
SLOW = {"Gambit", "Z3", "SymPy", "PPL"}
"""Solvers that take more than half a minute for games of 150 x 150."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question on an instance of a family, and the functions by which peers answer it.

    ``ask`` returns a result, ``value`` maps it to the compared value, and ``small`` answers a small
    question of the same kind. A peer returns the value, or the value and its own seconds. If
    ``again`` is True, the peers measure the mean of several short answers, and the warm answer is
    measured in the same way.
    """

    family: str
    size: str
    ask: Callable[[], Any]
    small: Callable[[], Any]
    peers: Mapping[str, Callable[[], Any]]
    value: Callable[[Any], Any] = attrgetter("value")
    again: bool = False


def littlestone(programs: Path) -> list[Case]:
    """Return the questions on Littlestone dimensions; peers: a search in C, a plain recursion."""
    classes = [
        ("thresholds", "2^4", ccsim.thresholds(4)),
        ("thresholds", "2^8", ccsim.thresholds(8)),
        ("thresholds", "2^12", ccsim.thresholds(12)),
        ("lines", "p = 23", ccsim.lines(23)),
        ("lines", "p = 47", ccsim.lines(47)),
        ("intervals", "200 points", ccsim.intervals(200)),
        ("two intervals", "20 points", two_intervals(20)),
        ("two intervals", "24 points", two_intervals(24)),
        ("polynomials of degree 2", "p = 17", quadratics(17)),
        ("halfspaces", "{0,1}^4", halfspaces(4)),
        ("monotone functions", "5 bits", monotone(5)),
        ("random", "2000 x 40", random_class(2000, 40, seed=0)),
        ("random", "250 x 60", random_class(250, 60, seed=1)),
        ("boxes", "8 x 8", vc_dimension.CLASSES["boxes on 8 x 8"]()),
    ]
    ask = ccsim.littlestone_dimension
    return [
        Case(
            f"Littlestone, {family}",
            size,
            partial(ask, C),
            partial(ask, ccsim.lines(5), method="compiled"),
            {
                "bare search in C": partial(plain.in_c, programs / "bare_littlestone", C),
            }
            | (
                {"textbook in Python": partial(textbook, list(C.rows), len(C.points))}
                if len(C) * len(C.points) <= SMALL
                else {}
            ),
            again=True,
        )
        for family, size, C in classes
    ]


def shattering(programs: Path) -> list[Case]:
    """Return the questions on VC and dual VC dimensions; peer: a textbook search in C."""
    names = (
        "random 250 x 60",
        "random 300 x 60",
        "density 0.3, 250 x 60",
        "density 0.1, 1000 x 80",
        "density 0.2, 1000 x 80",
        "turns of 5 concepts on 60 points",
        "balls on 6 x 9",
        "halfspaces on 8 x 8",
        "boxes on 8 x 8",
    )
    cases = []
    for name, (dual, ask) in product(names, vc_dimension.SOLVE.items()):
        C = vc_dimension.CLASSES[name]()
        other = C.dual() if dual == "dual" else C
        peers = {"textbook in C": partial(plain.in_c, programs / "textbook_vc", other)}
        small = partial(ask, random_class(40, 20, seed=0))
        cases.append(
            Case(
                f"{'dual VC' if dual == 'dual' else dual} dimension, {name}",
                f"{len(C)} x {len(C.points)}",
                partial(ask, C),
                small,
                peers,
            )
        )
    return cases


def games() -> list[Case]:
    """Return the questions on matrix games; peers: the float solver and other exact solvers."""
    found = []
    for kind, n, exact in product(("integers", "bits"), (30, 60, 150), (False, True)):
        game, small = entries(kind, (n, n)), entries(kind, (12, 12))
        names = set(SOLVERS) - {"ccsim", "HiGHS (floats)"} if exact else {"HiGHS (floats)"}
        peers = {
            name: partial(plain.warmed, SOLVERS[name][0], small, game)
            for name in SOLVERS
            if name in names and installed(name) and (n < 150 or name not in SLOW)
        }
        if peers:
            family = f"matrix game, {kind}, {'exact solvers' if exact else 'floats'}"
            ask = partial(solve_matrix_game, game)
            warm = partial(solve_matrix_game, small)
            found.append(Case(family, f"{n} x {n}", ask, warm, peers, again=True))
    return found


def communication() -> list[Case]:
    """Return the questions on minimax errors; peers: plain linear and integer programs in HiGHS."""
    random = [ccsim.evaluation_problem(random_class(n, n, seed=0)) for n in (5, 7, 8)]
    cases = [
        Case(
            f"public-coin error, {name}",
            f"k = {k}",
            partial(ccsim.minimax_error, problem, k),
            partial(ccsim.minimax_error, random[0], 2),
            {"HiGHS on all partitions, floats": partial(plain.public_coins, problem, k)},
        )
        for name, problem, k in (
            ("equality n = 6", ccsim.equality(6), 3),
            ("equality n = 8", ccsim.equality(8), 4),
            ("greater-than n = 6", ccsim.greater_than(6), 3),
            ("greater-than n = 8", ccsim.greater_than(8), 3),
            ("augmented index d = 3", ccsim.augmented_index(3), 3),
            ("lines p = 3", ccsim.evaluation_problem(ccsim.lines(3)), 3),
            ("random 7 x 7", random[1], 3),
            ("random 8 x 8", random[2], 3),
        )
    ]
    for problem, k in ((random[1], 2), (random[2], 3)):
        n = len(problem.alice)
        distribution = {(x, y): Fraction(1, n * n) for x in range(n) for y in range(n)}
        cases.append(
            Case(
                "error under the uniform distribution, random",
                f"{n} x {n}, k = {k}",
                partial(ccsim.distributional_error, problem, distribution, k),
                partial(ccsim.minimax_error, random[0], 2),
                {"HiGHS, integer program": partial(plain.distributional, problem, k)},
            )
        )
    return cases


def others() -> list[Case]:
    """Return the questions on teaching dimensions, and audits."""
    classes = [
        ("random 60 x 20", random_class(60, 20, seed=3)),
        ("random 120 x 30", random_class(120, 30, seed=3)),
        ("random 200 x 40", random_class(200, 40, seed=0)),
        ("intervals 20", ccsim.intervals(20)),
        ("monotone functions, 4 bits", monotone(4)),
    ]
    cases = [
        Case(
            f"teaching dimension, {name}",
            f"{len(C)} x {len(C.points)}",
            partial(ccsim.teaching_dimension, C),
            partial(ccsim.teaching_dimension, random_class(60, 20, seed=0)),
            {"HiGHS, one integer program per concept": partial(plain.teaching, C)},
        )
        for name, C in classes
    ]
    for text, records, size in (("ln 4", 4, 12), ("ln 4", 5, 12), ("1", 3, 12), ("1", 4, 9)):
        epsilon = Epsilon.of(text)
        names = "abcdefgh"[:records]
        vote = ExponentialMechanism(names, names, lambda votes, o: votes.count(o), epsilon)
        cases.append(
            Case(
                f"audit, exponential mechanism, epsilon = {text}",
                f"{size} entries of {records}",
                partial(ccsim.audit, vote, epsilon, 0, size),
                partial(ccsim.audit, vote, epsilon, 0, 2),
                {"definition in exact arithmetic": partial(plain.audit, vote, size)},
                attrgetter("factor"),
            )
        )
    return cases


def cases(programs: Path) -> list[Case]:
    """Return all questions; ``programs`` is the folder of the programs in C."""
    return [*littlestone(programs), *shattering(programs), *games(), *communication(), *others()]
