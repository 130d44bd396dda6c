"""Neighbourhoods of concepts, their hypotheses, and their permutations by symmetries of the class.

The neighbourhood of ``f`` under ``D`` is the set of hypotheses with ``Pr_D[h != f]`` at most the
error. A set represents a class exactly when it hits all neighbourhoods (`fx` Definition 4 (=2.3)).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd

from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.masks import members as places
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator
from ccsim.representation.hypotheses import check_not_empty
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry, symmetries_of
from ccsim.texts.labels import text_row

MAX_POINTS = 10
"""Maximum number of points for a search of all hypotheses. Beyond: bounds on the size."""
MAX_WEIGHTS = 1 << 22
"""Maximum number of weights of the initial neighbourhoods, which take about ten seconds."""
MOST_IMAGES = 500
"""Maximum number of listed images of a neighbourhood."""
Permutation = tuple[int, ...]  # image of each of some listed neighbourhoods, by number


@frozen
class Neighbourhood:
    """The hypotheses that are close to a concept under a distribution."""

    concept: int  # number of the concept in its class
    # weights of the points without a common divisor; a point has probability weight / total
    weights: tuple[int, ...]

    @classmethod
    def under(cls, concept: int, distribution: Sequence[Fraction]) -> Neighbourhood:
        """Return the neighbourhood under a distribution over points."""
        unit = common_denominator(distribution)
        weights = [int(p * unit) for p in distribution]
        shared = gcd(*weights)
        return cls(concept, tuple(w // shared for w in weights))

    @classmethod
    def of_point(cls, num_points: int) -> Neighbourhood:
        """Return the neighbourhood of the first concept under a distribution on the first point."""
        return cls(0, (1,) + (0,) * (num_points - 1))

    def holds(self, hypothesis: int, row: int, error: Fraction) -> bool:
        """Whether the neighbourhood contains a hypothesis; ``row`` is the concept's bit mask."""
        wrong = hypothesis ^ row
        mass = sum(w for x, w in enumerate(self.weights) if wrong >> x & 1)
        return mass * error.denominator <= error.numerator * sum(self.weights)

    def image(self, symmetry: Symmetry) -> Neighbourhood:
        """Return the image of the neighbourhood under a symmetry of the class."""
        weights = [0] * len(self.weights)
        for x, weight in enumerate(self.weights):
            weights[symmetry.columns[x]] = weight
        return Neighbourhood(symmetry.rows[self.concept], tuple(weights))


