"""Finite Boolean concept classes, the families of the papers, and their readers."""

from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.balls import balls
from ccsim.classes.families.boxes import boxes
from ccsim.classes.families.elementary import (
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
from ccsim.classes.families.halfspaces import halfspaces
from ccsim.classes.families.polynomials import polynomials
from ccsim.classes.families.unions import unions
from ccsim.classes.given import ClassLike, as_class
from ccsim.texts.labels import MAX_ENTRIES, Label

__all__ = [
    "MAX_ENTRIES",
    "ClassLike",
    "ConceptClass",
    "Label",
    "all_functions",
    "as_class",
    "balls",
    "boxes",
    "decision_stumps",
    "halfspaces",
    "intervals",
    "k_points",
    "lines",
    "parities",
    "points",
    "polynomials",
    "random_class",
    "thresholds",
    "unions",
]
