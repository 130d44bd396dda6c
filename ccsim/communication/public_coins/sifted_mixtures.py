"""The best mixtures of the protocols that answered growing weights, and of some better ones."""

from __future__ import annotations

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.local_search import good_partitions
from ccsim.communication.public_coins.domination import Reduced
from ccsim.communication.public_coins.growing_weights import Array, GrowingWeights, Upper
from ccsim.programs.game import GrowingGame

_PLAYING = 0.25  # part of the time in which weights grow before the first program
_TIGHT = 2500  # Inputs with the largest errors that are added at once: all of them, mostly
_NEW, _TRIES = 24, 60  # protocols that are added at once, and random ones from which they are found
# most programs with a time limit; without one, where there are no more inputs than the last
_PATIENT, _ROUNDS, _CELLS = 60, 16, 1000
_NEAR = 1e-9
_WHOLE = 1 << 30


def mixed_protocols(reduced: Reduced, messages: int, budget: Budget) -> tuple[Upper, list[float]]:
    """Return a mixture of protocols with its error, and weights of inputs of Alice against it.

    Complexity: a matrix product of rows, columns and messages for each step of each protocol, and
    some tens of linear programs with hundreds of rows and columns.
    """
    game = GrowingWeights(reduced, messages)
    game.run(budget.share(_PLAYING))
    sifted = SiftedGame(game)
    sifted.run(budget)
    return game.mixed(sifted.weights()), sifted.dual.sum(axis=1).tolist()


class SiftedGame:
    """The game of the protocols of a search by growing weights, and of better ones."""

    def __init__(self, grown: GrowingWeights) -> None:
        self._grown = grown
        self._inside = np.flatnonzero(grown.inside)
        self.dual: Array = grown.total
        played = np.array(grown.played, float)
        self._best = played / played.sum()
        self._used = grown.most_played()
        self._rows: list[int] = []
        self._columns = 0
        self._game = GrowingGame(0)
        self._least, self._most = self._worst(self._best), 0.0
        self._rng = np.random.default_rng(0)

    def _worst(self, weights: Array) -> float:
        return float(np.max(weights @ self._grown.errors[: len(weights)]))

    def run(self, budget: Budget, most: int = _PATIENT) -> None:
        """Solve programs until nothing is violated."""
        if not budget.limited:
            most = min(most, _ROUNDS if len(self._inside) <= _CELLS else _ROUNDS // 4)
        share = self._best[self._used]
        with budget:
            self._add_rows(share / share.sum())
            for number in self._used:
                self._add_column(number)
            self._priced(self.dual / self.dual.sum())
            for _ in range(most):
                budget.spend()
                value, prices = self._game.solve(budget)
                weights = np.array(self._game.column_strategy())
                if not weights.sum() > 0:
                    break
                weights /= weights.sum()
                self._keep(weights)
                dual = np.zeros_like(self._grown.signs)
                dual.flat[self._inside[self._rows]] = prices
                added = self._add_rows(weights, value)
                added += self._add_protocols(dual, value)
                if not added:
                    break

    def _keep(self, weights: Array) -> None:
        """Keep a mixture of the protocols of the program if it is the best one."""
        every = np.zeros(len(self._grown.tables))
        every[self._used] = weights
        if (worst := self._worst(every)) < self._least:
            self._least, self._best = worst, every

    def _add_rows(self, weights: Array, value: float = -1.0) -> int:
        """Add inputs on which a mixture errs more than a value."""
        errors = (weights @ self._grown.errors[self._used])[self._inside]
        worst = np.argsort(-errors, kind="stable")[:_TIGHT]
        known = set(self._rows)
        fresh = [i for i in worst[errors[worst] > value + _NEAR].tolist() if i not in known]
        columns = range(self._columns)
        for i in fresh:
            wrong = self._grown.errors[self._used, self._inside[i]] > 0
            self._game.add_row([j for j in columns if wrong[j]])
        self._rows += fresh
        return len(fresh)

    def _add_column(self, number: int) -> None:
        """Add a protocol to the program."""
        errors = self._grown.errors[number, self._inside[self._rows]]
        self._game.add_column(np.flatnonzero(errors).tolist())
        self._columns += 1

    def _priced(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return signed weights of inputs, good partitions for them, and what these cost."""
        signed = weights * self._grown.signs
        found, costs = good_partitions(signed, self._grown.messages, _TRIES, self._rng)
        if costs[0] > self._most:
            self._most, self.dual = float(costs[0]), weights
        return signed, found, costs

    def _add_protocols(self, dual: Array, value: float) -> int:
        """Add protocols that err less than a value against weights, or against milder ones."""
        grown, before = self._grown, self._columns
        for weights in (dual, (dual + self.dual / self.dual.sum()) / 2):
            signed, found, costs = self._priced(weights)
            for classes in found[costs < value - _NEAR][:_NEW]:
                member = classes[None, :] == np.arange(grown.messages)[:, None]
                number = grown.add(classes, member.astype(float) @ signed)
                if number not in self._used:
                    self._used.append(number)
                    self._add_column(number)
        return self._columns - before

    def weights(self) -> list[int]:
        """Return integer weights of the protocols in proportion to the best mixture."""
        whole = [int(w) for w in np.rint(self._best * _WHOLE)]
        return whole if any(whole) else [1]
