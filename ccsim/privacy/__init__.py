"""Private mechanisms as exact output laws, and the auditor that compares them.

Probabilities are fractions where they are rational, and otherwise rational functions of a power of
``e``; both are compared exactly.
"""

from ccsim.privacy.audit import AuditResult, Verdict, Violation, audit, privacy_curve
from ccsim.privacy.composition import advanced_composition, basic_composition
from ccsim.privacy.hard_packings import learning_lower_bound
from ccsim.privacy.hidden_points import Distinguisher, FeedbackGenerator, distinguish
from ccsim.privacy.independent_noise import IndependentNoise, reconstruction_failure
from ccsim.privacy.learner import Hypothesis, Learner, LearningTrial, learning_trial
from ccsim.privacy.least_private_failure import least_private_failure
from ccsim.privacy.line_learner import LineLearner, StableLineLearner
from ccsim.privacy.mechanism import (
    CanonicalMechanism,
    Composed,
    Mechanism,
    PostProcessed,
    Sampler,
)
from ccsim.privacy.mechanisms.exponential import ExponentialMechanism
from ccsim.privacy.mechanisms.geometric import NoisyArgmax, TruncatedGeometric
from ccsim.privacy.mechanisms.laplace import NoisyThreshold, laplace_tail
from ccsim.privacy.mechanisms.opendp import OpenDPSampler
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.privacy.mechanisms.stability import StableMode
from ccsim.privacy.mechanisms.subsampling import Subsampled, keeping_rate
from ccsim.privacy.neighbours import neighbouring_databases
from ccsim.privacy.noisy_points import NoisyConsistentPoint, SubsampledPoint
from ccsim.privacy.occam import PrivateOccam
from ccsim.privacy.packing import LearningPacking
from ccsim.privacy.packing_bounds import PackingBound, packing_bound
from ccsim.privacy.point_learners import (
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    ProperPointLearner,
)
from ccsim.privacy.private_failure import LeastFailure
from ccsim.privacy.private_sample_complexity import (
    PrivateSampleComplexity,
    private_sample_complexity,
)
from ccsim.privacy.reconstruction import (
    LightReconstruction,
    SwitchReconstruction,
    least_candidates,
)
from ccsim.privacy.release_bound import ReleaseBound, release_lower_bound
from ccsim.privacy.representation_learner import PublicCoinOccam, RepresentationLearner
from ccsim.privacy.sample import DrawnSample, TabledSample, Target
from ccsim.privacy.two_point_failure import two_point_failure
from ccsim.privacy.worst_failure import WorstFailure, worst_failure

__all__ = [
    "AuditResult",
    "CanonicalMechanism",
    "CodePointLearner",
    "Composed",
    "ConstantPointLearner",
    "Distinguisher",
    "DrawnSample",
    "ExponentialMechanism",
    "FeedbackGenerator",
    "Hypothesis",
    "IndependentNoise",
    "Learner",
    "LearningPacking",
    "LearningTrial",
    "LeastFailure",
    "LightReconstruction",
    "LineLearner",
    "Mechanism",
    "NoisyArgmax",
    "NoisyConsistentPoint",
    "NoisyThreshold",
    "NonprivatePointLearner",
    "OpenDPSampler",
    "PackingBound",
    "PostProcessed",
    "PrivateOccam",
    "PrivateSampleComplexity",
    "ProperPointLearner",
    "PublicCoinOccam",
    "RandomizedResponse",
    "ReleaseBound",
    "RepresentationLearner",
    "Sampler",
    "StableLineLearner",
    "StableMode",
    "Subsampled",
    "SubsampledPoint",
    "SwitchReconstruction",
    "TabledSample",
    "Target",
    "TruncatedGeometric",
    "Verdict",
    "Violation",
    "WorstFailure",
    "advanced_composition",
    "audit",
    "basic_composition",
    "distinguish",
    "keeping_rate",
    "laplace_tail",
    "learning_lower_bound",
    "learning_trial",
    "least_candidates",
    "least_private_failure",
    "neighbouring_databases",
    "packing_bound",
    "privacy_curve",
    "private_sample_complexity",
    "reconstruction_failure",
    "release_lower_bound",
    "two_point_failure",
    "worst_failure",
]
