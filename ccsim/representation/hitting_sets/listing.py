"""What neighbourhoods hold of the hypotheses of a search, as bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.masks import members as places
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood


def members_of(
    concept_class: ConceptClass, error: Fraction, pool: Sequence[int], near: Neighbourhood
) -> int:
    """Return the hypotheses of a pool that a neighbourhood holds, as a bit mask of their places.

    Complexity: all sets of points are weighed if the pool holds all hypotheses.
    """
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
    """Return the masks of a pool, each with a hypothesis that has it."""
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
    """Return the sets, given as bit masks, that contain no other one."""
    kept: list[int] = []
    budget = budget or Budget()
    for each in sorted(set(sets), key=int.bit_count):
        budget.spend()
        if all(other & ~each for other in kept):
            kept.append(each)
    return set(kept)


def listed(
    known: Mapping[Neighbourhood, int],
    more: Iterable[Neighbourhood],
    concept_class: ConceptClass,
    error: Fraction,
    pool: Sequence[int],
    budget: Budget,
) -> dict[Neighbourhood, int]:
    """Return neighbourhoods with what they hold, without those that contain another one."""
    result = dict(known)
    for near in more:
        if near not in result:
            budget.spend()
            result[near] = members_of(concept_class, error, pool, near)
    kept = smallest(result.values(), budget)
    return {near: held for near, held in result.items() if held in kept}


def carried(
    shares: Mapping[Neighbourhood, float],
    known: Mapping[Neighbourhood, int],
    concept_class: ConceptClass,
    error: Fraction,
    pool: Sequence[int],
) -> dict[Neighbourhood, float]:
    """Return a mixture of neighbourhoods as one of those that are `listed`.

    The share of one that was left out goes to a listed one inside it, which holds no more, so that
    the mixture is as hard to meet.
    """
    result: dict[Neighbourhood, float] = {}
    for near, share in shares.items():
        place = near
        if near not in known:
            held = members_of(concept_class, error, pool, near)
            place = next(other for other, inside in known.items() if not inside & ~held)
        result[place] = result.get(place, 0.0) + share
    return result
