"""Pictures of results, drawn with matplotlib.

Each function draws on the axes ``ax``, or on the axes of a new figure, and returns the axes. It
raises `DomainError` if matplotlib is not installed. `save_figure` writes SVG, PNG, PDF or TikZ. No
picture depends on colours only.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccsim.pictures.equivalence import draw_equivalence
    from ccsim.pictures.errors import draw_errors, draw_proofs
    from ccsim.pictures.figures import save_figure
    from ccsim.pictures.measures import draw_measure
    from ccsim.pictures.mistake_tree import draw_mistake_tree
    from ccsim.pictures.privacy import draw_privacy
    from ccsim.pictures.protocol import draw_protocol
    from ccsim.pictures.samples import Curve, draw_curves, draw_sample_complexity, draw_samples

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
    "save_figure",
]

_HOMES = MappingProxyType(
    dict.fromkeys(("Curve", "draw_curves", "draw_sample_complexity", "draw_samples"), "samples")
    | {"draw_equivalence": "equivalence", "draw_mistake_tree": "mistake_tree"}
    | {"draw_measure": "measures"}
    | {"draw_errors": "errors", "draw_proofs": "errors"}
    | {"draw_protocol": "protocol"}
    | {"draw_privacy": "privacy", "save_figure": "figures"}
)
"""The module of each public name."""


def __getattr__(name: str) -> object:
    """Import a name at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Return the available names."""
    return sorted(__all__)
