"""Private multiplicative weights: answers to all queries of a cover, from weights on its cells.

The selected queries and their measured values, all integers, are published. Weights and answers are
functions of these integers, so rounding does not affect privacy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.budget import check_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.composition import (
    epsilon_of_rho,
    largest_choice,
    largest_rho,
    least_variance,
    rho_of_choice,
    rho_of_gaussian,
    rho_of_pure,
)
from ccsim.privacy.constructions import CanonicalMechanism
from ccsim.privacy.mechanisms.exponential import choose_by_score
from ccsim.privacy.mechanisms.noisy_answers import first_above, truncated_geometric_distribution
from ccsim.privacy.noise import GaussianNoise, GeometricNoise, draw_first_above
from ccsim.release.queries.covers import Counts, Cover, Floats

FORMS = ("sparse-vector", "worst-query")  # how a badly answered query is found

_FINE = 1 << 40

Transcript: TypeAlias = tuple[tuple[int, int], ...]
"""The selected queries, each with its measured number of records with label 1."""
Integers: TypeAlias = npt.NDArray[np.int64]


@validated
class MultiplicativeWeights(CanonicalMechanism[int, Transcript]):
    """Private multiplicative weights on the cells of a cover, in one of two forms.

    Method: ``sparse-vector`` processes the queries in order. A query whose noisy error is at least
    the threshold is measured and updates the weights by a fixed step; the others are answered from
    the weights (`pap` Algorithm 1; Hardt and Rothblum 2010). ``worst-query`` chooses a query of
    large error by the exponential mechanism and updates the weights with all measurements (Hardt,
    Ligett and McSherry, *A simple and practical algorithm for differentially private data release*,
    2012).
    """

    cover: Cover[Any, Any]
    round: Round
    rounds: int  # at least 1
    threshold: Fraction = Fraction(1, 4)  # of ``sparse-vector``: errors that are measured
    passes: int = 10  # of ``worst-query``: how often the measured queries are gone over, at least 1
    start: tuple[Fraction, ...] | None = None  # positive, on the cells; uniform if not given

    symmetric = True

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.passes < 1:
            raise DomainError(
                f"rounds and passes must be at least 1, not {self.rounds} and {self.passes}"
            )
        if not 0 < self.threshold <= 2:
            raise DomainError(f"threshold must be above 0 and at most 2, not {self.threshold}")
        if self.start is not None and (
            len(self.start) != self.cover.cells or min(self.start) <= 0 or sum(self.start) != 1
        ):
            raise DomainError(
                f"start must have {self.cover.cells} positive numbers with sum 1, "
                f"not {len(self.start)} with sum {sum(self.start)}"
            )

    @property
    def records(self) -> tuple[int, ...]:
        """The possible records: the numbers of the cells."""
        return tuple(range(self.cover.cells))

    def accounting(self, delta: Fraction) -> Accounting:
        """Return the privacy cost of all rounds."""
        return Accounting(self.round, self.rounds, delta)

    def initial(self) -> Weights:
        """Return the weights before the first round."""
        cells = np.full(self.cover.cells, 1 / self.cover.cells)
        if self.start is not None:
            cells = np.array([float(share) for share in self.start])
        return Weights(cells, self.cover.sums(cells), {})

    def stages(self, transcript: Transcript, size: int) -> list[Weights]:
        """Return the weights before the first round and after each round of a transcript."""
        known = [self.initial()]
        for number in range(1, len(transcript) + 1):
            known.append(self.moved(known[-1], transcript[:number], size))
        return known

    def answers(self, transcript: Transcript, size: int) -> Floats:
        """Return the answer to each query of the cover; see `Weights.released`."""
        return self.stages(transcript, size)[-1].released

    def moved(self, known: Weights, transcript: Transcript, size: int) -> Weights:
        """Return the weights after the last round of the transcript."""
        if self.round.form == "worst-query":
            cells = self._fitted(known.cells, transcript, size)
            return replace(known, cells=cells, answers=self.cover.sums(cells))
        query, value = transcript[-1]
        missing = value - estimated_counts(known.answers[query : query + 1], size)[0]
        step = np.exp((1 if missing > 0 else -1) * float(self.threshold) / 2)
        cells = known.cells * np.where(self.cover.signs(query) > 0, step, 1 / step)
        cells /= cells.sum()
        fixed = dict(known.fixed)
        for earlier in range(known.after, query):
            fixed[earlier] = float(known.answers[earlier])
        fixed[query] = 2 * value / size - 1
        return Weights(cells, self.cover.sums(cells), fixed, query + 1)

    def _fitted(self, cells: Floats, transcript: Transcript, size: int) -> Floats:
        """Return the weights after several passes of updates with all measured queries."""
        fitted = cells.copy()
        measured = [(self.cover.signs(query) > 0, value / size) for query, value in transcript]
        for _ in range(self.passes):
            for ones, share in measured:
                fitted[ones] *= np.exp(share - fitted[ones].sum())
                fitted /= fitted.sum()
        return fitted

    def _true(self, counts: Counts) -> Integers:
        """Return, for each query of the cover, the true number of records with label 1."""
        sums = self.cover.sums(counts.astype(np.float64))
        true: Integers = np.rint((sums + counts.sum()) / 2).astype(np.int64)
        return true

    def _missing(self, errors: Integers, size: int, after: int) -> list[int]:
        """Return, for each query from ``after`` on, the threshold minus the error, in records."""
        least = -(-self.threshold.numerator * size // (2 * self.threshold.denominator))
        return [least - int(error) for error in errors[after:]]

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[Transcript]:
        """Return the distribution over the ``(queries (records + 1))^rounds`` transcripts."""
        if not database:
            raise DomainError("private sample must have at least one record, not 0")
        true = self._true(np.bincount(database, minlength=self.cover.cells).astype(np.int64))
        return self._distribution(true, len(database), (), self.initial())

    def _distribution(
        self, true: Integers, size: int, before: Transcript, known: Weights
    ) -> Distribution[Transcript]:
        if len(before) == self.rounds:
            return Distribution.certain(before)
        errors = np.abs(true - estimated_counts(known.answers, size))

        def further(query: int | None) -> Distribution[Transcript]:
            if query is None:
                return Distribution.certain(before)

            def after(value: int) -> Distribution[Transcript]:
                longer = (*before, (query, value))
                return self._distribution(true, size, longer, self.moved(known, longer, size))

            return self._measured(int(true[query]), size).then(after)

        return self._choice(errors, size, known.after).then(further)

    def _measured(self, true: int, size: int) -> Distribution[int]:
        """Return the distribution of the noisy count of a query."""
        if not isinstance(self.round.noise, GeometricNoise):
            raise DomainError(
                "the exact distribution of a run requires geometric noise, not Gaussian noise"
            )
        return truncated_geometric_distribution(true, self.round.noise.epsilon.exp(-1), 0, size)

    def _choice(self, errors: Integers, size: int, after: int) -> Distribution[int | None]:
        """Return the distribution of the selected query.

        The outcome None stands for no query above the threshold.
        """
        choice = self.round.choice
        if self.round.form == "worst-query":
            best = int(errors.max())
            weight = {e: choice.exp(Fraction(e - best, 2)) for e in set(errors.tolist())}
            return Distribution.proportional({k: weight[e] for k, e in enumerate(errors.tolist())})
        found = first_above(self._missing(errors, size, after), choice)
        return found.map(lambda k: None if k is None else after + k)

    def draw(self, counts: Counts, rng: Randomness = SYSTEM) -> Transcript:
        """Draw a transcript from the counts of the records; exact for geometric noise."""
        return self.run(counts, rng)[0]

    def run(
        self, counts: Counts, rng: Randomness = SYSTEM
    ) -> tuple[Transcript, tuple[Weights, ...]]:
        """Draw a transcript, and return the weights before the first round and after each round."""
        size, stages = int(counts.sum()), [self.initial()]
        transcript: Transcript = ()
        if not size:
            raise DomainError("private sample must have at least one record, not 0")
        true = self._true(counts)
        while len(transcript) < self.rounds:
            check_time()
            known = stages[-1]
            errors = np.abs(true - estimated_counts(known.answers, size))
            if self.round.form == "worst-query":
                query: int | None = choose_by_score(errors.tolist(), self.round.choice, rng)
            else:
                missing = self._missing(errors, size, known.after)
                found = draw_first_above(missing, self.round.choice, rng)
                query = None if found is None else known.after + found
            if query is None:
                break
            value = int(true[query]) + int(self.round.noise.draw(1, rng)[0])
            transcript = (*transcript, (query, min(max(value, 0), size)))
            stages.append(self.moved(known, transcript, size))
        return transcript, tuple(stages)


def estimated_counts(answers: Floats, size: int) -> Integers:
    """Return the numbers of records with label 1 that answers imply, rounded to integers."""
    return np.rint((answers + 1) / 2 * size).astype(np.int64)


@one_line
@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The state after some rounds."""

    cells: Floats  # A distribution on the cells
    answers: Floats  # what it answers to each query of the cover, from -1 to 1
    fixed: dict[int, float]  # answers that were given before the weights moved on
    after: int = 0  # the first query that was not asked yet, for queries in order

    @property
    def released(self) -> Floats:
        """The published answers: values fixed earlier, otherwise those of the current weights."""
        found = self.answers.copy()
        for query, value in self.fixed.items():
            found[query] = value
        return found


