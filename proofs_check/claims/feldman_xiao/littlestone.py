"""Section 4: augmented index, Littlestone dimension, and the bound that relates them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from fractions import Fraction

from ccsim import ConceptClass, augmented_index, evaluation_problem, thresholds, worst_error
from ccsim.communication import augmented_index_error
from ccsim.exact import LogSum
from ccsim.information import fano_bound
from ccsim.instances import parse_class
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal, holds
from proofs_check.claims.evidence import (
    least_error,
    littlestone_dimension,
    recheck,
    vc_dimension,
)
from proofs_check.claims.feldman_xiao.constructions.reduction import augmented_index_reduction
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import classes_up_to_symmetry
from proofs_check.claims.variants import near, plus, times

Entropy = Callable[[Fraction], LogSum]


@claim(
    "fx/lemma-9",
    "Lemma 9 (=4.1)",
    "Augmented index needs (1 - H(eps)) d bits",
    Kind.LEMMA,
    over=table(
        "d messages",
        *((d, k) for d in (1, 2, 3) for k in range(1, 2**d)),
        *((4, k) for k in (2, 5, 10, 15)),
        (7, 2),
    ).medium((5, 2), (6, 2)),
    near=[
        near(
            "The protocol has at least (1 - 0.99 H(eps)) d bits.", entropy=times(Fraction(99, 100))
        ),
        near("The protocol has at least 10/9 (1 - H(eps)) d bits.", factor=times(Fraction(10, 9))),
        near("The protocol has at least (1 - H(eps)) (d + 1) bits.", length=plus(1)),
    ],
    uses=["fx/eq-2.1"],
)
def augmented_index_bound(
    d: int,
    messages: int,
    *,
    entropy: Entropy = fano_bound,
    factor: Fraction | int = 1,
    length: Callable[[int], int] = int,
) -> Decision:
    """A public-coin one-way protocol for augmented index on d bits with error eps has at least (1 -
    H(eps)) d bits. Checked for log2 of the number of messages, without rounding, at the exact least
    error; beyond 3 bits the error comes from the closed form."""
    if d <= 3:
        error = least_error(augmented_index(d), messages).value
    else:
        error = recheck(augmented_index_error(d, messages)).value
    bound = factor * (1 - entropy(error)) * length(d)
    return at_least(LogSum.log2(messages), bound, f"error {error}", trivial=0)


@claim(
    "fx/lemma-10",
    "Lemma 10 (=4.2)",
    "A mistake tree reduces augmented index to evaluation",
    Kind.LEMMA,
    over=grid(
        instance=[
            *("points:b=3", "thresholds:b=3", "thresholds:b=6", "intervals:n=8", "lines:p=3"),
            *("lines:p=5", "parities:n=4", "all_functions:n=6", "k_points:b=3,k=3"),
            "random:m=30,n=20,seed=0",
        ]
    ).medium(instance=["intervals:n=16", "lines:p=7", "random:m=60,n=30,seed=0", "thresholds:b=8"]),
    near=[
        near("The statement for d = LDim(C) + 1.", depth=plus(1)),
        near(
            "The statement if m_X is given the wrong bit x_{i-1}.",
            told=lambda x, i: x ^ (1 << i >> 2),
        ),
        near(
            "The statement if m_C is given the wrong bit x_d.", word=lambda x, d: x ^ (1 << d >> 1)
        ),
    ],
    uses=["fx/def-ldim", "fx/def-augindex"],
)
def tree_reduction(
    instance: str,
    *,
    depth: Callable[[int], int] = int,
    word: Callable[[int, int], int] = lambda x, d: x,
    told: Callable[[int, int], int] = lambda x, i: x,
) -> Decision:
    """A complete mistake tree of depth d = LDim(C) gives maps m_C and m_X with
    m_C(x)(m_X(x_1...x_{i-1})) = x_i for every x in {0,1}^d and every i from 1 to d. Checked on
    every string and position for the maps of `augmented_index_reduction`."""
    C = parse_class(instance)
    d, maps = depth(littlestone_dimension(C).value), augmented_index_reduction(C)

    def cases() -> Iterator[tuple[object, Decision]]:
        yield "depth", equal(maps.depth, d)
        for x in range(1 << d):
            f = C.rows[maps.concept(word(x, d))]
            for i in range(1, d + 1):
                point = maps.point(i, told(x & (1 << i - 1) - 1, i))
                yield f"x={x:0{d}b} reversed, i={i}", equal(f >> point & 1, x >> i - 1 & 1)

    return all_of(cases())


def _small_and_named() -> Iterator[ConceptClass]:
    """Yield the classes of at least two concepts on up to 3 points, up to symmetry, and others."""
    yield from {C.rows: C for C in classes_up_to_symmetry(3) if len(C) > 1}.values()
    yield from map(parse_class, ("points:b=2", "thresholds:b=2", "lines:p=2", "k_points:b=2,k=2"))


@claim(
    "fx/cor-11",
    "Corollary 11 (=4.3)",
    "Evaluation needs (1 - H(eps)) LDim bits",
    Kind.COROLLARY,
    over=grid(concepts=_small_and_named),
    near=[
        near(
            "The protocol has at least (1 - 0.99 H(eps)) LDim bits.",
            entropy=times(Fraction(99, 100)),
        ),
        near("The protocol has at least 5/4 (1 - H(eps)) LDim bits.", factor=times(Fraction(5, 4))),
        near("The protocol has at least (1 - H(eps)) (LDim + 1) bits.", dimension=plus(1)),
        near(
            "The protocol for augmented index has an error smaller by 1/100.",
            kept=times(Fraction(99, 100)),
        ),
    ],
    uses=["fx/lemma-9", "fx/lemma-10"],
)
def dimension_bound(
    concepts: ConceptClass,
    *,
    entropy: Entropy = fano_bound,
    factor: Fraction | int = 1,
    dimension: Callable[[int], int] = int,
    kept: Fraction | int = 1,
) -> Decision:
    """A public-coin one-way protocol for Eval_C with error eps has at least (1 - H(eps)) LDim(C)
    bits, because it gives a protocol for augmented index with as many messages and no larger error.
    Checked for every class on at most 3 points, up to symmetry, with every number of messages.
    """
    d, problem = littlestone_dimension(concepts).value, evaluation_problem(concepts)
    reduction = augmented_index_reduction(concepts)

    def cases() -> Iterator[tuple[object, Decision]]:
        for k in range(1, len(concepts)):
            result = least_error(problem, k)
            bound = factor * (1 - entropy(result.value)) * dimension(d)
            yield (
                f"{k} messages",
                at_least(LogSum.log2(k), bound, f"error {result.value}", trivial=0),
            )
            pulled = reduction.pull_back(result.protocol.to_public_coin())
            error = worst_error(pulled, augmented_index(d)).value
            yield f"{k} messages pulled back", at_most(error, kept * result.value)
            yield "at the least", at_least(error, least_error(augmented_index(d), k), trivial=0)

    return all_of(cases())


@claim(
    "fx/app-4.1-1",
    "section 4.1, item 1",
    "Thresholds have LDim b and VC dimension 1",
    Kind.EXAMPLE,
    over=grid(b=range(1, 7)).medium(b=[7, 8]),
    near=[
        near("LDim(Thr_b) = b + 1.", littlestone=plus(1)),
        near("VC(Thr_b) = 2.", vc=plus(1)),
        near("t_x(y) = 1 iff y > x.", order=operator.gt),
    ],
)
def thresholds_dimension(
    b: int,
    *,
    littlestone: Callable[[int], int] = int,
    vc: int = 1,
    order: Callable[[int, int], bool] = operator.ge,
) -> Decision:
    """LDim(Thr_b) = b and VC(Thr_b) = 1 for b >= 1, where Thr_b has the 2^b concepts t_x on 2^b
    points with t_x(y) = 1 iff y >= x."""
    C, numbers = thresholds(b), range(2**b)
    rows = [sum(order(y, x) << y for y in numbers) for x in numbers]
    return all_of(
        [
            ("concepts", holds(sorted(C.rows) == sorted(rows), "t_x(y) = 1 iff y >= x")),
            ("LDim", equal(littlestone_dimension(C), littlestone(b))),
            ("VC", equal(vc_dimension(C), vc)),
        ]
    )
