"""Compiled loops for choices of answers: potentials of rows that bound them, and good choices.

An answer is free, chosen or barred: 0, 1 or 2. Floats guide; nothing here decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.compiled import compiled

__all__ = ["improve_potentials", "swap_answers"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
Integers = np.ndarray[Any, np.dtype[np.int64]]
Sides = np.ndarray[Any, np.dtype[np.int8]]


@compiled
def _gains(errors: Floats, trial: Floats, status: Sides, gains: Floats) -> None:
    """Write what each answer gains; chosen ones come first, barred ones last."""
    gains[:] = 0.0
    for x in range(errors.shape[0]):
        if trial[x] > 0:
            for q in range(errors.shape[1]):
                gains[q] += max(0.0, trial[x] - errors[x, q])
    for q in range(errors.shape[1]):
        if status[q] == 1:
            gains[q] = 1e300
        elif status[q] == 2:
            gains[q] = -1.0


@compiled
def _cover(errors: Floats, trial: Floats, status: Sides, order: Integers, covered: Floats) -> None:
    """Count for each row the answers of a choice that it gains from."""
    covered[:] = 0.0
    for q in order:
        if status[q] != 2:
            for x in range(errors.shape[0]):
                if trial[x] > errors[x, q] or (status[q] == 1 and trial[x] == errors[x, q]):
                    covered[x] += 1


@compiled
def _limits(errors: Floats, status: Sides) -> Floats:
    """Return what a row is worth at most: its least error with a chosen answer."""
    most = np.full(errors.shape[0], 2.0)
    for q in range(errors.shape[1]):
        if status[q] == 1:
            most = np.minimum(most, errors[:, q])
    return most


@compiled
def _moved(trial: Floats, covered: Floats, most: Floats, missing: float) -> bool:
    """Go along the subgradient as far as would win what is missing; say whether there is one."""
    norm = 0.0
    for x in range(len(trial)):
        if covered[x] != 0 or trial[x] < most[x]:
            norm += (1 - covered[x]) ** 2
    if norm > 0:
        for x in range(len(trial)):
            trial[x] = min(most[x], max(0.0, trial[x] + missing / norm * (1 - covered[x])))
    return norm > 0


@compiled
def improve_potentials(
    errors: Floats, potentials: Floats, status: Sides, messages: int, wanted: float, steps: int
) -> tuple[Floats, Integers]:
    """Change potentials along subgradients until they bound choices by what is wanted.

    Return how well each answer is branched on, and the best choice for the potentials.
    """
    gains, favour = np.empty(errors.shape[1]), np.zeros(errors.shape[1])
    most, covered = _limits(errors, status), np.empty(errors.shape[0])
    trial = np.minimum(potentials, most)
    best, chosen = -1e300, np.empty(0, np.int64)
    step, idle = 1.0, 0
    for _ in range(steps):
        _gains(errors, trial, status, gains)
        order = np.argsort(-gains)[:messages]
        bound = trial.sum()
        favour *= 0.9
        for q in order:
            if status[q] == 0:
                bound -= gains[q]
                favour[q] += 0.1
        idle += 1
        if bound > best + 1e-12:
            best, idle = bound, 0
            potentials[:] = trial
            chosen = order.copy()
        elif idle == 4:
            step, idle = step * 0.6, 0
        _cover(errors, trial, status, order, covered)
        missing = step * (wanted * 1.01 - bound)
        if best >= wanted or not _moved(trial, covered, most, missing):
            break
    return favour * (1.2 - favour), chosen[status[chosen] != 2]


@compiled
def _exchanges(errors: Floats, chosen: Integers, gain: Floats, loss: Floats) -> float:
    """Write what a new answer gains, and what it loses with one taken out; return the cost."""
    gain[:] = 0.0
    loss[:] = 0.0
    total = 0.0
    for x in range(errors.shape[0]):
        near, first, second = 0, 1e300, 1e300
        for m in range(len(chosen)):
            e = errors[x, chosen[m]]
            if e < first:
                near, first, second = m, e, first
            elif e < second:
                second = e
        total += first
        for q in range(errors.shape[1]):
            e = errors[x, q]
            gain[q] += max(0.0, first - e)
            loss[near, q] += max(0.0, min(second, e) - first)
    return total


@compiled
def swap_answers(errors: Floats, starts: Integers) -> Floats:
    """Improve choices of answers, one a row, by exchanging one answer as long as that helps.

    Return their costs.
    """
    answers, messages = errors.shape[1], starts.shape[1]
    costs = np.empty(len(starts))
    gain, loss = np.empty(answers), np.empty((messages, answers))
    for number in range(len(starts)):
        while True:
            costs[number] = _exchanges(errors, starts[number], gain, loss)
            change = loss - gain
            place = np.argmin(change)
            if change.ravel()[place] > -1e-12:
                break
            starts[number, place // answers] = place % answers
    return costs
