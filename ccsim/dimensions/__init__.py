"""VC, dual VC and Littlestone dimension of finite classes, each with a proof of both bounds."""

from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.mistake_tree import MistakeTree
from ccsim.dimensions.refutation import LittlestoneRefutation, RefutationEntry
from ccsim.dimensions.summary import DimensionsResult, dimensions
from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension

__all__ = [
    "DimensionsResult",
    "DualVCResult",
    "LittlestoneRefutation",
    "LittlestoneResult",
    "MistakeTree",
    "RefutationEntry",
    "VCResult",
    "dimensions",
    "dual_vc_dimension",
    "littlestone_dimension",
    "vc_dimension",
]
