"""Private release of data: what it needs, mechanisms that do it, and how far they are off."""

from ccsim.release.lower_bound import ReleaseBound, release_lower_bound, sanitizer_lower_bound
from ccsim.release.rectangles import RectangleLearner
from ccsim.release.sanitizer import (
    QueryError,
    max_point_error,
    max_query_error,
    max_threshold_error,
)

__all__ = [
    "QueryError",
    "RectangleLearner",
    "ReleaseBound",
    "max_point_error",
    "max_query_error",
    "max_threshold_error",
    "release_lower_bound",
    "sanitizer_lower_bound",
]
