"""Pictures of results, drawn with matplotlib.

Each function draws on the axes ``ax``, or on the axes of a new figure, and returns the axes. It
raises `DomainError` if matplotlib is not installed. `save_figure` writes SVG, PNG, PDF or TikZ. No
picture depends on colours only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.pictures.equivalence import draw_equivalence
    from ccsim.pictures.errors import draw_errors, draw_proofs
    from ccsim.pictures.figures import save_figure
    from ccsim.pictures.measures import draw_measure
    from ccsim.pictures.mistake_tree import draw_mistake_tree
    from ccsim.pictures.privacy import draw_privacy
    from ccsim.pictures.protocol import draw_protocol
    from ccsim.pictures.samples import Curve, draw_curves, draw_sample_complexity, draw_samples
    from ccsim.pictures.trade_off import draw_trade_off

__all__ = [
    "Curve",
    "draw_curves",
    "draw_equivalence",
    "draw_errors",
    "draw_measure",
    "draw_mistake_tree",
    "draw_privacy",
    "draw_proofs",
    "draw_protocol",
    "draw_sample_complexity",
    "draw_samples",
    "draw_trade_off",
    "save_figure",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
