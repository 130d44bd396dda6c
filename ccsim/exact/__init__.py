"""Exact arithmetic: fractions, distributions, intervals and logarithms."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
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
    from ccsim.exact.steps import StepFunction

__all__ = [
    "Distribution",
    "Epsilon",
    "Interval",
    "LogSum",
    "RoundedTable",
    "StepFunction",
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

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals(), Law="Distribution")
