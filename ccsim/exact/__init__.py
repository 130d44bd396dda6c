"""Exact arithmetic: fractions, distributions, intervals and logarithms."""

import warnings
from typing import Any

from ccsim.exact.binomial import binomial_tail, clopper_pearson
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import (
    RoundedTable,
    as_fraction,
    ceil_log2,
    common_denominator,
    fractions_of,
    probability_vector,
)
from ccsim.exact.intervals import Interval, LogSum, binary_entropy, compare, enclose

__all__ = [
    "Distribution",
    "Epsilon",
    "Interval",
    "LogSum",
    "RoundedTable",
    "as_fraction",
    "binary_entropy",
    "binomial_tail",
    "ceil_log2",
    "clopper_pearson",
    "common_denominator",
    "compare",
    "enclose",
    "fractions_of",
    "probability_vector",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any object of the module
    if name != "Law":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    message = f"{__name__}.Law is deprecated, use {__name__}.Distribution instead"
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return Distribution
