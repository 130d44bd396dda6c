"""Representations of concept classes, and their equivalence with one-way protocols."""

from ccsim.representation.constructions import (
    PointRepresentation,
    RandomSetSystem,
    inner_product_representation,
    plane_lines,
    projective_plane_representation,
    random_set_system,
    reed_solomon_representation,
    single_points,
    thinned_plane_representation,
)
from ccsim.representation.conversion import (
    BoostedRepresentation,
    ConvertedProtocol,
    FixedSets,
    NamingError,
    boost,
    fix_sets,
    from_private_coin_protocol,
    from_public_coin_protocol,
    to_private_coin_protocol,
    to_public_coin_protocol,
)
from ccsim.representation.equivalence import EquivalenceTable, equivalence_table
from ccsim.representation.error import (
    ConceptError,
    RepresentationResult,
    Selection,
    concept_error,
    representation_error,
    select,
)
from ccsim.representation.failure import (
    FailureResult,
    failing_weight,
    failure_of,
    failure_probability,
)
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.lower_bounds import (
    SizeLowerBound,
    counting_bound,
    littlestone_size_bound,
    separation_bound,
)
from ccsim.representation.minimality import MinimalityResult, is_minimal_representation, minimality
from ccsim.representation.random_sets import (
    FailureCurve,
    LeastFailureResult,
    ProbabilisticSizeResult,
    failure_curve,
    least_failure,
    probabilistic_representation_size,
)
from ccsim.representation.size import DeterministicSizeResult, deterministic_representation_size

__all__ = [
    "BoostedRepresentation",
    "ConceptError",
    "ConvertedProtocol",
    "DeterministicSizeResult",
    "EquivalenceTable",
    "FailureCurve",
    "FailureResult",
    "FixedSets",
    "HypothesisSet",
    "LeastFailureResult",
    "MinimalityResult",
    "NamingError",
    "PointRepresentation",
    "ProbabilisticRepresentation",
    "ProbabilisticSizeResult",
    "RandomSetSystem",
    "RepresentationResult",
    "Selection",
    "SizeLowerBound",
    "boost",
    "concept_error",
    "counting_bound",
    "deterministic_representation_size",
    "equivalence_table",
    "failing_weight",
    "failure_curve",
    "failure_of",
    "failure_probability",
    "fix_sets",
    "from_private_coin_protocol",
    "from_public_coin_protocol",
    "inner_product_representation",
    "is_minimal_representation",
    "least_failure",
    "littlestone_size_bound",
    "minimality",
    "plane_lines",
    "probabilistic_representation_size",
    "projective_plane_representation",
    "random_set_system",
    "reed_solomon_representation",
    "representation_error",
    "select",
    "separation_bound",
    "single_points",
    "thinned_plane_representation",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
]