@validated
class Round:
    """One round: a query with a large error is selected and measured."""

    form: str  # one of `FORMS`: by the sparse vector technique, or by the exponential mechanism
    choice: Epsilon  # privacy parameter of finding the query
    noise: GeometricNoise | GaussianNoise  # of the number of records with label 1

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise DomainError(f"form must be one of {', '.join(FORMS)}, not {self.form!r}")
        if not self.choice.is_positive:
            raise DomainError(
                f"epsilon of the choice in a round must be positive, not {self.choice}"
            )
        if isinstance(self.noise, GeometricNoise) and self.noise.sensitivity != 1:
            raise DomainError(f"noise must have sensitivity 1, not {self.noise.sensitivity}")

    @property
    def rho(self) -> Fraction:
        """The concentrated cost of the round, rounded up."""
        found = rho_of_choice if self.form == "worst-query" else rho_of_pure
        return found(self.choice) + self.measurement_rho

    @property
    def measurement_rho(self) -> Fraction:
        """The concentrated cost of the measurement only."""
        if isinstance(self.noise, GaussianNoise):
            return rho_of_gaussian(self.noise.variance)
        return rho_of_pure(self.noise.epsilon)

    def epsilon(self, delta: Fraction) -> Fraction | None:
        """Return the epsilon of the round for its delta, rounded up.

        The result is None for Gaussian noise and delta 0.
        """
        choice = self.choice.enclose().upper
        if isinstance(self.noise, GeometricNoise):
            return choice + self.noise.epsilon.enclose().upper
        return choice + epsilon_of_rho(self.measurement_rho, delta) if delta else None


