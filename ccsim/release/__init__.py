"""Private release of data: sanitizers, their errors, and lower bounds on the number of records."""

from ccsim.release.lower_bound import ReleaseBound, release_lower_bound, sanitizer_lower_bound
from ccsim.release.rectangles import RectangleLearner
from ccsim.release.sanitizer import (
    QueryError,
    Release,
    Sanitizer,
    max_point_error,
    max_query_error,
    max_threshold_error,
)
from ccsim.release.sanitizers.frequent_points import PointSets, SanPoints
from ccsim.release.sanitizers.points import StabilityHistogram
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from ccsim.release.sanitizers.threshold_recursion import SanThresholds
from ccsim.release.sanitizers.thresholds import CountedTree, QuantileTree

__all__ = [
    "CountedTree",
    "PointSets",
    "QuantileTree",
    "QueryError",
    "RectangleLearner",
    "Release",
    "ReleaseBound",
    "SanPoints",
    "SanThresholds",
    "Sanitizer",
    "StabilityHistogram",
    "SyntheticDatabase",
    "max_point_error",
    "max_query_error",
    "max_threshold_error",
    "release_lower_bound",
    "sanitizer_lower_bound",
]
