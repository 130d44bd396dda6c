"""Index and augmented index: the ball bound, codes that reach it, and one bit."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from ccsim import augmented_index, index, minimax_error
from ccsim.communication import (
    AugmentedIndexValue,
    CommunicationProblem,
    DeterministicProtocol,
    HardDistribution,
    LittlestoneBound,
    MinimaxResult,
    PublicCoinProtocol,
    SymmetricProtocol,
    augmented_index_error,
    index_error,
    index_lower_bound,
)
from ccsim.symmetry.matrix import Symmetry
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict
from proofs_check.claims.evidence import recheck
from protocols import (
    AugmentedIndexCoveringCode,
    AugmentedIndexEvenWeight,
    AugmentedIndexGolay,
    AugmentedIndexReedMuller,
    AugmentedIndexRepetition,
)
from protocols.index import IndexByCode

__all__ = ["CLAIMS"]

FOUR = {Size.SMALL: (2,), Size.MEDIUM: (2, 3, 4), Size.LARGE: (2, 3, 4, 5, 6, 8, 12)}
"""Numbers of messages for four positions; three and fewer positions have them all."""


def _searched(size: Size) -> Iterator[tuple[int, int]]:
    """Positions and messages for which the least errors are searched for."""
    yield from ((d, k) for d in (1, 2, 3) for k in range(1, 2**d + 1))
    yield from ((4, k) for k in FOUR[size])


def ball_bound(size: Size) -> Iterator[Instance]:
    """Compare with the least errors that the search finds, for both problems."""
    for d, k in _searched(size):
        for problem in (index(d), augmented_index(d)):
            result = minimax_error(problem, k)
            recheck(result)
            name = f"{problem.name} messages={k}"
            yield Instance.at_most(name, index_lower_bound(d, k), result.value)


def index_by_codes(size: Size) -> Iterator[Instance]:
    """Compare the best code with the least error that the search finds."""
    for d, k in _searched(size):
        result = minimax_error(index(d), k)
        recheck(result)
        best = index_error(d, k)
        best.check()
        detail = f"search {result.value}, best code {best.value} by {best.method}"
        yield Instance.of(f"index:d={d} messages={k}", best.value == result.value, detail)


def _families(size: Size) -> Iterator[IndexByCode]:
    """Codes whose leaders are words of least weight."""
    last = {Size.SMALL: 5, Size.MEDIUM: 10, Size.LARGE: 16}[size]
    yield from (AugmentedIndexCoveringCode(r) for r in range(1, last + 1))
    yield from (AugmentedIndexRepetition(d) for d in (2, 3, 4, 5, 50, 101))
    yield from (AugmentedIndexEvenWeight(d) for d in (2, 3, 10, 100))
    yield AugmentedIndexReedMuller(2)
    yield AugmentedIndexReedMuller(3)
    yield AugmentedIndexGolay()


def codes_reach_the_bound(size: Size) -> Iterator[Instance]:
    """Compare the exact errors of the protocols with the ball bound and with the entropy bound."""
    for protocol in _families(size):
        d, k, error = protocol.d, protocol.messages, protocol.worst_error
        holds = error == index_lower_bound(d, k) and LittlestoneBound(d, error).allows(k)
        detail = f"error {_short(error)} at {protocol.cost_bits} bits"
        yield Instance.of(protocol.name, holds, detail)


def _short(value: Fraction) -> str:
    return str(value) if value.denominator < 10**9 else f"{float(value):.6g}"


def one_bit(size: Size) -> Iterator[Instance]:
    """Compare the formula with the count, with the ball bound and with the repetition code."""
    for d in range(2, 8 if size is Size.SMALL else 10):
        result = augmented_index_error(d, 2)
        result.check()
        detail = f"cheapest partitions {result.value}, formula {_majority(d)}"
        yield Instance.of(f"augmented_index:d={d}", result.value == _majority(d), detail)
    for d in (2, 3, 10, 101, 1000):
        reached = AugmentedIndexRepetition(d).worst_error
        holds = index_lower_bound(d, 2) == reached == _majority(d)
        detail = f"ball bound and repetition code both {_short(reached)}"
        yield Instance.of(f"augmented_index:d={d} messages=2", holds, detail)


def _majority(d: int) -> Fraction:
    return Fraction(1, 2) - Fraction(comb(d - 1, (d - 1) // 2), 2**d)


def augmented_index_by_counts(size: Size) -> Iterator[Instance]:
    """Compare with the search, and give its certificate to the kernel."""
    for d, k in _searched(size):
        stated = augmented_index_error(d, k)
        stated.check()
        recheck(_certified(stated))
        result = minimax_error(augmented_index(d), k)
        recheck(result)
        detail = f"search {result.value}, by counts {stated.value}"
        name = f"augmented_index:d={d} messages={k}"
        yield Instance.of(name, result.value == stated.value, detail)


def _certified(stated: AugmentedIndexValue) -> MinimaxResult:
    """Return a value found by counts as a result with both certificates."""
    d, problem = stated.d, augmented_index(stated.d)
    cells = {
        (x, (1 << i) - 1 + (x & (1 << i) - 1)): stated.weights[i] / (1 << d)
        for x in range(1 << d)
        for i in range(d)
    }
    parts = [
        (share, _with_best_answers(problem, partition))
        for share, partition in zip(stated.shares, stated.partitions, strict=True)
    ]
    flips = [_flip(d, i, prefix) for i in range(d) for prefix in range(1 << i)]
    return MinimaxResult(
        problem,
        stated.messages,
        "public",
        stated.value,
        stated.value,
        SymmetricProtocol(PublicCoinProtocol.mixture(parts), tuple(flips)),
        HardDistribution.from_mapping(cells),
        "counts",
    )


def _with_best_answers(
    problem: CommunicationProblem, partition: tuple[int, ...]
) -> DeterministicProtocol:
    """Return the protocol that sends the class, with the answer that is right more often."""
    classes = sorted(set(partition))
    votes = [[0] * len(problem.bob) for _ in classes]
    for x, y in problem.inputs():
        votes[classes.index(partition[x])][y] += 1 if problem.value(x, y) else -1
    bob = tuple(sum(1 << y for y, vote in enumerate(row) if vote > 0) for row in votes)
    alice = tuple(classes.index(label) for label in partition)
    return DeterministicProtocol(alice, bob, len(problem.bob))


def _flip(d: int, i: int, prefix: int) -> Symmetry:
    """Return the symmetry that flips bit ``i``, from 0, of the words with a given prefix."""

    def image(word: int, length: int) -> int:
        meets = length > i and word & (1 << i) - 1 == prefix
        return word ^ 1 << i if meets else word

    rows = tuple(image(x, d) for x in range(1 << d))
    columns = tuple(
        (1 << length) - 1 + image(word, length)
        for length in range(d)
        for word in range(1 << length)
    )
    return Symmetry(rows, columns, 1 << (1 << i) - 1 + prefix)


def equal_positions(size: Size) -> Iterator[Instance]:
    """Compare the least error with that under equal weights of the positions."""
    grid = [(d, k) for d in (2, 3, 4) for k in range(1, 2**d + 1)]
    most = {Size.SMALL: 1, Size.MEDIUM: 5, Size.LARGE: 7}[size]
    grid += [(5, k) for k in range(2, most + 1)]
    for d, k in grid:
        result = augmented_index_error(d, k)
        result.check()
        equal = set(result.weights) == {Fraction(1, d)}
        detail = f"{result.value} under weights {', '.join(map(str, result.weights))}"
        yield Instance.of(f"augmented_index:d={d} messages={k}", equal, detail)


CLAIMS = (
    Claim(
        "ccsim/ball-bound",
        "closed-forms.md, Theorem 3",
        "Ball bound for index and augmented index",
        "With k messages, index and augmented index on d positions err at least W/(d 2^d), where W "
        "adds up the least weights of words in k classes of {0,1}^d that are as even as possible.",
        Kind.THEOREM,
        ball_bound,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "ccsim/index-value",
        "closed-forms.md, Theorem 4",
        "Least error of index is that of the best code",
        "The least error of index on d positions with k messages is the least average distance of "
        "a word of {0,1}^d to a code of k words, over d.",
        Kind.THEOREM,
        index_by_codes,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "ccsim/index-codes",
        "closed-forms.md, Theorem 5",
        "Codes that are optimal for index and augmented index",
        "The Hamming, Golay, repetition and even-weight codes and the Reed-Muller codes of length "
        "4 and 8 reach the ball bound, so their errors are the least with so many messages.",
        Kind.THEOREM,
        codes_reach_the_bound,
        uses=("ccsim/ball-bound", "fx/lemma-9"),
    ),
    Claim(
        "ccsim/augmented-index-one-bit",
        "closed-forms.md, Corollary 6",
        "Augmented index with one bit",
        "The least error of augmented index, as of index, on d positions with two messages is "
        "1/2 - C(d-1, floor((d-1)/2)) / 2^d.",
        Kind.COROLLARY,
        one_bit,
        uses=("ccsim/ball-bound", "ccsim/index-codes"),
    ),
    Claim(
        "ccsim/augmented-index-value",
        "closed-forms.md, Theorem 7",
        "Least error of augmented index by counting classes",
        "The least error of augmented index is the value of the game between positions and "
        "partitions of {0,1}^d, where a partition pays in each position the smaller of the two "
        "counts of every class below every prefix.",
        Kind.THEOREM,
        augmented_index_by_counts,
        uses=("fx/eq-2.1",),
    ),
    Claim(
        "ccsim/augmented-index-positions",
        "closed-forms.md, Conjecture 8",
        "Equal weights are hardest for augmented index",
        "The uniform distribution on inputs inside the promise, equal weights for all positions, "
        "is a hardest one for augmented index, for every d and every number of messages.",
        Kind.CONJECTURE,
        equal_positions,
        uses=("ccsim/augmented-index-value",),
        recorded=Verdict.NOT_DECIDED,
        reason="a conjecture about every d and k, which instances can only refute",
    ),
)