@validated
class Accounting:
    """The privacy cost of several adaptively chosen rounds."""

    round: Round
    rounds: int  # at least 0
    delta: Fraction  # of the whole, at least 0 and below 1

    def __post_init__(self) -> None:
        if self.rounds < 0:
            raise DomainError(f"rounds must be at least 0, not {self.rounds}")
        if not 0 <= self.delta < 1:
            raise DomainError(f"delta must be at least 0 and below 1, not {self.delta}")

    @property
    def rho(self) -> Fraction:
        """The total concentrated cost, rounded up."""
        return self.rounds * self.round.rho

    @property
    def basic(self) -> Fraction | None:
        """Epsilon by basic composition, with ``delta`` divided evenly.

        The result is None if no epsilon is finite.
        """
        if not self.rounds:
            return Fraction(0)
        once = self.round.epsilon(self.delta / self.rounds)
        return None if once is None else self.rounds * once

    @property
    def concentrated(self) -> Fraction | None:
        """Epsilon from the total concentrated cost; None if ``delta`` is 0."""
        return epsilon_of_rho(self.rho, self.delta) if self.delta else None

    @property
    def epsilon(self) -> Fraction:
        """The smaller epsilon of basic and concentrated composition."""
        found = [e for e in (self.basic, self.concentrated) if e is not None]
        if not found:
            raise DomainError("Gaussian noise needs a positive delta, not 0")
        return min(found)


def affordable_round(form: str, rounds: int, epsilon: Epsilon, delta: Fraction) -> Round:
    """Return the round of least noise for which all rounds are ``(epsilon, delta)``-private.

    Half of the budget is for selecting queries. Noise is geometric if ``delta = 0``, else Gaussian.
    """
    if rounds < 1:
        raise DomainError(f"rounds must be at least 1, not {rounds}")
    if not delta:
        share = _down(epsilon.enclose().lower / (2 * rounds))
        choice, noise = Epsilon(share), GeometricNoise(Epsilon(_positive(share)))
        return Round(form, choice, noise)
    half = _positive(largest_rho(epsilon, delta) / (2 * rounds))
    variance = least_variance(half)
    rounded = -_down(-variance) if variance > 1 else variance
    chosen = largest_choice(half, 8 if form == "worst-query" else 2)
    return Round(form, Epsilon(_positive(chosen.rational)), GaussianNoise(rounded))


def _down(value: Fraction) -> Fraction:
    """Return a fraction, or the next multiple of ``2^-40`` below it if its denominator is long."""
    return value if value.denominator <= _FINE else Fraction(floor(value * _FINE), _FINE)


def _positive(value: Fraction) -> Fraction:
    if value <= 0:
        raise DomainError(
            "epsilon is too small for the number of rounds; increase epsilon or use fewer rounds"
        )
    return value
