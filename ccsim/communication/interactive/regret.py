"""Good mixtures of protocols for large problems, by regret matching against the inputs.

Regret matching (Hart and Mas-Colell 2000) chooses weights of the inputs and of the protocols found
so far; local search adds good protocols for the weights of the inputs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.interactive.models import Model
from ccsim.communication.interactive.trees import Table
from ccsim.communication.public_coins.domination import Reduced

_STEPS = 160  # in which protocols are added; without a time limit, there are no more
_AGAIN = (20, 40, 80, 160)  # steps at which averages begin anew
_NEW, _TRIES, _TURNS = 4, 2, 12  # in each step: protocols, starts of a search, and turns
_ENTRIES = 1 << 25  # most entries of the table of the errors of protocols on inputs
_LEAST = 1e-4  # of the weight of a protocol, as a part of the largest one
_GRID = 1 << 30


class RegretSearch:
    """Weights of the inputs of a problem, and of protocols, that are good against each other."""

    def __init__(self, reduced: Reduced, model: Model[Any], budget: Budget) -> None:
        signs = np.nan_to_num(2 * reduced.values() - 1)
        self._shape, self._at = signs.shape, np.nonzero(signs)
        self._signs, self._model, self._budget = signs[self._at], model, budget
        self._rng = np.random.default_rng(0)
        number = len(self._signs)
        most = min(_STEPS * _NEW, _ENTRIES // number)
        self._protocols = [model.constant(answer, self._shape) for answer in (0, 1)]
        self._errors = np.zeros((2 + most, number), np.float32)
        self._errors[0], self._errors[1] = self._signs > 0, self._signs < 0
        self._inputs, self._played = np.full(number, 1 / number), np.full(2, 1 / 2)
        self._regrets = np.zeros(number), np.zeros(2)
        self._sums, self._turn = [self._inputs.copy(), self._played.copy()], 0
        self._is_again = False  # whether the next turn begins new sums

    def run(self) -> None:
        """Add protocols and choose weights until the time, the steps or the space is used up."""
        with self._budget:
            for step in range(_STEPS):
                if len(self._protocols) + _NEW > len(self._errors):
                    return
                if step in _AGAIN:
                    self._is_again, self._turn = True, 0
                self._grow()
                for _ in range(_TURNS):
                    self._budget.spend()
                    self._play()

    def _grow(self) -> None:
        """Add good protocols for the last weights of the inputs, and for their average."""
        average = self._sums[0] / self._sums[0].sum() if self._turn else self._inputs
        for i in range(_NEW):
            weights = (average, self._inputs)[i % 2]
            matrix = self._matrix(weights * self._signs)
            found = []
            for _ in range(_TRIES):
                self._budget.spend()
                protocol = self._model.good(matrix, self._rng)
                answers = self._model.answers(protocol, self._shape)[self._at]
                wrong = answers != (self._signs > 0)
                found.append((float(weights @ wrong), protocol, wrong))
            _, protocol, wrong = min(found, key=lambda one: one[0])
            self._errors[len(self._protocols)] = wrong
            self._protocols.append(protocol)
        grown = np.zeros(len(self._protocols) - len(self._played))
        self._played = np.concatenate((self._played, grown))
        self._regrets = self._regrets[0], np.concatenate((self._regrets[1], grown))
        self._sums[1] = np.concatenate((self._sums[1], grown))

    def _play(self) -> None:
        """Choose weights of the protocols, then of the inputs, in proportion to their regrets."""
        errors, (ours, theirs) = self._errors[: len(self._protocols)], self._regrets
        lost = errors @ self._inputs.astype(np.float32)
        theirs = np.maximum(theirs + (self._played @ lost - lost), 0)
        self._played = _shares(theirs)
        gained = self._played.astype(np.float32) @ errors
        ours = np.maximum(ours + (gained - self._inputs @ gained), 0)
        self._inputs, self._regrets = _shares(ours), (ours, theirs)
        if self._is_again:
            self._sums, self._is_again = [0 * part for part in self._sums], False
        self._turn += 1
        for i, part in enumerate((self._inputs, self._played)):
            self._sums[i] += self._turn * part

    def _matrix(self, values: Table) -> Table:
        """Return a matrix with values at the inputs inside the promise."""
        matrix = np.zeros(self._shape, values.dtype)
        matrix[self._at] = values
        return matrix

    def heavy(self) -> Table:
        """Return the average weights of the inputs."""
        return self._matrix(self._sums[0])

    def mixture(self) -> tuple[Fraction, list[tuple[Fraction, Any]]]:
        """Return the largest error of the average mixture, and the mixture."""
        sums = self._sums[1] * (self._sums[1] > _LEAST * self._sums[1].max())
        whole = np.rint(sums / sums.sum() * _GRID).astype(np.int64)
        used = np.flatnonzero(whole).tolist()
        total, worst = int(whole.sum()), np.zeros(len(self._signs), np.int64)
        for i in used:
            worst += int(whole[i]) * (self._errors[i] > 0)
        parts = [(Fraction(int(whole[i]), total), self._protocols[i]) for i in used]
        return Fraction(int(worst.max()), total), parts


def _shares(regrets: Table) -> Table:
    """Return weights with sum 1 that are proportional to regrets, if there are any."""
    total = regrets.sum()
    return regrets / total if total > 0 else np.full(len(regrets), 1 / len(regrets))
