"""Compile, and keep, the functions that tests run compiled; `tests/conftest.py` starts it once."""

from ccsim.budget import Budget
from ccsim.classes import intervals, unions
from ccsim.communication.partitions.tables import cheapest_classes
from ccsim.dimensions import littlestone_dimension
from ccsim.dimensions.shattering.compiled import CompiledShattering


def compile_all() -> None:
    """Call each of them with arguments of the types that they have in every call."""
    for method in ("compiled", "numba"):
        littlestone_dimension(unions(9, 2), method=method)
    littlestone_dimension(intervals(8), method="dense")
    CompiledShattering([0, 5, 3, 2, 7, 1], 3, 2).find(Budget())
    weights = [[(5 * x + 3 * y) % 11 - 5 for y in range(8)] for x in range(16)]
    for messages in (2, 3, 4):
        cheapest_classes(weights, messages)


if __name__ == "__main__":
    compile_all()
