"""Section 4: augmented index, Littlestone dimension, and the bound that joins them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim import (
    augmented_index,
    augmented_index_reduction,
    evaluation_problem,
    littlestone_dimension,
    minimax_error,
    vc_dimension,
    worst_error,
)
from ccsim.exact import LogSum
from ccsim.information import fano_bound
from ccsim.instances import parse_class
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grids import classes_up_to_symmetry

__all__ = ["CLAIMS"]


def _entropy_bound(name: str, messages: int, error: Fraction, dimension: int) -> Instance:
    """Decide ``(1 - H(error)) * dimension <= log2(messages)``, which implies it for bits."""
    bound = (1 - fano_bound(error)) * dimension
    detail = f"(1 - H({error})) * {dimension} against log2({messages})"
    return Instance.at_most(name, bound, LogSum.log2(messages), detail)


def augmented_index_bound(size: Size) -> Iterator[Instance]:
    """Exact least errors for every number of messages."""
    for d in range(1, 4):
        full = size is not Size.SMALL or d < 3
        for k in range(1, 2**d + 1) if full else (1, 2, 3, 4, 8):
            result = minimax_error(augmented_index(d), k)
            recheck(result)
            name = f"augmented_index:d={d} messages={k} error={result.value}"
            yield _entropy_bound(name, k, result.value, d)


TREES = (
    ("points:b=3", Size.SMALL),
    ("thresholds:b=3", Size.SMALL),
    ("thresholds:b=6", Size.SMALL),
    ("intervals:n=8", Size.SMALL),
    ("lines:p=3", Size.SMALL),
    ("lines:p=5", Size.SMALL),
    ("parities:n=4", Size.SMALL),
    ("all_functions:n=6", Size.SMALL),
    ("k_points:b=3,k=3", Size.SMALL),
    ("random:m=30,n=20,seed=0", Size.SMALL),
    ("intervals:n=16", Size.MEDIUM),
    ("lines:p=7", Size.MEDIUM),
    ("random:m=60,n=30,seed=0", Size.MEDIUM),
    ("thresholds:b=8", Size.LARGE),
)


def tree_reduction(size: Size) -> Iterator[Instance]:
    """Check the two mappings of a mistake tree on every string and every position."""
    for text, needs in TREES:
        if not size.allows(needs):
            continue
        C = parse_class(text)
        result = littlestone_dimension(C)
        recheck(result)
        augmented_index_reduction(C).check()
        detail = f"all {2**result.value} strings and {result.value} positions agree"
        yield Instance.of(f"{text} d={result.value}", holds=True, detail=detail)


CLASSES = (
    ("points:b=2", (1, 2, 3), Size.SMALL),
    ("thresholds:b=2", (1, 2, 3), Size.SMALL),
    ("thresholds:b=3", (2, 3, 4), Size.SMALL),
    ("intervals:n=3", (2, 3, 4), Size.SMALL),
    ("lines:p=2", (2, 3), Size.SMALL),
    ("parities:n=2", (2, 3), Size.SMALL),
    ("all_functions:n=2", (2, 3), Size.SMALL),
    ("k_points:b=2,k=2", (2, 3, 4), Size.SMALL),
    ("lines:p=3", (2,), Size.MEDIUM),
    ("all_functions:n=3", (2, 4), Size.MEDIUM),
    ("parities:n=3", (2, 4), Size.MEDIUM),
    ("random:m=8,n=6,seed=2", (2, 3), Size.MEDIUM),
    ("all_functions:n=4", (2, 4), Size.LARGE),
)


def dimension_bound(size: Size) -> Iterator[Instance]:
    """Exact least errors of every small class, and of families pulled back to augmented index."""
    for C in classes_up_to_symmetry(2 if size is Size.SMALL else 3):
        d = littlestone_dimension(C).value
        for k in range(1, len(C) + 1):
            result = minimax_error(evaluation_problem(C), k)
            recheck(result)
            name = f"{len(C.points)} points, rows {C.rows}, messages={k} error={result.value}"
            yield _entropy_bound(name, k, result.value, d)
    for text, counts, needs in CLASSES:
        if not size.allows(needs):
            continue
        C = parse_class(text)
        d = littlestone_dimension(C).value
        reduction = augmented_index_reduction(C)
        for k in counts:
            result = minimax_error(evaluation_problem(C), k)
            recheck(result)
            name = f"{text} messages={k} error={result.value}"
            yield _entropy_bound(name, k, result.value, d)
            pulled = worst_error(
                reduction.pull_back(result.protocol.to_public_coin()), augmented_index(d)
            ).value
            least = minimax_error(augmented_index(d), k).value
            detail = f"augmented index: least {least} <= pulled back {pulled} <= {result.value}"
            yield Instance.of(f"{name} pulled back", least <= pulled <= result.value, detail)


def thresholds_dimension(size: Size) -> Iterator[Instance]:
    """Littlestone dimension b, VC dimension 1."""
    for b in range(1, {Size.SMALL: 7, Size.MEDIUM: 8, Size.LARGE: 9}[size]):
        C = parse_class(f"thresholds:b={b}")
        ldim, vc = littlestone_dimension(C), vc_dimension(C)
        recheck(ldim)
        recheck(vc)
        detail = f"LDim {ldim.value}, VC {vc.value}"
        yield Instance.of(f"thresholds:b={b}", (ldim.value, vc.value) == (b, 1), detail)


CLAIMS = (
    Claim(
        "fx/lemma-9",
        "Lemma 9 (=4.1)",
        "Augmented index needs (1 - H(eps)) d bits",
        "A public-coin one-way protocol for augmented index on d bits with error eps has at least "
        "(1 - H(eps)) d bits; checked for log2 of the exact number of messages, without rounding.",
        Kind.LEMMA,
        augmented_index_bound,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "fx/lemma-10",
        "Lemma 10 (=4.2)",
        "A mistake tree reduces augmented index to evaluation",
        "A complete mistake tree of depth d = LDim(C) gives maps m_C and m_X with "
        "m_C(x)(m_X(x_1...x_{i-1})) = x_i for every x in {0,1}^d and every i in [d].",
        Kind.LEMMA,
        tree_reduction,
    ),
    Claim(
        "fx/cor-11",
        "Corollary 11 (=4.3)",
        "Evaluation needs (1 - H(eps)) LDim bits",
        "A public-coin one-way protocol for Eval_C with error eps has at least (1 - H(eps)) LDim(C)"
        " bits, because it gives one for augmented index with the same messages and no more error. "
        "Every class on at most 3 points is checked, up to symmetry (2 points on the small grid).",
        Kind.COROLLARY,
        dimension_bound,
        uses=("fx/lemma-9", "fx/lemma-10"),
    ),
    Claim(
        "fx/app-4.1-1",
        "section 4.1, item 1",
        "Thresholds have LDim b and VC dimension 1",
        "LDim(Thr_b) = b and VC(Thr_b) = 1 for b >= 1.",
        Kind.EXAMPLE,
        thresholds_dimension,
    ),
)
