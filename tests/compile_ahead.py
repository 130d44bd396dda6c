"""Compile, and keep, the functions that tests run compiled; `tests/conftest.py` starts it once."""

from ccsim.budget import Budget
from ccsim.classes import intervals, unions
from ccsim.communication import greater_than
from ccsim.communication.private_coins.bounds import _values
from ccsim.communication.private_coins.relations.dependency_search import DependencySearch
from ccsim.communication.private_coins.relations.games import CompiledGames
from ccsim.communication.private_coins.simplex_search import SimplexSearch
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.dimensions import littlestone_dimension
from ccsim.dimensions.shattering.compiled import CompiledShattering
from ccsim.dimensions.shattering.counting.compiled import steps as compiled_steps
from ccsim.dimensions.shattering.counting.search import CountingSearch


def compile_all() -> None:
    """Call each of them with arguments of the types that they have in every call."""
    for method in ("compiled", "numba"):
        littlestone_dimension(unions(9, 2), method=method)
    littlestone_dimension(intervals(8), method="dense")
    CompiledShattering([0, 5, 3, 2, 7, 1], 3, 2).find(Budget())
    search = CountingSearch([0b10101010, 0b11001100, 0b11110000], 8, 3)
    search.find(Budget())  # in C, where it can be
    extend, advance = compiled_steps(search.stack, 3)
    extend(0, 0, 2)
    advance(1, 1)
    reduced = reduce_problem(greater_than(3))
    SimplexSearch(reduced, _values(reduced), 2, 0.33).grow(20)
    DependencySearch(reduced, _values(reduced), 2, 0.33, (), CompiledGames).grow(20)


if __name__ == "__main__":
    compile_all()
