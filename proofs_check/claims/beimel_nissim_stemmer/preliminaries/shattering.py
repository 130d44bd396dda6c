"""Section 2.2.2: dichotomies, shattering and the VC dimension, checked literally."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations

from ccsim import ConceptClass
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal
from proofs_check.claims.evidence import vc_dimension
from proofs_check.claims.grid import grid
from proofs_check.claims.grids import classes_up_to_symmetry
from proofs_check.claims.variants import near, plus


def _labels(row: int, size: int) -> tuple[int, ...]:
    return tuple(row >> x & 1 for x in range(size))


@claim(
    "bns/def-2.9",
    "Definition 2.9",
    "Dichotomies",
    Kind.DEFINITION,
    over=grid(instance=["points:b=2", "thresholds:b=2", "intervals:n=4", "random:m=9,n=5,seed=0"]),
    near=[
        near("The labels are in the order of the domain.", order=lambda B: tuple(sorted(B))),
        near("One concept is left out.", concepts=lambda C: C.rows[1:]),
    ],
)
def dichotomies(
    instance: str,
    *,
    order: Callable[[tuple[int, ...]], tuple[int, ...]] = tuple,
    concepts: Callable[[ConceptClass], Sequence[int]] = lambda C: C.rows,
) -> Decision:
    """The dichotomies of C on B = (b_1, ..., b_l) are the tuples (c(b_1), ..., c(b_l)) for c in C,
    that is, the rows of the projection of C to B.
    """
    C = parse_class(instance)

    def agree(B: tuple[int, ...]) -> bool:
        stated = {tuple(row >> x & 1 for x in order(B)) for row in concepts(C)}
        found = C.project(B).rows
        return len(found) == len(stated) and {_labels(row, len(B)) for row in found} == stated

    sets = (B for size in range(4) for B in permutations(range(len(C.points)), size))
    return all_of(((B, agree(B)) for B in sets), "the rows are the dichotomies")


@claim(
    "bns/def-2.10",
    "Definition 2.10",
    "Shattering",
    Kind.DEFINITION,
    over=grid(points=[1, 2, 3]),
    near=[
        near("All dichotomies except one are enough.", number=plus(-1)),
        near("l + 1 dichotomies are enough.", number=lambda size: size + 1),
    ],
    uses=["bns/def-2.9"],
)
def shattering(points: int, *, number: Callable[[int], int] = lambda size: 2**size) -> Decision:
    """A set B of l points is shattered if C has all 2^l dichotomies on it. Equivalently, for each
    label of the first point of B, the concepts that give it this label shatter the other points of
    B. Checked for every class on the given number of points, up to symmetry, and for the set that a
    search for the VC dimension finds.
    """

    def halved(rows: Sequence[int], B: Sequence[int]) -> bool:
        if not B:
            return bool(rows)
        sides = ([row for row in rows if row >> B[0] & 1 == label] for label in (0, 1))
        return all(halved(side, B[1:]) for side in sides)

    def agree(C: ConceptClass, B: tuple[int, ...]) -> bool:
        shattered = len(C.project(B).rows) >= number(len(B))
        return shattered == halved(C.rows, B) and (shattered or vc_dimension(C).shattered != B)

    cases = (
        (C, B)
        for C in classes_up_to_symmetry(points)
        for size in range(points + 1)
        for B in combinations(range(len(C.points)), size)
    )
    return all_of((((C.rows, B), agree(C, B)) for C, B in cases), "shattered both ways or neither")


def _some(truths: Iterable[bool]) -> bool:
    return any(truths)


def _every(truths: Iterable[bool]) -> bool:
    return all(truths)


@claim(
    "bns/def-2.11",
    "Definition 2.11",
    "VC dimension",
    Kind.DEFINITION,
    over=grid(points=[1, 2, 3]),
    near=[
        near("VC(C) is the largest size for which every set is shattered.", quantifier=_every),
        near("VC(C) is the smallest size for which no set is shattered.", largest=plus(1)),
    ],
    uses=["bns/def-2.10"],
)
def vc_by_definition(
    points: int,
    *,
    quantifier: Callable[[Iterable[bool]], bool] = _some,
    largest: Callable[[Iterable[int]], int] = max,
) -> Decision:
    """VC(C) is the size of the largest set of points that C shatters. (On a finite domain it is
    finite.) Checked for every class on the given number of points, up to symmetry."""

    def sizes(C: ConceptClass) -> Iterator[int]:
        for size in range(len(C.points) + 1):
            sets = combinations(range(len(C.points)), size)
            if quantifier(len(C.project(B).rows) == 2**size for B in sets):
                yield size

    classes = classes_up_to_symmetry(points)
    return all_of((C.rows, equal(vc_dimension(C), largest(sizes(C)))) for C in classes)


@claim(
    "bns/vc-log",
    "after Definition 2.11",
    "The VC dimension is at most log |C|",
    Kind.LEMMA,
    over=grid(points=[1, 2, 3]),
    near=near("2^VC(C) <= |C| - 1.", concepts=plus(-1)),
    uses=["bns/def-2.11"],
)
def vc_and_size(
    points: int, *, concepts: Callable[[ConceptClass], int] = lambda C: len(C.rows)
) -> Decision:
    """VC(C) <= log2 |C|, that is, 2^VC(C) <= |C|. Checked for every class on the given number of
    points."""
    classes = classes_up_to_symmetry(points)
    return all_of((C.rows, at_most(2 ** vc_dimension(C).value, concepts(C))) for C in classes)
