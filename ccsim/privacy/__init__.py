"""Private mechanisms with exact output distributions, and their audits.

Rational probabilities are fractions; other probabilities are rational functions of a power of
``e``. All comparisons are exact.
"""

from ccsim.privacy.amplification import (
    PoissonSampled,
    SampledWithoutReplacement,
    Shuffled,
    subsampled_parameters,
)
from ccsim.privacy.audit import audit, audit_by_qualities, privacy_curve
from ccsim.privacy.audit_result import AuditResult, Verdict
from ccsim.privacy.comparisons import Violation
from ccsim.privacy.composed import (
    ComposedDelta,
    ComposedEpsilon,
    composed_delta,
    composed_epsilon,
)
from ccsim.privacy.composition import advanced_composition, basic_composition, optimal_composition
from ccsim.privacy.concentrated import ConcentratedPrivacy, concentrated_privacy
from ccsim.privacy.constructions import (
    CanonicalMechanism,
    Composed,
    Deterministic,
    FunctionMechanism,
    Mechanism,
    PostProcessed,
    Sampler,
    Subsampled,
    keeping_rate,
)
from ccsim.privacy.dominating import DominatingPair, dominating_pair
from ccsim.privacy.gaussian import GaussianPrivacy, gaussian_privacy
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism
from ccsim.privacy.mechanisms.dominant import DominantMechanism
from ccsim.privacy.mechanisms.exponential import ExponentialMechanism
from ccsim.privacy.mechanisms.noisy_answers import (
    NoisyArgmax,
    NoisyThreshold,
    TruncatedGeometric,
    laplace_tail,
)
from ccsim.privacy.mechanisms.opendp import OpenDPSampler
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.privacy.mechanisms.recursive_concave import RecConcave, RecConcaveOnExamples
from ccsim.privacy.mechanisms.stable_choice import StableChoice, StableMode
from ccsim.privacy.neighbours import (
    RestrictedNeighbours,
    neighbouring_databases,
    sensitivity,
)
from ccsim.privacy.noise_programs.enclosed import ProgramAudit
from ccsim.privacy.noise_programs.paths import Noise
from ccsim.privacy.noise_programs.program import NoiseProgram, QueryNeighbours, mechanism
from ccsim.privacy.noise_programs.values import argmax
from ccsim.privacy.qualities import ByQuality, QualityNeighbours
from ccsim.privacy.relations import (
    AddRemoveNeighbours,
    GraphNeighbours,
    KeyNeighbours,
    LabelNeighbours,
    OwnNeighbours,
    Relation,
    ReplaceNeighbours,
)
from ccsim.privacy.release_bound import ReleaseBound, least_release_lead, release_bound
from ccsim.privacy.renyi import RenyiPrivacy, renyi_privacy
from ccsim.privacy.trade_off import TradeOff, trade_off

__all__ = [
    "AddRemoveNeighbours",
    "AuditResult",
    "ByQuality",
    "CanonicalMechanism",
    "ChoosingMechanism",
    "Composed",
    "ComposedDelta",
    "ComposedEpsilon",
    "ConcentratedPrivacy",
    "Deterministic",
    "DominantMechanism",
    "DominatingPair",
    "ExponentialMechanism",
    "FunctionMechanism",
    "GaussianPrivacy",
    "GraphNeighbours",
    "KeyNeighbours",
    "LabelNeighbours",
    "Mechanism",
    "Noise",
    "NoiseProgram",
    "NoisyArgmax",
    "NoisyThreshold",
    "OpenDPSampler",
    "OwnNeighbours",
    "PoissonSampled",
    "PostProcessed",
    "ProgramAudit",
    "QualityNeighbours",
    "QueryNeighbours",
    "RandomizedResponse",
    "RecConcave",
    "RecConcaveOnExamples",
    "Relation",
    "ReleaseBound",
    "RenyiPrivacy",
    "ReplaceNeighbours",
    "RestrictedNeighbours",
    "SampledWithoutReplacement",
    "Sampler",
    "Shuffled",
    "StableChoice",
    "StableMode",
    "Subsampled",
    "TradeOff",
    "TruncatedGeometric",
    "Verdict",
    "Violation",
    "advanced_composition",
    "argmax",
    "audit",
    "audit_by_qualities",
    "basic_composition",
    "composed_delta",
    "composed_epsilon",
    "concentrated_privacy",
    "dominating_pair",
    "gaussian_privacy",
    "keeping_rate",
    "laplace_tail",
    "least_release_lead",
    "mechanism",
    "neighbouring_databases",
    "optimal_composition",
    "privacy_curve",
    "release_bound",
    "renyi_privacy",
    "sensitivity",
    "subsampled_parameters",
    "trade_off",
]
