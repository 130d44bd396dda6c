"""Section 4.1 and appendix B: boxes, halfspaces and balls over grids.

Two printed values fail on the smallest grids; they are errata with corrected claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from ccsim import ConceptClass, balls, boxes, halfspaces
from proofs_check.claims.claim import Kind, Verdict, claim
from proofs_check.claims.decision import Decision, Side, all_of, at_least, at_most, equal, holds
from proofs_check.claims.evidence import littlestone_dimension, vc_dimension
from proofs_check.claims.feldman_xiao.constructions.implicit_trees import (
    Halfspace,
    HalfspaceTree,
    box_tree,
    collision_free,
    halfspace_tree,
)
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

GRIDS = table("b d", (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (1, 3)).medium((1, 4))
"""The grids [2^b]^d."""

Compare = Callable[[Side, Side], Decision]


def _boxes_vc(b: int, d: int) -> int:
    return 2 * d if b >= 2 else max(d, 2)


@claim(
    "fx/app-4.1-2",
    "section 4.1, item 2, as printed",
    "Boxes have VC dimension d + 1",
    Kind.ERRATUM,
    over=GRIDS,
    near=[
        near("VC(BOX_b^d) = 2d; on the cube (b = 1) it is max(d, 2).", vc=_boxes_vc),
        near("VC(BOX_b^d) is at most 2 (d + 1).", compare=at_most, vc=times(2)),
        near("VC(BOX_b^d) is at least 2 (d + 1) / 3.", compare=at_least, vc=times(Fraction(2, 3))),
    ],
    recorded=Verdict.FAILS,
    survives="yes: with 2d, the VC dimension is still smaller than LDim(BOX_b^d) by a factor of "
    "order b",
)
def boxes_vc_printed(
    b: int, d: int, *, vc: Callable[[int, int], int] = lambda _b, d: d + 1, compare: Compare = equal
) -> Decision:
    """As printed: VC(BOX_b^d) = d + 1 for the axis-parallel boxes over [2^b]^d."""
    return compare(vc_dimension(boxes(b, d)), vc(b, d))


@claim(
    "fx/app-4.1-2-vc",
    "section 4.1, item 2, corrected",
    "Boxes have VC dimension 2d",
    Kind.EXAMPLE,
    over=GRIDS,
    near=[
        near("VC(BOX_b^d) is larger by one.", vc=plus(1)),
        near(
            "The statement for boxes without their upper corner.", inside=lambda s, x, t: s <= x < t
        ),
    ],
    corrects="fx/app-4.1-2",
)
def boxes_vc(
    b: int,
    d: int,
    *,
    vc: Callable[[int, int], int] = _boxes_vc,
    inside: Callable[[int, int, int], bool] = lambda s, x, t: s <= x <= t,
) -> Decision:
    """VC(BOX_b^d) = 2d for b >= 2; on the cube (b = 1) it is d for d >= 2 and 2 for d = 1. Boxes
    are the sets of all x with s_i <= x_i <= t_i for all i, where s, t are in [2^b]^d; one box is
    empty."""
    C, corners = boxes(b, d), list(product(range(2**b), repeat=d))
    found = {
        sum(all(map(inside, s, x, t)) << i for i, x in enumerate(corners))
        for s, t in product(corners, repeat=2)
    }
    same = holds(sorted(C.rows) == sorted(found), "s_i <= x_i <= t_i")
    return all_of([("the boxes", same), ("VC dimension", equal(vc_dimension(C), vc(b, d)))])


@claim(
    "fx/app-4.1-2-ldim",
    "section 4.1, item 2",
    "Boxes have LDim at least b d",
    Kind.EXAMPLE,
    over=GRIDS,
    near=near("LDim(BOX_b^d) >= b d + 2.", least=plus(2)),
)
def boxes_tree(
    b: int, d: int, *, least: Callable[[int, int], int] = lambda b, d: b * d
) -> Decision:
    """LDim(BOX_b^d) >= b d, by binary search for one side in each coordinate."""
    C, tree = boxes(b, d), box_tree(b, d)
    tree.to_tree(C).check(C)
    return all_of(
        [
            ("the search", equal(tree.depth, b * d)),
            ("LDim", at_least(littlestone_dimension(C), least(b, d))),
        ]
    )


@claim(
    "fx/app-4.1-3",
    "section 4.1, item 3, as printed",
    "Halfspaces have LDim b d (d-1) / 2",
    Kind.ERRATUM,
    over=GRIDS,
    near=[
        near("LDim(HS_b^d) >= b d (d-1) / 2.", compare=at_least),
        near("LDim(HS_b^d) <= b d (d-1) / 2 + 5 on these grids.", compare=at_most, ldim=plus(5)),
    ],
    recorded=Verdict.FAILS,
    survives="yes: the next sentence of the paper calls it a lower bound; the lower bound holds, "
    "and the paper uses only this bound",
)
def halfspaces_ldim_printed(
    b: int,
    d: int,
    *,
    ldim: Callable[[int, int], int] = lambda b, d: b * d * (d - 1) // 2,
    compare: Compare = equal,
) -> Decision:
    """As printed, read as an equality: LDim(HS_b^d) = b d (d-1) / 2 for the linear threshold
    functions over [2^b]^d."""
    return compare(littlestone_dimension(halfspaces(b, d)), ldim(b, d))


def _halfspaces_by_weights(b: int, d: int) -> Iterator[Halfspace]:
    """Yield the halfspaces with weights of size at most 1 (at most 3 over a square of side 4)."""
    grid = list(product(range(2**b), repeat=d))
    most = {(2, 2): 3, (1, 3): 2, (1, 4): 3}.get((b, d), 1)
    for weights in product(range(-most, most + 1), repeat=d):
        values = {Halfspace(weights, 0).dot(x) for x in grid}
        yield from (Halfspace(weights, t) for t in {*values, max(values) + 1})


def _as_it_is(halfspace: Halfspace, _b: int) -> Halfspace:
    return halfspace


def _spread_by_half(halfspace: Halfspace, b: int) -> Halfspace:
    scale = 2 ** (b * len(halfspace.weights) - 1)
    weights = (scale * w + 2 ** (b * i) for i, w in enumerate(halfspace.weights))
    return Halfspace(tuple(weights), scale * halfspace.threshold)


@claim(
    "fx/lemma-B.1",
    "Lemma B.1 of the full version, as read",
    "Halfspaces have collision-free representations",
    Kind.LEMMA,
    over=GRIDS,
    near=[
        near("Every integer representation has different values.", representation=_as_it_is),
        near(
            "The vectors 2^(b d - 1) w + (1, n, n^2, ...) are such weights.",
            representation=_spread_by_half,
        ),
    ],
)
def collision_free_representations(
    b: int, d: int, *, representation: Callable[[Halfspace, int], Halfspace] = collision_free
) -> Decision:
    """Every halfspace over [2^b]^d is w . x >= t with integers w, t such that different points x
    have different values w . x. The vectors 2^(b d) w + (1, n, n^2, ...), with n = 2^b and an
    integer vector w, are such weights. Checked for small weights, which give all halfspaces and no
    other functions.
    """
    grid = list(product(range(2**b), repeat=d))

    def row(halfspace: Halfspace) -> int:
        return sum(halfspace.value(x) << i for i, x in enumerate(grid))

    found = {row(halfspace): halfspace for halfspace in _halfspaces_by_weights(b, d)}
    free = {old: representation(halfspace, b) for old, halfspace in found.items()}
    good = (
        (found[old], row(new) == old and len(set(map(new.dot, grid))) == len(grid))
        for old, new in free.items()
    )
    every = holds(sorted(found) == sorted(halfspaces(b, d).rows), "the class of halfspaces")
    return all_of([("all", every), ("each", all_of(good, "the same concept, values that differ"))])


@claim(
    "fx/thm-B.2",
    "Theorem B.2 of the full version, in the form that its proof gives, as read",
    "Halfspaces have LDim at least b + 1 + b d (d-1) / 2",
    Kind.THEOREM,
    over=GRIDS,
    near=[
        near("LDim(HS_b^d) >= b + 2 + b d (d-1) / 2.", least=plus(1)),
        near(
            "The bound for the tree that starts without the complements.",
            tree=partial(halfspace_tree, complements=False),
        ),
    ],
    uses=["fx/lemma-B.1"],
    corrects="fx/app-4.1-3",
)
def halfspaces_tree(
    b: int,
    d: int,
    *,
    least: Callable[[int, int], int] = lambda b, d: b + 1 + b * d * (d - 1) // 2,
    tree: Callable[[int, int], HalfspaceTree] = halfspace_tree,
) -> Decision:
    """LDim(HS_b^d) >= b + 1 + b d (d-1) / 2, by the inductive tree of the proof that starts from
    the thresholds and their complements over [2^b]."""
    C, found = halfspaces(b, d), tree(b, d)
    found.to_tree(C).check(C)
    return all_of(
        [
            ("LDim", at_least(littlestone_dimension(C), least(b, d))),
            ("the tree", equal(found.depth, least(b, d))),
        ]
    )


@claim(
    "fx/app-4.1-4",
    "section 4.1, items 3 and 4",
    "Halfspaces and balls have VC dimension d + 1",
    Kind.EXAMPLE,
    over=GRIDS,
    near=[
        near("The VC dimension of halfspaces is d + 2.", of_halfspaces=plus(1)),
        near("The VC dimension of balls is d + 2.", of_balls=plus(1)),
    ],
    uses=["fx/app-4.1-4-balls"],
)
def vc_of_halfspaces_and_balls(
    b: int,
    d: int,
    *,
    of_halfspaces: Callable[[int], int] = lambda d: d + 1,
    of_balls: Callable[[int], int] = lambda d: d + 1,
) -> Decision:
    """VC(HS_b^d) = VC(BALL_b^d) = d + 1 over the grid [2^b]^d."""
    return all_of(
        [
            ("halfspaces", equal(vc_dimension(halfspaces(b, d)), of_halfspaces(d))),
            ("balls", equal(vc_dimension(balls(b, d)), of_balls(d))),
        ]
    )


@claim(
    "fx/app-4.1-4-balls",
    "section 4.1, item 4, cited; explicit",
    "Balls have LDim of order b d^2, as they include halfspaces",
    Kind.EXAMPLE,
    over=GRIDS,
    near=[
        near("LDim(BALL_b^d) >= b + 2 + b d (d-1) / 2.", least=plus(1)),
        near("BALL_2^d = HS_2^d.", side=plus(1)),
        near("Every box is a ball.", included=boxes),
    ],
    uses=["fx/thm-B.2"],
)
def balls_include_halfspaces(
    b: int,
    d: int,
    *,
    least: Callable[[int, int], int] = lambda b, d: b + 1 + b * d * (d - 1) // 2,
    side: int = 1,
    included: Callable[[int, int], ConceptClass] = halfspaces,
) -> Decision:
    """LDim(BALL_b^d) = Omega(b d^2): every halfspace over [2^b]^d is a ball, so LDim(BALL_b^d) >= b
    + 1 + b d (d-1) / 2. Moreover BALL_1^d = HS_1^d, as the corners of a cube lie on a sphere."""
    C, rows = balls(b, d), set(included(b, d).rows)
    cases = [
        ("halfspaces", holds(rows <= set(C.rows), "they are balls")),
        ("LDim", at_least(littlestone_dimension(C), least(b, d))),
        ("their tree", equal(halfspace_tree(b, d).depth, least(b, d))),
    ]
    if b <= side:
        cases.append(("the cube", holds(set(C.rows) <= rows, "balls are halfspaces")))
    return all_of(cases)
