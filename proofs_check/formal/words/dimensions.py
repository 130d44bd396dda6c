"""Statements about dimensions of concept classes, except those with mistake trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofs_check.formal.terms import labels, listed, masks
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS"]

_DIMENSION = ("dimension_at_least", "dimension_at_most", "dimension")
_ENOUGH = ("enough_at_least", "enough_at_most", "least_enough")


def dimension(
    module: str,
    kind: str,
    words: str,
    over: str = "{n} (table {n} (map bit rows))",
    *,
    forms: tuple[str, str, str] = _DIMENSION,
) -> Callable[[Mapping[str, Any]], Statement]:
    """Return a function that states a dimension, defined by the Rocq predicate `words`.

    By default, the dimension is the largest number for which the predicate holds; `forms` names the
    Rocq definitions of lower bound, upper bound and equality.
    """
    below, above, exactly = forms

    def statement(c: Mapping[str, Any]) -> Statement:
        rows, n = c["instance"]["rows"], len(c["instance"]["points"])
        number = f"({words} {over.format(n=n, height=len(rows))})"
        return Statement(
            module=module,
            kind=kind,
            data=(("rows", "list N", masks(rows)),),
            question=f"({n}%nat, rows)",
            bound=lambda v: f"({v})%Z",
            at_least=f"{below} {number} {{v}}",
            at_most=f"{above} {number} {{v}}",
            exactly=f"{exactly} {number} {{v}}",
        )

    return statement


def labelled(
    module: str,
    kind: str,
    words: str,
    over: str = "{n} (label_table rows)",
    *,
    forms: tuple[str, str, str] = _DIMENSION,
) -> Callable[[Mapping[str, Any]], Statement]:
    """Return a function that states a dimension of a partial or multiclass concept class."""
    below, above, exactly = forms

    def statement(c: Mapping[str, Any]) -> Statement:
        instance = c["instance"]
        rows, n = instance["rows"], len(instance["points"])
        number = f"({words} {over.format(n=n, height=len(rows))})"
        many = [f"{len(instance['labels'])}%N"] if "labels" in instance else []
        return Statement(
            module=module,
            kind=kind,
            data=(("rows", "list (list (option N))", f"{listed(rows, labels)}%N"),),
            question=f"({', '.join([f'{n}%nat', *many, 'rows'])})",
            bound=lambda v: f"({v})%Z",
            at_least=f"{below} {number} {{v}}",
            at_most=f"{above} {number} {{v}}",
            exactly=f"{exactly} {number} {{v}}",
        )

    return statement


WORDS = {
    "vc_dimension": dimension("VCDimension", "vc_dimension", "shattered"),
    "dual_vc_dimension": dimension(
        "VCDimension",
        "dual_vc_dimension",
        "shattered",
        "{height} (table {height} (dual {n} (map bit rows)))",
    ),
    "threshold_dimension": dimension("ThresholdDimension", "threshold_dimension", "thresholds"),
    "effective_domain": dimension("Domains", "effective_domain", "told_apart"),
    "star_number": dimension("Stars", "star_number", "star"),
    "teaching_dimension": dimension("Teaching", "teaching_dimension", "teachable", forms=_ENOUGH),
    "recursive_teaching_dimension": dimension(
        "Teaching", "recursive_teaching_dimension", "plannable", forms=_ENOUGH
    ),
    "no_clash_teaching_dimension": dimension(
        "Clashes", "no_clash_teaching_dimension", "teachable_without_clash", forms=_ENOUGH
    ),
    "partial_vc_dimension": labelled("LabelShattering", "partial_vc_dimension", "label_shattered"),
    "partial_dual_vc_dimension": labelled(
        "LabelShattering",
        "partial_dual_vc_dimension",
        "label_shattered",
        "{height} (label_table (label_dual {n} rows))",
    ),
    "natarajan_dimension": labelled("LabelShattering", "natarajan_dimension", "label_shattered"),
    "partial_littlestone_dimension": labelled(
        "LabelTrees", "partial_littlestone_dimension", "label_mistakes"
    ),
    "multiclass_littlestone_dimension": labelled(
        "LabelTrees", "multiclass_littlestone_dimension", "label_mistakes"
    ),
    "graph_dimension": labelled("GraphDimension", "graph_dimension", "graph_shattered"),
    "ds_dimension": labelled("PseudoCubes", "ds_dimension", "pseudo_cubes"),
    "partial_threshold_dimension": labelled(
        "PartialThresholds", "partial_threshold_dimension", "partial_thresholds"
    ),
    "partial_star_number": labelled("PartialStars", "partial_star_number", "partial_star"),
    "partial_teaching_dimension": labelled(
        "PartialTeaching", "partial_teaching_dimension", "partial_teachable", forms=_ENOUGH
    ),
}
