"""VC, Littlestone, threshold and teaching dimensions of finite classes, with proofs."""

from ccsim.dimensions.counting_bounds import (
    largest_dual_dimension,
    most_labellings,
    most_representatives,
)
from ccsim.dimensions.domain import (
    EffectiveDomainSize,
    RepresentativeDomain,
    effective_domain_size,
    representative_domain,
)
from ccsim.dimensions.exhaustion import AllClasses, all_classes
from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.mistake_trees.refutation import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.mistake_trees.tree import MistakeTree
from ccsim.dimensions.randomized_littlestone import (
    RandomizedLittlestoneResult,
    mean_depth_program,
    most_randomized_littlestone,
    randomized_littlestone_dimension,
)
from ccsim.dimensions.standard_optimal_algorithm import (
    MistakeGame,
    StandardOptimalAlgorithm,
    standard_optimal_algorithm,
    tree_adversary,
)
from ccsim.dimensions.summary import DimensionsResult, dimensions
from ccsim.dimensions.teaching.no_clash import (
    NoClashBound,
    NoClashResult,
    no_clash_teaching_dimension,
)
from ccsim.dimensions.teaching.recursive import (
    RecursiveTeachingResult,
    recursive_teaching_dimension,
)
from ccsim.dimensions.teaching.sets import TeachingResult, teaching_dimension
from ccsim.dimensions.teaching.star import StarResult, star_number
from ccsim.dimensions.threshold import ThresholdResult, threshold_dimension
from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension

__all__ = [
    "AllClasses",
    "DimensionsResult",
    "DualVCResult",
    "EffectiveDomainSize",
    "LittlestoneRefutation",
    "LittlestoneResult",
    "MistakeGame",
    "MistakeTree",
    "NoClashBound",
    "NoClashResult",
    "RandomizedLittlestoneResult",
    "RecursiveTeachingResult",
    "RefutationEntry",
    "RepresentativeDomain",
    "StandardOptimalAlgorithm",
    "StarResult",
    "TeachingResult",
    "ThresholdResult",
    "VCResult",
    "all_classes",
    "dimensions",
    "dual_vc_dimension",
    "effective_domain_size",
    "largest_dual_dimension",
    "littlestone_dimension",
    "mean_depth_program",
    "most_labellings",
    "most_randomized_littlestone",
    "most_representatives",
    "no_clash_teaching_dimension",
    "randomized_littlestone_dimension",
    "recursive_teaching_dimension",
    "representative_domain",
    "standard_optimal_algorithm",
    "star_number",
    "teaching_dimension",
    "threshold_dimension",
    "tree_adversary",
    "vc_dimension",
]
