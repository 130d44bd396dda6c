"""Simulations of the tracing attack against a release given as a function.

Main definitions: `TracingRun`, `TracingRuns`, `trace`, `simulate_tracing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, sqrt

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from proofs_check.claims.public_data.constructions.tracing.scores import check_score, check_sizes
from proofs_check.claims.public_data.constructions.tracing.stumps import Signs, StumpRelease

__all__ = ["Estimate", "TracingRun", "TracingRuns", "simulate_tracing", "trace"]

MAX_CELLS = 1 << 30
"""Maximum number of signs in the records of a run, with one byte for each sign."""
_BLOCK = 1 << 22
"""Signs that are drawn and scored at a time."""

Floats = npt.NDArray[np.float64]
Estimate = tuple[float, float]
"""A mean over runs, and twice its standard error."""


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class TracingRun:
    """A sample, a release, and the scores of its members and of fresh outsiders.

    Attributes
    ----------
    inside, outside : array of float
    error : float
        The error for the distribution: the largest difference of an answer and its bias.
    """

    inside: Floats
    outside: Floats
    error: float

    def power(self, rate: Fraction | int | str) -> float:
        """Return the share of members found at a guaranteed false-positive rate.

        The threshold is the ``k``-th largest score of ``N`` outsiders, ``k = floor(rate (N + 1))``.
        An attacker who knows the biases can draw these outsiders; another outsider scores above the
        threshold with probability at most ``k / (N + 1)``.

        Raises
        ------
        DomainError
            If the rate is below ``1 / (N + 1)``, or not below 1.
        """
        allowed = as_fraction(rate, "rate", 0, 1)
        rank = floor(allowed * (len(self.outside) + 1))
        if not 1 <= rank <= len(self.outside):
            raise DomainError(
                f"rate must be below 1 and at least 1/{len(self.outside) + 1}, not {allowed}"
            )
        threshold = np.partition(self.outside, -rank)[-rank]
        return float(np.mean(self.inside > threshold))

    @property
    def area(self) -> float:
        """The share of pairs in which the member scores above the outsider, ties counted half."""
        ordered = np.sort(self.outside)
        ranks = (np.searchsorted(ordered, self.inside, side) for side in ("left", "right"))
        return float(np.mean(sum(ranks))) / (2 * len(ordered))

    @property
    def separation(self) -> float:
        """The distance of the mean scores in standard deviations of the outsiders' scores."""
        return float((self.inside.mean() - self.outside.mean()) / self.outside.std())


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class TracingRuns:
    """Independent runs; estimates are averages over the runs, with twice the standard error.

    The scores of one run depend on the same release, so that they are not independent.

    Attributes
    ----------
    runs : tuple of TracingRun
        At least 2.
    """

    runs: tuple[TracingRun, ...]

    def __post_init__(self) -> None:
        if len(self.runs) < 2:
            raise DomainError(f"runs must be at least 2, not {len(self.runs)}")

    def power(self, rate: Fraction | int | str) -> Estimate:
        """Estimate the share of members found at a false-positive rate."""
        allowed = as_fraction(rate, "rate", 0, 1)
        return self._estimate(lambda run: run.power(allowed))

    @property
    def area(self) -> Estimate:
        """The area under the curve of true against false positives."""
        return self._estimate(lambda run: run.area)

    @property
    def separation(self) -> Estimate:
        """The average of `TracingRun.separation` over the runs."""
        return self._estimate(lambda run: run.separation)

    @property
    def error(self) -> Estimate:
        """The average error of the release for the distribution."""
        return self._estimate(lambda run: run.error)

    def curve(self, rates: Sequence[Fraction]) -> list[tuple[Fraction, Estimate]]:
        """Return the share of members found for each false-positive rate."""
        return [(rate, self.power(rate)) for rate in rates]

    def _estimate(self, value: Callable[[TracingRun], float]) -> Estimate:
        values = np.array([value(run) for run in self.runs])
        return float(values.mean()), 2 * float(values.std(ddof=1)) / sqrt(len(values))


def _draw(rows: int, biases: Floats, rng: np.random.Generator) -> Signs:
    """Draw records with given biases."""
    drawn = rng.random((rows, len(biases)), dtype=np.float32) < ((1 + biases) / 2).astype("f4")
    return 2 * drawn.astype(np.int8) - np.int8(1)


