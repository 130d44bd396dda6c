"""Mixtures of protocols against weights of inputs that grow where the protocols before erred.

Main definitions: `mixed_protocols`, `GrowingWeights`. A protocol alternates between the best
answers of Bob to the classes of Alice and the best classes for his answers, from random ones on.
The weights go by regret matching (Hart and Mas-Colell 2000, without negative regrets). Floats
guide; the error of a mixture is counted in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.programs.game_program import GrowingGame

__all__ = ["GrowingWeights", "Upper", "mixed_protocols"]

_PLAYED = 250
"""Most protocols of a mixture found by weights that grow."""
_FLOPS = 3e9
"""Multiplications of a search by growing weights, about."""
_STARTS = 3
_TIGHT = 250
"""Inputs with the largest errors that are added to the program of a mixture at once."""
_WHOLE = 1 << 20

Array = np.ndarray[Any, np.dtype[Any]]
Upper = tuple[Fraction, Any]
"""The error of a protocol, and the protocol."""


def mixed_protocols(reduced: Reduced, messages: int, budget: Budget) -> tuple[Upper, list[float]]:
    """Return a mixture of protocols with its error, and weights of inputs of Alice against it.

    Complexity: a matrix product of rows, columns and messages for each step of each protocol; at
    most 150 protocols.
    """
    game = GrowingWeights(reduced, messages)
    game.run(budget)
    weights, _ = game.best_mixture(budget)
    return game.mixed(weights), game.total.sum(axis=1).tolist()


class GrowingWeights:
    """Protocols that answer weights of inputs, which grow where the protocols before erred.

    Parameters
    ----------
    reduced : Reduced
        At least one cell remains.
    messages : int

    Attributes
    ----------
    total : array of rows times columns
        The sum of the weights of all rounds, the later ones counted more often.
    """

    def __init__(self, reduced: Reduced, messages: int) -> None:
        self.reduced, self.messages = reduced, messages
        problem, width = reduced.problem, len(reduced.columns)
        self.signs: Array = np.zeros((len(reduced.rows), width))
        for i, x in enumerate(reduced.rows):
            ones, inside = problem.ones[x], problem.promise[x]
            self.signs[i] = [
                (1 if ones >> y & 1 else -1) if inside >> y & 1 else 0 for y in reduced.columns
            ]
        self.inside = self.signs != 0
        self.weights = self.inside / self.inside.sum()
        ones = (self.signs > 0).sum()
        zeros = (self.signs < 0).sum()
        if ones and zeros:  # neither constant answer is good to begin with
            self.weights = np.where(self.signs > 0, zeros, ones) * self.inside / (2 * ones * zeros)
        self.regret: Array = np.zeros_like(self.signs)
        self.total: Array = np.zeros_like(self.signs)
        self.tables: list[tuple[Array, Array]] = []
        self.errors: list[Array] = []
        self._rng = np.random.default_rng(0)

    def run(self, budget: Budget) -> None:
        """Add protocols, at least one."""
        self.play()
        with budget:
            rounds = min(_PLAYED, _FLOPS // (60 * self.signs.size * self.messages))
            for _ in range(max(8, int(rounds))):
                budget.spend()
                self.play()

    def play(self) -> None:
        """Add a protocol against the weights, and change these by its errors."""
        signed = self.weights * self.signs
        found = [self._alternate(signed) for _ in range(_STARTS)]
        _, classes, answers = max(found, key=lambda each: each[0])
        wrong = ((answers[classes] > 0) != (self.signs > 0)) & self.inside
        self.tables.append((classes, answers > 0))
        self.errors.append(wrong)
        self.total += self.weights * len(self.tables)
        mean = float((self.weights * wrong).sum())
        self.regret = np.maximum(self.regret + (wrong - mean) * self.inside, 0)
        if self.regret.sum() > 0:
            self.weights = self.regret / self.regret.sum()

    def _alternate(self, signed: Array) -> tuple[float, Array, Array]:
        """Improve random classes and answers in turn; return their gain."""
        rows, k = len(signed), self.messages
        classes = self._rng.integers(k, size=rows)
        gain = -1.0
        while True:
            balance = np.zeros((k, signed.shape[1]))
            np.add.at(balance, classes, signed)
            now = float(np.abs(balance).sum())
            if now <= gain + 1e-12:
                return now, classes, balance
            gain = now
            classes = (signed @ np.sign(balance).T).argmax(axis=1)

    def best_mixture(self, budget: Budget) -> tuple[list[int], Array]:
        """Return integer weights of the protocols that make the largest error small.

        The other strategy is a distribution over inputs against all of them.
        """
        errors = np.array([wrong[self.inside] for wrong in self.errors])
        weights = np.ones(len(errors))
        best, least = np.ones(len(errors), int), float(errors.mean(axis=0).max())
        chosen: set[int] = set()
        cells, dual = np.argwhere(self.inside), self.total
        with budget:
            for _ in range(_STARTS):
                budget.spend()
                at = weights @ errors / weights.sum()
                chosen |= set(np.argsort(-at, kind="stable")[:_TIGHT].tolist())
                rows = sorted(chosen)
                game = GrowingGame(len(rows))
                for protocol in errors[:, rows]:
                    game.add_column(np.flatnonzero(protocol).tolist())
                value, strategy = game.solve(budget)
                weights = np.array(game.column_strategy())
                if not weights.sum() > 0:
                    break
                worst = float((weights @ errors).max() / weights.sum())
                if worst < least:
                    least = worst
                    dual = np.zeros_like(self.total)
                    dual[tuple(cells[rows].T)] = strategy
                    best = np.rint(weights / weights.sum() * _WHOLE).astype(int)
                if worst <= value + 1e-9:
                    break
        return [int(w) for w in best], dual

    def mixed(self, weights: Sequence[int]) -> Upper:
        """Return the error of a mixture, counted in integers, and the mixture."""
        used = [(w, i) for i, w in enumerate(weights) if w]
        unit = sum(w for w, _ in used)
        counts = sum(w * self.errors[i].astype(np.int64) for w, i in used)
        upper = Fraction(int(np.max(counts)), unit)
        width = len(self.reduced.columns)
        parts = []
        for w, i in used:
            classes, answers = self.tables[i]
            bob = tuple(sum(1 << y for y in np.flatnonzero(row).tolist()) for row in answers)
            table = DeterministicProtocol(tuple(classes.tolist()), bob, width)
            parts.append((Fraction(w, unit), self.reduced.lift(table)))
        return upper, PublicCoinProtocol.mixture(parts)
