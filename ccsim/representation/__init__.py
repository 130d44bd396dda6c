"""Representations of concept classes, and their equivalence with one-way protocols."""

from ccsim.representation.conversion import (
    ConvertedProtocol,
    from_private_coin_protocol,
    from_public_coin_protocol,
    to_private_coin_protocol,
    to_public_coin_protocol,
)
from ccsim.representation.deterministic import (
    ConceptError,
    RepresentationResult,
    concept_error,
    representation_error,
)
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.probabilistic import FailureResult, failing_weight, failure_probability
from ccsim.representation.selection import Selection, select

__all__ = [
    "ConceptError",
    "ConvertedProtocol",
    "FailureResult",
    "HypothesisSet",
    "ProbabilisticRepresentation",
    "RepresentationResult",
    "Selection",
    "concept_error",
    "failing_weight",
    "failure_probability",
    "from_private_coin_protocol",
    "from_public_coin_protocol",
    "representation_error",
    "select",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
]
