"""Representations of concept classes, and their equivalence with one-way protocols."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.representation.constructions import (
        PointRepresentation,
        inner_product_representation,
        plane_lines,
        projective_plane_representation,
        reed_solomon_representation,
        single_points,
    )
    from ccsim.representation.conversion import (
        BoostedRepresentation,
        ConvertedProtocol,
        DerandomizedRepresentation,
        NamingError,
        boost,
        derandomize,
        from_private_coin_protocol,
        from_public_coin_protocol,
        to_private_coin_protocol,
        to_public_coin_protocol,
    )
    from ccsim.representation.equivalence import EquivalenceTable, equivalence_table
    from ccsim.representation.error import (
        ConceptError,
        MinimalityResult,
        RepresentationResult,
        Selection,
        concept_error,
        is_minimal_representation,
        minimality,
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
    from ccsim.representation.random_sets import (
        FailureCurve,
        LeastFailureResult,
        ProbabilisticSizeResult,
        failure_curve,
        least_failure,
        probabilistic_representation_size,
    )
    from ccsim.representation.size import (
        DeterministicSizeResult,
        SizeLowerBound,
        counting_bound,
        deterministic_representation_size,
        littlestone_size_bound,
        separation_bound,
    )

__all__ = [
    "BoostedRepresentation",
    "ConceptError",
    "ConvertedProtocol",
    "DerandomizedRepresentation",
    "DeterministicSizeResult",
    "EquivalenceTable",
    "FailureCurve",
    "FailureResult",
    "HypothesisSet",
    "LeastFailureResult",
    "MinimalityResult",
    "NamingError",
    "PointRepresentation",
    "ProbabilisticRepresentation",
    "ProbabilisticSizeResult",
    "RepresentationResult",
    "Selection",
    "SizeLowerBound",
    "boost",
    "concept_error",
    "counting_bound",
    "derandomize",
    "deterministic_representation_size",
    "equivalence_table",
    "failing_weight",
    "failure_curve",
    "failure_of",
    "failure_probability",
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
    "reed_solomon_representation",
    "representation_error",
    "select",
    "separation_bound",
    "single_points",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(
        globals(), FixedSets="DerandomizedRepresentation", fix_sets="derandomize"
    )
