"""The mechanisms that ``ccsim audit`` knows by name.

A mechanism that selects a concept (``a-dist``, ``choosing``, ``rec-concave``) is audited on
databases, or on quality functions: the quality of each concept of the class, in its order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from ccsim.certificates import read_json
from ccsim.classes import ConceptClass
from ccsim.cli.privacy.asked import Asked
from ccsim.cli.privacy.public_points import label_private, semi_private
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact import Law, as_fraction
from ccsim.exact.steps import StepFunction
from ccsim.instances import look_up
from ccsim.learning import PrivateOccam, SubsampledPoint
from ccsim.privacy import (
    ByQuality,
    CanonicalMechanism,
    Mechanism,
    QualityNeighbours,
    RandomizedResponse,
    RestrictedNeighbours,
    StableMode,
)
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from ccsim.privacy.mechanisms.stable_choice import StableChoice
from ccsim.privacy.qualities import Quality

_SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "accuracy": "of subsampled-point, of the paper's threshold, of rec-concave",
        "base": "ranges up to it are not divided",
        "depth": "calls of rec-concave",
        "failure": "of the paper's threshold",
        "flip": "probability of a wrong label",
        "margin": "of stable-mode",
        "promise": "of rec-concave",
        "public": "first examples of label-private and semi-private whose points are public",
        "released": "probability with which a best quality of 1 is released",
        "scale": "of the noise",
    }
)


_Answer: TypeAlias = tuple[Mechanism[Any, Any], QualityNeighbours | RestrictedNeighbours | None]
_Maker: TypeAlias = Callable[[ConceptClass, Asked], _Answer]


def setting(text: str) -> tuple[str, Fraction]:
    """Read a parameter of a mechanism."""
    key, equals, value = text.partition("=")
    look_up(dict(_SETTINGS), "parameter", key)
    if not equals:
        raise DomainError(f"--set needs KEY=VALUE, not {text!r}")
    return key, as_fraction(value, key, 0)


def quality_pairs(file: str) -> list[Any]:
    """Read pairs of quality functions: a JSON list of pairs of lists of integers and fractions."""
    value = read_json(Path(file), exact=True)
    if not isinstance(value, list):
        raise DomainError(f"{file}: must be a list of pairs of quality functions")
    return value


def _exponential(C: ConceptClass, asked: Asked) -> _Answer:
    scale = asked.given.pop("scale", Fraction(1))
    return PrivateOccam(len(C.points), C.rows, asked.epsilon, scale), None


def _points(C: ConceptClass, asked: Asked) -> _Answer:
    size = len(C.points)
    if set(C.rows) != {1 << x for x in range(size)}:
        raise DomainError(f"subsampled-point learns the point functions, {C.name} is another class")
    accuracy = asked.given.pop("accuracy", Fraction(2, 5))
    return SubsampledPoint(size, accuracy, asked.given.pop("flip", None)), None


def _stable(C: ConceptClass, asked: Asked) -> _Answer:
    size = len(C.points)
    candidates = (0, *(1 << x for x in range(size)), *C.rows)
    margin = asked.given.pop("margin", Fraction(1))
    scale = asked.given.pop("scale", Fraction(1))
    votes = tuple(dict.fromkeys(candidates))
    return StableMode(votes, 0, asked.epsilon, asked.delta, margin, scale), None


def _response(C: ConceptClass, asked: Asked) -> _Answer:
    return RandomizedResponse(_examples(C), asked.epsilon), None


def _examples(C: ConceptClass) -> tuple[tuple[int, int], ...]:
    return tuple((x, y) for x in range(len(C.points)) for y in (0, 1))


def _inside(database: tuple[int, ...], concept: int) -> int:
    """Return the number of records on which a concept is 1."""
    return sum(concept >> x & 1 for x in database)


def _a_dist(C: ConceptClass, asked: Asked) -> _Answer:
    qualities = asked.qualities(len(C.rows), asked.taken("growth"))  # type: ignore[arg-type]
    variant = asked.taken("variant") or "corrected"
    points = range(len(C.points))
    choice = StableChoice(tuple(points), C.rows, _inside, asked.epsilon, asked.delta, variant)
    if qualities is None:
        return choice, None
    return ByQuality(qualities.functions, choice.law_of_scores), qualities


def _choosing(C: ConceptClass, asked: Asked) -> _Answer:
    own = max((sum(row >> x & 1 for row in C.rows) for x in range(len(C.points))), default=0)
    by_quality = asked.most is not None or asked.pairs is not None
    growth = int(asked.taken("growth") or max(own, 1))
    if growth < own and not by_quality:
        raise DomainError(f"growth must be at least {own}, the concepts of a point, not {growth}")
    qualities = asked.qualities(len(C.rows), growth)
    choosing = ChoosingMechanism(
        tuple(range(len(C.points))),
        C.rows,
        _inside,
        asked.epsilon,
        asked.delta,
        growth,
        asked.taken("threshold") or "fixed",
        asked.given.pop("accuracy", Fraction(1)),
        asked.given.pop("failure", Fraction(1, 2)),
        asked.any_size,
        asked.given.pop("released", None),
    )
    asked.any_size = False
    if qualities is None:
        return choosing, None
    if choosing.threshold == "paper" and asked.samples is None:
        raise DomainError("the paper's threshold depends on the number of records: give --samples")
    size = asked.samples or 0
    choosing.release_probability(Fraction(0), size)  # whether the size is allowed
    law = _LawOfScores(choosing, size)
    return ByQuality(qualities.functions, law), qualities


@dataclass(frozen=True, slots=True)
class _LawOfScores:
    choosing: ChoosingMechanism
    size: int

    def __call__(self, quality: Quality) -> Law[Hashable]:
        return self.choosing.law_of_scores(quality, self.size)


@frozen
class RecConcaveOnExamples(CanonicalMechanism[tuple[int, int], int]):
    """RecConcave over the concepts in their order, by agreements with labelled examples."""

    concept_class: ConceptClass
    algorithm: RecConcave
    symmetric = True

    @property
    def records(self) -> tuple[tuple[int, int], ...]:
        """All labelled examples."""
        return _examples(self.concept_class)

    def law_of(self, database: tuple[tuple[int, int], ...]) -> Law[int]:
        """Return the output distribution on a database."""
        rows = self.concept_class.rows
        return self.of_quality(tuple(sum((row >> x & 1) == y for x, y in database) for row in rows))

    def of_quality(self, quality: Quality) -> Law[int]:
        """Return the output distribution for the values of a quality function."""
        law = self.algorithm.law(StepFunction.of(quality))
        rows = self.concept_class.rows
        return Law.of({row: law.value(i, i) for i, row in enumerate(rows)})


def _rec_concave(C: ConceptClass, asked: Asked) -> _Answer:
    qualities = asked.qualities(len(C.rows), asked.taken("growth"))  # type: ignore[arg-type]
    promise = asked.given.pop("promise", Fraction(1))
    accuracy = asked.given.pop("accuracy", Fraction(1, 2))
    depth, base = asked.integer("depth", 2), asked.integer("base", 32)
    variant = asked.taken("variant") or "corrected"
    # The number of calls is needed before the budget is split.
    calls = RecConcave(promise, accuracy, asked.epsilon, Fraction(1, 4), depth, base).calls(
        len(C.rows) - 1
    )
    if not C.rows:
        raise DomainError("rec-concave needs a range [0, T], and the class has no concept")
    step = asked.epsilon * Fraction(1, 3 * calls - 2)
    delta = asked.delta / (2 * (calls - 1)) if calls > 1 else Fraction(1, 4)
    algorithm = RecConcave(promise, accuracy, step, delta, depth, base, variant)
    mechanism = RecConcaveOnExamples(C, algorithm)
    if qualities is None:
        return mechanism, None
    return ByQuality(qualities.functions, mechanism.of_quality), qualities


MECHANISMS: Mapping[str, _Maker] = MappingProxyType(
    {
        "a-dist": _a_dist,
        "choosing": _choosing,
        "exponential": _exponential,
        "label-private": label_private,
        "randomized-response": _response,
        "rec-concave": _rec_concave,
        "semi-private": semi_private,
        "stable-mode": _stable,
        "subsampled-point": _points,
    }
)
