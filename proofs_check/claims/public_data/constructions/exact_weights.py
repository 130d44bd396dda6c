"""Multiplicative weights without noise, in exact arithmetic, with the number of updates.

Main definitions: `WeightsRun`, `run_exactly`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import check_time
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import Interval
from ccsim.exact.bounds import check_fields
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.fractions import as_fraction

__all__ = ["WeightsRun", "run_exactly"]

Distribution = tuple[Fraction, ...]
Update = tuple[int, int]
"""A query, and 1 or -1 for an answer that was too small or too large."""


@validated
class WeightsRun:
    """A run on a distribution of the records over cells, with its updates.

    A query is answered from the weights while its error is at most ``alpha``. Otherwise the true
    answer is given, and the weight of a cell with sign ``s`` is multiplied by ``1 + r s`` or ``1 -
    r s``, whichever moves the answer towards the truth.

    Attributes
    ----------
    queries : tuple of tuple of int
        The sign, +1 or -1, of each query on each cell.
    target : tuple of Fraction
        The share of the records in each cell.
    alpha : Fraction
        Above 0 and below 2.
    rate : Fraction
        The step ``r``, below 1, from ``alpha / 3`` to ``alpha``.
    start : tuple of Fraction
        The initial weights, positive, with sum 1.
    passes : int
        Maximum number of times that all queries are asked, in order; a pass without an update is
        the last.
    updates : tuple of (int, int)
    """

    queries: tuple[tuple[int, ...], ...]
    target: Distribution
    alpha: Fraction
    rate: Fraction
    start: Distribution
    passes: int
    updates: tuple[Update, ...]

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        cells = len(self.target)
        for shares, name in ((self.target, "target"), (self.start, "start")):
            if len(shares) != cells or sum(shares) != 1 or min(shares, default=-1) < 0:
                raise DomainError(f"{name} must be a distribution on {cells} cells")
        if not min(self.start) > 0:
            raise DomainError(f"start must be positive on every cell, not {min(self.start)}")
        if any(len(q) != cells or not set(q) <= {1, -1} for q in self.queries):
            raise DomainError(f"each query must have {cells} signs, 1 or -1")
        if not 0 < self.alpha < 2:
            raise DomainError(f"alpha must be above 0 and below 2, not {self.alpha}")
        if not (self.alpha <= 3 * self.rate <= 3 * self.alpha and self.rate < 1):
            raise DomainError(
                f"rate must be below 1, and from {self.alpha / 3} to {self.alpha}, not {self.rate}"
            )
        if self.passes < 1:
            raise DomainError(f"passes must be at least 1, not {self.passes}")

    @property
    def most_updates(self) -> Interval:
        """Enclosure of ``4 ln(1/w) / alpha^2`` for the smallest weight ``w`` at the start.

        Each update lowers the relative entropy of the target and the weights by at least ``alpha^2
        / 4``, and initially it is at most ``ln(1/w)``, which is ``ln |X|`` for a uniform start.
        """
        log = enclose_log(1 / min(self.start))
        factor = 4 / self.alpha**2
        return Interval(factor * log.lower, factor * log.upper)

    @property
    def weights(self) -> Distribution:
        """The weights after all updates."""
        return list(self.history())[-1]

    def history(self) -> Iterator[Distribution]:
        """Yield the initial weights, and the weights after each update."""
        known = self.start
        yield known
        for query, sign in self.updates:
            known = _moved(known, self.queries[query], sign * self.rate)
            yield known

    def answers(self) -> tuple[Fraction, ...]:
        """Return the last answer to each query; its error is at most alpha."""
        found, known, left = [Fraction(0)] * len(self.queries), self.start, list(self.updates)
        for number in self._asked():
            query = self.queries[number]
            found[number] = _mean(query, known)
            if left and left[0][0] == number and abs(self._off(query, known)) > self.alpha:
                found[number] = _mean(query, self.target)
                known = _moved(known, query, left.pop(0)[1] * self.rate)
        return tuple(found)

    def _asked(self) -> Iterator[int]:
        for _ in range(self.passes):
            yield from range(len(self.queries))

    def _off(self, query: Sequence[int], known: Distribution) -> Fraction:
        return _mean(query, self.target) - _mean(query, known)


@checked_types
def run_exactly(
    queries: Sequence[Sequence[int]],
    target: Sequence[Fraction | int],
    alpha: Fraction | int | str,
    rate: Fraction | int | str | None = None,
    start: Sequence[Fraction] | None = None,
    passes: int = 1,
) -> WeightsRun:
    """Run multiplicative weights with exact answers, and check the bound on updates.

    Parameters
    ----------
    queries, target, alpha, rate, start, passes
        As for `WeightsRun`; by default, the rate is ``alpha / 2`` and the start uniform.

    Returns
    -------
    WeightsRun
        Its `passes` is the number of passes made, which is smaller if a pass made no update.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    CertificateError
        If the number of updates exceeds the bound, which would refute the bound.

    Notes
    -----
    Complexity: queries times cells for each pass, on fractions whose length grows with the updates.
    Sources: `pap` Lemma 7 cites Dwork and Roth (2014), Theorem 4.15, whose proof bounds the updates
    by ``4 ln |X| / alpha^2``; Hardt and Rothblum (2010).

    Examples
    --------
    >>> run = run_exactly([[1, -1], [-1, -1]], [1, 0], Fraction(1, 2))
    >>> run.updates, [str(w) for w in run.weights], [str(a) for a in run.answers()]
    (((0, 1),), ['5/8', '3/8'], ['1', '-1'])
    """
    rate = None if rate is None else as_fraction(rate, "rate")
    alpha = as_fraction(alpha, "alpha")
    shares = tuple(Fraction(share) for share in target)
    uniform = (Fraction(1, max(1, len(shares))),) * len(shares)
    run = WeightsRun(
        tuple(tuple(query) for query in queries),
        shares,
        alpha,
        alpha / 2 if rate is None else rate,
        uniform if start is None else tuple(start),
        passes,
        (),
    )
    known, made = run.start, list[Update]()
    for number in range(passes):
        before = len(made)
        for i, query in enumerate(run.queries):
            check_time()
            off = run._off(query, known)
            if abs(off) > alpha:
                made.append((i, 1 if off > 0 else -1))
                known = _moved(known, query, made[-1][1] * run.rate)
                if len(made) > run.most_updates.upper:
                    raise CertificateError(
                        f"there must be at most {int(run.most_updates.upper)} updates, "
                        f"not {len(made)}"
                    )
        if len(made) == before:
            passes = number + 1
            break
    return WeightsRun(run.queries, shares, alpha, run.rate, run.start, passes, tuple(made))


def _mean(query: Sequence[int], shares: Distribution) -> Fraction:
    return sum((s * p for s, p in zip(query, shares, strict=True)), Fraction(0))


def _moved(known: Distribution, query: Sequence[int], step: Fraction) -> Distribution:
    moved = [w * (1 + step * s) for w, s in zip(known, query, strict=True)]
    total = sum(moved)
    return tuple(w / total for w in moved)