def uniform_neighbourhoods(
    concept_class: ConceptClass, error: Fraction, budget: Budget | None = None
) -> Iterator[list[Neighbourhood]]:
    """Yield lists of neighbourhoods under uniform distributions over sets of points of one size.

    Of the sizes that allow the same number of wrong points, only the largest is used. If the class
    has many points, only size 1 is used.
    """
    n = len(concept_class.points)
    allowed = [size * error.numerator // error.denominator for size in range(n + 1)]
    sizes = [s for s in range(1, n + 1) if s == n or allowed[s] < allowed[s + 1]]
    few, budget = n <= MAX_POINTS, budget or Budget()
    for size in sizes if few else [1]:
        every = range(1 << n) if few else (1 << x for x in range(n))
        distributions = [
            tuple(subset >> x & 1 for x in range(n))
            for subset in every
            if subset.bit_count() == size
        ]
        near: list[Neighbourhood] = []
        for f in range(len(concept_class)):
            budget.spend()
            near += [Neighbourhood(f, distribution) for distribution in distributions]
        yield near


def in_order(pool: Iterable[int] | None) -> tuple[int, ...] | None:
    """Return the distinct hypotheses of a pool in order; None stands for all functions."""
    if pool is None:
        return None
    rows = list(pool)
    for row in rows:
        if type(row) is not int:
            raise DomainError(f"a pool must contain hypotheses as bit masks, not {show_value(row)}")
    return tuple(sorted(set(rows)))


def hypotheses_of(concept_class: ConceptClass, pool: Iterable[int] | None) -> tuple[int, ...]:
    """Return the hypotheses that a search may use: a pool, or all functions on the points."""
    n = len(concept_class.points)
    check_not_empty(concept_class)
    weights = len(concept_class) * n * (n if n > MAX_POINTS else 1 << n)
    if weights > MAX_WEIGHTS:
        raise InstanceTooLargeError(
            f"{concept_class}: the search needs {weights} weights of neighbourhoods; the limit "
            f"is {MAX_WEIGHTS}"
        )
    if len(concept_class) ** 2 > MAX_WEIGHTS:
        raise InstanceTooLargeError(
            f"{concept_class}: the search needs {len(concept_class)}^2 weights of pairs of "
            "concepts; "
            f"the limit is {MAX_WEIGHTS}"
        )
    if pool is None:
        if n > MAX_POINTS:
            raise InstanceTooLargeError(
                f"{concept_class}: the limit of a search of all hypotheses is {MAX_POINTS} points; "
                "pass a pool of hypotheses"
            )
        return tuple(range(1 << n))
    rows = tuple(sorted(set(pool)))
    if not rows or rows[0] < 0 or rows[-1] >= 1 << n:
        raise DomainError(f"the pool must contain only hypotheses over the {n} points of the class")
    return rows


def pool_json(concept_class: ConceptClass, pool: Sequence[int] | None) -> list[str] | None:
    """Return a pool as a part of a certificate."""
    width = len(concept_class.points)
    return None if pool is None else [text_row(row, width) for row in pool]


def members_of(
    concept_class: ConceptClass, error: Fraction, pool: Sequence[int], near: Neighbourhood
) -> int:
    """Return the hypotheses of a pool in a neighbourhood, as a bit mask of their positions."""
    row = concept_class.rows[near.concept]
    if len(pool) < 1 << len(concept_class.points):
        return sum(1 << j for j, h in enumerate(pool) if near.holds(h, row, error))
    sums = [0]
    for weight in near.weights:
        sums += [total + weight for total in sums]
    allowed = sums[-1] * error.numerator // error.denominator
    return sum(1 << j for j, h in enumerate(pool) if sums[h ^ row] <= allowed)


def masks_of(
    pool: Sequence[int], members: Iterable[int], budget: Budget | None = None
) -> dict[int, int]:
    """Return the masks of the hypotheses of a pool, each with one hypothesis that has it."""
    masks, budget = [0] * len(pool), budget or Budget()
    for i, held in enumerate(members):
        budget.spend()
        for j in places(held):
            masks[j] |= 1 << i
    found: dict[int, int] = {}
    for mask, h in zip(masks, pool, strict=True):
        found.setdefault(mask, h)
    return found


def smallest(sets: Iterable[int], budget: Budget | None = None) -> set[int]:
    """Return the sets, given as bit masks, that are minimal under inclusion."""
    kept: list[int] = []
    budget = budget or Budget()
    for each in sorted(set(sets), key=int.bit_count):
        budget.spend()
        if all(other & ~each for other in kept):
            kept.append(each)
    return set(kept)


class Listing:
    """The hypotheses of a search, and the neighbourhoods listed so far with their hypotheses."""

    def __init__(
        self, concept_class: ConceptClass, error: Fraction, pool: tuple[int, ...] | None
    ) -> None:
        self._C, self._error, self._pool = concept_class, error, pool
        self._hypotheses = hypotheses_of(concept_class, pool)
        self.rows: dict[Neighbourhood, int] = {}
        self._list([Neighbourhood.of_point(len(concept_class.points))], Budget())

    def _held(self, near: Neighbourhood) -> int:
        return members_of(self._C, self._error, self._hypotheses, near)

    def _list(self, more: Iterable[Neighbourhood], budget: Budget) -> None:
        """Add neighbourhoods, and drop those that are not minimal under inclusion."""
        rows = dict(self.rows)
        for near in more:
            if near not in rows:
                budget.spend()
                rows[near] = self._held(near)
        kept = smallest(rows.values(), budget)
        self.rows = {near: held for near, held in rows.items() if held in kept}

    def _list_uniform(self, budget: Budget) -> None:
        for each in uniform_neighbourhoods(self._C, self._error, budget):
            self._list(each, budget)

    def _carried(self, shares: Mapping[Neighbourhood, float]) -> dict[Neighbourhood, float]:
        """Return a mixture with each neighbourhood replaced by a listed one that it contains."""
        result: dict[Neighbourhood, float] = {}
        for near, share in shares.items():
            place = near
            if near not in self.rows:
                held = self._held(near)
                place = next(other for other, inside in self.rows.items() if not inside & ~held)
            result[place] = result.get(place, 0.0) + share
        return result


def symmetries_fixing(
    concept_class: ConceptClass, pool: Iterable[int] | None, fixed: Sequence[int] = ()
) -> tuple[Symmetry, ...]:
    """Return generators of the symmetries of a class and a pool that fix the given hypotheses."""
    rows = concept_class.rows
    others = tuple(pool or ())
    first, last = len(rows), len(rows) + len(others)
    found = symmetries_of(
        [*rows, *others, *fixed],
        len(concept_class.points),
        apart=(range(first, last), ()),
        fixed=range(last, last + len(fixed)),
    )
    return tuple(Symmetry(s.rows[: len(rows)], s.columns, s.flips) for s in found)


def permutations_fixing(
    concept_class: ConceptClass, pool: Iterable[int] | None, neighbourhoods: Sequence[Neighbourhood]
) -> Callable[[Sequence[int]], list[Permutation]]:
    """Return a function from hypotheses to permutations of neighbourhoods that fix them."""
    number = {near: i for i, near in enumerate(neighbourhoods)}

    def fixing(chosen: Sequence[int]) -> list[Permutation]:
        found = []
        for symmetry in symmetries_fixing(concept_class, pool, chosen):
            images = [number.get(near.image(symmetry), -1) for near in neighbourhoods]
            if -1 not in images and images != sorted(images):
                found.append(tuple(images))
        return found

    return fixing


def averaged(
    distribution: Mapping[Neighbourhood, Fraction], symmetries: Sequence[Symmetry]
) -> dict[Neighbourhood, Fraction]:
    """Average a mixture over each orbit that is completely listed; the result is as good."""
    result = dict(distribution)
    seen: set[Neighbourhood] = set()
    for near in distribution:
        if near in seen:
            continue
        images = orbit(near, symmetries, Neighbourhood.image, MOST_IMAGES)
        seen.update(images)
        if all(image in distribution for image in images):
            mean = sum((distribution[image] for image in images), Fraction(0)) / len(images)
            result |= dict.fromkeys(images, mean)
    return result
