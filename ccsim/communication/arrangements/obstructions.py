"""Lower bounds on the sign rank: shattered lines, spectral norms, circuits of chirotopes."""

from __future__ import annotations

import random
from math import comb
from typing import Any

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.communication.arrangements.chirotopes import Chirotopes
from ccsim.communication.arrangements.lines import SIDES, Line, Signs
from ccsim.data import frozen

_STEPS = 300_000
"""Steps in which a shattered set of lines is sought."""

_BASES = 220
"""Most determinants of lines that are searched at once."""

_TRIES = 12
_MOST_NORM = 64
_SQUARINGS = 6


@frozen
class Obstruction:
    """A proof that the sign rank is at least a number, which its form and data determine."""

    form: str  # ``trivial``, ``shattered``, ``spectral`` or ``chirotope``
    side: str | None = None  # whether lines are ``rows`` or ``columns``, where the form has lines
    lines: tuple[int, ...] = ()  # what is shattered, or has no chirotope
    # of a chirotope the dimension that is excluded, of a spectral bound the squarings
    number: int = 0
    nodes: tuple[tuple[int, ...], ...] = ()  # the tree of cases of a chirotope

    def shown(self) -> str:
        """Return what it excludes fewer dimensions by, in a few words."""
        by = {
            "trivial": "a sign",
            "shattered": f"{len(self.lines)} shattered {self.side}",
            "spectral": "the spectral norm",
            "chirotope": f"chirotopes of {len(self.lines)} {self.side}, {len(self.nodes)} cases",
        }
        return f"fewer excluded by {by[self.form]}"

    def to_json(self) -> dict[str, Any]:
        """Return the lower side of a certificate."""
        of_lines = {"side": self.side, "lines": list(self.lines)}
        data: dict[str, dict[str, Any]] = {
            "shattered": of_lines,
            "spectral": {"squarings": self.number},
            "chirotope": of_lines
            | {"dimension": self.number, "nodes": [list(node) for node in self.nodes]},
        }
        return {self.form: data.get(self.form, {})}


def first_obstruction(signs: Signs, budget: Budget) -> tuple[int, Obstruction]:
    """Return the best lower bound that shattered lines or the spectral norm give, with both."""
    best = (int(any(map(any, signs.entries))), Obstruction("trivial"))
    for i, side in enumerate(SIDES):
        found = _shattered(signs.lines(side), signs.size[1 - i], budget)
        if len(found) > best[0]:
            lines = tuple(signs.kept[i][line] for line in found)
            best = len(found), Obstruction("shattered", side, lines)
    spectral = _spectral(signs)
    return best if spectral is None or spectral[0] <= best[0] else spectral


def _shattered(lines: list[Line], across: int, budget: Budget) -> list[int]:
    """Return lines that have all signs up to the opposite, as a short search finds them."""
    best: list[int] = []
    work = budget.share(work=_STEPS)

    def grow(chosen: list[int], cells: list[int], after: int) -> None:
        # a cell holds the positions of a pattern and of its opposite, as the first line has them
        nonlocal best
        work.spend(len(cells) * (len(lines) - after) + 1)
        if len(chosen) > len(best):
            best = chosen
        for i in range(after, len(lines)):
            ones, zeros = lines[i]
            parts = [part for cell in cells for part in _parts(cell, ones, zeros, turn)]
            if all(parts):
                grow([*chosen, i], parts, i + 1)

    everything = (1 << across) - 1
    try:
        for i, (ones, zeros) in enumerate(lines):
            turn = zeros
            if ones | zeros:
                grow([i], [(ones | zeros) & everything], i + 1)
    except OutOfWorkError:
        pass
    return best


def _parts(cell: int, ones: int, zeros: int, turn: int) -> tuple[int, int]:
    """Return where a line agrees with the first one, and where it differs from it."""
    return cell & (ones & ~turn | zeros & turn), cell & (zeros & ~turn | ones & turn)


def _spectral(signs: Signs) -> tuple[int, Obstruction] | None:
    """Return the bound from the norm of a matrix without free signs, with all lines it had."""
    m, n = (len(places) for places in signs.places)
    if not all(map(all, signs.entries)) or not 0 < min(m, n) <= _MOST_NORM:
        return None
    matrix = np.array(signs.entries)
    for axis, places in enumerate(signs.places):
        matrix = matrix.take([line for line, _ in places], axis)
        turns = np.array([sign for _, sign in places])
        matrix = matrix * (turns[:, None] if axis == 0 else turns)
    if m > n:
        matrix = matrix.T
    norm = np.linalg.norm(matrix.astype(float), 2)
    if m * n <= 4 * norm * norm:  # no more than shattered lines prove
        return None
    gram = (matrix @ matrix.T).astype(object)
    for _ in range(_SQUARINGS):
        gram = gram @ gram
    power, bound = 1 << _SQUARINGS, 0
    while (m * n) ** power > bound ** (2 * power) * int(np.trace(gram)):
        bound += 1
    return bound, Obstruction("spectral", number=_SQUARINGS)


def chirotope_obstruction(
    signs: Signs, dimension: int, work: int, budget: Budget
) -> Obstruction | None:
    """Return a proof that no vectors of a dimension have the signs, or None if none was found."""
    for side in sorted(SIDES, key=lambda side: signs.size[SIDES.index(side)]):
        lines = signs.lines(side)
        choices = _choices(len(lines), dimension)
        for chosen in choices:
            found = _with_fewer(lines, chosen, dimension, work // len(choices), budget)
            if found is not None:
                kept = signs.kept[SIDES.index(side)]
                listed = tuple(kept[line] for line in found[0])
                nodes = tuple(map(tuple, found[1]))
                return Obstruction("chirotope", side, listed, dimension, nodes)
    return None


def _choices(count: int, dimension: int) -> list[list[int]]:
    """Return sets of lines to be tried: all if they are few, else some of a few sizes."""
    if count < dimension + 1:
        return []
    if comb(count, dimension) <= _BASES:
        return [list(range(count))]
    most = max(k for k in range(dimension + 1, count) if comb(k, dimension) <= _BASES)
    draw = random.Random(dimension)  # noqa: S311 - choices, not secrets
    return [
        sorted(draw.sample(range(count), size))
        for size in sorted({*range(dimension + 2, most, 2), most})
        for _ in range(_TRIES)
    ]


def _with_fewer(
    lines: list[Line], chosen: list[int], dimension: int, work: int, budget: Budget
) -> tuple[list[int], list[list[int]]] | None:
    """Return some of the lines that have no chirotope, and the tree that proves it."""
    found = None
    while (nodes := _refuted(lines, chosen, dimension, budget.share(work=work))) is not None:
        found = chosen, nodes
        used = sorted({line for node in nodes for line in node} | set(range(dimension)))
        if len(used) == len(chosen):
            break
        chosen = [chosen[line] for line in used]  # the first determinant may be another one now
    return found


def _refuted(
    lines: list[Line], chosen: list[int], dimension: int, budget: Budget
) -> list[list[int]] | None:
    try:
        return Chirotopes(dimension, [lines[i] for i in chosen], budget).refuted()
    except OutOfWorkError:
        return None
