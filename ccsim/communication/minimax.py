"""The least worst-case error of a one-way protocol with a given number of messages.

Main definitions: `minimax_error`, `MinimaxResult`.

Public coins: a zero-sum game between protocols and inputs (Yao's principle, `fx` eq. 2.1). Columns
(deterministic protocols) are generated from a float master program and priced exactly by subset
tables; the answer counts only after an exact solution of the restricted game whose hard
distribution survives exact pricing in integers.

Deterministic protocols: the error on the worst input is 0 or 1; it is 0 when Alice's inputs can be
coloured with the messages so that no two of a colour conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates import Certificate, encode_fraction
from ccsim.communication.colouring import colour_conflicts, conflicts, pairwise_conflicting
from ccsim.communication.domination import Reduced, reduce_problem
from ccsim.communication.error import worst_error
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.one_way import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.pricing import (
    best_answers,
    cheapest_partition,
    check_rows,
    good_partitions,
    subset_costs,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import ceil_log2, common_denominator
from ccsim.exact.growing_game import GrowingGame
from ccsim.exact.matrix_game import solve_integer_game

__all__ = ["COINS", "MinimaxResult", "minimax_error"]

COINS = ("public", "deterministic")
"""Kinds of coins for which the least error is computed."""

_FLOAT_SCALE = 1 << 40
_GAP = 1e-9
_TRIES, _TRIES_AT_THE_END = 10, 100

Cell = tuple[int, int]
Progress = Callable[[float, float], None]


@dataclass(frozen=True, slots=True)
class MinimaxResult:
    """The least worst-case error with a protocol that reaches it and a proof that none does better.

    Attributes
    ----------
    problem : CommunicationProblem
    messages : int
    coins : str
        ``"public"`` or ``"deterministic"``.
    value : Fraction
        Least error on the worst input inside the promise.
    protocol : PublicCoinProtocol or DeterministicProtocol
        Certificate from above: its error is at most ``value`` on every input.
    distribution : HardDistribution or None
        Certificate from below for public coins: every deterministic protocol with so many messages
        errs at least ``value`` under it. For deterministic protocols the check colours again.
    method : str
    """

    problem: CommunicationProblem
    messages: int
    coins: str
    value: Fraction
    protocol: PublicCoinProtocol | DeterministicProtocol
    distribution: HardDistribution | None
    method: str

    @property
    def lower(self) -> Fraction:
        """Proved lower bound."""
        return self.value

    @property
    def upper(self) -> Fraction:
        """Proved upper bound."""
        return self.value

    @property
    def bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    def check(self) -> None:
        """Check both directions from the definitions.

        Raises
        ------
        CertificateError
            With the input on which the protocol errs more, or the protocol that errs less.
        """
        self._check_coins()
        if self.protocol.messages > self.messages:
            msg = f"the protocol uses {self.protocol.messages} messages, not {self.messages}"
            raise CertificateError(msg)
        worst = worst_error(self.protocol, self.problem)
        if worst.value > self.value:
            x, y = self.problem.alice[worst.x], self.problem.bob[worst.y]
            msg = f"the protocol errs {worst.value} on ({x}, {y}), more than {self.value}"
            raise CertificateError(msg)
        if self.distribution is not None:
            self.distribution.check(self.problem, self.messages, self.value)
        elif self.value > 0:
            _check_uncolourable(self.problem, self.messages)

    def _check_coins(self) -> None:
        """Check that protocol and proof are of the kind that the coins ask for."""
        if self.coins == "deterministic":
            if not isinstance(self.protocol, DeterministicProtocol):
                msg = "the protocol is not deterministic"
                raise CertificateError(msg)
            if self.value not in (0, 1):
                msg = f"the worst error of a deterministic protocol is 0 or 1, not {self.value}"
                raise CertificateError(msg)
        elif self.coins != "public":
            msg = f"coins must be one of {', '.join(COINS)}, not {self.coins!r}"
            raise CertificateError(msg)
        elif self.distribution is None and self.value > 0:
            msg = f"no distribution proves that the error is at least {self.value}"
            raise CertificateError(msg)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        value = encode_fraction(self.value)
        return Certificate(
            "minimax_error",
            self.problem.to_json(),
            {"messages": self.messages, "coins": self.coins, "lower": value, "upper": value},
            lower_proof(self.distribution),
            {"protocol": self.protocol.to_json()},
        )


def lower_proof(distribution: HardDistribution | None) -> dict[str, Any]:
    """Return the lower side of a certificate; without a distribution the checker recomputes."""
    return {} if distribution is None else {"distribution": distribution.to_json()}


def minimax_error(
    problem: CommunicationProblem,
    messages: int,
    coins: str = "public",
    progress: Progress | None = None,
) -> MinimaxResult:
    """Return the least worst-case error of a one-way protocol with ``messages`` messages.

    Parameters
    ----------
    problem : CommunicationProblem
        At most 16 inputs of Alice after covered ones are removed (public coins).
    messages : int
        At least 1; need not be a power of two.
    coins : str
        ``"public"`` or ``"deterministic"``.
    progress : callable, optional
        Called with a float lower and upper estimate after every round.

    Returns
    -------
    MinimaxResult

    Raises
    ------
    DomainError
        If ``messages`` is below 1 or ``coins`` is unknown.
    InstanceTooLargeError
        If too many inputs of Alice remain.

    Notes
    -----
    Complexity: rounds of one float program and a few subset tables, ``2**n m + (k-2) 3**(n-1)``
    each; seconds up to 10 x 10.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> result = minimax_error(equality(4), 2)
    >>> result.value
    Fraction(3, 13)
    >>> result.check()
    """
    if messages < 1:
        msg = f"messages must be at least 1, not {messages}"
        raise DomainError(msg)
    if coins == "deterministic":
        return _deterministic(problem, messages)
    if coins != "public":
        msg = f"coins must be one of {', '.join(COINS)}, not {coins!r}"
        raise DomainError(msg)
    return _public(problem, messages, progress)


def _deterministic(problem: CommunicationProblem, messages: int) -> MinimaxResult:
    colours = colour_conflicts(problem, messages)
    if colours is None:
        constant = DeterministicProtocol((0,) * len(problem.alice), (0,), len(problem.bob))
        return MinimaxResult(
            problem, messages, "deterministic", Fraction(1), constant, None, "colouring"
        )
    used = max(colours) + 1
    answers = [0] * used
    for x, colour in enumerate(colours):
        answers[colour] |= problem.ones[x]
    protocol = DeterministicProtocol(tuple(colours), tuple(answers), len(problem.bob))
    return MinimaxResult(
        problem, messages, "deterministic", Fraction(0), protocol, None, "colouring"
    )


def _check_uncolourable(problem: CommunicationProblem, messages: int) -> None:
    """Check that every map of Alice with so many messages has a conflict.

    More inputs than messages that conflict pairwise show it; where none are found, every map errs
    on some input exactly when none is without error under the uniform distribution.
    """
    if len(pairwise_conflicting(conflicts(problem))) <= messages:
        uniform = HardDistribution.from_integers((x, y, 1) for x, y in problem.inputs())
        uniform.check(problem, messages, Fraction(1, uniform.total))


class _Columns:
    """The deterministic protocols generated so far, by the cells on which they err."""

    def __init__(self, reduced: Reduced, messages: int) -> None:
        self.reduced = reduced
        self.messages = messages
        self.cells = reduced.cells()
        self.number = {cell: i for i, cell in enumerate(self.cells)}
        self.protocols: list[tuple[list[int], list[int]]] = []
        self.errors: list[list[int]] = []
        self.master = GrowingGame(len(self.cells))
        self._known: set[tuple[int, ...]] = set()
        self._rng = np.random.default_rng(0)

    def price(self, weights: list[int], tries: int = _TRIES) -> int:
        """Add the best protocol for integer weights on the cells and return its cost."""
        matrix = self.reduced.signed(dict(zip(self.cells, weights, strict=True)))
        costs = subset_costs(matrix)
        cost, best = cheapest_partition(costs, self.messages)
        for classes in (best, *good_partitions(costs, self.messages, tries, self._rng)):
            self._add(classes, [best_answers(matrix, members) for members in classes])
        return cost

    def _add(self, classes: list[int], bob: list[int]) -> None:
        problem, reduced = self.reduced.problem, self.reduced
        answer = {
            i: bob[m]
            for m, members in enumerate(classes)
            for i in range(members.bit_length())
            if members >> i & 1
        }
        errors = [
            number
            for (i, j), number in self.number.items()
            if (answer[i] >> j & 1) != problem.value(reduced.rows[i], reduced.columns[j])
        ]
        if tuple(errors) not in self._known:
            self._known.add(tuple(errors))
            self.protocols.append((classes, bob))
            self.errors.append(errors)
            self.master.add_column(errors)

    def solve_exactly(self) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return value, weights of cells and weights of protocols of the game so far, exactly."""
        matrix = [[0] * len(self.errors) for _ in self.cells]
        for column, errors in enumerate(self.errors):
            for cell in errors:
                matrix[cell][column] = 1
        value, cells, protocols, _ = solve_integer_game(matrix)
        return value, cells, protocols


