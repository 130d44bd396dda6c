"""Families of multiclass concept classes."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import comb

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.families.elementary import power_of_two
from ccsim.classes.multiclass import MulticlassConceptClass
from ccsim.errors import DomainError
from ccsim.texts.labelled import MOST_ENTRIES, check_entries

_MOST = 1 << 10  # points or labels


def _check_number(value: int, least: int, family: str, parameter: str) -> None:
    """Refuse a parameter outside its range."""
    if not least <= value <= _MOST:
        raise DomainError(f"{family}: {parameter} must be between {least} and {_MOST}, not {value}")


@checked_types
def all_labellings(n: int, k: int, *, time_limit: TimeLimit = None) -> MulticlassConceptClass:
    """Return all ``k**n`` functions from ``n`` points to ``k`` labels.

    Parameters
    ----------
    n : int
        Number of points, from 0 to 1024.
    k : int
        Number of labels, from 1 to 1024.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.

    Examples
    --------
    >>> len(all_labellings(2, 3))
    9
    """
    _check_number(n, 0, "all_labellings", "n")
    _check_number(k, 1, "all_labellings", "k")
    name = f"all_labellings:n={n},k={k}"
    check_entries(k**n if n * k.bit_length() < 100 else MOST_ENTRIES + 1, n, name)
    rows = [*Budget.of(time_limit).each(product(range(k), repeat=n))]
    return MulticlassConceptClass.from_matrix(rows, range(n), None, range(k), name)


@checked_types
def monotone_labellings(n: int, k: int, *, time_limit: TimeLimit = None) -> MulticlassConceptClass:
    """Return the non-decreasing functions from ``n`` ordered points to the labels below ``k``.

    These are thresholds with ``k`` labels; for ``k = 2`` they are thresholds.

    Parameters
    ----------
    n : int
        Number of points, from 0 to 1024.
    k : int
        Number of labels, from 1 to 1024.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.

    Examples
    --------
    >>> monotone_labellings(2, 2).rows
    ((0, 0), (0, 1), (1, 1))
    """
    _check_number(n, 0, "monotone_labellings", "n")
    _check_number(k, 1, "monotone_labellings", "k")
    name = f"monotone_labellings:n={n},k={k}"
    check_entries(comb(n + k - 1, n), n, name)
    rows = [*Budget.of(time_limit).each(combinations_with_replacement(range(k), n))]
    return MulticlassConceptClass.from_matrix(rows, range(n), None, range(k), name)


@checked_types
def label_cycle(k: int) -> MulticlassConceptClass:
    """Return the ``2 k`` pairs of labels that form a cycle: ``(i, i)`` and ``(i, i + 1 mod k)``.

    Each concept has a neighbour on each of the two points. For ``k`` at least 3, the DS dimension
    is 2 and the Natarajan dimension 1.

    Parameters
    ----------
    k : int
        Number of labels, from 2 to 1024.

    Examples
    --------
    >>> label_cycle(3).rows
    ((0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0))
    """
    _check_number(k, 2, "label_cycle", "k")
    rows = [(i, (i + step) % k) for i in range(k) for step in (0, 1)]
    return MulticlassConceptClass.from_matrix(rows, range(2), None, range(k), f"label_cycle:k={k}")


@checked_types
def first_cantor(n: int) -> MulticlassConceptClass:
    """Return the first Cantor class: a set of points is the label of its points.

    For each subset of the ``n`` points there is a concept. It labels the points of the subset with
    the subset, and all other points with ``"none"``. The Natarajan dimension is 1, the graph
    dimension ``n``.

    Parameters
    ----------
    n : int
        Number of points, from 1 to 17.

    Notes
    -----
    Source: Daniely, Sabato, Ben-David and Shalev-Shwartz (2015), "Multiclass learnability and the
    ERM principle".

    Examples
    --------
    >>> C = first_cantor(2)
    >>> C.concepts, [C.value(3, x) for x in (0, 1)], C.value(1, 1)
    (('{}', '{0}', '{1}', '{0,1}'), ['{0,1}', '{0,1}'], 'none')
    """
    size = power_of_two(n, "first_cantor", "n")
    _check_number(n, 1, "first_cantor", "n")
    check_entries(size, n, f"first_cantor:n={n}")
    sets = ["{" + ",".join(str(x) for x in range(n) if A >> x & 1) + "}" for A in range(size)]
    rows = [[A if A >> x & 1 else 0 for x in range(n)] for A in range(size)]
    labels = ("none", *sets[1:])
    return MulticlassConceptClass(
        tuple(range(n)), tuple(sets), labels, tuple(map(tuple, rows)), f"first_cantor:n={n}"
    )
