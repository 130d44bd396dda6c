"""The picture that shows a result best, for notebooks."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from ccsim.communication.minimax import ErrorCurve, MinimaxResult
from ccsim.dimensions import DimensionsResult, LittlestoneResult
from ccsim.learning.least_failure import PrivateSampleComplexity
from ccsim.pictures.equivalence import draw_equivalence
from ccsim.pictures.errors import MOST_INPUTS, draw_errors, draw_proofs
from ccsim.pictures.mistake_tree import draw_mistake_tree
from ccsim.pictures.samples import draw_sample_complexity
from ccsim.representation.equivalence import EquivalenceTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVELS = 4
"""Levels of a tree that fit a notebook."""


@singledispatch
def natural_picture(_: object) -> Axes | None:
    """Return the picture of a result on new axes, or None if it has none."""
    return None


@natural_picture.register(LittlestoneResult)
def _(result: LittlestoneResult) -> Axes | None:
    if result.tree is None:
        return None
    return draw_mistake_tree(result.concept_class, result.tree, levels=_LEVELS)


@natural_picture.register(DimensionsResult)
def _(result: DimensionsResult) -> Axes | None:
    return natural_picture(result.littlestone)


@natural_picture.register(MinimaxResult)
def _(result: MinimaxResult) -> Axes | None:
    sides = len(result.problem.alice), len(result.problem.bob)
    return draw_proofs(result) if max(sides) <= MOST_INPUTS else None


@natural_picture.register(ErrorCurve)
def _(result: ErrorCurve) -> Axes | None:
    return draw_errors(result) if result else None


@natural_picture.register(EquivalenceTable)
def _(result: EquivalenceTable) -> Axes:
    return draw_equivalence(result)


@natural_picture.register(PrivateSampleComplexity)
def _(result: PrivateSampleComplexity) -> Axes:
    return draw_sample_complexity(result)
