"""Communication: problems, one-way and two-way protocols, their errors, and minimax errors."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.communication.closed_forms.equality import (
        EqualityValue,
        equality_error,
        equality_limit,
    )
    from ccsim.communication.closed_forms.greater_than import (
        external_path_length,
        greater_than_hard_distribution,
        greater_than_lower_bound,
    )
    from ccsim.communication.closed_forms.index import (
        AugmentedIndexValue,
        IndexValue,
        augmented_index_error,
        code_error,
        index_error,
        index_lower_bound,
    )
    from ccsim.communication.distributional import (
        DistributionalResult,
        DistributionProof,
        distributional_error,
    )
    from ccsim.communication.given import ProblemLike, as_problem
    from ccsim.communication.hard_distribution import HardDistribution
    from ccsim.communication.interactive.results import (
        MODELS,
        InteractiveCurve,
        InteractiveErrorResult,
    )
    from ccsim.communication.minimax import (
        COINS,
        DEFAULT_GAP,
        ComplexityResult,
        ErrorCurve,
        MinimaxResult,
        communication_complexity,
        error_curve,
        minimax_error,
    )
    from ccsim.communication.mistake_bounds import (
        LittlestoneBound,
        littlestone_bound,
    )
    from ccsim.communication.private_coins.boxes import BoxTree
    from ccsim.communication.private_coins.theorems import (
        RadonPartitions,
        chain_of_rows,
        radon_partitions,
        two_message_error,
        two_messages_suffice,
    )
    from ccsim.communication.problem import (
        CommunicationProblem,
        augmented_index,
        disjointness,
        equality,
        evaluation_problem,
        gap_hamming,
        greater_than,
        index,
        inner_product,
    )
    from ccsim.communication.products import and_power, tensor, xor_power
    from ccsim.communication.protocols.by_rules import ProtocolByRules, SimulationResult, simulate
    from ccsim.communication.protocols.conversions import (
        AmplifiedProtocol,
        NewmanResult,
        amplify,
        newman,
        newman_seeds,
        repetitions_for,
        send_seed,
    )
    from ccsim.communication.protocols.interactive import InteractiveProtocol
    from ccsim.communication.protocols.one_way import OneWayProtocol, Transcript
    from ccsim.communication.protocols.play import Play, PlayedMessage
    from ccsim.communication.protocols.procedural import ProceduralProtocol
    from ccsim.communication.protocols.simultaneous import SimultaneousProtocol
    from ccsim.communication.protocols.symmetric import SymmetricMixture
    from ccsim.communication.protocols.tables import (
        DeterministicProtocol,
        PrivateCoinProtocol,
        PublicCoinProtocol,
        SymmetricProtocol,
        protocol_certificate,
    )
    from ccsim.communication.protocols.two_party import (
        TwoPartyProtocol,
        WorstInput,
        error_on,
        error_table,
        expected_error,
        worst_error,
    )
    from ccsim.communication.protocols.two_way import PublicCoinTwoWayProtocol, Turn, TwoWayProtocol
    from ccsim.communication.seeds import FewestSeeds, fewest_seeds
    from ccsim.communication.sign_ranks import SignRankResult, sign_rank

__all__ = [
    "COINS",
    "DEFAULT_GAP",
    "MODELS",
    "AmplifiedProtocol",
    "AugmentedIndexValue",
    "BoxTree",
    "CommunicationProblem",
    "ComplexityResult",
    "DeterministicProtocol",
    "DistributionProof",
    "DistributionalResult",
    "EqualityValue",
    "ErrorCurve",
    "FewestSeeds",
    "HardDistribution",
    "IndexValue",
    "InteractiveCurve",
    "InteractiveErrorResult",
    "InteractiveProtocol",
    "LittlestoneBound",
    "MinimaxResult",
    "NewmanResult",
    "OneWayProtocol",
    "Play",
    "PlayedMessage",
    "PrivateCoinProtocol",
    "ProblemLike",
    "ProceduralProtocol",
    "ProtocolByRules",
    "PublicCoinProtocol",
    "PublicCoinTwoWayProtocol",
    "RadonPartitions",
    "SignRankResult",
    "SimulationResult",
    "SimultaneousProtocol",
    "SymmetricMixture",
    "SymmetricProtocol",
    "Transcript",
    "Turn",
    "TwoPartyProtocol",
    "TwoWayProtocol",
    "WorstInput",
    "amplify",
    "and_power",
    "as_problem",
    "augmented_index",
    "augmented_index_error",
    "chain_of_rows",
    "code_error",
    "communication_complexity",
    "disjointness",
    "distributional_error",
    "equality",
    "equality_error",
    "equality_limit",
    "error_curve",
    "error_on",
    "error_table",
    "evaluation_problem",
    "expected_error",
    "external_path_length",
    "fewest_seeds",
    "gap_hamming",
    "greater_than",
    "greater_than_hard_distribution",
    "greater_than_lower_bound",
    "index",
    "index_error",
    "index_lower_bound",
    "inner_product",
    "littlestone_bound",
    "minimax_error",
    "newman",
    "newman_seeds",
    "protocol_certificate",
    "radon_partitions",
    "repetitions_for",
    "send_seed",
    "sign_rank",
    "simulate",
    "tensor",
    "two_message_error",
    "two_messages_suffice",
    "worst_error",
    "xor_power",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals(), sorts_chain="two_messages_suffice")
