"""Measures of one problem that bound two-way communication: covers, fooling sets, ranks, trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_check.formal.terms import listed, optional_booleans, rational
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

Certificate = Mapping[str, Any]


def measure(
    module: str,
    kind: str,
    words: tuple[str, str, str],
    *,
    of: Callable[[Certificate], tuple[str, str]] = lambda _: ("", ""),
    bound: Callable[[Any], str] = lambda v: f"{v}%N",
    question: str = "{}",
) -> Callable[[Certificate], Statement]:
    """Return a function that states a measure, given the definitions of its bounds and of equality.

    `of` returns the arguments of the definitions before and after the problem.
    """

    def statement(c: Certificate) -> Statement:
        instance = c["instance"]
        shape = f"{len(instance['alice'])} {len(instance['bob'])}"
        before, behind = of(c)
        meant = " ".join(filter(None, (before, shape, "(of_table rows)", behind, "{v}")))
        at_least, at_most, exactly = (f"{each} {meant}" for each in words)
        rows = listed(instance["rows"], optional_booleans)
        return Statement(
            module=f"OneWay Inputs {module}",
            kind=kind,
            data=(("rows", "list (list (option bool))", rows),),
            question=question.format(f"(Asked {shape} rows)", before, behind),
            bound=bound,
            at_least=at_least,
            at_most=at_most,
            exactly=exactly,
        )

    return statement


def _value(c: Certificate) -> tuple[str, str]:
    return "", "true" if c["statement"]["value"] else "false"


def _scalars(c: Certificate) -> tuple[str, str]:
    field = c["statement"]["field"]
    return "Rationals" if field == "rationals" else f"(Modulo {field.split()[1]})", ""


def _distribution(c: Certificate) -> tuple[str, str]:
    return c["statement"]["distribution"].capitalize(), ""


def _alpha(c: Certificate) -> tuple[str, str]:
    return "", rational(c["statement"]["alpha"])


def _error(c: Certificate) -> tuple[str, str]:
    return "", rational(c["statement"]["error"])


def _value_and_error(c: Certificate) -> tuple[str, str]:
    return "", f"{_value(c)[1]} {_error(c)[1]}"


def _value_and_power(c: Certificate) -> tuple[str, str]:
    return "", f"{_value(c)[1]} {c['statement']['power']}"


def _interactive(c: Certificate) -> Statement:
    """Return the statement of the minimax error of an interactive protocol."""
    limits, is_tree = c["statement"], c["kind"] == "two_way_error"
    rounds = "None" if limits.get("rounds") is None else f"(Some {limits['rounds']}%nat)"
    able = f"(by_tree {limits['bits']} {rounds})" if is_tree else f"(by_messages {limits['bits']})"
    state = measure(
        "InteractiveErrors",
        "two_way_errors" if is_tree else "simultaneous_errors",
        ("mixture_error_at_least", "mixture_errs", "mixture_error"),
        of=lambda _: (able, ""),
        bound=rational,
        question=f"Interactive {{0}} {limits['bits']} {rounds}",
    )
    return state(c)


_COVERING = "Covering {0} {2}"
WORDS: dict[str, Callable[[Certificate], Statement]] = {
    "cover_number": measure(
        "Covers CoverNumbers",
        "cover_numbers",
        ("rectangles_at_least false", "rectangles_at_most false", "cover_number"),
        of=_value,
        question=_COVERING,
    ),
    "partition_number": measure(
        "Covers CoverNumbers",
        "partition_numbers",
        ("rectangles_at_least true", "rectangles_at_most true", "partition_number"),
        of=_value,
        question=_COVERING,
    ),
    "fractional_cover_number": measure(
        "Covers",
        "fractional_covers",
        ("weights_at_least false", "weights_at_most false", "fractional_cover_number"),
        of=_value,
        bound=rational,
        question=_COVERING,
    ),
    "fractional_partition_number": measure(
        "Covers",
        "fractional_partitions",
        ("weights_at_least true", "weights_at_most true", "fractional_partition_number"),
        of=_value,
        bound=rational,
        question=_COVERING,
    ),
    "rectangle_bound": measure(
        "RectangleBounds",
        "rectangle_bounds",
        ("rectangle_bound_at_least false", "rectangle_bound_at_most false", "rectangle_bound"),
        of=_value_and_error,
        bound=rational,
        question="RectangleAsked {0} {2}",
    ),
    "smooth_rectangle_bound": measure(
        "RectangleBounds",
        "smooth_rectangle_bounds",
        ("rectangle_bound_at_least true", "rectangle_bound_at_most true", "smooth_rectangle_bound"),
        of=_value_and_error,
        bound=rational,
        question="RectangleAsked {0} {2}",
    ),
    "partition_bound": measure(
        "RectangleBounds",
        "partition_bounds",
        ("partition_bound_at_least", "partition_bound_at_most", "partition_bound"),
        of=_error,
        bound=rational,
        question="SplitAsked {0} {2}",
    ),
    "fractional_partition_of_power": measure(
        "Covers PowerPartitions PowerWeights",
        "partitions_of_powers",
        (
            "power_partition_at_least",
            "power_partition_at_most",
            "fractional_partition_of_power",
        ),
        of=_value_and_power,
        bound=rational,
        question="PowerAsked {0} {2}",
    ),
    "fooling_number": measure(
        "Covers FoolingSets",
        "fooling_sets",
        ("fooling_at_least", "fooling_at_most", "fooling_number"),
        of=_value,
        question=_COVERING,
    ),
    "rank": measure(
        "Ranks",
        "rank_of_matrix",
        ("rank_at_least", "rank_at_most", "rank"),
        of=_scalars,
        question="RankAsked {0} {1}",
    ),
    "protocol_size": measure(
        "ProtocolTrees",
        "protocol_sizes",
        ("two_way_at_least leaves", "two_way_at_most leaves", "protocol_size"),
    ),
    "deterministic_cost": measure(
        "ProtocolTrees",
        "deterministic_costs",
        ("two_way_at_least depth", "two_way_at_most depth", "deterministic_cost"),
    ),
    "two_way_error": _interactive,
    "simultaneous_error": _interactive,
    "discrepancy": measure(
        "Discrepancies",
        "discrepancies",
        ("discrepancy_at_least", "discrepancy_at_most", "discrepancy"),
        of=_distribution,
        bound=rational,
        question="DiscrepancyAsked {0} {1}",
    ),
    "gamma_2": measure(
        "FactorNorms",
        "factor_norms",
        ("gamma_2_at_least", "factorised", "gamma_2"),
        of=_alpha,
        bound=rational,
        question="NormAsked {0} {2}",
    ),
}
