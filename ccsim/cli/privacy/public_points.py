"""Learners to which a part of the sample is public, in ``ccsim learn``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions import vc_dimension
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import Epsilon
from ccsim.learning.learners.public_points import LabelPrivateLearner, SemiPrivateLearner

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