def trace(
    release: StumpRelease,
    records: int,
    signs: int,
    rng: np.random.Generator,
    *,
    score: str = "centred",
    public: int = 0,
    outsiders: int = 2000,
) -> TracingRun:
    """Draw uniform biases in ``[-1, 1]`` and a sample, call the release, and compute scores.

    Parameters
    ----------
    release : callable
        Takes the records and a generator, returns an answer for each sign.
    records, signs : int
        Each at least 1.
    rng : numpy.random.Generator
    score : str
        One of `proofs_check.claims.public_data.constructions.tracing.scores.SCORES`.
    public : int
        Number of public records at the end of the table, which are not attacked.
    outsiders : int
        Number of fresh records that are scored, at least 1.

    Raises
    ------
    DomainError
        If a parameter is out of range, or the release does not return one answer for each sign.
    InstanceTooLargeError
        If the records have more than `MAX_CELLS` signs.

    Notes
    -----
    Complexity: one draw and one product for each sign of a record or an outsider; about a second
    for 2000 records of 40 000 signs. Records are stored with one byte for each sign; outsiders are
    not stored.

    Examples
    --------
    >>> from proofs_check.claims.public_data.constructions.tracing.stumps import exact_means
    >>> run = trace(exact_means, 50, 1000, np.random.default_rng(0))
    >>> run.power("1/100") > 0.9, 0.3 < run.error < 0.6
    (True, True)
    """
    check_score(score)
    check_sizes(records, signs)
    if public < 0 or outsiders < 1:
        raise DomainError(
            f"public must be at least 0 and outsiders at least 1, not {public} and {outsiders}"
        )
    if (cells := (records + public) * signs) > MAX_CELLS:
        raise InstanceTooLargeError(f"records have {cells} signs, more than {MAX_CELLS}")
    biases = rng.uniform(-1, 1, signs)
    table = np.empty((records + public, signs), dtype=np.int8)
    width = max(1, _BLOCK // len(table))
    for start in range(0, signs, width):
        block = slice(start, start + width)
        table[:, block] = _draw(len(table), biases[block], rng)
    answers = np.asarray(release(table, rng), dtype=np.float64)
    if answers.shape != (signs,):
        raise DomainError(f"release must give {signs} answers, not {answers.shape}")
    weights = answers - biases if score == "centred" else answers
    inside, outside = np.zeros(records), np.zeros(outsiders)
    width = max(1, _BLOCK // max(records, outsiders))
    for start in range(0, signs, width):
        block = slice(start, start + width)
        shift = float(biases[block] @ weights[block])
        by = weights[block].astype("f4")
        inside += table[:records, block].astype("f4") @ by - shift
        outside += _draw(outsiders, biases[block], rng).astype("f4") @ by - shift
    return TracingRun(inside, outside, float(np.abs(answers - biases).max()))


@checked_types
def simulate_tracing(  # noqa: PLR0913 - the parameters of `trace` and those of the runs
    release: StumpRelease,
    records: int,
    signs: int,
    runs: int,
    seed: int,
    *,
    score: str = "centred",
    public: int = 0,
    outsiders: int = 2000,
    time_limit: TimeLimit = None,
) -> TracingRuns:
    """Attack a release on independent samples; see `trace` for the parameters.

    Raises
    ------
    DomainError
        If there are fewer than 2 runs, or as for `trace`.
    OutOfTimeError
        If it takes longer than the limit.

    Examples
    --------
    >>> from proofs_check.claims.public_data.constructions.tracing.stumps import exact_means
    >>> found = simulate_tracing(exact_means, 50, 1000, 4, 0, score="robust")
    >>> bool(found.power("1/100")[0] < 0.3 < 0.7 < found.area[0] < 0.9)
    True
    """
    if runs < 2:
        raise DomainError(f"runs must be at least 2, not {runs}")
    budget, found = Budget.of(time_limit), []
    with budget:
        for child in np.random.SeedSequence(seed).spawn(runs):
            budget.spend()
            rng = np.random.default_rng(child)
            found.append(
                trace(release, records, signs, rng, score=score, public=public, outsiders=outsiders)
            )
    return TracingRuns(tuple(found))
