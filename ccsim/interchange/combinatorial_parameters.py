"""Values in the format of the Combinatorial Parameters Database, proved for small members.

The database (https://github.com/obousquet/Combinatorial-Parameters) contains values for families.
Each record of this module lists the members for which its value is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from math import ceil, log2
from types import MappingProxyType
from typing import Any

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.dimensions.littlestone import littlestone_dimension
from ccsim.dimensions.teaching.no_clash import no_clash_teaching_dimension
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension, teaching_dimension
from ccsim.dimensions.teaching.star import star_number
from ccsim.dimensions.threshold import threshold_dimension
from ccsim.dimensions.vc import dual_vc_dimension, vc_dimension
from ccsim.errors import DomainError, NotDecidedError

_FIRST_ID = 100_000  # far from the numbers that the database has given away


def collected_classes() -> dict[str, tuple[str, str, dict[int, ConceptClass]]]:
    """Return small members of the first nine classes of the Combinatorial Parameters Database.

    Returns
    -------
    dict
        A mapping from the short name of a class to its name, its variable, and its members by the
        value of the variable. Of the class Addressing, the members with a complete code are
        returned; of blockwise addressing, the member with ``d = 2``.

    Examples
    --------
    >>> name, variable, members = collected_classes()["singletons"]
    >>> name, variable, members[3].rows
    ('Singletons', 'n', (1, 2, 4))
    >>> len(collected_classes())
    9
    """
    names: dict[str, tuple[str, Iterable[int], Callable[[int], Masks]]] = {
        "trivial_concepts": ("Trivial concepts", range(1, 7), lambda n: ({0, (1 << n) - 1}, n)),
        "singletons": ("Singletons", range(1, 7), lambda n: ((1 << i for i in range(n)), n)),
        "full_cube": ("Full Cube", range(1, 5), lambda n: (range(1 << n), n)),
        "singletons_plus_empty_set": (
            "Singletons plus empty set",
            range(1, 7),
            lambda n: ([0, *(1 << i for i in range(n))], n),
        ),
        "halfintervals": (
            "Half-intervals",
            range(1, 7),
            lambda n: (((2 << i) - 1 for i in range(n)), n),
        ),
        "tagged_singletons": ("Tagged Singletons", range(2, 7), _tagged),
        "majority": (
            "Majority",
            range(1, 5),
            lambda n: ((s | (2 * s.bit_count() > n) << n for s in range(1 << n)), n + 1),
        ),
        "addressing": (
            "Addressing",
            (2, 4, 8),
            lambda n: ((1 << i | i << n for i in range(n)), n + ceil(log2(n))),
        ),
        "blockwiseaddressing": ("Blockwise-Addressing", (2,), _blockwise),
    }

    def member(masks: Iterable[int], width: int) -> ConceptClass:
        return ConceptClass.from_rows(sorted(masks), range(1, width + 1))

    return {
        short: (name, "d" if rows is _blockwise else "n", {n: member(*rows(n)) for n in sizes})
        for short, (name, sizes, rows) in names.items()
    }


Masks = tuple[Iterable[int], int]
"""Concepts as bit masks (bit ``i - 1`` is point ``i``), and the number of points."""


def _tagged(n: int) -> Masks:
    """Return the class of Maass and Turan; sums of ``n 2^-j`` are computed in units of ``2^-r``."""
    r = ceil(log2(n))
    rows = {0, *(1 << n + tag for tag in range(r))}
    for i in range(1, n + 1):
        reached = (
            tag
            for tag in range(1, r + 1)
            if (i - r - 1) << r <= sum(n << r - j for j in range(1, tag + 1))
        )
        rows.add(1 << i - 1 | 1 << n + next(reached) - 1)
    return rows, n + r


def _blockwise(d: int) -> Masks:
    """Return the class over the points ``z``, ``x``, ``y``; concept ``i`` has the bits of ``i``."""
    m = 1 << d
    rows = []
    for i in range(m):
        single, blocks = 1 << i, sum(i << d * block for block in range(m // d))
        rows += [single << 1 | blocks << 1 + m, 1 | blocks << 1 | single << 1 + m]
    return rows, 1 + 2 * m


def _thresholds(C: ConceptClass, budget: Budget) -> tuple[Any, int]:
    """Return the threshold dimension as defined in the database, where a threshold may be empty."""
    full = 1 << len(C.points)
    wider = ConceptClass.from_rows([row | full for row in C.rows], range(len(C.points) + 1))
    result = threshold_dimension(wider, time_limit=budget)
    return result, result.lower - 1


_Proved = Callable[[ConceptClass, Budget], tuple[Any, int]]


def _of(dimension: Callable[..., Any]) -> _Proved:
    def proved(C: ConceptClass, budget: Budget) -> tuple[Any, int]:
        result = dimension(C, time_limit=budget)
        return result, int(result.lower)

    return proved


_PARAMETERS: Mapping[str, tuple[str, _Proved]] = MappingProxyType(
    {
        "size": ("Size", lambda C, _: (None, len(C.rows))),
        "vc_dimension": ("VC Dimension", _of(vc_dimension)),
        "dual_vc_dimension": ("Dual VC Dimension", _of(dual_vc_dimension)),
        "littlestone_dimension": ("Littlestone Dimension", _of(littlestone_dimension)),
        "threshold_dimension": ("Threshold Dimension", _thresholds),
        "star_number": ("Star number", _of(star_number)),
        "teaching_dimension": ("Teaching Dimension", _of(teaching_dimension)),
        "recursive_teaching_dimension": (
            "Recursive Teaching Dimension",
            _of(recursive_teaching_dimension),
        ),
        "noclashing_teaching_dimension": (
            "No-Clashing Teaching Dimension",
            _of(no_clash_teaching_dimension),
        ),
    }
)
"""The proved parameters: their short names and their names in the database."""


@checked_types
def value_records(
    short_name: str,
    name: str,
    members: Mapping[int, ConceptClass],
    variable: str = "n",
    *,
    first_id: int = _FIRST_ID,
    time_limit: TimeLimit = None,
) -> list[dict[str, object]]:
    r"""Return records of the size, dimensions and teaching parameters of a class.

    Parameters
    ----------
    short_name, name : str
        Names of the class in the database.
    members : mapping of int to ConceptClass
        Non-empty members of the family by the value of its variable.
    variable : str
        Name of the variable in the formulas.
    first_id : int
        Number of the first record.
    time_limit : float or Budget, optional
        Seconds in total.

    Returns
    -------
    list of dict
        Records in the format `data/values/schema.json` of the database. Each record is the content
        of a file ``ID_PARAMETER_CLASS.json``.

    Raises
    ------
    DomainError
        If there are no members, or a member is empty.
    NotDecidedError
        If the time limit ends before all values are known.

    Examples
    --------
    >>> name, variable, members = collected_classes()["singletons"]
    >>> records = value_records("singletons", name, members, variable)
    >>> records[1]["short_name"], records[1]["value"]
    ('vc_dimension_singletons', '$0$ for $n=1$, $1$ for $2\\le n\\le 6$')
    """
    if not members or any(not C.rows or not C.points for C in members.values()):
        raise DomainError("members must be one or more classes, each with a concept and a point")
    budget = Budget.of(time_limit)
    records = []
    for number, (parameter, (title, prove)) in enumerate(_PARAMETERS.items()):
        values = {}
        for n, C in sorted(members.items()):
            result, values[n] = prove(C, budget)
            if result is None:
                continue
            if result.lower != result.upper:
                raise NotDecidedError(
                    f"{title} of {name}, {variable} = {n}, is undecided; raise the time limit"
                )
            result.check()
        shown = _range(variable, list(values))
        records.append(
            {
                "id": first_id + number,
                "name": f"{title} of {name}",
                "short_name": f"{parameter}_{short_name}",
                "class_id": f"#classes/{short_name}",
                "parameter_id": f"#parameters/{parameter}",
                "value": _formula(variable, values),
                "details": f"Proved only for {shown}.",
                "status": "established",
                "proof": f"Computed for {shown} by ccsim, with checked proofs of both bounds of "
                "each value.",
            }
        )
    return records


def _formula(variable: str, values: Mapping[int, int]) -> str:
    r"""Return values in the notation of the database, each with the members that have it."""
    runs = groupby(values, key=values.__getitem__)
    return ", ".join(f"${value}$ for {_range(variable, [*run])}" for value, run in runs)


def _range(variable: str, members: list[int]) -> str:
    r"""Return the values of a variable in the notation of the database."""
    if len(members) == 1:
        return f"${variable}={members[0]}$"
    if members == list(range(members[0], members[-1] + 1)):
        return f"${members[0]}\\le {variable}\\le {members[-1]}$"
    return f"${variable}\\in\\{{{','.join(map(str, members))}\\}}$"
