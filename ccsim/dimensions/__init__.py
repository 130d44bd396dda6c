"""VC, dual VC, Littlestone and threshold dimension of finite classes, with proofs of the bounds."""

from ccsim.dimensions.domain import (
    RepresentativeDomain,
    effective_domain_size,
    representative_domain,
)
from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.mistake_tree import MistakeTree
from ccsim.dimensions.refutation import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.summary import DimensionsResult, dimensions
from ccsim.dimensions.threshold_chains import ThresholdResult, threshold_dimension
from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension

__all__ = [
    "DimensionsResult",
    "DualVCResult",
    "LittlestoneRefutation",
    "LittlestoneResult",
    "MistakeTree",
    "RefutationEntry",
    "RepresentativeDomain",
    "ThresholdResult",
    "VCResult",
    "dimensions",
    "dual_vc_dimension",
    "effective_domain_size",
    "littlestone_dimension",
    "representative_domain",
    "threshold_dimension",
    "vc_dimension",
]
