"""Complexity measures of two-party functions: rectangles, ranks, protocol trees and norms."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.measures.questions import (
        MeasureResult,
        cover_number,
        deterministic_cost,
        discrepancy,
        fooling_number,
        fractional_cover_number,
        fractional_partition_number,
        gamma_2,
        partition_bound,
        partition_number,
        protocol_size,
        rank,
        rectangle_bound,
        simultaneous_cost,
        smooth_rectangle_bound,
    )
    from ccsim.measures.simultaneous import SimultaneousResult
    from ccsim.measures.table import BoundsTable, bounds

__all__ = [
    "BoundsTable",
    "MeasureResult",
    "SimultaneousResult",
    "bounds",
    "cover_number",
    "deterministic_cost",
    "discrepancy",
    "fooling_number",
    "fractional_cover_number",
    "fractional_partition_number",
    "gamma_2",
    "partition_bound",
    "partition_number",
    "protocol_size",
    "rank",
    "rectangle_bound",
    "simultaneous_cost",
    "smooth_rectangle_bound",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
