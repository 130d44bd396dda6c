"""Release of a synthetic database for any small class, by the exponential mechanism."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil, comb, floor
from typing import Annotated

import numpy as np

from ccsim.arguments.parameters import Parameter
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import arithmetic
from ccsim.exact.exponentials import enclose_log
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.privacy.constructions import Rows, Setting
from ccsim.privacy.mechanisms.exponential import ChoiceByScore, ExponentialMechanism, draw_weighted
from ccsim.privacy.neighbours import Domain
from ccsim.release.sanitizer import Release, check_accuracy, max_query_error
from ccsim.texts.labels import Label

MAX_OUTPUTS = 1 << 16  # maximum number of databases among which the mechanism chooses


@validated
class SyntheticDatabase(ChoiceByScore[Label, tuple[Label, ...]]):
    """Draw a database of a given size whose answers are probably close to those of the records.

    The query of a concept is the share of the records on which the concept is 1. On ``m`` records,
    a database whose largest query error is ``a`` has probability proportional to ``e^(-epsilon m a
    / 2)``. Replacing a record changes ``m a`` by at most 1, so the mechanism is
    ``epsilon``-private (Blum, Ligett and Roth, 2008).

    Attributes
    ----------
    concept_class : ConceptClass
        Concept class with at least one concept and one point.
    epsilon : Epsilon
    size : int
        Number of records of the output, at least 1.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> synthetic = SyntheticDatabase(parse_class("points:b=1"), Epsilon.of("ln 4"), 2)
    >>> [str(p) for _, p in synthetic.distribution((0, 0)).items]
    ['4/7', '2/7', '1/7']
    """

    concept_class: ConceptClass
    epsilon: Epsilon
    size: int

    symmetric = True
    family, is_pure, entries = "", True, "points"

    def __post_init__(self) -> None:
        points = len(self.concept_class.points)
        if not points or not self.concept_class.rows:
            raise DomainError("class must have at least one concept and one point")
        if self.size < 1:
            raise DomainError(f"size must be at least 1, not {self.size}")
        outputs = comb(points + self.size - 1, self.size)
        if outputs > MAX_OUTPUTS:
            raise InstanceTooLargeError(
                f"size {self.size} gives {outputs} possible outputs, but the limit is "
                f"{MAX_OUTPUTS}; choose a smaller size"
            )

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""
        return self.epsilon, Fraction(0)

    @classmethod
    def for_task(
        cls,
        *,
        size: Annotated[int | None, Parameter("Number of records of the output", least=1)] = None,
        **given: Setting,
    ) -> SyntheticDatabase:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        return cls(given["concept_class"], given["epsilon"], cls._sizes(size=size, **given)[0])

    @classmethod
    def on_class(
        cls,
        num_points: int,
        concepts: Rows,
        epsilon: Epsilon,
        delta: Fraction,
        *,
        size: Annotated[int, Parameter("Number of records of the output", least=1)] = 1,
        **_: Setting,
    ) -> SyntheticDatabase:
        """Return the sanitizer for the concepts of a class; points are given by index."""
        names = tuple(range(len(concepts)))
        return cls(ConceptClass(tuple(range(num_points)), names, concepts), epsilon, size)

    @classmethod
    def _sizes(cls, size: int | None = None, **given: Setting) -> tuple[int, int]:
        asked = {name: given[name] for name in ("accuracy", "failure", "epsilon")}
        return synthetic_sizes(given["concept_class"], **asked, size=size)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        return cls._sizes(**given)[1]

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        C = self.concept_class
        named = [C.points[record] for record in records]
        chosen = self.draw(named, rng)
        copies = Counter(chosen)
        return Release(
            "database",
            tuple((i, copies[x]) for i, x in enumerate(C.points) if x in copies),
            {"size": self.size},
            lambda: max_query_error(C, named, chosen),
        )

    @property
    def records(self) -> tuple[Label, ...]:
        """The points, as indices."""
        return self.concept_class.points

    @property
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism that draws the output."""
        outputs = tuple(combinations_with_replacement(self.concept_class.points, self.size))
        return ExponentialMechanism(self.records, outputs, self._score, self.epsilon)

    def draw(self, database: Sequence[Label], rng: Randomness = SYSTEM) -> tuple[Label, ...]:
        """Draw a database from the exact distribution."""
        if not database:
            raise DomainError("database must have at least one record, not 0")
        C, size, records = self.concept_class, self.size, len(database)
        numbers = Domain.of(C.points).numbered(database)
        held = np.array([[row >> x & 1 for x in range(len(C.points))] for row in C.rows])
        true = held @ np.bincount(numbers, minlength=len(C.points))
        outputs = list(combinations_with_replacement(range(len(C.points)), size))
        copies = np.zeros((len(outputs), len(C.points)), dtype=np.int64)
        np.add.at(copies, (np.arange(len(outputs))[:, None], np.array(outputs)), 1)
        far = np.abs(records * (copies @ held.T) - size * true).max(axis=1)  # times size records
        values, times = np.unique(far, return_counts=True)
        powers = arithmetic(self.epsilon, 128)
        with powers.working():
            best = int(values[0])
            weights = [
                powers.exp(Fraction(best - int(value), 2 * size)) * int(number)
                for value, number in zip(values, times, strict=True)
            ]
            value = values[draw_weighted(weights, powers, rng)]
        among = np.flatnonzero(far == value)
        chosen = outputs[int(among[uniform_below(len(among), rng)])]
        return tuple(C.points[x] for x in chosen)

    def _score(self, database: tuple[Label, ...], output: tuple[Label, ...]) -> Fraction:
        if not database:
            return Fraction(0)
        return -len(database) * max_query_error(self.concept_class, database, output).error


def synthetic_sizes(
    concept_class: ClassLike,
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    size: int | None = None,
) -> tuple[int, int]:
    """Return a size of the output and a number of records that suffice for accuracy and failure.

    Some database of ``s`` records has errors within ``a`` on all ``c`` concepts if
    ``2 c e^(-2 s a^2) < 1``. Outputs with an error above ``a + t`` have probability at most
    ``N e^(-epsilon m t / 2)``.
    """
    concept_class = as_class(concept_class)
    check_accuracy(accuracy, failure)
    log = enclose_log(Fraction(2 * max(1, len(concept_class.rows)))).upper
    if size is None:
        near = accuracy / 2
        size = floor(log / (2 * near**2)) + 1
    else:
        parts = next((k for k in range(256) if 2 * size * (accuracy * k / 256) ** 2 > log), None)
        if parts is None:
            least = floor(log / (2 * (accuracy * 255 / 256) ** 2)) + 1
            raise DomainError(f"size must be at least {least} for accuracy {accuracy}, not {size}")
        near = accuracy * parts / 256
    outputs = comb(len(concept_class.points) + size - 1, size)
    far = 2 * enclose_log(outputs / failure).upper / epsilon.enclose().lower
    return size, ceil(far / (accuracy - near))
