"""Private release of data: what it needs, mechanisms that do it, and how far they are off."""

from ccsim.release.accuracy_bound import least_accuracy
from ccsim.release.lower_bound import (
    ReleaseBound,
    release_lower_bound,
    sanitizer_lower_bound,
)
from ccsim.release.sanitizer import (
    QueryError,
    max_point_error,
    max_query_error,
    max_threshold_error,
)
from ccsim.release.utility import Estimates, SanitizerFailure, release_failure, sanitizer_failure

__all__ = [
    "Estimates",
    "QueryError",
    "ReleaseBound",
    "SanitizerFailure",
    "least_accuracy",
    "max_point_error",
    "max_query_error",
    "max_threshold_error",
    "release_failure",
    "release_lower_bound",
    "sanitizer_failure",
    "sanitizer_lower_bound",
]
