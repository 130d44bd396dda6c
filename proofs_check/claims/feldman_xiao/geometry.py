"""Section 4.1 and appendix B: boxes, halfspaces and balls over grids, and the mistake bound.

Two printed values fail on the smallest grids; they are kept as errata beside what holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ccsim import (
    ConceptClass,
    balls,
    boxes,
    halfspaces,
    littlestone_dimension,
    standard_optimal_algorithm,
    vc_dimension,
)
from ccsim.classes.families.dichotomies import dichotomies
from ccsim.dimensions import Halfspace, box_tree, collision_free, halfspace_tree, tree_adversary
from ccsim.instances import parse_class
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]

GRIDS = {
    Size.SMALL: ((1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (1, 3)),
    Size.MEDIUM: ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3), (1, 4)),
    Size.LARGE: ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3), (1, 4)),
}
"""Pairs (b, d) of the grids [2^b]^d."""


def _vc(C: ConceptClass) -> int:
    result = vc_dimension(C)
    recheck(result)
    return result.value


def _ldim(C: ConceptClass) -> int:
    result = littlestone_dimension(C)
    recheck(result)
    return result.value


def boxes_vc_printed(size: Size) -> Iterator[Instance]:
    """Compare the VC dimension of boxes with the printed d + 1."""
    for b, d in GRIDS[size]:
        value = _vc(boxes(b, d))
        yield Instance.of(f"boxes:b={b},d={d}", value == d + 1, f"VC {value}, printed {d + 1}")


def boxes_vc(size: Size) -> Iterator[Instance]:
    """Compare the VC dimension of boxes with 2d, or d on the cube (2 on two points)."""
    for b, d in GRIDS[size]:
        value = _vc(boxes(b, d))
        expected = 2 * d if b >= 2 else max(d, 2)
        yield Instance.of(f"boxes:b={b},d={d}", value == expected, f"VC {value} = {expected}")


def boxes_tree(size: Size) -> Iterator[Instance]:
    """Search one side of each coordinate: a mistake tree of depth b d."""
    for b, d in GRIDS[size]:
        C = boxes(b, d)
        box_tree(b, d).to_tree(C).check(C)
        value = _ldim(C)
        yield Instance.of(f"boxes:b={b},d={d}", value >= b * d, f"LDim {value} >= {b * d}")


def halfspaces_ldim_printed(size: Size) -> Iterator[Instance]:
    """Compare the Littlestone dimension of halfspaces with the printed b d (d-1) / 2."""
    for b, d in GRIDS[size]:
        value, printed = _ldim(halfspaces(b, d)), b * d * (d - 1) // 2
        detail = f"LDim {value}, printed {printed}"
        yield Instance.of(f"halfspaces:b={b},d={d}", value == printed, detail)


def collision_free_representations(size: Size) -> Iterator[Instance]:
    """Rewrite every halfspace, and compare its labels and its values on the whole grid."""
    for b, d in GRIDS[size]:
        grid = list(product(range(1 << b), repeat=d))
        found = dichotomies([(*x, 1) for x in grid])
        good = 0
        for dichotomy in found:
            *weights, constant = dichotomy.weights
            free = collision_free(Halfspace(tuple(weights), 1 - constant), b)
            row = sum(free.value(x) << i for i, x in enumerate(grid))
            good += row == dichotomy.positive and len({free.dot(x) for x in grid}) == len(grid)
        detail = f"{good} of {len(found)} halfspaces have values that all differ"
        yield Instance.of(f"halfspaces:b={b},d={d}", good == len(found), detail)


def halfspaces_tree(size: Size) -> Iterator[Instance]:
    """Build the inductive tree of the proof, one level deeper by complements at its root."""
    for b, d in GRIDS[size]:
        C = halfspaces(b, d)
        tree = halfspace_tree(b, d)
        tree.to_tree(C).check(C)
        value, built = _ldim(C), b + 1 + b * d * (d - 1) // 2
        holds = value >= tree.depth == built
        detail = f"LDim {value} >= {built} = b + 1 + b d (d-1) / 2"
        yield Instance.of(f"halfspaces:b={b},d={d}", holds, detail)


def halfspaces_vc(size: Size) -> Iterator[Instance]:
    """Compare the VC dimension of halfspaces and balls with d + 1."""
    for b, d in GRIDS[size]:
        value = _vc(halfspaces(b, d))
        yield Instance.of(f"halfspaces:b={b},d={d}", value == d + 1, f"VC {value} = {d + 1}")
        if (b, d) != (1, 4) or size is Size.LARGE:
            value = _vc(balls(b, d))
            yield Instance.of(f"balls:b={b},d={d}", value == d + 1, f"VC {value} = {d + 1}")


LEARNED = ("points:b=3", "thresholds:b=4", "intervals:n=6", "lines:p=3", "random:m=20,n=8,seed=0")


def mistake_bound(_size: Size) -> Iterator[Instance]:
    """Play the standard optimal algorithm against a mistake tree and on every concept."""
    for text in LEARNED:
        C = parse_class(text)
        result = littlestone_dimension(C)
        recheck(result)
        learner = standard_optimal_algorithm(C)
        worst = max(
            learner.play((x, C.value(c, x)) for x in range(len(C.points))).learner.mistakes
            for c in range(len(C))
        )
        if result.tree is None:
            continue
        forced = learner.play_against(tree_adversary(result.tree)).learner.mistakes
        holds = worst <= result.value == forced
        detail = f"at most {worst} mistakes on a concept, {forced} against the tree"
        yield Instance.of(f"{text} LDim={result.value}", holds, detail)


CLAIMS = (
    Claim(
        "fx/app-4.1-2",
        "section 4.1, item 2, as printed",
        "Boxes have VC dimension d + 1",
        "VC(BOX_b^d) = d + 1 for the axis-parallel boxes over [2^b]^d.",
        Kind.ERRATUM,
        boxes_vc_printed,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "fx/app-4.1-2-vc",
        "section 4.1, item 2, corrected",
        "Boxes have VC dimension 2d",
        "VC(BOX_b^d) = 2d for b >= 2; on the cube (b = 1) it is d for d >= 2 and 2 for d = 1.",
        Kind.EXAMPLE,
        boxes_vc,
        corrects="fx/app-4.1-2",
    ),
    Claim(
        "fx/app-4.1-2-ldim",
        "section 4.1, item 2",
        "Boxes have LDim at least b d",
        "LDim(BOX_b^d) >= b d, by searching one side of each coordinate.",
        Kind.EXAMPLE,
        boxes_tree,
    ),
    Claim(
        "fx/app-4.1-3",
        "section 4.1, item 3, as printed",
        "Halfspaces have LDim b d (d-1) / 2",
        "LDim(HS_b^d) = b d (d-1) / 2 for the linear threshold functions over [2^b]^d.",
        Kind.ERRATUM,
        halfspaces_ldim_printed,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "fx/lemma-B.1",
        "Lemma B.1 of the full version",
        "Halfspaces have collision-free representations",
        "Every halfspace over [2^b]^d is w . x >= t with integers w, t for which different points "
        "x have different values w . x.",
        Kind.LEMMA,
        collision_free_representations,
    ),
    Claim(
        "fx/thm-B.2",
        "Theorem B.2 of the full version, in the form that its proof gives",
        "Halfspaces have LDim at least b + 1 + b d (d-1) / 2",
        "LDim(HS_b^d) >= b + 1 + b d (d-1) / 2, by the inductive tree of the proof started from "
        "the thresholds and their complements over [2^b].",
        Kind.THEOREM,
        halfspaces_tree,
        uses=("fx/lemma-B.1",),
        corrects="fx/app-4.1-3",
    ),
    Claim(
        "fx/app-4.1-4",
        "section 4.1, items 3 and 4",
        "Halfspaces and balls have VC dimension d + 1",
        "VC(HS_b^d) = VC(BALL_b^d) = d + 1 over the grid [2^b]^d.",
        Kind.EXAMPLE,
        halfspaces_vc,
    ),
    Claim(
        "fx/ldim-mistakes",
        "section 2.4",
        "LDim is the optimal mistake bound",
        "The standard optimal algorithm makes at most LDim(C) mistakes on every sequence labelled "
        "by a concept of C, and a complete mistake tree forces that many.",
        Kind.THEOREM,
        mistake_bound,
    ),
)
