"""Private multiplicative weights: answers to all queries of a cover, from weights on its cells.

Weights on the cells answer all queries. Round after round a query that they answer badly is found
privately and measured with noise, and the weights move towards the measured value. What is
published is the list of the queries found and their measured values, all integers: weights and
answers are functions of it, so that rounding cannot cost privacy.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.budget import check_time
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.law import Law
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.mechanism import CanonicalMechanism
from ccsim.privacy.mechanisms.exponential import choose_by_score
from ccsim.privacy.mechanisms.noisy_answers import TruncatedGeometric, first_above
from ccsim.privacy.noise import GeometricNoise, draw_first_above
from ccsim.release.queries.accounting import Accounting, Round
from ccsim.release.queries.covers import Counts, Cover, Floats
from ccsim.release.queries.weights import Integers, Transcript, Weights, estimated_counts


@validated
class MultiplicativeWeights(CanonicalMechanism[int, Transcript]):
    """Private multiplicative weights on the cells of a cover, of one of two forms.

    Method: ``sparse-vector`` asks the queries in order: one whose error seems to be at least the
    threshold is measured and moves the weights by a fixed step, the others are answered from the
    weights. ``worst-query`` chooses a query of large error in every round by the exponential
    mechanism, and then moves the weights several times over all that was measured. Records are
    numbers of cells; their number is public. Every round costs what its `Round` states.

    Complexity: a run costs ``rounds`` times a pass over the cover; 10^4 concepts and 65536 cells
    take about a second a round.

    Sources: `pap` Algorithm 1, Hardt and Rothblum (2010), Dwork and Roth (2014, section 4.2) for
    the first form; the second one is of Hardt, Ligett and McSherry, *A simple and practical
    algorithm for differentially private data release* (2012).
    """

    cover: Cover[Any, Any]
    round: Round
    rounds: int  # at least 1
    # of ``sparse-vector``: the error above which a query is measured, above 0 and at most 2
    threshold: Fraction = Fraction(1, 4)
    passes: int = 10  # of ``worst-query``: how often the measured queries are gone over, at least 1
    # A positive distribution on the cells; uniform if it is not given
    start: tuple[Fraction, ...] | None = None

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
                f"start must have {self.cover.cells} positive numbers of sum 1, "
                f"not {len(self.start)} of sum {sum(self.start)}"
            )

    @property
    def records(self) -> tuple[int, ...]:
        """The numbers of the cells."""
        return tuple(range(self.cover.cells))

    def accounting(self, delta: Fraction) -> Accounting:
        """Return what all rounds cost."""
        return Accounting(self.round, self.rounds, delta)

    def initial(self) -> Weights:
        """Return the weights before the first round."""
        cells = np.full(self.cover.cells, 1 / self.cover.cells)
        if self.start is not None:
            cells = np.array([float(share) for share in self.start])
        return Weights(cells, self.cover.sums(cells), {})

    def replay(self, transcript: Transcript, size: int) -> Weights:
        """Return the weights after the rounds of a transcript of so many records."""
        return list(self.stages(transcript, size))[-1]

    def stages(self, transcript: Transcript, size: int) -> Iterator[Weights]:
        """Yield the weights before the first round, and after each one."""
        known = self.initial()
        yield known
        for number in range(len(transcript)):
            known = self.moved(known, transcript[: number + 1], size)
            yield known

    def answers(self, transcript: Transcript, size: int) -> Floats:
        """Return the answer to each query of the cover; see `Weights.released`."""
        return self.replay(transcript, size).released

    def moved(self, known: Weights, transcript: Transcript, size: int) -> Weights:
        """Return the weights after one more round, the last one of the transcript."""
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
        """Return weights moved over all measured queries, several times."""
        fitted = cells.copy()
        measured = [(self.cover.signs(query) > 0, value / size) for query, value in transcript]
        for _ in range(self.passes):
            for ones, share in measured:
                fitted[ones] *= np.exp(share - fitted[ones].sum())
                fitted /= fitted.sum()
        return fitted

    def _true(self, counts: Counts) -> Integers:
        """Return the true numbers of records with label 1."""
        sums = self.cover.sums(counts.astype(np.float64))
        true: Integers = np.rint((sums + counts.sum()) / 2).astype(np.int64)
        return true

    def _missing(self, errors: Integers, size: int, after: int) -> list[int]:
        """Return how far below the threshold the errors are of the queries from one on."""
        least = -(-self.threshold.numerator * size // (2 * self.threshold.denominator))
        return [least - int(error) for error in errors[after:]]

    def law_of(self, database: tuple[int, ...]) -> Law[Transcript]:
        """Return the law of the transcript.

        Complexity: ``(queries (records + 1))^rounds``; for audits of tiny instances.
        """
        if not database:
            raise DomainError("private sample must have a record")
        true = self._true(np.bincount(database, minlength=self.cover.cells).astype(np.int64))
        return self._law(true, len(database), (), self.initial())

    def _law(
        self, true: Integers, size: int, before: Transcript, known: Weights
    ) -> Law[Transcript]:
        if len(before) == self.rounds:
            return Law.certain(before)
        errors = np.abs(true - estimated_counts(known.answers, size))

        def further(query: int | None) -> Law[Transcript]:
            if query is None:
                return Law.certain(before)

            def after(value: int) -> Law[Transcript]:
                longer = (*before, (query, value))
                return self._law(true, size, longer, self.moved(known, longer, size))

            return self._measured(int(true[query]), size).then(after)

        return self._choice(errors, size, known.after).then(further)

    def _measured(self, true: int, size: int) -> Law[int]:
        """Return the law of a measured value."""
        if not isinstance(self.round.noise, GeometricNoise):
            raise DomainError("the law of a run needs geometric noise, not Gaussian noise")
        return TruncatedGeometric((), lambda _: true, self.round.noise.epsilon, 0, size).law(())

    def _choice(self, errors: Integers, size: int, after: int) -> Law[int | None]:
        """Return the law of the query that is found."""
        choice = self.round.choice
        if self.round.form == "worst-query":
            best = int(errors.max())
            weight = {e: choice.exp(Fraction(e - best, 2)) for e in set(errors.tolist())}
            return Law.proportional({k: weight[e] for k, e in enumerate(errors.tolist())})
        found = first_above(self._missing(errors, size, after), choice)
        return found.map(lambda k: None if k is None else after + k)

    def draw(self, counts: Counts, rng: Randomness = SYSTEM) -> Transcript:
        """Draw a transcript for the numbers of records of the cells.

        With geometric noise it has exactly the law of `law_of`, at any size.
        """
        return self.run(counts, rng)[0]

    def run(
        self, counts: Counts, rng: Randomness = SYSTEM
    ) -> tuple[Transcript, tuple[Weights, ...]]:
        """Draw a transcript, and return the weights before the first round and after each."""
        size, stages = int(counts.sum()), [self.initial()]
        transcript: Transcript = ()
        if not size:
            raise DomainError("private sample must have a record")
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
