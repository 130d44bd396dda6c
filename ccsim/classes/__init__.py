"""Finite concept classes, Boolean and multiclass, their families, and readers of classes."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.classes.concept_class import ConceptClass
    from ccsim.classes.families.elementary import (
        all_functions,
        decision_stumps,
        intervals,
        k_points,
        lines,
        parities,
        points,
        polynomials,
        random_class,
        thresholds,
        unions,
    )
    from ccsim.classes.families.grids import balls, boxes, halfspaces
    from ccsim.classes.families.multiclass import (
        all_labellings,
        first_cantor,
        label_cycle,
        monotone_labellings,
    )
    from ccsim.classes.given import ClassLike, PartialClassLike, as_class
    from ccsim.classes.multiclass import MulticlassConceptClass, MulticlassLike, as_multiclass
    from ccsim.classes.partial import PartialClass
    from ccsim.texts.labels import MAX_ENTRIES, Label

__all__ = [
    "MAX_ENTRIES",
    "ClassLike",
    "ConceptClass",
    "Label",
    "MulticlassConceptClass",
    "MulticlassLike",
    "PartialClass",
    "PartialClassLike",
    "all_functions",
    "all_labellings",
    "as_class",
    "as_multiclass",
    "balls",
    "boxes",
    "decision_stumps",
    "first_cantor",
    "halfspaces",
    "intervals",
    "k_points",
    "label_cycle",
    "lines",
    "monotone_labellings",
    "parities",
    "points",
    "polynomials",
    "random_class",
    "thresholds",
    "unions",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
