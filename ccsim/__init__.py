"""One-way communication complexity and private learning on small finite instances, exactly.

The names below are the ones that users may rely on; the packages hold more. A result carries its
instance, its value and a proof of each direction: ``result.check()`` checks both, and
``result.certificate().write(path)`` writes them for ``proofs-check verify``.

Glossary: a *concept class* is a set of Boolean functions (rows) over points (columns); its
*evaluation problem* gives Alice a concept and Bob a point. A *one-way protocol* with ``k`` messages
costs ``ceil(log2 k)`` bits. A set of hypotheses *represents* a class with error ``eps`` when every
concept has, under every distribution over points, a hypothesis there with error at most ``eps``.
"""

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
    augmented_index_reduction,
    communication_complexity,
    distributional_error,
    equality,
    error_table,
    evaluation_problem,
    expected_error,
    greater_than,
    index,
    minimax_error,
    newman,
    simulate,
    worst_error,
)
from ccsim.dimensions import (
    MistakeTree,
    dual_vc_dimension,
    littlestone_dimension,
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
from ccsim.representation import (
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_probability,
    from_private_coin_protocol,
    from_public_coin_protocol,
    representation_error,
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
    "augmented_index",
    "augmented_index_reduction",
    "balls",
    "boxes",
    "communication_complexity",
    "decision_stumps",
    "distributional_error",
    "dual_vc_dimension",
    "equality",
    "error_table",
    "evaluation_problem",
    "expected_error",
    "failure_probability",
    "from_private_coin_protocol",
    "from_public_coin_protocol",
    "greater_than",
    "halfspaces",
    "index",
    "intervals",
    "k_points",
    "lines",
    "littlestone_dimension",
    "minimax_error",
    "newman",
    "parities",
    "parse_instance",
    "points",
    "polynomials",
    "random_class",
    "representation_error",
    "simulate",
    "thresholds",
    "to_private_coin_protocol",
    "to_public_coin_protocol",
    "unions",
    "vc_dimension",
    "worst_error",
]
