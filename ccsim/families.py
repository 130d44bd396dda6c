"""The families of concept classes and communication problems, as functions of integers.

``ccsim.families.lines(5)`` is the instance with the INSTANCE text ``lines:p=5``. Other packages
register their families as entry points of the group ``ccsim.families``; these are attributes of
this module, too. ``dir(ccsim.families)`` and the command ``ccsim families`` list all families.

Implementation notes: a family is imported at its first use.

Examples
--------
>>> import ccsim.families
>>> print(ccsim.families.lines(5))
lines:p=5: 25 concepts over 25 points
"""

# ruff: isort: skip_file

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ccsim.texts.built_in import FUNCTIONS

if TYPE_CHECKING:  # the names of the table, for type checkers
    from ccsim.classes.families.elementary import (
        all_functions as all_functions,
        decision_stumps as decision_stumps,
        intervals as intervals,
        k_points as k_points,
        lines as lines,
        parities as parities,
        points as points,
        polynomials as polynomials,
        random_class as random_class,
        some_functions as some_functions,
        thresholds as thresholds,
        unions as unions,
    )
    from ccsim.classes.families.grids import balls as balls, boxes as boxes
    from ccsim.classes.families.grids import halfspaces as halfspaces
    from ccsim.communication.problem import (
        augmented_index as augmented_index,
        disjointness as disjointness,
        equality as equality,
        gap_hamming as gap_hamming,
        greater_than as greater_than,
        index as index,
        inner_product as inner_product,
    )


if not TYPE_CHECKING:
    __all__ = [*FUNCTIONS]

    def __getattr__(name: str) -> object:
        if name in FUNCTIONS:
            module = FUNCTIONS[name].partition(":")[0]
            return globals().setdefault(name, getattr(import_module(module), name))
        from ccsim.texts.registry import FAMILIES, find_family

        if name in FAMILIES.names():
            return find_family(name).build
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        from ccsim.texts.registry import FAMILIES

        return sorted({*FUNCTIONS, *FAMILIES.names()})
