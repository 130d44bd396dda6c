"""Exact arithmetic: fractions, distributions, intervals, logarithms, linear programs."""

from ccsim.exact.binomial import binomial_tail, clopper_pearson
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
from ccsim.exact.law import Law

__all__ = [
    "Epsilon",
    "Interval",
    "Law",
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
