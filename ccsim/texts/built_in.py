"""The families, mechanisms, learners and sanitizers of ccsim by name, in the form of entry points.

This module imports nothing from ccsim; `ccsim.texts.registry` loads the objects.
"""

from __future__ import annotations

BUILT_IN: dict[str, str] = {
    "all_functions": "ccsim.classes.families.elementary:all_functions",
    "augmented_index": "ccsim.communication.problem:augmented_index",
    "balls": "ccsim.classes.families.grids:balls",
    "boxes": "ccsim.classes.families.grids:boxes",
    "decision_stumps": "ccsim.classes.families.elementary:decision_stumps",
    "disjointness": "ccsim.communication.problem:disjointness",
    "equality": "ccsim.communication.problem:equality",
    "gap_hamming": "ccsim.communication.problem:gap_hamming",
    "greater_than": "ccsim.communication.problem:greater_than",
    "halfspaces": "ccsim.classes.families.grids:halfspaces",
    "index": "ccsim.communication.problem:index",
    "inner_product": "ccsim.communication.problem:inner_product",
    "intervals": "ccsim.classes.families.elementary:intervals",
    "k_points": "ccsim.classes.families.elementary:k_points",
    "lines": "ccsim.classes.families.elementary:lines",
    "parities": "ccsim.classes.families.elementary:parities",
    "points": "ccsim.classes.families.elementary:points",
    "polynomials": "ccsim.classes.families.elementary:polynomials",
    "random": "ccsim.classes.families.elementary:random_class",
    "some_functions": "ccsim.classes.families.elementary:some_functions",
    "thresholds": "ccsim.classes.families.elementary:thresholds",
    "unions": "ccsim.classes.families.elementary:unions",
}
"""Module and function of each family, by its name in INSTANCE texts."""

MULTICLASS: dict[str, str] = {
    "all_labellings": "ccsim.classes.families.multiclass:all_labellings",
    "first_cantor": "ccsim.classes.families.multiclass:first_cantor",
    "label_cycle": "ccsim.classes.families.multiclass:label_cycle",
    "monotone_labellings": "ccsim.classes.families.multiclass:monotone_labellings",
}
"""Module and function of each family of classes with any number of labels, likewise."""

FUNCTIONS = {target.partition(":")[2]: target for target in BUILT_IN.values()}
"""The same, by the name of the function."""

MECHANISMS: dict[str, str] = {
    "a-dist": "ccsim.privacy.mechanisms.stable_choice:StableChoice",
    "blum-ligett-roth": "ccsim.release.sanitizers.synthetic:SyntheticDatabase",
    "choosing": "ccsim.privacy.mechanisms.choosing:ChoosingMechanism",
    "counted-tree": "ccsim.release.sanitizers.thresholds:CountedTree",
    "exponential": "ccsim.learning.learners.occam:PrivateOccam",
    "k-points": "ccsim.release.sanitizers.frequent_points:PointSets",
    "label-private": "ccsim.learning.learners.public_points:LabelPrivateOccam",
    "noisy-argmax": "ccsim.privacy.mechanisms.noisy_answers:NoisyArgmax",
    "quantile-tree": "ccsim.release.sanitizers.thresholds:QuantileTree",
    "randomized-response": "ccsim.privacy.mechanisms.randomized_response:RandomizedResponse",
    "rec-concave": "ccsim.privacy.mechanisms.recursive_concave:RecConcaveOnExamples",
    "san-points": "ccsim.release.sanitizers.frequent_points:SanPoints",
    "semi-private": "ccsim.learning.learners.public_points:SemiPrivateOccam",
    "stability-histogram": "ccsim.release.sanitizers.points:StabilityHistogram",
    "stable-mode": "ccsim.privacy.mechanisms.stable_choice:StableMode",
    "subsampled-point": "ccsim.learning.learners.noisy_points:SubsampledPoint",
}
"""Module and data class of each mechanism, by its name in ``ccsim audit``."""

LEARNERS: dict[str, str] = {
    "approximate-points": "ccsim.learning.learners.points:ApproximatePointLearner",
    "exponential": "ccsim.learning.learners.thresholds:ExponentialThresholdLearner",
    "improper-code": "ccsim.learning.learners.points:CodePointLearner",
    "improper-constant": "ccsim.learning.learners.points:ConstantPointLearner",
    "label-private": "ccsim.learning.learners.public_points:LabelPrivateLearner",
    "lines": "ccsim.learning.learners.lines:LineLearner",
    "nonprivate": "ccsim.learning.learners.points:NonprivatePointLearner",
    "occam": "ccsim.learning.learners.representation:OccamLearner",
    "proper": "ccsim.learning.learners.points:ProperPointLearner",
    "rec-concave": "ccsim.learning.learners.thresholds:RecConcaveThresholdLearner",
    "rectangles": "ccsim.release.rectangles:RectangleLearner",
    "representation": "ccsim.learning.learners.representation:RepresentationLearner",
    "semi-private": "ccsim.learning.learners.public_points:SemiPrivateLearner",
}
"""Module and data class of each learner, by its name in ``ccsim learn``."""

SANITIZERS: dict[str, str] = {
    "blum-ligett-roth": "ccsim.release.sanitizers.synthetic:SyntheticDatabase",
    "counted-tree": "ccsim.release.sanitizers.thresholds:CountedTree",
    "k-points": "ccsim.release.sanitizers.frequent_points:PointSets",
    "quantile-tree": "ccsim.release.sanitizers.thresholds:QuantileTree",
    "san-points": "ccsim.release.sanitizers.frequent_points:SanPoints",
    "san-thresholds": "ccsim.release.sanitizers.threshold_recursion:SanThresholds",
    "stability-histogram": "ccsim.release.sanitizers.points:StabilityHistogram",
}
"""Module and data class of each sanitizer, by its name in ``ccsim sanitize``."""
