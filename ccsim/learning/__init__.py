"""Private PAC learning: learners, their sample sizes, and lower bounds."""

from ccsim.learning.learner import (
    DrawnSample,
    Hypothesis,
    Learner,
    LearningTrial,
    TabledSample,
    Target,
    learning_trial,
)
from ccsim.learning.learners.lines import LineLearner, StableLineLearner
from ccsim.learning.learners.noisy_points import (
    NoisyConsistentPoint,
    SubsampledPoint,
)
from ccsim.learning.learners.occam import PrivateOccam
from ccsim.learning.learners.points import (
    ApproximatePointLearner,
    CodePointLearner,
    ConstantPointLearner,
    NonprivatePointLearner,
    ProperPointLearner,
    least_point_samples,
)
from ccsim.learning.learners.public_points import (
    LabelPrivateLearner,
    LabelPrivateOccam,
    PublicPointsOccam,
    SemiPrivateLearner,
    SemiPrivateOccam,
)
from ccsim.learning.learners.representation import (
    OccamLearner,
    PublicCoinOccam,
    RepresentationLearner,
    two_point_failure,
)
from ccsim.learning.learners.thresholds import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
    threshold_agreement,
)
from ccsim.learning.least_failure import (
    LeastPrivateFailure,
    PrivateSampleComplexity,
    least_private_failure,
    private_sample_complexity,
)
from ccsim.learning.packing import (
    LearningPacking,
    PackingBound,
    learning_lower_bound,
    packing_bound,
)
from ccsim.learning.worst_failure import WorstFailure, worst_failure

__all__ = [
    "ApproximatePointLearner",
    "CodePointLearner",
    "ConstantPointLearner",
    "DrawnSample",
    "ExponentialThresholdLearner",
    "Hypothesis",
    "LabelPrivateLearner",
    "LabelPrivateOccam",
    "Learner",
    "LearningPacking",
    "LearningTrial",
    "LeastPrivateFailure",
    "LineLearner",
    "NoisyConsistentPoint",
    "NonprivatePointLearner",
    "OccamLearner",
    "PackingBound",
    "PrivateOccam",
    "PrivateSampleComplexity",
    "ProperPointLearner",
    "PublicCoinOccam",
    "PublicPointsOccam",
    "RecConcaveThresholdLearner",
    "RepresentationLearner",
    "SemiPrivateLearner",
    "SemiPrivateOccam",
    "StableLineLearner",
    "SubsampledPoint",
    "TabledSample",
    "Target",
    "WorstFailure",
    "learning_lower_bound",
    "learning_trial",
    "least_point_samples",
    "least_private_failure",
    "packing_bound",
    "private_sample_complexity",
    "threshold_agreement",
    "two_point_failure",
    "worst_failure",
]