def _public(
    problem: CommunicationProblem, messages: int, progress: Progress | None
) -> MinimaxResult:
    reduced = reduce_problem(problem)
    if messages >= len(reduced.rows) or not reduced.cells():
        return _without_error(problem, reduced, messages)
    check_rows(len(reduced.rows))
    columns = _Columns(reduced, messages)
    columns.price([1] * len(columns.cells))
    stable = [1 / len(columns.cells)] * len(columns.cells)
    stable_bound = 0.0
    while True:
        before = len(columns.errors)
        upper, floats = columns.master.solve()
        smoothed = [(a + b) / 2 for a, b in zip(floats, stable, strict=True)]
        for candidate in (smoothed, floats):
            weights = [round(w * _FLOAT_SCALE) for w in candidate]
            bound = columns.price(weights) / max(sum(weights), 1)
            if bound > stable_bound:
                stable, stable_bound = candidate, bound
        if progress is not None:
            progress(stable_bound, upper)
        if upper - stable_bound > _GAP and len(columns.errors) > before:
            continue
        value, mu, mixture = columns.solve_exactly()
        scale = common_denominator(mu)
        if columns.price([int(w * scale) for w in mu], _TRIES_AT_THE_END) == value * scale:
            return _result(columns, value, mu, mixture)


def _result(
    columns: _Columns, value: Fraction, mu: tuple[Fraction, ...], mixture: tuple[Fraction, ...]
) -> MinimaxResult:
    reduced = columns.reduced
    protocol = PublicCoinProtocol.mixture(
        (weight, reduced.lift(classes, bob, columns.messages))
        for weight, (classes, bob) in zip(mixture, columns.protocols, strict=False)
        if weight
    )
    distribution = HardDistribution.from_mapping(
        {
            (reduced.rows[i], reduced.columns[j]): weight
            for (i, j), weight in zip(columns.cells, mu, strict=True)
        }
    )
    return MinimaxResult(
        reduced.problem, columns.messages, "public", value, protocol, distribution, "columns"
    )


def _without_error(problem: CommunicationProblem, reduced: Reduced, messages: int) -> MinimaxResult:
    """Every remaining input of Alice has a message of its own."""
    classes = [1 << i for i in range(len(reduced.rows))]
    bob = [
        sum(1 << j for j, y in enumerate(reduced.columns) if problem.ones[x] >> y & 1)
        for x in reduced.rows
    ]
    protocol = reduced.lift(classes, bob, max(len(classes), 1)).to_public_coin()
    x, y = problem.inputs()[0]
    point = HardDistribution(((x, y, 1),))
    return MinimaxResult(problem, messages, "public", Fraction(0), protocol, point, "trivial")
