"""The auditor: whether a mechanism is private for *every* pair of neighbouring databases.

Main definitions: `audit`, `privacy_curve`; `ccsim.privacy.audit_result` has what they return.

Every probability is exact (a fraction, or a rational function of a power of ``e``), and so is every
comparison: the verdict rests on no sample and no rounding.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.exponentials import Real
from ccsim.privacy.audit_result import AuditResult, Database, Pair, Verdict, Violation
from ccsim.privacy.divergence import divergence, least_factor, likelier_event
from ccsim.privacy.epsilon import Epsilon
from ccsim.privacy.law import Law
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import count_neighbours, neighbouring_databases

__all__ = ["MAX_PAIRS", "AuditResult", "Verdict", "Violation", "audit", "privacy_curve"]

MAX_PAIRS = 1 << 22
"""Most pairs of neighbouring databases that are looked at."""

Progress = Callable[[int, int], None]


class _Comparisons:
    """The comparisons made so far; equal pairs of laws are compared once."""

    def __init__(self, mechanism: Mechanism[Any, Any], epsilon: Epsilon, delta: Fraction) -> None:
        self.mechanism, self.bound, self.delta = mechanism, epsilon.exp(), delta
        self.worst: tuple[Real, Pair] | None = None
        self.tightest: tuple[Real | None, Pair] | None = None
        self._laws: dict[Database, tuple[int, Law[Any]]] = {}
        self._numbers: dict[frozenset[tuple[Hashable, Real]], int] = {}
        self._seen: set[tuple[int, int]] = set()

    def _law(self, database: Database) -> tuple[int, Law[Any]]:
        key = tuple(sorted(database, key=repr)) if self.mechanism.symmetric else database
        if key not in self._laws:
            law = self.mechanism.law(key)
            number = self._numbers.setdefault(frozenset(law.items), len(self._numbers))
            self._laws[key] = (number, law)
        return self._laws[key]

    def compare(self, database: Database, neighbour: Database) -> None:
        """Compare the laws of an ordered pair of neighbours."""
        (i, p), (j, q) = self._law(database), self._law(neighbour)
        if (i, j) in self._seen:
            return
        self._seen.add((i, j))
        pair = database, neighbour
        excess = divergence(p, q, self.bound)
        if self.worst is None or excess > self.worst[0]:
            self.worst = excess, pair
        factor = least_factor(p, q, self.delta)
        if self.tightest is None or (
            self.tightest[0] is not None and (factor is None or factor > self.tightest[0])
        ):
            self.tightest = factor, pair

    def violation(self) -> Violation | None:
        """Return the worst event."""
        if self.worst is None:
            return None
        excess, (database, neighbour) = self.worst
        p, q = self._law(database)[1], self._law(neighbour)[1]
        event = likelier_event(p, q, self.bound)
        on_database, on_neighbour = (sum((law[o] for o in event), Fraction(0)) for law in (p, q))
        return Violation(database, neighbour, event, on_database, on_neighbour, excess)


def audit(
    mechanism: Mechanism[Any, Any],
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str = 0,
    neighbours: int | Iterable[Sequence[Sequence[Any]]] = 1,
    progress: Progress | None = None,
    *,
    time_limit: float | None = None,
) -> AuditResult:
    """Decide whether a mechanism is ``(epsilon, delta)``-private.

    Parameters
    ----------
    mechanism : Mechanism
    epsilon : Epsilon, int, Fraction or str
        At least 0; text may be a logarithm, such as ``"ln 3"``.
    delta : Fraction, int or str
        Between 0 and 1.
    neighbours : int or iterable of pairs
        A number of entries stands for all pairs of neighbouring databases of that length over the
        mechanism's records; otherwise the pairs themselves.
    progress : callable, optional
        Called with the number of pairs compared and of all pairs (0 if it is not known).
    time_limit : float, optional
        Seconds after which nothing more is compared. With a limit, however large, an interrupt
        (Ctrl-C) stops it likewise. A violation that was found by then still decides.

    Returns
    -------
    AuditResult

    Raises
    ------
    DomainError
        If a parameter is out of range, or two databases of a pair are no neighbours.
    InstanceTooLargeError
        If there are more than `MAX_PAIRS` pairs.

    Notes
    -----
    Complexity: a law for each database, two comparisons of laws for each pair whose laws have not
    been compared before. 10^5 pairs take seconds with fractions.

    Examples
    --------
    >>> from ccsim.privacy.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> audit(response, "ln 3").verdict, audit(response, "ln 2").witness.delta
    (<Verdict.HOLDS: 'holds'>, Fraction(1, 4))
    >>> audit(response, "ln 2", delta="1/8").factor
    Fraction(5, 2)
    """
    bound, allowed = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    total, pairs = _pairs(mechanism, neighbours)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    done, reason = 0, ""
    comparisons = _Comparisons(mechanism, bound, allowed)
    try:
        for first, second in pairs:
            comparisons.compare(first, second)
            comparisons.compare(second, first)
            done += 1
            if progress is not None:
                progress(done, total)
            if deadline is not None and time.monotonic() > deadline and done != total:
                reason = f"stopped after {done} of {total or 'the'} pairs of databases"
                break
    except NotDecidedError as error:
        reason = str(error)
    except KeyboardInterrupt:
        if deadline is None:
            raise
        reason = f"interrupted after {done} of {total or 'the'} pairs of databases"
    worst = comparisons.violation()
    if worst is not None and worst.delta > allowed:
        verdict = Verdict.FAILS
    else:
        verdict = Verdict.NOT_DECIDED if reason or not done else Verdict.HOLDS
        reason = reason or ("" if done else "there are no neighbouring databases")
    decided = worst is not None and comparisons.tightest is not None and not reason
    return AuditResult(
        mechanism,
        bound,
        allowed,
        done,
        verdict,
        reason,
        worst.delta if decided and worst is not None else None,
        comparisons.tightest[0] if decided and comparisons.tightest is not None else None,
        worst,
        comparisons.tightest[1] if comparisons.tightest is not None else None,
    )


def privacy_curve(
    mechanism: Mechanism[Any, Any],
    epsilons: Iterable[Epsilon | Fraction | int | str],
    neighbours: int | Iterable[Sequence[Sequence[Any]]] = 1,
) -> tuple[tuple[Epsilon, Real], ...]:
    """Return the least delta for each epsilon.

    Examples
    --------
    >>> from ccsim.privacy.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> [str(delta) for _, delta in privacy_curve(response, [0, "ln 2", "ln 3"])]
    ['1/2', '1/4', '0']
    """
    pairs = list(_pairs(mechanism, neighbours)[1])
    curve = []
    for epsilon in map(Epsilon.of, epsilons):
        result = audit(mechanism, epsilon, 0, pairs)
        if result.least_delta is None:
            raise NotDecidedError(result.reason)
        curve.append((epsilon, result.least_delta))
    return tuple(curve)


def _pairs(
    mechanism: Mechanism[Any, Any], neighbours: int | Iterable[Sequence[Sequence[Any]]]
) -> tuple[int, Iterable[Pair]]:
    """Return the number of pairs (0 if unknown) and the pairs."""
    if isinstance(neighbours, int):
        records, symmetric = mechanism.records, mechanism.symmetric
        total = count_neighbours(len(records), neighbours, symmetric=symmetric)
        if total > MAX_PAIRS:
            msg = f"{total} pairs of neighbouring databases are above the limit of {MAX_PAIRS}"
            raise InstanceTooLargeError(msg)
        return total, neighbouring_databases(records, neighbours, symmetric=symmetric)
    return 0, (_given(pair) for pair in neighbours)


def _given(pair: Sequence[Sequence[Any]]) -> Pair:
    first, second = (tuple(database) for database in pair)
    if len(first) != len(second) or sum(a != b for a, b in zip(first, second, strict=True)) != 1:
        msg = f"neighbours must have the same length and differ in one entry: {first}, {second}"
        raise DomainError(msg)
    return first, second
