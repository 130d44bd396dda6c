"""Mixtures of protocols by multiplicative weights on the inputs where earlier protocols err."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.partitions.search import good_partitions
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.programs.game import GrowingGame

Array = np.ndarray[Any, np.dtype[Any]]
Upper = tuple[Fraction, Any]  # the error of a protocol, and the protocol

_PLAYED, _PATIENT = 2000, 6000  # most rounds without a time limit, and with one
_FLOPS = 1e10  # multiplications of a search by growing weights, about
_STARTS, _KNOWN = 12, 4  # random classes, and best known protocols, from which one is looked for
_KEPT = 1 << 25  # most errors on inputs that are kept for that
_ENTRIES, _FEWEST, _MOST = 220000, 100, 1000  # errors and numbers of protocols of a first program
_PLAYING = 0.25  # part of the time in which weights grow before the first program
_TIGHT = 2500  # Inputs with the largest errors that are added at once: all of them, mostly
_NEW, _TRIES = 24, 60  # protocols that are added at once, and random ones from which they are found
_PROGRAMS, _ROUNDS, _CELLS = 60, 16, 1000  # most with a time limit, and without one for few inputs
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
        self.regret: Array = np.zeros_like(self.signs)
        self.total: Array = np.zeros_like(self.signs)
        self.tables: list[tuple[Array, Array]] = []  # classes; balances, positive where Bob says 1
        self.played: list[int] = []  # how often each was played, later rounds counted more often
        most = max(_KNOWN, min(_PATIENT, _KEPT // self.signs.size))
        self._errors: Array = np.zeros((most, self.signs.size), np.float32)
        self._number: dict[bytes, int] = {}
        self._rounds = 0
        self._rng = np.random.default_rng(0)

    @property
    def errors(self) -> Array:
        """The errors of each protocol: 1 for each input with a wrong answer, otherwise 0."""
        return self._errors[: len(self.tables)]

    def run(self, budget: Budget, most: int = _PLAYED) -> None:
        """Play until the budget or `most` rounds are used up, at least one round."""
        self.play()
        with budget:
            rounds = min(most, _FLOPS // (200 * self.signs.size * self.messages))
            for _ in budget.each(range(max(8, int(rounds)))):
                self.play()

    def play(self) -> None:
        """Play a protocol against the weights, and update the weights by its errors."""
        number = self.add(*self._answer(self.weights * self.signs))
        wrong = self.errors[number].reshape(self.signs.shape) > 0
        self._rounds += 1
        self.played[number] += self._rounds
        self.total += self.weights * self._rounds
        mean = float((self.weights * wrong).sum())
        self.regret = np.maximum(self.regret + (wrong - mean) * self.inside, 0)
        if self.regret.sum() > 0:
            self.weights = self.regret / self.regret.sum()

    def add(self, classes: Array, balances: Array) -> int:
        """Add a protocol unless a known one has the same errors; return its number."""
        wrong = ((balances[classes] > 0) != (self.signs > 0)) & self.inside
        number = self._number.setdefault(wrong.tobytes(), len(self.tables))
        if number == len(self.tables):
            if number == len(self._errors):
                self._errors = np.concatenate([self._errors, np.zeros_like(self._errors)])
            self._errors[number] = wrong.ravel()
            self.tables.append((classes, balances))
            self.played.append(0)
        return number

    def most_played(self) -> list[int]:
        """Return the numbers of the protocols for the first linear program, most played first."""
        number = min(max(_FEWEST, _ENTRIES // self.signs.size), _MOST)
        order: list[int] = np.argsort(-np.array(self.played), kind="stable").tolist()
        return order[:number]

    def _answer(self, signed: Array) -> tuple[Array, Array]:
        """Improve classes and answers alternately from several starts; return the best result."""
        rows, k = len(signed), self.messages
        classes = self._rng.integers(k, size=(_STARTS, rows))
        if self.tables:
            costs = self.errors @ self.weights.ravel().astype(np.float32)
            best = np.argsort(costs, kind="stable")[:_KNOWN]
            classes = np.concatenate([classes, [self.tables[i][0] for i in best]])
        gains = np.full(len(classes), -1.0)
        while True:
            member = (classes[:, None, :] == np.arange(k)[None, :, None]).astype(float)
            balances = member @ signed
            now = np.abs(balances).sum(axis=(1, 2))
            if (now <= gains + 1e-12).all():
                place = int(now.argmax())
                return classes[place], balances[place]
            gains = now
            classes = (np.sign(balances) @ signed.T).argmax(axis=1)

    def mixed(self, weights: Sequence[int]) -> Upper:
        """Return the mixture with the given integer weights, and its error."""
        used = [(w, i) for i, w in enumerate(weights) if w]
        unit, counts = sum(w for w, _ in used), np.zeros(self.signs.size, np.int64)
        width, parts = len(self.reduced.columns), []
        for w, i in used:
            counts += w * self.errors[i].astype(np.int64)
            classes, balances = self.tables[i]
            bob = tuple(sum(1 << y for y in np.flatnonzero(row > 0).tolist()) for row in balances)
            table = DeterministicProtocol(tuple(classes.tolist()), bob, width)
            parts.append((Fraction(w, unit), self.reduced.lift(table)))
        return Fraction(int(np.max(counts)), unit), PublicCoinProtocol.mixture(parts)


def mixed_protocols(reduced: Reduced, messages: int, budget: Budget) -> tuple[Upper, list[float]]:
    """Return a mixture of protocols with its error, and hard weights of Alice's inputs."""
    game = GrowingWeights(reduced, messages)
    game.run(budget.share(_PLAYING))
    sifted = SiftedGame(game)
    sifted.run(budget)
    return game.mixed(sifted.weights()), sifted.dual.sum(axis=1).tolist()


class SiftedGame:
    """A restricted game between protocols and inputs, extended where constraints are violated."""

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

    def run(self, budget: Budget, most: int = _PROGRAMS) -> None:
        """Solve linear programs until no constraint is violated."""
        if not budget.limited:
            most = min(most, _ROUNDS if len(self._inside) <= _CELLS else _ROUNDS // 4)
        share = self._best[self._used]
        with budget:
            self._add_rows(share / share.sum())
            for number in self._used:
                self._add_column(number)
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

    def _keep(self, weights: Array) -> None:
        """Store the current mixture of the program if it is the best one."""
        every = np.zeros(len(self._grown.tables))
        every[self._used] = weights
        if (worst := self._worst(every)) < self._least:
            self._least, self._best = worst, every

    def _add_rows(self, weights: Array, value: float = -1.0) -> int:
        """Add the inputs on which a mixture has error above `value`; return their number."""
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
        """Return signed weights of inputs, good partitions for them, and the partitions' costs."""
        signed = weights * self._grown.signs
        found, costs = good_partitions(signed, self._grown.messages, _TRIES, self._rng)
        if costs[0] > self._most:
            self._most, self.dual = float(costs[0]), weights
        return signed, found, costs

    def _add_protocols(self, dual: Array, value: float) -> int:
        """Add protocols with error below `value` under the weights or flattened weights."""
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
        """Return integer weights of the protocols, proportional to the best mixture."""
        whole = [int(w) for w in np.rint(self._best * _WHOLE)]
        return whole if any(whole) else [1]
