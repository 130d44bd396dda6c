"""Dimensions of finite classes, teaching numbers and query complexities."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.dimensions.compression import (
        CompressionBound,
        CompressionResult,
        CompressionScheme,
        compression_size,
    )
    from ccsim.dimensions.domain import (
        EffectiveDomainSize,
        RepresentativeDomain,
        effective_domain_size,
        representative_domain,
    )
    from ccsim.dimensions.exhaustion import AllClasses, all_classes
    from ccsim.dimensions.littlestone import LittlestoneResult, littlestone_dimension
    from ccsim.dimensions.mistake_trees import LittlestoneRefutation, MistakeTree, RefutationEntry
    from ccsim.dimensions.mistakes import (
        OfflineMistakesResult,
        SelfDirectedResult,
        offline_mistakes,
        self_directed_complexity,
    )
    from ccsim.dimensions.multiclass.graph import GraphDimensionResult, graph_dimension
    from ccsim.dimensions.multiclass.littlestone import (
        MulticlassLittlestoneResult,
        multiclass_littlestone_dimension,
    )
    from ccsim.dimensions.multiclass.natarajan import NatarajanResult, natarajan_dimension
    from ccsim.dimensions.multiclass.pseudo_cubes import DSResult, ds_dimension
    from ccsim.dimensions.queries import QueryComplexityResult, query_complexity
    from ccsim.dimensions.randomized_littlestone import (
        RandomizedLittlestoneResult,
        most_randomized_littlestone,
        randomized_littlestone_dimension,
    )
    from ccsim.dimensions.summary import DimensionsResult, dimensions
    from ccsim.dimensions.teaching.hollow_star import HollowStarResult, hollow_star_number
    from ccsim.dimensions.teaching.no_clash import (
        NoClashBound,
        NoClashResult,
        no_clash_teaching_dimension,
    )
    from ccsim.dimensions.teaching.sets import (
        RecursiveTeachingResult,
        TeachingResult,
        recursive_teaching_dimension,
        teaching_dimension,
    )
    from ccsim.dimensions.teaching.star import StarResult, star_number
    from ccsim.dimensions.threshold import ThresholdResult, threshold_dimension
    from ccsim.dimensions.vc import DualVCResult, VCResult, dual_vc_dimension, vc_dimension

__all__ = [
    "AllClasses",
    "CompressionBound",
    "CompressionResult",
    "CompressionScheme",
    "DSResult",
    "DimensionsResult",
    "DualVCResult",
    "EffectiveDomainSize",
    "GraphDimensionResult",
    "HollowStarResult",
    "LittlestoneRefutation",
    "LittlestoneResult",
    "MistakeTree",
    "MulticlassLittlestoneResult",
    "NatarajanResult",
    "NoClashBound",
    "NoClashResult",
    "OfflineMistakesResult",
    "QueryComplexityResult",
    "RandomizedLittlestoneResult",
    "RecursiveTeachingResult",
    "RefutationEntry",
    "RepresentativeDomain",
    "SelfDirectedResult",
    "StarResult",
    "TeachingResult",
    "ThresholdResult",
    "VCResult",
    "all_classes",
    "compression_size",
    "dimensions",
    "ds_dimension",
    "dual_vc_dimension",
    "effective_domain_size",
    "graph_dimension",
    "hollow_star_number",
    "littlestone_dimension",
    "most_randomized_littlestone",
    "multiclass_littlestone_dimension",
    "natarajan_dimension",
    "no_clash_teaching_dimension",
    "offline_mistakes",
    "query_complexity",
    "randomized_littlestone_dimension",
    "recursive_teaching_dimension",
    "representative_domain",
    "self_directed_complexity",
    "star_number",
    "teaching_dimension",
    "threshold_dimension",
    "vc_dimension",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
