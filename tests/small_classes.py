"""Small classes that many tests use, with their known dimensions."""

import numpy as np

from ccsim.classes import (
    ConceptClass,
    all_functions,
    decision_stumps,
    intervals,
    k_points,
    lines,
    parities,
    points,
    random_class,
    thresholds,
)

__all__ = [
    "DIMENSIONS",
    "EMPTY",
    "NOTHING",
    "NO_POINTS",
    "ONE",
    "all_classes",
    "bare",
    "columns_of",
    "random_classes",
    "rows_of",
]

EMPTY = ConceptClass((0, 1), (), ())
NO_POINTS = ConceptClass((), (0,), (0,))
NOTHING = ConceptClass((), (), ())
ONE = ConceptClass((0, 1), ("only",), (2,))


def bare(rows, num_points):
    """Return the class with the given rows, without a name."""
    return ConceptClass.from_rows(list(rows), range(num_points))


def all_classes(num_points):
    """Return all classes over the points, including the empty class."""
    functions = range(1 << num_points)
    for chosen in range(1 << len(functions)):
        yield bare([f for f in functions if chosen >> f & 1], num_points)


def random_classes(number, seed, most=12, max_points=6):
    """Return random classes of 1 to `most` concepts over 1 to `max_points` points."""
    rng = np.random.default_rng(seed)
    for i in range(number):
        n = int(rng.integers(1, max_points + 1))
        yield random_class(int(rng.integers(1, min(most, 1 << n) + 1)), n, seed=seed + i)


def rows_of(C):
    """Return the concepts as texts of 0 and 1."""
    return tuple("".join(str(C.value(c, x)) for x in range(len(C.points))) for c in range(len(C)))


def columns_of(C):
    """Return the points as texts of 0 and 1."""
    return tuple("".join(str(C.value(c, x)) for c in range(len(C))) for x in range(len(C.points)))


_INTERVALS = {
    2: (1, 2),
    3: (1, 2),
    4: (2, 3),
    5: (2, 3),
    6: (2, 4),
    7: (2, 4),
    8: (2, 4),
    16: (2, 6),
}
_DUALS_OF_INTERVALS = {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2, 8: 3}

DIMENSIONS = {
    EMPTY: (-1, 0, -1, -1),
    NO_POINTS: (0, -1, 0, 0),
    NOTHING: (-1, -1, -1, -1),
    ONE: (0, 1, 0, 1),
    **{thresholds(b): (min(b, 1), min(b, 1), b, 1 << b) for b in range(9)},
    **{points(b): (min(b, 1), min(b, 1), min(b, 1), 1) for b in range(7)},
    **{lines(p): (2, 2, 2, 2) for p in (2, 3, 5, 7)},
    **{k_points(b, 2): (2, 2, 2, 2) for b in (2, 3, 4)},
    k_points(3, 3): (3, 2, 3, 3),
    k_points(3, 4): (4, 3, 4, 4),
    k_points(3, 3).dual(): (2, 3, 2, 3),
    **{parities(k): (k, k, k, k) for k in range(1, 7)},
    **{decision_stumps(p): (p.bit_length() - 1, p, p.bit_length() - 1, None) for p in range(1, 9)},
    **{all_functions(n): (n, n.bit_length() - 1, n, n) for n in range(11)},
    **{intervals(n): (2, dual, littlestone, n) for n, (dual, littlestone) in _INTERVALS.items()},
    **{thresholds(b).dual(): (min(b, 1), min(b, 1), b, 1 << b) for b in range(1, 7)},
    **{intervals(n).dual(): (_INTERVALS[n][0], 2, d, n) for n, d in _DUALS_OF_INTERVALS.items()},
}
"""The VC, dual VC, Littlestone and threshold dimension of classes, as far as they are known."""
