"""Index and augmented index: the ball bound, codes that attain it, and one-bit messages."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb

from ccsim import augmented_index, index, worst_error
from ccsim.communication import (
    LittlestoneBound,
    augmented_index_error,
    index_error,
    index_lower_bound,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal, holds
from proofs_check.claims.evidence import least_error, recheck
from proofs_check.claims.grid import Grid, grid, table
from proofs_check.claims.variants import near, times
from protocols import (
    AugmentedIndexCoveringCode,
    AugmentedIndexEvenWeight,
    AugmentedIndexGolay,
    AugmentedIndexReedMuller,
    AugmentedIndexRepetition,
)
from protocols.index import IndexByCode

JUST_LESS = times(Fraction(9999, 10000))
JUST_MORE = times(Fraction(10001, 10000))
EXACTLY = [
    near("The error is 9999/10000 of the stated value.", value=JUST_LESS),
    near("The error is 10001/10000 of the stated value.", value=JUST_MORE),
]


def _positions() -> Grid:
    """Numbers of positions and messages for which the minimax error is searched."""
    few = [(d, k) for d in (1, 2, 3) for k in range(1, 2**d)]
    four = [(4, k) for k in (3, 4, 5, 6, 8, 12)]
    return table("d messages", *few, (4, 2)).medium(*four[:2]).large(*four[2:])


def _least_weights(d: int, number: int) -> int:
    """Return the least total weight of ``number`` distinct words of length d."""
    total = 0
    for weight in range(d + 1):
        taken = min(number, comb(d, weight))
        total, number = total + weight * taken, number - taken
    return total


def _ball_bound(d: int, k: int) -> Fraction:
    """Return the bound ``W/(d 2^d)``, where the sizes of the classes differ by at most 1."""
    size, larger = divmod(2**d, k)
    W = larger * _least_weights(d, size + 1) + (k - larger) * _least_weights(d, size)
    return Fraction(W, d * 2**d)


@claim(
    "ccsim/ball-bound",
    "closed-forms.md, Theorem 3",
    "Ball bound for index and augmented index",
    Kind.THEOREM,
    over=_positions(),
    near=[
        near("The error is at least 10001/10000 of the bound.", bound=JUST_MORE),
        near("The function returns 9999/10000 of the bound.", bound=JUST_LESS),
    ],
    uses=["fx/eq-2.1"],
)
def ball_bound(
    d: int, messages: int, *, bound: Callable[[int, int], Fraction] = _ball_bound
) -> Decision:
    """With k messages, the error of index and augmented index on d positions is at least W/(d 2^d),
    where {0,1}^d is divided into k classes of almost equal sizes, and W is the sum over the classes
    of the s least weights of words, with s the size of the class. The function index_lower_bound
    returns this bound.
    """
    stated = bound(d, messages)
    return all_of(
        [
            ("the function", equal(index_lower_bound(d, messages), stated)),
            ("index", at_least(least_error(index(d), messages), stated)),
            ("augmented index", at_least(least_error(augmented_index(d), messages), stated)),
        ]
    )


def _hamming(word: int, other: int) -> int:
    return (word ^ other).bit_count()


def _best_code(d: int, k: int, distance: Callable[[int, int], int]) -> Fraction:
    """Return the least average distance, divided by d, of a word to a code of k words."""
    words = range(2**d)
    least = min(
        sum(min(distance(word, c) for c in code) for word in words)
        for code in combinations(words, min(k, 2**d))
    )
    return Fraction(least, d * 2**d)


@claim(
    "ccsim/index-value",
    "closed-forms.md, Theorem 4",
    "The minimax error of index is that of the best code",
    Kind.THEOREM,
    over=table("d messages", *((d, k) for d in (1, 2, 3) for k in range(1, 2**d)), (4, 2)).medium(
        (4, 3), (4, 4)
    ),
    near=[
        near("The code has one more word.", words=lambda k: k + 1),
        near(
            "Words at distance 2 count as if they were at distance 1.",
            distance=lambda x, y: int(x != y),
        ),
    ],
    uses=["fx/eq-2.1"],
)
def index_by_codes(
    d: int,
    messages: int,
    *,
    words: Callable[[int], int] = int,
    distance: Callable[[int, int], int] = _hamming,
) -> Decision:
    """The public-coin error of index on d positions with k messages is the least average distance
    of a word of {0,1}^d to a code of k words, divided by d."""
    best = _best_code(d, words(messages), distance)
    searched = equal(least_error(index(d), messages), best, "search")
    known = equal(recheck(index_error(d, messages)).value, best, "best known code")
    return all_of([("search", searched), ("function", known)])


def _errors(protocol: IndexByCode) -> Fraction:
    return protocol.stated_error


def _first_words(protocol: IndexByCode) -> Fraction:
    """Return the error of the code of those words that have zeros in the last positions."""
    dimension = protocol.messages.bit_length() - 1
    return Fraction(protocol.d - dimension, 2 * protocol.d)


CODES: dict[str, Callable[[], IndexByCode]] = {
    **{f"covering {r}": partial(AugmentedIndexCoveringCode, r) for r in range(2, 17)},
    **{f"repetition {d}": partial(AugmentedIndexRepetition, d) for d in (2, 3, 4, 5, 50, 101)},
    **{f"even weight {d}": partial(AugmentedIndexEvenWeight, d) for d in (2, 3, 10, 100)},
    "Reed-Muller 2": partial(AugmentedIndexReedMuller, 2),
    "Reed-Muller 3": partial(AugmentedIndexReedMuller, 3),
    "Golay": AugmentedIndexGolay,
}
SMALL_CODES = [name for name in CODES if name not in {f"covering {r}" for r in range(6, 17)}]


@claim(
    "ccsim/index-codes",
    "closed-forms.md, Theorem 5",
    "Codes that are optimal for index and augmented index",
    Kind.THEOREM,
    over=grid(code=SMALL_CODES)
    .medium(code=[f"covering {r}" for r in range(6, 11)])
    .large(code=[f"covering {r}" for r in range(11, 17)]),
    near=[
        near("The errors of the codes are 9999/10000 of the bound.", bound=JUST_LESS),
        near("The errors of the codes are 10001/10000 of the bound.", bound=JUST_MORE),
        near(
            "Every linear code of their length and dimension attains the bound.", error=_first_words
        ),
        near("The entropy bound allows half as many messages.", entropy=lambda k: k // 2),
    ],
    uses=["ccsim/ball-bound", "fx/lemma-9"],
)
def codes_reach_the_bound(
    code: str,
    *,
    bound: Callable[[int, int], Fraction] = _ball_bound,
    error: Callable[[IndexByCode], Fraction] = _errors,
    entropy: Callable[[int], int] = int,
) -> Decision:
    """The Hamming, Golay, repetition and even-weight codes and the Reed-Muller codes of length 4
    and 8 attain the ball bound. So the errors of their protocols are minimal for their numbers of
    messages, and they satisfy the entropy bound. Protocols for up to 4 positions are tabulated.
    """
    protocol = CODES[code]()
    d, k, found = protocol.d, protocol.messages, error(protocol)
    cases: list[tuple[object, Decision | bool]] = [
        ("the bound", equal(found, bound(d, k))),
        (
            "entropy",
            holds(LittlestoneBound(d, found).allows(entropy(k)), "(1 - H(error)) d <= log2 k"),
        ),
    ]
    if d <= 4:
        tabulated = worst_error(protocol.tabulate(), augmented_index(d))
        cases.append(("the table", equal(tabulated.value, found)))
    return all_of(cases)


def _majority(d: int) -> Fraction:
    return Fraction(1, 2) - Fraction(comb(d - 1, (d - 1) // 2), 2**d)


@claim(
    "ccsim/augmented-index-one-bit",
    "closed-forms.md, Corollary 6",
    "Minimax error of augmented index with two messages",
    Kind.COROLLARY,
    over=grid(d=[2, 3, 4, 5, 6, 7, 10, 101, 1000]).medium(d=[8, 9]),
    near=EXACTLY,
    uses=["ccsim/ball-bound", "ccsim/index-codes"],
)
def one_bit(d: int, *, value: Callable[[int], Fraction] = _majority) -> Decision:
    """The public-coin error of augmented index, as of index, on d positions with two messages is
    1/2 - C(d-1, floor((d-1)/2)) / 2^d. Checked by search for up to 4 positions and by partitions of
    least cost for up to 9. For larger d the ball bound and the repetition code are compared.
    """
    stated = value(d)
    cases = [
        ("ball bound", equal(index_lower_bound(d, 2), stated)),
        ("repetition code", equal(AugmentedIndexRepetition(d).stated_error, stated)),
    ]
    if d <= 4:
        cases += [
            (f.name, equal(least_error(f, 2), stated)) for f in (augmented_index(d), index(d))
        ]
    if d < 10:
        cases.append(("partitions", equal(recheck(augmented_index_error(d, 2)).value, stated)))
    return all_of(cases)
