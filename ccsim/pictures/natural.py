"""The picture of a result that notebooks show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ccsim.communication.interactive.results import InteractiveCurve, InteractiveErrorResult
from ccsim.communication.minimax import ErrorCurve, MinimaxResult
from ccsim.communication.problem import CommunicationProblem
from ccsim.dimensions import DimensionsResult, LittlestoneResult
from ccsim.learning.least_failure import PrivateSampleComplexity
from ccsim.measures import MeasureResult
from ccsim.pictures.equivalence import draw_equivalence
from ccsim.pictures.errors import draw_errors, draw_proofs
from ccsim.pictures.matrix import MOST_INPUTS
from ccsim.pictures.measures import DRAWN, draw_measure
from ccsim.pictures.mistake_tree import draw_mistake_tree
from ccsim.pictures.samples import draw_sample_complexity
from ccsim.representation.equivalence import EquivalenceTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEVELS = 4  # levels of a tree that fit a notebook


def natural_picture(result: object) -> Axes | None:
    """Return the picture of a result on new axes, or None if there is none."""
    draw = next((_DRAWN[kind] for kind in type(result).__mro__ if kind in _DRAWN), None)
    return None if draw is None else draw(result)


def _tree(result: LittlestoneResult) -> Axes | None:
    if result.tree is None:
        return None
    return draw_mistake_tree(result.concept_class, result.tree, levels=_LEVELS)


def _fits(problem: CommunicationProblem) -> bool:
    return max(len(problem.alice), len(problem.bob)) <= MOST_INPUTS


def _proofs(result: MinimaxResult | InteractiveErrorResult) -> Axes | None:
    return draw_proofs(result) if _fits(result.problem) else None


def _measure(result: MeasureResult) -> Axes | None:
    return draw_measure(result) if result.measure in DRAWN and _fits(result.problem) else None


_DRAWN: Mapping[type, Callable[[Any], Axes | None]] = MappingProxyType(
    {
        LittlestoneResult: _tree,
        DimensionsResult: lambda result: natural_picture(result.littlestone),
        MeasureResult: _measure,
        MinimaxResult: _proofs,
        InteractiveErrorResult: _proofs,
        ErrorCurve: lambda result: draw_errors(result) if result else None,
        InteractiveCurve: lambda result: draw_errors(result) if result else None,
        EquivalenceTable: draw_equivalence,
        PrivateSampleComplexity: draw_sample_complexity,
    }
)
