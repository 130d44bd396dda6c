"""One-way communication complexity and private learning on small finite instances, exactly.

The names in ``__all__`` are public: objects, families, questions, functions of protocols, and
errors. A question is a function ``question(instance, parameters, *, time_limit=None, progress=None,
...)``. Its result holds the instance, the value, and a proof of each bound. ``result.check()``
checks the proofs, and ``result.certificate().write(path)`` writes them to a file for
``proofs-check verify``. ``docs/glossary.md`` defines the terms.

Implementation notes: a name is imported at its first use. ``name as name`` tells type checkers that
a name outside ``__all__`` may be imported too.
"""

# ruff: isort: skip_file

from __future__ import annotations

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use
from ccsim.texts.built_in import FUNCTIONS
from ccsim.version import __version__ as __version__

if TYPE_CHECKING:
    from ccsim.classes import ConceptClass, MulticlassConceptClass, PartialClass
    from ccsim.communication import (
        CommunicationProblem,
        DeterministicProtocol,
        PrivateCoinProtocol,
        PublicCoinProtocol,
        amplify as amplify,
        augmented_index_error as augmented_index_error,
        communication_complexity,
        distributional_error,
        equality_error as equality_error,
        error_curve,
        error_table,
        evaluation_problem,
        expected_error,
        fewest_seeds,
        greater_than_lower_bound as greater_than_lower_bound,
        index_error as index_error,
        index_lower_bound as index_lower_bound,
        minimax_error,
        newman as newman,
        sign_rank,
        simulate,
        worst_error,
    )
    from ccsim.dimensions import (
        MistakeTree,
        compression_size,
        ds_dimension,
        dual_vc_dimension,
        effective_domain_size,
        graph_dimension,
        hollow_star_number,
        littlestone_dimension,
        multiclass_littlestone_dimension,
        natarajan_dimension,
        no_clash_teaching_dimension,
        offline_mistakes,
        query_complexity,
        randomized_littlestone_dimension as randomized_littlestone_dimension,
        recursive_teaching_dimension,
        representative_domain,
        self_directed_complexity,
        star_number,
        teaching_dimension,
        threshold_dimension,
        vc_dimension,
    )
    from ccsim.errors import (
        CcsimError,
        CertificateError,
        DomainError,
        InstanceTooLargeError,
        EngineError,
        NotDecidedError,
        UnreadableInputError,
    )
    from ccsim.budget import Workers
    from ccsim.exact import fractions_of as fractions_of
    from ccsim.instances import parse_instance
    from ccsim.learning import learning_lower_bound, private_sample_complexity
    from ccsim.privacy import audit
    from ccsim.release import release_lower_bound
    from ccsim.measures import (
        bounds,
        cover_number,
        deterministic_cost,
        discrepancy,
        fooling_number,
        fractional_cover_number,
        fractional_partition_number,
        gamma_2,
        partition_bound,
        partition_number,
        protocol_size,
        rank,
        rectangle_bound,
        simultaneous_cost,
        smooth_rectangle_bound,
    )
    from ccsim.representation import (
        HypothesisSet,
        ProbabilisticRepresentation,
        boost as boost,
        deterministic_representation_size,
        equivalence_table,
        failure_curve,
        failure_of as failure_of,
        failure_probability,
        derandomize as derandomize,
        from_private_coin_protocol as from_private_coin_protocol,
        from_public_coin_protocol as from_public_coin_protocol,
        inner_product_representation as inner_product_representation,
        is_minimal_representation,
        least_failure,
        probabilistic_representation_size,
        projective_plane_representation as projective_plane_representation,
        reed_solomon_representation as reed_solomon_representation,
        representation_error,
        to_private_coin_protocol as to_private_coin_protocol,
        to_public_coin_protocol as to_public_coin_protocol,
    )
    from ccsim.families import *

__all__ = [  # objects
    "CommunicationProblem",
    "ConceptClass",
    "DeterministicProtocol",
    "HypothesisSet",
    "MistakeTree",
    "MulticlassConceptClass",
    "PartialClass",
    "PrivateCoinProtocol",
    "ProbabilisticRepresentation",
    "PublicCoinProtocol",
    "Workers",
]
__all__ += [  # families
    *FUNCTIONS,
    "evaluation_problem",
    "parse_instance",
]
__all__ += [  # questions
    "audit",
    "bounds",
    "communication_complexity",
    "compression_size",
    "cover_number",
    "deterministic_cost",
    "deterministic_representation_size",
    "discrepancy",
    "distributional_error",
    "ds_dimension",
    "dual_vc_dimension",
    "effective_domain_size",
    "equivalence_table",
    "error_curve",
    "failure_curve",
    "failure_probability",
    "fewest_seeds",
    "fooling_number",
    "fractional_cover_number",
    "fractional_partition_number",
    "gamma_2",
    "graph_dimension",
    "hollow_star_number",
    "is_minimal_representation",
    "learning_lower_bound",
    "least_failure",
    "littlestone_dimension",
    "minimax_error",
    "multiclass_littlestone_dimension",
    "natarajan_dimension",
    "no_clash_teaching_dimension",
    "offline_mistakes",
    "partition_bound",
    "partition_number",
    "private_sample_complexity",
    "probabilistic_representation_size",
    "protocol_size",
    "query_complexity",
    "rank",
    "rectangle_bound",
    "recursive_teaching_dimension",
    "release_lower_bound",
    "representation_error",
    "representative_domain",
    "self_directed_complexity",
    "sign_rank",
    "simultaneous_cost",
    "smooth_rectangle_bound",
    "star_number",
    "teaching_dimension",
    "threshold_dimension",
    "vc_dimension",
]
__all__ += [  # working with protocols
    "error_table",
    "expected_error",
    "simulate",
    "worst_error",
]
__all__ += [  # errors
    "CcsimError",
    "CertificateError",
    "DomainError",
    "EngineError",
    "InstanceTooLargeError",
    "NotDecidedError",
    "UnreadableInputError",
]

_ELSEWHERE = (
    "amplify",
    "augmented_index_error",
    "boost",
    "equality_error",
    "failure_of",
    "derandomize",
    "fractions_of",
    "from_private_coin_protocol",
    "from_public_coin_protocol",
    "greater_than_lower_bound",
    "index_error",
    "index_lower_bound",
    "inner_product_representation",
    "newman",
    "projective_plane_representation",
    "randomized_littlestone_dimension",
    "reed_solomon_representation",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
)
"""Constructions, conversions and closed forms, which can also be imported from here."""

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, _names = names_at_first_use(
        globals(), dict.fromkeys((*FUNCTIONS, "families"), "ccsim.families"), fix_sets="derandomize"
    )

    def __dir__() -> list[str]:
        return sorted({*_names(), *_ELSEWHERE})
