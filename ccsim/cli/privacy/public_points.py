"""Learners to which a part of the sample is public, in ``ccsim learn`` and ``ccsim audit``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.cli.privacy.asked import Asked
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Epsilon
from ccsim.learning.learners.public_points.learner import LabelPrivateLearner, SemiPrivateLearner
from ccsim.learning.learners.public_points.mechanism import (
    PublicPointsOccam,
    label_neighbours,
    semi_private_neighbours,
)
from ccsim.privacy import RestrictedNeighbours

PUBLIC_POINTS_LEARNERS: Mapping[str, type[LabelPrivateLearner]] = MappingProxyType(
    {"label-private": LabelPrivateLearner, "semi-private": SemiPrivateLearner}
)
"""Learners of any class of which a part of the sample is public."""


def public_points_learner(
    name: str, asked: tuple[Fraction, Fraction, Epsilon], C: ConceptClass, budget: Budget
) -> LabelPrivateLearner:
    """Return a learner of `PUBLIC_POINTS_LEARNERS`."""
    if not C.rows:
        raise DomainError(f"{C.name} must have a concept to be learned")
    found = vc_dimension(C, time_limit=budget)
    if found.value is None:
        raise NotDecidedError(f"the VC dimension of {C.name} is at least {found.lower}")
    return PUBLIC_POINTS_LEARNERS[name](*asked, C, vc=found.value)


def label_private(C: ConceptClass, asked: Asked) -> tuple[PublicPointsOccam, RestrictedNeighbours]:
    """Return the mechanism, and the samples that differ in one label."""
    learner, size = _audited(C, asked)
    return learner, label_neighbours(learner.num_points, size)


def semi_private(C: ConceptClass, asked: Asked) -> tuple[PublicPointsOccam, RestrictedNeighbours]:
    """Return the mechanism, and the samples that differ in one example behind the public ones."""
    learner, size = _audited(C, asked)
    return learner, semi_private_neighbours(size, learner.public)


def _audited(C: ConceptClass, asked: Asked) -> tuple[PublicPointsOccam, int]:
    if asked.samples is None:
        raise DomainError("give --samples, the entries of a database")
    public, scale = asked.integer("public", 1), asked.given.pop("scale", Fraction(1))
    return PublicPointsOccam(len(C.points), C.rows, public, asked.epsilon, scale), asked.samples


def what_is_private(neighbours: object) -> str | None:
    """Say in which part of a database neighbours differ; None if in any."""
    if not isinstance(neighbours, RestrictedNeighbours):
        return None
    return "labels" if neighbours.groups else f"examples behind the first {neighbours.public}"
