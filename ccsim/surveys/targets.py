"""Targets for tests of learners: concepts with distributions near the accuracy threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from ccsim.budget import check_time
from ccsim.classes import ConceptClass, lines
from ccsim.classes.masks import members
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.probability import uniform_below
from ccsim.learning.learner import Target
from ccsim.release.rectangles import Rectangle

_OTHERS, _MAX_BITS = 200, 64
MAX_POINTS = 1 << 16  # maximum number of points of a class to be learned


def point_target(bits: int, mass: Fraction, rng: np.random.Generator) -> Target:
    """Return a random point function, with the given mass on its point and the rest on others."""
    if not 1 <= bits <= _MAX_BITS:
        raise DomainError(f"bits must be between 1 and {_MAX_BITS}, not {bits}")
    if not 0 <= mass <= 1:
        raise DomainError(f"mass must be between 0 and 1, not {mass}")
    others = min(_OTHERS, (1 << bits) - 1)
    points: dict[int, None] = {}
    while len(points) < others + 1:
        drawn = rng.integers(0, (1 << bits) - 1, size=others, dtype=np.uint64, endpoint=True)
        points.update(dict.fromkeys(drawn.tolist()))
    chosen = tuple(points)[: others + 1]
    masses = (mass, *[(1 - mass) / others] * others)
    return Target(chosen, masses, (1, *[0] * others))


def hard_point_targets(bits: int, accuracy: Fraction, seed: int) -> Mapping[str, Target]:
    """Return targets whose point has mass slightly below or above the accuracy, or large mass."""
    masses = accuracy / 2, min(accuracy * 11 / 10, Fraction(1)), Fraction(1, 2)
    rng = np.random.default_rng(seed)
    return {f"mass {mass} on the point": point_target(bits, mass, rng) for mass in masses}


def hard_class_targets(
    concept_class: ConceptClass, accuracy: Fraction, seed: int, *, agnostic: bool = False
) -> Mapping[str, Target]:
    """Return targets with the labels of a random concept of a class.

    The points have equal masses, or one point has mass slightly above the accuracy. For agnostic
    learning, every label is also wrong with probability 1/4.
    """
    C, m = concept_class, len(concept_class.points)
    if not len(C) or m < 2:
        raise DomainError(f"{C.name} must have at least one concept and two points")
    if m > MAX_POINTS:
        raise InstanceTooLargeError(
            f"classes are learned over at most {MAX_POINTS} points, not {m}"
        )
    rng = np.random.default_rng(seed)
    row = C.rows[int(rng.integers(len(C)))]
    first = int(rng.integers(m))
    order = (first, *(x for x in range(m) if x != first))
    mass = min(accuracy * 11 / 10, Fraction(1))
    labels = tuple(row >> x & 1 for x in order)
    distributions = {
        "all points alike": (Fraction(1, m),) * m,
        f"mass {mass} on one point": (mass, *[(1 - mass) / (m - 1)] * (m - 1)),
    }
    targets = {name: Target(order, masses, labels) for name, masses in distributions.items()}
    if agnostic:
        targets |= {f"{n}, noisy labels": _noisy(t, C) for n, t in list(targets.items())}
    return targets


def _noisy(target: Target, C: ConceptClass) -> Target:
    """Flip every label with probability 1/4."""
    flipped = tuple(1 - label for label in target.labels)
    masses = tuple(
        mass * share for share in (Fraction(3, 4), Fraction(1, 4)) for mass in target.masses
    )
    noisy = Target(target.points * 2, masses, target.labels + flipped)
    errors = []
    for row in C.rows:
        check_time()
        errors.append(noisy.error(np.array([row >> x & 1 for x in noisy.points], dtype=np.bool_)))
    return Target(noisy.points, noisy.masses, noisy.labels, min(errors))


def hard_line_targets(p: int, accuracy: Fraction, seed: int) -> Mapping[str, Target]:
    """Return hard targets for the learner of lines, labelled by a random line of ``Z_p^2``."""
    C = lines(p)
    row = C.rows[int(np.random.default_rng(seed).integers(len(C.rows)))]
    on = list(members(row))
    off = list(members(~row & (1 << p * p) - 1))
    half, few = accuracy / 2, accuracy / (2 * (p - 1))
    masses = {
        "between no and one point": [half] + [few] * (p - 1),
        "between one and two points": [Fraction(1, 4)] + [few] * (p - 1),
        "all points alike": [Fraction(1, p * p)] * p,
    }
    labels = (1,) * len(on) + (0,) * len(off)
    return {
        name: Target(
            tuple(on + off),
            (*given, *[(1 - sum(given, Fraction(0))) / len(off)] * len(off)),
            labels,
        )
        for name, given in masses.items()
    }


def threshold_targets(bits: int, near: Fraction, place: int) -> Mapping[str, Target]:
    """Return hard distributions for the threshold at ``place``, with mass ``near`` close to it."""
    end = 1 << bits
    if not 2 <= bits <= _MAX_BITS:
        raise DomainError(f"bits must be between 2 and {_MAX_BITS}, not {bits}")
    if not 0 < near <= Fraction(1, 2):
        raise DomainError(f"near mass must be positive and at most 1/2, not {near}")
    if not 1 <= place < end:
        raise DomainError(f"place must be between 1 and {end - 1}, not {place}")
    half, few = Fraction(1, 2), min(_OTHERS // 2, end // 2)
    sides = {
        "needle": [(0, near), (end, half - near)],
        "two scales": [(0, near / 2), (1 << bits // 2, near / 2), (end, half - near)],
        "slow decay": [((1 << i) >> 1, half / bits) for i in range(bits)],
        "uniform": [(i * (end // 2) // few, half / few) for i in range(few)],
    }
    return {name: _around(place, end, side) for name, side in sides.items()}


def _around(place: int, end: int, side: list[tuple[int, Fraction]]) -> Target:
    """Return the target with given masses at given distances from a place, on each side of it."""
    masses: dict[int, Fraction] = {}
    for distance, mass in side:
        for x in (max(place - 1 - distance, 0), min(place + distance, end - 1)):
            if mass:
                masses[x] = masses.get(x, Fraction(0)) + mass
    return Target(tuple(masses), tuple(masses.values()), tuple(int(x < place) for x in masses))


def hard_threshold_targets(bits: int, accuracy: Fraction, seed: int) -> Mapping[str, Target]:
    """Return targets of a random threshold, with mass just above ``accuracy / 2`` near it."""
    rng = np.random.default_rng(seed)
    place = 1 + uniform_below((1 << bits) - 1, rng)
    return threshold_targets(bits, min(accuracy * 11 / 20, Fraction(1, 2)), place)


Examples = list[tuple[tuple[int, ...], int]]


def _labelled(points: list[tuple[int, ...]], box: Rectangle) -> Examples:
    return [(point, box(point)) for point in points]


def _even(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw uniform points, about half of which are in the box."""
    end = 1 << bits
    side = int(end * 0.5 ** (1 / dimension))
    starts = [uniform_below(end - side + 1, rng) for _ in range(dimension)]
    box = Rectangle(tuple((start, start + side - 1) for start in starts))
    points = [tuple(uniform_below(end, rng) for _ in range(dimension)) for _ in range(size)]
    return _labelled(points, box)


def _scales(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw points whose coordinates are powers of two; the box contains the middle powers."""
    box = Rectangle(((1 << bits // 8, 1 << 7 * bits // 8),) * dimension)
    drawn = rng.integers(0, bits, size=(size, dimension)).tolist()
    return _labelled([tuple(1 << e for e in row) for row in drawn], box)


def _ties(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw points whose coordinates are among six values, some of which are adjacent."""
    end = 1 << bits
    values = sorted({0, end // 8, end // 4, min(end // 4 + 1, end - 1), end // 2, end - 1})
    box = Rectangle(((values[1], values[-2]),) * dimension)
    drawn = rng.integers(0, len(values), size=(size, dimension)).tolist()
    return _labelled([tuple(values[i] for i in row) for row in drawn], box)


BOX_TARGETS: Mapping[str, Callable[[int, int, int, np.random.Generator], Examples]] = (
    MappingProxyType({"even": _even, "all scales": _scales, "heavy ties": _ties})
)
"""Samplers; their arguments are the bits of a coordinate, the dimension and the sample size."""
