"""Finite Boolean concept classes, the families of the papers, and their readers."""

from ccsim.classes.concept_class import MAX_ENTRIES, ConceptClass, Label
from ccsim.classes.families import (
    all_functions,
    decision_stumps,
    intervals,
    k_points,
    lines,
    parities,
    points,
    random_class,
    thresholds,
)

__all__ = [
    "MAX_ENTRIES",
    "ConceptClass",
    "Label",
    "all_functions",
    "decision_stumps",
    "intervals",
    "k_points",
    "lines",
    "parities",
    "points",
    "random_class",
    "thresholds",
]
