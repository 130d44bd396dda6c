"""What the engines find of one class, in groups that take about as long as each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from ccsim.budget import Budget
from ccsim.certificates import Checkable
from ccsim.classes import ConceptClass
from ccsim.communication.complexity import communication_complexity
from ccsim.communication.minimax import error_curve
from ccsim.communication.problem import evaluation_problem
from ccsim.data import frozen
from ccsim.dimensions import littlestone_dimension, vc_dimension
from ccsim.dimensions.teaching.no_clash import no_clash_teaching_dimension
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension, teaching_dimension
from ccsim.dimensions.teaching.star import star_number
from ccsim.dimensions.threshold import threshold_dimension
from ccsim.dimensions.vc import dual_vc_dimension
from ccsim.errors import CcsimError
from ccsim.instances import parse_class
from ccsim.learning.least_failure import private_sample_complexity
from ccsim.representation.random_sets import probabilistic_representation_size
from ccsim.representation.size import deterministic_representation_size
from ccsim.surveys.asking import Reply
from ccsim.surveys.atlas.quantities import ERRORS, SAMPLES, Span, write_span
from ccsim.surveys.survey import NOT_DECIDED


@frozen
class Found:
    """Bounds on one quantity and what certifies them."""

    span: Span
    # objects with `check`, which hands their certificates to the kernel
    results: tuple[Checkable, ...]


Findings: TypeAlias = Mapping[str, Found]


@frozen
class Group:
    """Quantities that are asked for together."""

    most_points: int  # the classes on more points are not asked
    seconds: float  # time limit for a class; what is not decided then stands as an interval
    find: Callable[[ConceptClass, float], Findings]


def flipped(C: ConceptClass) -> tuple[ConceptClass, ...]:
    """Return the class under every exchange of 0 and 1 on points."""
    n = len(C.points)
    return tuple(
        parse_class(f"some_functions:n={n},chosen={sum(1 << (row ^ flip) for row in C.rows)}")
        for flip in range(1 << n)
    )


_KEPT: Mapping[str, Callable[[ConceptClass], Any]] = MappingProxyType(
    {
        "vc": vc_dimension,
        "littlestone": littlestone_dimension,
        "star": star_number,
        "teaching": teaching_dimension,
        "recursive_teaching": recursive_teaching_dimension,
        "no_clash_teaching": no_clash_teaching_dimension,
    }
)
"""Dimensions that no flip changes."""


def _dimensions(C: ConceptClass, seconds: float) -> Findings:
    del seconds  # they take milliseconds
    found = {}
    for name, ask in _KEPT.items():
        one = ask(C)
        found[name] = Found((one.lower, one.upper), (one,))
    for name, of_flip in (("dual_vc", dual_vc_dimension), ("threshold", threshold_dimension)):
        every = tuple(of_flip(D) for D in flipped(C))
        values = [each.value for each in every]
        found[f"{name}_least"] = Found((min(values), min(values)), every)
        found[f"{name}_most"] = Found((max(values), max(values)), every)
    return found


def _public(C: ConceptClass, seconds: float) -> Findings:
    curve = error_curve(evaluation_problem(C), time_limit=seconds)
    return {f"error({one.messages})": Found((one.lower, one.upper), (one,)) for one in curve}


def _private(C: ConceptClass, seconds: float) -> Findings:
    found = {}
    for error in ERRORS:
        one = communication_complexity(
            evaluation_problem(C), error, "private", time_limit=seconds / len(ERRORS)
        )
        found[f"private_messages({error})"] = Found((one.lower, one.upper), (one,))
    return found


def _deterministic(C: ConceptClass, seconds: float) -> Findings:
    found = {}
    for error in ERRORS:
        one = deterministic_representation_size(C, error, time_limit=seconds / len(ERRORS))
        found[f"drsize({error})"] = Found((one.lower, one.upper), (one,))
    return found


def _probabilistic(C: ConceptClass, seconds: float) -> Findings:
    found = {}
    for error in ERRORS:
        one = probabilistic_representation_size(C, error, error, time_limit=seconds / len(ERRORS))
        found[f"prsize({error})"] = Found((one.lower, one.upper), (one,))
    return found


def _samples(C: ConceptClass, seconds: float) -> Findings:
    one = private_sample_complexity(C, *SAMPLES, limit=8, time_limit=seconds)
    return {"samples": Found((one.lower, one.upper), (one,))}


GROUPS: Mapping[str, Group] = MappingProxyType(
    {
        "dimensions": Group(4, 60, _dimensions),
        "public": Group(4, 5, _public),
        "private": Group(4, 3, _private),
        "deterministic": Group(4, 20, _deterministic),
        "probabilistic": Group(4, 60, _probabilistic),
        "samples": Group(3, 60, _samples),
    }
)
"""What is asked of the engines."""


def measured(group: str, instance: str, seconds: float | None = None) -> Findings:
    """Return what the engines find of a group of quantities."""
    about = GROUPS[group]
    return about.find(parse_class(instance), about.seconds if seconds is None else seconds)


@frozen
class Measure:
    """A group as a question of a survey."""

    group: str
    seconds: float

    def __call__(self, instance: str) -> Reply:
        """Answer with a JSON object of bounds as texts; every result is checked by the kernel."""
        try:
            found = measured(self.group, instance, self.seconds)
            for one in found.values():
                for result in one.results:
                    result.check(Budget())
        except CcsimError as error:
            return Reply(2, None, " ".join(str(error).split()))
        spans = {name: one.span for name, one in found.items()}
        exact = all(lower == upper for lower, upper in spans.values())
        answer = json.dumps({name: write_span(span) for name, span in spans.items()})
        return Reply(0 if exact else NOT_DECIDED, answer)
