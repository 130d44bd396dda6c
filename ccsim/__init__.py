"""One-way communication complexity and private learning on small finite instances, exactly.

The names below are the ones that users may rely on; the packages hold more. A result carries its
instance, its value and a proof of each direction: ``result.check()`` checks both, and
``result.certificate().write(path)`` writes them for ``proofs-check verify``.

Glossary: a *concept class* is a set of Boolean functions (rows) over points (columns); its
*evaluation problem* gives Alice a concept and Bob a point. A *one-way protocol* with ``k`` messages
costs ``ceil(log2 k)`` bits. A set of hypotheses *represents* a class with error ``eps`` when every
concept has, under every distribution over points, a hypothesis there with error at most ``eps``.

Implementation notes: a name is imported when it is asked for, so that a program that needs one
floor does not wait for the solvers of another.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccsim.classes import (
        ConceptClass,
        all_functions,
        balls,
        boxes,
        decision_stumps,
        halfspaces,
        intervals,
        k_points,
        lines,
        parities,
        points,
        polynomials,
        random_class,
        thresholds,
        unions,
    )
    from ccsim.communication import (
        CommunicationProblem,
        DeterministicProtocol,
        PrivateCoinProtocol,
        PublicCoinProtocol,
        amplify,
        augmented_index,
        augmented_index_error,
        augmented_index_reduction,
        communication_complexity,
        distributional_error,
        equality,
        equality_error,
        error_curve,
        error_table,
        evaluation_problem,
        expected_error,
        fewest_seeds,
        greater_than,
        greater_than_lower_bound,
        index,
        index_error,
        index_lower_bound,
        minimax_error,
        newman,
        simulate,
        worst_error,
    )
    from ccsim.dimensions import (
        MistakeTree,
        dual_vc_dimension,
        effective_domain_size,
        littlestone_dimension,
        representative_domain,
        standard_optimal_algorithm,
        threshold_dimension,
        vc_dimension,
    )
    from ccsim.errors import (
        CcsimError,
        CertificateError,
        DomainError,
        InstanceTooLargeError,
        NotDecidedError,
        UnreadableInputError,
    )
    from ccsim.instances import parse_instance
    from ccsim.learning import learning_lower_bound, private_sample_complexity
    from ccsim.privacy import audit
    from ccsim.release import release_lower_bound
    from ccsim.representation import (
        HypothesisSet,
        ProbabilisticRepresentation,
        boost,
        deterministic_representation_size,
        equivalence_table,
        failure_of,
        failure_probability,
        fix_sets,
        from_private_coin_protocol,
        from_public_coin_protocol,
        inner_product_representation,
        is_minimal_representation,
        least_failure,
        probabilistic_representation_size,
        projective_plane_representation,
        random_set_system,
        reed_solomon_representation,
        representation_error,
        thinned_plane_representation,
        to_private_coin_protocol,
        to_public_coin_protocol,
    )

__all__ = [
    "CcsimError",
    "CertificateError",
    "CommunicationProblem",
    "ConceptClass",
    "DeterministicProtocol",
    "DomainError",
    "HypothesisSet",
    "InstanceTooLargeError",
    "MistakeTree",
    "NotDecidedError",
    "PrivateCoinProtocol",
    "ProbabilisticRepresentation",
    "PublicCoinProtocol",
    "UnreadableInputError",
    "all_functions",
    "amplify",
    "audit",
    "augmented_index",
    "augmented_index_error",
    "augmented_index_reduction",
    "balls",
    "boost",
    "boxes",
    "communication_complexity",
    "decision_stumps",
    "deterministic_representation_size",
    "distributional_error",
    "dual_vc_dimension",
    "effective_domain_size",
    "equality",
    "equality_error",
    "equivalence_table",
    "error_curve",
    "error_table",
    "evaluation_problem",
    "expected_error",
    "failure_of",
    "failure_probability",
    "fewest_seeds",
    "fix_sets",
    "from_private_coin_protocol",
    "from_public_coin_protocol",
    "greater_than",
    "greater_than_lower_bound",
    "halfspaces",
    "index",
    "index_error",
    "index_lower_bound",
    "inner_product_representation",
    "intervals",
    "is_minimal_representation",
    "k_points",
    "learning_lower_bound",
    "least_failure",
    "lines",
    "littlestone_dimension",
    "minimax_error",
    "newman",
    "parities",
    "parse_instance",
    "points",
    "polynomials",
    "private_sample_complexity",
    "probabilistic_representation_size",
    "projective_plane_representation",
    "random_class",
    "random_set_system",
    "reed_solomon_representation",
    "release_lower_bound",
    "representation_error",
    "representative_domain",
    "simulate",
    "standard_optimal_algorithm",
    "thinned_plane_representation",
    "threshold_dimension",
    "thresholds",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
    "unions",
    "vc_dimension",
    "worst_error",
]

_FLOORS = (
    "errors",
    "privacy",
    "classes",
    "dimensions",
    "communication",
    "representation",
    "learning",
    "instances",
    "release",
)
"""Where the names are, from the lowest floor to the highest."""


if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy

    def __getattr__(name: str) -> object:
        if name in __all__:
            for floor in _FLOORS:
                module = import_module(f"ccsim.{floor}")
                if name in module.__all__:
                    return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
