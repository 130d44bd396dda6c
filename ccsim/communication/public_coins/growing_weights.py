"""Mixtures of protocols by multiplicative weights on the inputs where earlier protocols err."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import masks_of
from ccsim.communication.partitions.search import good_partitions, improve_partition
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.programs.game import GrowingGame

Array = np.ndarray[Any, np.dtype[Any]]
Upper = tuple[Fraction, Any]  # the error of a protocol, and the protocol

_PLAYED, _PATIENT = 4000, 8000  # most rounds without a time limit, and with one
_FLOPS = 1e9  # most entries of all rounds without a time limit, counted for each message
_SPEED = 2.0  # of the weights, relative to the rate with the best bound on the regret
_CHANGED = 0.15  # part of the rows that are moved at random before a partition is improved
_UNIT = 1 << 28  # sum of integer weights
_BLOCKS, _COUNTS = 160, 1 << 22  # most blocks of rounds, about, and most error counts of all blocks
_BALANCING, _SUMMED = 200, 1 << 28  # most steps that find weights of the blocks, and their entries
_FEWEST, _MOST, _ENTRIES = 100, 1000, 220000  # protocols and errors of a first program
_PLAYING = 0.25  # part of the time in which weights grow before the first program
_TIGHT = 2500  # Inputs with the largest errors that are added at once: all of them, mostly
_NEW, _TRIES = 24, 60  # protocols that are added at once, and random ones from which they are found
_PROGRAMS, _ROUNDS, _CELLS = 60, 16, 1000  # most with a time limit, and without one for few inputs
_SIFTED = 2000  # most inputs for which programs are solved
_NEAR = 1e-9
_WHOLE = 1 << 30


class GrowingWeights:
    """Protocols that respond to weights of inputs, which grow where earlier protocols err."""

    def __init__(self, reduced: Reduced, messages: int) -> None:
        self.reduced, self.messages = reduced, messages
        self.signs: Array = np.nan_to_num(2 * reduced.values() - 1)
        self.inside = self.signs != 0
        self.weights = self.inside / self.inside.sum()
        ones = (self.signs > 0).sum()
        zeros = (self.signs < 0).sum()
        if ones and zeros:  # neither constant answer is good to begin with
            self.weights = np.where(self.signs > 0, zeros, ones) * self.inside / (2 * ones * zeros)
        self.total: Array = np.zeros_like(self.signs)  # the sum of the weights of all rounds
        self.tables: list[tuple[Array, Array]] = []  # classes; where Bob says 1, for each message
        self._first, self._losses = self.weights, np.zeros_like(self.signs)
        self._blocks: list[Array] = []  # of rounds: their errors on each input
        self._length = 1  # of a block
        self._last: Array = np.zeros(len(self.signs), np.int64)
        self._rng = np.random.default_rng(0)

    def run(self, budget: Budget) -> None:
        """Play until the budget or a limit on rounds is used up, at least one round."""
        self.play()
        most = min(_PLAYED, max(100, int(_FLOPS // (self.signs.size * self.messages))))
        with budget:
            for _ in budget.each(range(_PATIENT if budget.limited else most)):
                self.play()

    def play(self) -> None:
        """Play a protocol against the weights, and update the weights by its errors."""
        self.total += self.weights
        self.tables.append(self._answer())
        wrong = self.wrong(self.tables[-1])
        self._record(wrong)
        self._losses += wrong
        rate = _SPEED * (np.log(wrong.size) / len(self.tables)) ** 0.5
        weights = self._first * np.exp(rate * (self._losses - self._losses.max()))
        self.weights = weights / weights.sum()

    def wrong(self, table: tuple[Array, Array]) -> Array:
        """Return a Boolean array that marks the inputs on which a protocol errs."""
        classes, answers = table
        return np.asarray((answers[classes] != (self.signs > 0)) & self.inside)

    def _record(self, wrong: Array) -> None:
        """Add errors to the last block; join blocks in pairs when there are many."""
        if (len(self.tables) - 1) % self._length == 0:
            most = max(2, min(2 * _BLOCKS, _COUNTS // wrong.size) // 2 * 2)
            if len(self._blocks) == most:
                pairs = zip(self._blocks[::2], self._blocks[1::2], strict=True)
                self._blocks = [one + other for one, other in pairs]
                self._length *= 2
            self._blocks.append(np.zeros(wrong.shape, np.uint16))
        self._blocks[-1] += wrong

    def _answer(self) -> tuple[Array, Array]:
        """Return a partition near the last that no move of a row improves, with Bob's answers."""
        whole = np.rint(self.weights * self.signs * _UNIT).astype(np.int32)
        rows, k = len(whole), self.messages
        changed = self._rng.random(rows) < _CHANGED if self.tables else np.ones(rows, bool)
        classes = np.where(changed, self._rng.integers(k, size=rows), self._last)
        balances = improve_partition(whole, k, classes, self._rng.permutation(rows))
        self._last = classes
        return classes.astype(np.int32), balances > 0

    def shares(self) -> list[int]:
        """Return integer weights of the protocols for which the largest error is small.

        The blocks of rounds play the game against the inputs, by regret matching.
        """
        lengths = np.full(len(self._blocks), self._length)
        lengths[-1] = len(self.tables) - self._length * (len(self._blocks) - 1)
        errors = np.array([each.ravel() for each in self._blocks], np.float32)
        errors /= lengths[:, None].astype(np.float32)
        mixture, alike = balanced(errors, self.weights.ravel()), lengths / lengths.sum()
        if float((mixture @ errors).max()) > float((alike @ errors).max()):
            mixture = alike
        whole = np.rint(mixture / lengths * _WHOLE).astype(np.int64)
        return np.repeat(whole if whole.any() else np.ones_like(whole), lengths).tolist()

    def mixed(self, weights: Sequence[int]) -> Upper:
        """Return a mixture and its error, counted in integers."""
        unit, counts = sum(weights), np.zeros(self.signs.shape, np.int64)
        used: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        for w, (classes, answers) in zip(weights, self.tables, strict=False):
            if w:
                counts += w * self.wrong((classes, answers))
                key = tuple(classes.tolist()), tuple(masks_of(answers))
                used[key] = used.get(key, 0) + w
        width = len(self.reduced.columns)
        parts = (
            (Fraction(w, unit), self.reduced.lift(DeterministicProtocol(*table, width)))
            for table, w in used.items()
        )
        return Fraction(int(counts.max()), unit), PublicCoinProtocol.mixture(parts)


