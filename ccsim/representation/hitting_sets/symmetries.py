"""Symmetries of a class, and how they permute neighbourhoods of its concepts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from ccsim.classes import ConceptClass
from ccsim.representation.hitting_sets.neighbourhoods import Neighbourhood
from ccsim.symmetry.groups import orbit
from ccsim.symmetry.matrix import Symmetry, symmetries_of

MOST_IMAGES = 500
"""Of a neighbourhood, that are listed."""

Permutation = tuple[int, ...]
"""Image of each of some listed neighbourhoods, by number."""


def symmetries_fixing(
    concept_class: ConceptClass, pool: Iterable[int] | None, fixed: Sequence[int] = ()
) -> tuple[Symmetry, ...]:
    """Return generators of the symmetries of a class and a pool that fix hypotheses one by one."""
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
    concept_class: ConceptClass,
    pool: Iterable[int] | None,
    neighbourhoods: Sequence[Neighbourhood],
) -> Callable[[Sequence[int]], list[Permutation]]:
    """Return what maps hypotheses to permutations of neighbourhoods that fix each of them.

    Symmetries under which the neighbourhoods are not closed are left out, and so are those that
    move none.
    """
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
    law: Mapping[Neighbourhood, Fraction], symmetries: Sequence[Symmetry]
) -> dict[Neighbourhood, Fraction]:
    """Return a mixture averaged over the orbits that are listed wholly: as good, and even."""
    result = dict(law)
    seen: set[Neighbourhood] = set()
    for near in law:
        if near in seen:
            continue
        images = orbit(near, symmetries, Neighbourhood.image, MOST_IMAGES)
        seen.update(images)
        if all(image in law for image in images):
            mean = sum((law[image] for image in images), Fraction(0)) / len(images)
            result |= dict.fromkeys(images, mean)
    return result
