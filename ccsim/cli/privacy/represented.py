"""The learner of ``ccsim learn`` over sets of hypotheses: which sets, and how surely it fails."""

from __future__ import annotations

from fractions import Fraction

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.cli.output import float_bounds, rounded_up
from ccsim.cli.privacy.learned import Answer
from ccsim.errors import InstanceTooLargeError
from ccsim.instances.hypotheses import read_hypotheses
from ccsim.learning.learners.representation import RepresentationLearner, hard_two_points
from ccsim.pictures.labels import show_label
from ccsim.representation import (
    FailureResult,
    HypothesisSet,
    RepresentationResult,
    failure_probability,
    probabilistic_representation_size,
    representation_error,
)
from ccsim.representation.neighbourhoods import MAX_POINTS

SEARCH_SECONDS = 20.0
"""Seconds for the search for a representation."""


def represented(
    C: ConceptClass, error: Fraction, failure: Fraction, file: str | None, budget: Budget
) -> FailureResult | RepresentationResult:
    """Return a representation of a class with a checked proof of its error and failure."""
    proved: FailureResult | RepresentationResult
    if file is None:
        pool = None if len(C.points) <= MAX_POINTS else C.rows
        left = min(SEARCH_SECONDS, budget.remaining / 2)
        found = probabilistic_representation_size(C, error, failure, pool, time_limit=left)
        proved = found.representation
    else:
        H = read_hypotheses(file.removeprefix("@"), C, budget)
        proved = (
            representation_error(H, C)
            if isinstance(H, HypothesisSet)
            else failure_probability(H, C, error)
        )
    proved.check()
    return proved


def two_points(learner: RepresentationLearner, C: ConceptClass, budget: Budget) -> Answer:
    """Return the rigorous failure probability on the worst target with two points."""
    found, reason = None, "the time limit was over"
    try:
        mass = min(learner.accuracy * 11 / 10, Fraction(1))
        with budget, budget.heard():
            found = hard_two_points(learner, C, mass)
    except InstanceTooLargeError as error:
        reason = str(error)
    if found is None:
        return {}, [("two points", f"not added up: {reason}")]
    target, failure = found
    names = [show_label(C.points[x]) for x in target.points]
    data = {
        "points": names,
        "labels": list(target.labels),
        "masses": [str(mass) for mass in target.masses],
        "failure": float_bounds(failure.lower, failure.upper),
    }
    shown = ", ".join(
        f"Pr({name} labelled {label}) = {mass}"
        for name, label, mass in zip(names, target.labels, target.masses, strict=True)
    )
    proved = f"failure probability at most {rounded_up(failure.upper)}, proved, for {shown}"
    return {"two_points": data}, [("two points", proved)]
