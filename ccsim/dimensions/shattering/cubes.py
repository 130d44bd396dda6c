"""A long search for a shattered set as cubes: each has a few chosen columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from ccsim.budget import Budget, OutOfWorkError
from ccsim.dimensions.shattering.growing import (
    Case,
    Growing,
    Moves,
    counting_search,
    rows_cut_to,
    trace_search,
)
from ccsim.parallel.cubes import solved

_CUBES = 150
_FIRST_WORK = 1 << 20
"""Words looked at by each of two searches of a cube, before the better one is chosen."""
_TURN = 1 << 34  # words looked at by the better search before it is the turn of the other one
_FORMS = ("counting", "extension")


class Shattering:
    """A search that answers a cube with a shattered set, or with None if there is none."""

    def __init__(self, shared: dict[str, Any]) -> None:
        columns = [int(column, 16) for column in shared["columns"]]
        self._methods = _methods(columns, *(shared[k] for k in ("height", "size", "moves")))
        if shared["form"] == _FORMS[1]:
            self._methods.reverse()

    def __call__(self, cube: Sequence[Any], budget: Budget) -> tuple[int, ...] | None:
        """Return a shattered set of the cube."""
        works = (_TURN << 3 * turn for turn in count())
        return _in_turn(self._methods, Case(*cube), works, budget)[1]


def found_in_cubes(
    columns: Sequence[int], height: int, size: int, moves: Moves, budget: Budget
) -> tuple[str, tuple[int, ...] | None]:
    """Return a form of proof and a shattered set, or None if there is none of this size."""
    methods = _methods(columns, height, size, moves)
    cubes = methods[0].divided(_CUBES, budget)
    if not cubes:
        return _FORMS[0], None
    works = (_FIRST_WORK << 2 * turn for turn in count())
    better, found = _in_turn(methods, cubes[len(cubes) // 2], works, budget)
    if found is not None:
        return _FORMS[better], found
    shared = {
        "columns": [f"{column:x}" for column in columns],
        "height": height,
        "size": size,
        "moves": moves,
        "form": _FORMS[better],
    }
    results = solved(Shattering, shared, cubes, budget)
    return _FORMS[better], next((tuple(each) for each in results if each is not None), None)


def _methods(columns: Sequence[int], height: int, size: int, moves: Moves) -> list[Growing]:
    rows, width = rows_cut_to(range(len(columns)), columns, height), len(columns)
    counting = counting_search(columns, height, size, moves)
    return [counting, trace_search(rows, width, size, moves)]


def _in_turn(
    methods: Sequence[Growing], case: Case, works: Iterator[int], budget: Budget
) -> tuple[int, tuple[int, ...] | None]:
    """Return the number of the first search that ends, and its result."""
    for work in works:
        for number, method in enumerate(methods):
            try:
                return number, method.find_in(case, budget.share(work=work))
            except OutOfWorkError:
                continue
    raise AssertionError  # the works never end
