"""Mixtures of protocols against weights of inputs that grow where the protocols before erred."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.domination import Reduced

_PLAYED = 2000  # most rounds of a search by growing weights without a time limit
_PATIENT = 6000  # most rounds with one
_FLOPS = 1e10  # multiplications of a search by growing weights, about
# random classes, and protocols that are known and do best, from which one is looked for
_STARTS, _KNOWN = 12, 4
_KEPT = 1 << 25  # most errors on inputs that are kept for that
# errors in a first linear program, and least and largest number of its protocols
_ENTRIES, _FEWEST, _MOST = 220000, 100, 1000

Array = np.ndarray[Any, np.dtype[Any]]
Upper = tuple[Fraction, Any]  # the error of a protocol, and the protocol


class GrowingWeights:
    """Protocols that answer weights of inputs, which grow where the protocols before erred."""

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
        # classes and balances of each protocol; Bob answers 1 where these are positive
        self.tables: list[tuple[Array, Array]] = []
        # how often each was played, the later rounds counted more often
        self.played: list[int] = []
        most = max(_KNOWN, min(_PATIENT, _KEPT // self.signs.size))
        self._errors: Array = np.zeros((most, self.signs.size), np.float32)
        self._number: dict[bytes, int] = {}
        self._rounds = 0
        self._rng = np.random.default_rng(0)

    @property
    def errors(self) -> Array:
        """The errors of each protocol: 1 where it is wrong."""
        return self._errors[: len(self.tables)]

    def run(self, budget: Budget, most: int = _PLAYED) -> None:
        """Play at least one round."""
        self.play()
        with budget:
            rounds = min(most, _FLOPS // (200 * self.signs.size * self.messages))
            for _ in range(max(8, int(rounds))):
                budget.spend()
                self.play()

    def play(self) -> None:
        """Play a protocol against the weights, and change these by its errors."""
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
        """Return the number of a protocol, which is added unless one that errs alike is known."""
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
        """Return the numbers of as many protocols as a first linear program should have."""
        number = min(max(_FEWEST, _ENTRIES // self.signs.size), _MOST)
        order: list[int] = np.argsort(-np.array(self.played), kind="stable").tolist()
        return order[:number]

    def _answer(self, signed: Array) -> tuple[Array, Array]:
        """Improve classes and answers in turn, from several starts at once; return the best."""
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
        """Return the error of a mixture, counted in integers, and the mixture."""
        used = [(w, i) for i, w in enumerate(weights) if w]
        unit, counts = sum(w for w, _ in used), np.zeros(self.signs.size, np.int64)
        for w, i in used:
            counts += w * self.errors[i].astype(np.int64)
        upper = Fraction(int(np.max(counts)), unit)
        width = len(self.reduced.columns)
        parts = []
        for w, i in used:
            classes, balances = self.tables[i]
            bob = tuple(sum(1 << y for y in np.flatnonzero(row > 0).tolist()) for row in balances)
            table = DeterministicProtocol(tuple(classes.tolist()), bob, width)
            parts.append((Fraction(w, unit), self.reduced.lift(table)))
        return upper, PublicCoinProtocol.mixture(parts)
