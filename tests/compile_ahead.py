"""Compile, and keep, the functions that tests run compiled; `tests/conftest.py` starts it once."""

from ccsim.communication import greater_than
from ccsim.communication.private_coins.bounds import _values
from ccsim.communication.private_coins.relations.dependency_search import DependencySearch
from ccsim.communication.private_coins.relations.games import CompiledGames
from ccsim.communication.private_coins.simplex_search import SimplexSearch
from ccsim.communication.public_coins.domination import reduce_problem


def compile_all() -> None:
    """Call each of them with arguments of the types that they have in every call."""
    reduced = reduce_problem(greater_than(3))
    SimplexSearch(reduced, _values(reduced), 2, 0.33).grow(20)
    DependencySearch(reduced, _values(reduced), 2, 0.33, (), CompiledGames).grow(20)


if __name__ == "__main__":
    compile_all()
