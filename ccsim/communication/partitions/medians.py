"""Choices of Bob's answers: potentials of rows that bound them, and choices to begin with.

An answer is free, chosen or barred: 0, 1 or 2. Floats guide; nothing here decides.

Implementation notes: the loops are in C; without the engine numpy takes their place, some times
slower, and adds in the same order, so that it finds the same.
"""

from __future__ import annotations

from ctypes import c_double, c_int64
from typing import Any

import numpy as np

from ccsim.native import Library

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
Sides = np.ndarray[Any, np.dtype[np.int8]]

_NOTHING = -1e-12
_FLOATS, _SIDES, _INTEGERS = (
    np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i1", "i8")
)
_TABLE = (_FLOATS, c_int64, c_int64)
_LIBRARY = Library(
    "medians",
    {
        "improve_potentials": (
            c_int64,
            (*_TABLE, _FLOATS, _SIDES, c_int64, c_double, c_int64, _FLOATS, _INTEGERS),
        ),
        "swap_answers": (c_int64, (*_TABLE, _INTEGERS, c_int64, c_int64)),
    },
)


def improve_potentials(
    errors: Floats, potentials: Floats, status: Sides, messages: int, wanted: float, steps: int
) -> tuple[Floats, Integers]:
    """Change potentials along subgradients until they bound choices by what is wanted.

    Return how well each answer is branched on, and the best choice for the potentials.
    """
    if (library := _LIBRARY.found()) is None:
        return _improve(errors, potentials, status, messages, wanted, steps)
    favour, chosen = np.empty(errors.shape[1]), np.empty(messages, np.int64)
    each = (*errors.shape, potentials, status, messages, wanted, steps, favour, chosen)
    if (number := library.improve_potentials(errors, *each)) < 0:
        raise MemoryError
    return favour, chosen[:number]


def swap_answers(errors: Floats, choices: Integers) -> None:
    """Improve choices of answers, one a row, by exchanging one answer as long as that helps."""
    if (library := _LIBRARY.found()) is None:
        for choice in choices:
            while _exchange(errors, choice):
                pass
    elif not library.swap_answers(errors, *errors.shape, choices, *choices.shape):
        raise MemoryError


def _improve(
    errors: Floats, potentials: Floats, status: Sides, messages: int, wanted: float, steps: int
) -> tuple[Floats, Integers]:
    is_chosen = status == 1
    most: Floats = errors[:, is_chosen].min(axis=1, initial=2.0)
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


def _exchange(errors: Floats, choice: Integers) -> bool:
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


def _added(terms: Floats) -> Any:  # noqa: ANN401 - a number or a row
    """Add terms one after the other, as C does."""
    return terms.cumsum(axis=0)[-1] if len(terms) else np.zeros(terms.shape[1:])