def balanced(errors: Array, weights: Array) -> Array:
    """Return a mixture of rows with a small maximum, by predictive regret matching+.

    The players of rows and of columns move in turn; later steps count more.
    """
    mixture = np.full(len(errors), 1 / len(errors), np.float32)
    played = weights.astype(np.float32)
    own, other = np.zeros_like(mixture), np.zeros_like(played)
    mean = np.zeros(len(mixture))
    for step in range(1, min(_BALANCING, max(20, _SUMMED // errors.size)) + 1):
        played = _matched(other, mixture @ errors, played)
        mixture = _matched(own, -(errors @ played), mixture)
        mean += step * step * mixture
    return np.asarray(mean / mean.sum())


def _matched(regrets: Array, gains: Array, strategy: Array) -> Array:
    """Update the regrets; return the strategy proportional to them plus their last change."""
    last = gains - gains @ strategy
    np.maximum(regrets + last, 0, out=regrets)
    found = np.maximum(regrets + last, 0)
    total = found.sum()
    return np.asarray(found / total) if total > 0 else strategy


def mixed_protocols(reduced: Reduced, messages: int, budget: Budget) -> tuple[Upper, list[float]]:
    """Return a mixture of protocols with its error, and hard weights of Alice's inputs."""
    game = GrowingWeights(reduced, messages)
    game.run(budget.share(_PLAYING if game.signs.size <= _SIFTED else 1))
    sifted = SiftedGame(game)
    if game.signs.size <= _SIFTED:
        sifted.run(budget)
    return game.mixed(sifted.weights()), sifted.dual.sum(axis=1).tolist()


class SiftedGame:
    """A restricted game between protocols and inputs, extended where constraints are violated."""

    def __init__(self, grown: GrowingWeights) -> None:
        self._grown = grown
        self._inside = np.flatnonzero(grown.inside)
        shares = grown.shares()
        self.dual: Array = grown.total
        self._best: Array = np.array(shares, float) / sum(shares)
        self._used: list[int] = []
        self._known: set[bytes] = set()
        self._errors: list[Array] = []
        self._rows: list[int] = []
        self._game = GrowingGame(0)
        self._least, self._most = 1.0, 0.0
        self._rng = np.random.default_rng(0)

    def run(self, budget: Budget, most: int = _PROGRAMS) -> None:
        """Solve linear programs until no constraint is violated."""
        if not budget.limited:
            most = min(most, _ROUNDS if len(self._inside) <= _CELLS else _ROUNDS // 4)
        number = min(max(_FEWEST, _ENTRIES // len(self._inside)), _MOST)
        with budget:
            self._least = float(self._grown.mixed(self.weights())[0])
            order = np.argsort(-self._best, kind="stable")
            self._used = [i for i in order.tolist() if self._is_new(i)][:number]
            self._errors = self._errors[:number]
            share = self._best[self._used]
            self._add_rows(share / share.sum())
            for errors in self._errors:
                self._game.add_column(np.flatnonzero(errors[self._rows]).tolist())
            self._priced(self.dual / self.dual.sum())
            for _ in budget.each(range(most)):
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

    def _is_new(self, number: int) -> bool:
        """Note the errors of a protocol; return whether no known protocol has the same errors."""
        errors = self._grown.wrong(self._grown.tables[number]).ravel()[self._inside]
        key = errors.tobytes()
        if key in self._known:
            return False
        self._known.add(key)
        self._errors.append(errors.astype(np.float32))
        return True

    def _mean(self, weights: Array) -> Array:
        """Return the error of a mixture of the used protocols on each input."""
        return np.asarray(weights.astype(np.float32) @ np.array(self._errors[: len(weights)]))

    def _keep(self, weights: Array) -> None:
        """Keep the current mixture of the program if it is the best one."""
        if (worst := float(self._mean(weights).max())) < self._least:
            self._least = worst
            self._best = np.zeros(len(self._grown.tables))
            self._best[self._used] = weights

    def _add_rows(self, weights: Array, value: float = -1.0) -> int:
        """Add inputs on which a mixture has an error above a value."""
        errors = self._mean(weights)
        worst = np.argsort(-errors, kind="stable")[:_TIGHT]
        known = set(self._rows)
        fresh = [i for i in worst[errors[worst] > value + _NEAR].tolist() if i not in known]
        columns = range(len(self._used)) if self._rows else ()
        for i in fresh:
            self._game.add_row([j for j in columns if self._errors[j][i] > 0])
        self._rows += fresh
        return len(fresh)

    def _priced(self, weights: Array) -> tuple[Array, Array, Array]:
        """Return signed weights of inputs, good partitions for them, and the partitions' costs."""
        signed = weights * self._grown.signs
        found, costs = good_partitions(signed, self._grown.messages, _TRIES, self._rng)
        if costs[0] > self._most:
            self._most, self.dual = float(costs[0]), weights
        return signed, found, costs

    def _add_protocols(self, dual: Array, value: float) -> int:
        """Add protocols with an error below a value, under the weights or flattened weights."""
        grown, before = self._grown, len(self._used)
        for weights in (dual, (dual + self.dual / self.dual.sum()) / 2):
            signed, found, costs = self._priced(weights)
            for classes in found[costs < value - _NEAR][:_NEW]:
                member = classes[None, :] == np.arange(grown.messages)[:, None]
                grown.tables.append((classes, member.astype(float) @ signed > 0))
                if self._is_new(len(grown.tables) - 1):
                    self._used.append(len(grown.tables) - 1)
                    errors = self._errors[-1]
                    self._game.add_column(np.flatnonzero(errors[self._rows]).tolist())
                else:
                    grown.tables.pop()
        return len(self._used) - before

    def weights(self) -> list[int]:
        """Return integer weights of the protocols, proportional to the best mixture."""
        whole = [int(w) for w in np.rint(self._best * _WHOLE)]
        return whole if any(whole) else [1]
