"""Minimax errors of index, from codes, and of augmented index, from counts of classes.

Proofs: `docs/closed-forms.md`, section 2. A code is a set of words, given as numbers; its cost is
the sum of the distances of all words to it. Some optimal code contains the word 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, islice
from math import comb
from operator import itemgetter
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.communication.closed_forms.families import family_certificate
from ccsim.communication.distributional import nothing_proved, prove_bound
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.minimax import MinimaxResult
from ccsim.communication.problem import CommunicationProblem, augmented_index, check_positive, index
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
)
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator, probability_vector
from ccsim.programs import solve_matrix_game
from ccsim.symmetry.matrix import Symmetry

Counts = tuple[int, ...]  # how many words of a subtree each class has, decreasing, without zeros

Distances = npt.NDArray[np.int8]

MAX_LENGTH = 9  # maximum length of words in a search for codes; the answer can be an interval
MAX_SEARCHED = 5  # maximum length of words in a search of all codes; the answer is a value
MAX_POSITIONS = 4096  # maximum length of words in closed forms
MAX_COUNTS = 350  # maximum number of divisions of 2**(d-1) words among the classes
MAX_TABLE = 4  # maximum number of positions for a distribution on the whole matrix
_STARTS = 5


@checked_types
def index_lower_bound(d: int, messages: int) -> Fraction:
    """Return the ball bound on the error of index and of augmented index.

    Parameters
    ----------
    d : int
        Number of positions, at least 1.
    messages : int
        Number of messages, at least 1.

    Examples
    --------
    >>> index_lower_bound(7, 16), index_lower_bound(23, 4096)  # Hamming and Golay codes
    (Fraction(1, 8), Fraction(127, 1024))
    """
    _check(d, messages)
    size, larger = divmod(1 << d, messages)
    weight = (messages - larger) * _least_weight(d, size)
    return Fraction(weight + larger * _least_weight(d, size + 1), d << d)


@checked_types
def code_error(d: int, words: Sequence[int]) -> Fraction:
    """Return the average distance of a word of length ``d`` to a code, divided by ``d``.

    Parameters
    ----------
    d : int
        Length of the words.
    words : sequence of int
        The code, as bit masks; at least one word.

    Examples
    --------
    >>> code_error(3, [0b000, 0b111])
    Fraction(1, 4)
    """
    if not words or not all(0 <= word < 1 << d for word in words):
        raise DomainError(
            f"words must be one or more integers between 0 and {(1 << d) - 1}, "
            f"not {list(words)[:9]}"
        )
    near = (min((word ^ other).bit_count() for word in words) for other in range(1 << d))
    return Fraction(sum(near), d << d)


@frozen
class IndexValue(Answer[Fraction]):
    """The minimax error of index, or bounds on it.

    Attributes
    ----------
    d, messages : int
        Number of positions and of messages.
    lower, upper : Fraction
        Bounds on the minimax error; equal if it is known.
    code : tuple of int
        At most ``messages`` words, whose `code_error` is ``upper``.
    method : str
        Proof of ``lower``: ``"ball bound"`` or ``"all codes"`` (exhaustive search).
    """

    asked = ("d", "messages")
    quantity: ClassVar[str] = "the minimax error of index"

    d: int
    messages: int
    lower: Fraction
    upper: Fraction
    code: tuple[int, ...]
    method: str

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate for the kernel: a code and a proof of the lower bound.

        Raises
        ------
        CertificateError
            If the code has no words, too many, or words of another length.
        InstanceTooLargeError
            If words are longer than `MAX_LENGTH`.
        """
        _check(self.d, self.messages)
        if self.d > MAX_LENGTH:
            raise InstanceTooLargeError(
                f"index: d must be at most {MAX_LENGTH} for a certificate, not {self.d}"
            )
        words = all(0 <= word < 1 << self.d for word in self.code)
        if not (words and 0 < len(self.code) <= self.messages):
            raise CertificateError(
                f"code must have between 1 and {self.messages} words of length {self.d}, "
                f"not {self.code}"
            )
        sent = [(Fraction(1), nearest_words(self.d, self.code))]
        if self.method == "all codes":
            return on_table(self.d, self.messages, (self.lower, self.upper), sent)
        lower = family_certificate("index", self.d, self.messages, (self.lower, {"ball": {}}), None)
        return Certificates((lower, on_table(self.d, self.messages, (None, self.upper), sent)))


@checked_types
def index_error(d: int, messages: int) -> IndexValue:
    """Return the minimax error of index with ``d`` positions and public coins, or bounds on it.

    Parameters
    ----------
    d : int
        Number of positions, from 1 to `MAX_LENGTH`. The answer is exact up to `MAX_SEARCHED`, and
        for larger ``d`` if a code is found that attains the ball bound.
    messages : int
        Number of messages, at least 1.

    Raises
    ------
    InstanceTooLargeError
        If ``d`` exceeds `MAX_LENGTH`.

    Notes
    -----
    Complexity: a local search; then, for ``d`` up to `MAX_SEARCHED`, a search of all codes that
    contain the word 0.

    Examples
    --------
    >>> index_error(3, 3).value, index_error(4, 3).value, index_error(7, 16).value
    (Fraction(5, 24), Fraction(1, 4), Fraction(1, 8))
    """
    _check(d, messages)
    if d > MAX_LENGTH:
        raise InstanceTooLargeError(
            f"index: d must be at most {MAX_LENGTH}, not {d}; use index_lower_bound for larger d"
        )
    lower, k = index_lower_bound(d, messages), min(messages, 1 << d)
    distances = distances_of_words(d)
    code, total = good_code(distances, k, stop=int(lower * (d << d)))
    upper = Fraction(total, d << d)
    if upper > lower and d <= MAX_SEARCHED:
        code, total = best_code(distances, k)
        upper = Fraction(total, d << d)
        if upper > lower:
            return IndexValue(d, messages, upper, upper, code, "all codes")
    return IndexValue(d, messages, lower, upper, code, "ball bound")


@frozen
class AugmentedIndexValue(Answer[Fraction]):
    """The minimax error of augmented index, with an optimal protocol and a hard distribution.

    Attributes
    ----------
    d, messages : int
        Number of positions and of messages.
    lower, upper : Fraction
        Bounds on the minimax error with public coins, which are equal.
    weights : tuple of Fraction
        Probability of each position under the hard distribution; ``x`` is uniform.
    shares : tuple of Fraction
        Probability of each partition of the protocol.
    partitions : tuple of tuple of int
        For each partition, the class of each word ``x`` (bit ``i - 1`` is ``x_i``). Public coins
        draw a partition and, for every prefix, whether the next bit is flipped.
    """

    asked = ("d", "messages")
    quantity: ClassVar[str] = "the minimax error of augmented index"

    d: int
    messages: int
    lower: Fraction
    upper: Fraction
    weights: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    partitions: tuple[tuple[int, ...], ...]

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate for the kernel.

        Raises
        ------
        InstanceTooLargeError
            If the table would have more than `MAX_TABLE` positions.
        CertificateError
            If weights or shares are not distributions, or a partition lacks the class of a word.
        """
        d, k = self.d, self.messages
        if d < 1 or k < 1 or len(self.weights) != d or len(self.shares) != len(self.partitions):
            raise CertificateError(
                f"there must be a weight for each of {d} positions and a share for each of "
                f"{len(self.partitions)} partitions, not {len(self.weights)} and {len(self.shares)}"
            )
        for partition in self.partitions:
            if len(partition).bit_length() != d + 1 or len(partition) != 1 << d:
                raise CertificateError(
                    f"a partition must have a class for each of 2^{d} words, not {len(partition)}"
                )
        try:
            probability_vector(self.weights, "weights")
            probability_vector(self.shares, "shares")
        except DomainError as error:
            raise CertificateError(str(error)) from None
        parts = [*zip(self.shares, self.partitions, strict=True)]
        if set(self.weights) == {Fraction(1, d)} and self.lower == index_lower_bound(d, k):
            ball = family_certificate("augmented index", d, k, (self.lower, {"ball": {}}), None)
            above = on_table(d, k, (None, self.upper), parts, self.weights)
            return Certificates((ball, above))
        if d > MAX_TABLE:
            raise InstanceTooLargeError(
                f"augmented_index: d must be at most {MAX_TABLE} for a certificate by tables, not "
                f"{d}"
            )
        return on_table(d, k, (self.lower, self.upper), parts, self.weights)


@checked_types
def augmented_index_error(d: int, messages: int) -> AugmentedIndexValue:
    """Return the public-coin minimax error of augmented index.

    Parameters
    ----------
    d, messages : int
        Numbers of positions and of messages, at least 1. Any number of messages is feasible for ``d
        <= 5``, up to 3 messages for ``d = 6``, and 2 for ``d <= 10``. The limit is on the number of
        divisions of ``2**(d-1)`` words among the classes.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_COUNTS` divisions.

    Notes
    -----
    Complexity: a few rounds, each an exact matrix game with ``d`` rows and a recursion over
    prefixes.

    Examples
    --------
    >>> result = augmented_index_error(4, 3)
    >>> result.value, result.check()
    (Fraction(15, 64), None)
    """
    check_positive("augmented_index", d=d, messages=messages)
    if d > MAX_COUNTS:
        raise InstanceTooLargeError(
            f"augmented_index: d must be at most {MAX_COUNTS}, not {show_value(d)}"
        )
    k = min(messages, 1 << d)
    if len(list(islice(divisions(1 << d - 1, k), MAX_COUNTS + 1))) > MAX_COUNTS:
        raise InstanceTooLargeError(
            f"augmented_index: for d={d} and messages={messages}, the number of divisions of the "
            f"words among the classes exceeds the limit {MAX_COUNTS}"
        )
    uniform = (Fraction(1, d),) * d
    partitions = [cheapest_partition_by_counts([1] * d, k)]
    weights, least = uniform, sum(position_errors(d, partitions[0]), Fraction(0)) / d
    while True:
        columns = [position_errors(d, partition) for partition in partitions]
        game = solve_matrix_game(list(zip(*columns, strict=True)))
        if least == game.value:
            break
        scale = common_denominator(game.row_strategy)
        cheapest = cheapest_partition_by_counts([int(w * scale) for w in game.row_strategy], k)
        errors = position_errors(d, cheapest)
        cost = sum((w * e for w, e in zip(game.row_strategy, errors, strict=True)), Fraction(0))
        if cost > least:
            weights, least = game.row_strategy, cost
        partitions.append(cheapest)
    used = [(p, part) for p, part in zip(game.column_strategy, partitions, strict=True) if p]
    shares, chosen = zip(*used, strict=True)
    return AugmentedIndexValue(d, messages, game.value, game.value, weights, shares, chosen)


def _check(d: int, messages: int) -> None:
    check_positive("index", d=d, messages=messages)
    if d > MAX_POSITIONS:
        raise InstanceTooLargeError(
            f"index: d must be at most {MAX_POSITIONS}, not {show_value(d)}"
        )


def _least_weight(d: int, size: int) -> int:
    """Return the sum of the ``size`` smallest weights of words of length ``d``."""
    total, left = 0, size
    for weight in range(d + 1):
        taken = min(left, comb(d, weight))
        total += taken * weight
        left -= taken
        if not left:
            break
    return total


def nearest_words(d: int, words: Sequence[int]) -> list[int]:
    """Return, for each word of length ``d``, the index of a nearest codeword."""
    numbers = range(len(words))
    return [min(numbers, key=lambda i: (words[i] ^ x).bit_count()) for x in range(1 << d)]


def distances_of_words(d: int) -> Distances:
    """Return the Hamming distances of all pairs of words of length ``d``."""
    words = np.arange(1 << d)
    distances: Distances = np.bitwise_count(words[:, np.newaxis] ^ words).astype(np.int8)
    return distances


def good_code(distances: Distances, k: int, stop: int) -> tuple[tuple[int, ...], int]:
    """Return a code found by local search from several starts, and its cost."""
    size = len(distances)
    rng = np.random.default_rng(0)
    starts = [_lexicographic(distances, least, k) for least in range(size.bit_length() - 1, 0, -1)]
    starts += [rng.permutation(size)[:k].tolist() for _ in range(_STARTS)]
    best: tuple[list[int], int] = [0], size * size
    for start in starts:
        best = min(best, _exchange(distances, start, k), key=itemgetter(1))
        if best[1] == stop:
            break
    return tuple(best[0]), best[1]


def _lexicographic(distances: Distances, least: int, k: int) -> list[int]:
    """Return the first ``k`` words with distance at least `least` to all words chosen before."""
    code: list[int] = []
    near = np.full(len(distances), len(distances), dtype=np.int64)
    for word in range(len(distances)):
        if len(code) < k and near[word] >= least:
            code.append(word)
            near = np.minimum(near, distances[word])
    return code


def _exchange(distances: Distances, code: list[int], k: int) -> tuple[list[int], int]:
    """Extend a code to ``k`` words, then replace single words, each time by the best choice."""
    code = list(code)
    while len(code) < k:
        code.append(_best_addition(distances, code)[0])
    total = int(distances[code].min(axis=0).sum())
    improved = True
    while improved:
        improved = False
        for i in range(k):
            others = code[:i] + code[i + 1 :]
            word, reached = _best_addition(distances, others)
            if reached < total:
                code, total, improved = [*others, word], reached, True
    return sorted(code), total


def _best_addition(distances: Distances, code: list[int]) -> tuple[int, int]:
    """Return the word whose addition lowers the cost most, and the cost after it."""
    near = distances[code].min(axis=0) if code else np.full(len(distances), 127, np.int8)
    sums = np.minimum(distances, near).sum(axis=1, dtype=np.int64)
    word = int(sums.argmin())
    return word, int(sums[word])


def best_code(distances: Distances, k: int) -> tuple[tuple[int, ...], int]:
    """Return a code of ``k`` words, one of them 0, of minimum cost."""
    best: tuple[tuple[int, ...], int] = ((0,), int(distances[0].sum()))

    def extend(words: tuple[int, ...], near: Distances) -> None:
        nonlocal best
        start = words[-1] + 1
        if len(words) == k - 1:
            sums = np.minimum(distances[start:], near).sum(axis=1, dtype=np.int64)
            if len(sums) and sums.min() < best[1]:
                best = (*words, start + int(sums.argmin())), int(sums.min())
            return
        for word in range(start, len(distances)):
            extend((*words, word), np.minimum(near, distances[word]))

    if k > 1:
        extend((0,), distances[0])
    return best


def position_errors(d: int, partition: Sequence[int]) -> tuple[Fraction, ...]:
    """Return a partition's error at each position, for uniform ``x`` and Bob's best answers."""
    errors = []
    for i in range(d):
        counts: dict[tuple[int, int], list[int]] = {}
        for x, label in enumerate(partition):
            counts.setdefault((x & (1 << i) - 1, label), [0, 0])[x >> i & 1] += 1
        errors.append(Fraction(sum(min(pair) for pair in counts.values()), 1 << d))
    return tuple(errors)


def divisions(total: int, parts: int, largest: int | None = None) -> Iterator[Counts]:
    """Yield non-increasing sequences of at most ``parts`` positive integers with the given sum."""
    if total == 0:
        yield ()
    elif parts:
        top = total if largest is None else min(total, largest)
        for first in range(top, (total - 1) // parts, -1):
            for rest in divisions(total - first, parts - 1, first):
                yield (first, *rest)


def cheapest_partition_by_counts(weights: Sequence[int], k: int) -> tuple[int, ...]:
    """Return the class of every word in a cheapest partition into at most ``k`` classes.

    If the words that begin with 0 and with 1 have ``a`` and ``b`` classes, ``a + b - k`` pairs of
    classes are joined, each at the cost of its smaller count. The smallest counts of both halves
    are joined with the largest of the remaining counts.
    """
    d = len(weights)
    if d == 1:
        return (0, min(1, k - 1))
    search = _Search(weights)
    halves = list(divisions(1 << d - 1, k))
    costs = [search.solve(counts)[0] for counts in halves]
    sums = [tuple(accumulate(reversed(counts), initial=0)) for counts in halves]
    best: tuple[int, Counts, Counts, int, int] | None = None
    for i, left in enumerate(halves):
        for j, right in enumerate(halves[: i + 1]):
            joined = max(0, len(left) + len(right) - k)
            crossing, taken = min(
                (sums[i][r] + sums[j][joined - r], r)
                for r in range(max(0, joined - len(right)), min(joined, len(left)) + 1)
            )
            cost = weights[0] * crossing + costs[i] + costs[j]
            if best is None or cost < best[0]:
                best = cost, left, right, joined, taken
    return () if best is None else search.labels(*_joined(*best[1:]))


def _joined(
    left: Counts, right: Counts, joined: int, taken: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the counts and class numbers of two halves after the smallest counts are joined."""
    fresh, shared = len(right) - joined, joined - taken
    numbers = [len(left) - 1 - r for r in range(taken)]
    numbers += range(len(left), len(left) + fresh)
    numbers += reversed(range(shared))
    return list(zip(left, range(len(left)), strict=True)), list(zip(right, numbers, strict=True))


class _Search:
    """Cheapest partitions of the words with a given prefix, for given sizes of the classes."""

    def __init__(self, weights: Sequence[int]) -> None:
        self._weights = weights
        self._known: dict[Counts, tuple[int, Counts]] = {}

    def solve(self, counts: Counts) -> tuple[int, Counts]:
        """Return the minimum cost and, for each class, the number of words that continue with 0."""
        if len(counts) == sum(counts):
            return 0, counts  # one word each
        if counts not in self._known:
            weight = self._weights[len(self._weights) - sum(counts).bit_length() + 1]
            options = []
            for crossing, zeros in _splits(counts):
                ones = [n - a for n, a in zip(counts, zeros, strict=True)]
                cost = self.solve(decreasing(zeros))[0] + self.solve(decreasing(ones))[0]
                options.append((weight * crossing + cost, zeros))
            self._known[counts] = min(options)
        return self._known[counts]

    def labels(self, left: list[tuple[int, int]], right: list[tuple[int, int]]) -> tuple[int, ...]:
        """Return the class of every word, given the counts and the classes in the two halves."""
        halves = [self._below(sorted(half, reverse=True)) for half in (left, right)]
        return tuple(halves[x & 1][x >> 1] for x in range(2 * len(halves[0])))

    def _below(self, counted: list[tuple[int, int]]) -> tuple[int, ...]:
        """Return the class of every word with a given prefix, in the order of the other bits."""
        if sum(n for n, _ in counted) == 1:
            return (counted[0][1],)
        counts = tuple(n for n, _ in counted)
        zeros = self.solve(counts)[1]
        if len(counts) == sum(counts):  # one word each: any order will do
            zeros = tuple(int(j < len(counts) // 2) for j in range(len(counts)))
        left = [(a, label) for a, (_, label) in zip(zeros, counted, strict=True) if a]
        right = [(n - a, c) for a, (n, c) in zip(zeros, counted, strict=True) if n > a]
        return self.labels(left, right)


def decreasing(counts: Sequence[int]) -> Counts:
    """Return the positive counts in non-increasing order."""
    return tuple(sorted((n for n in counts if n), reverse=True))


@lru_cache(maxsize=1 << 14)
def _splits(counts: Counts) -> tuple[tuple[int, Counts], ...]:
    """Return the cheapest splits at the next bit, each with its cost.

    A split is the number of words in each class whose next bit is 0.
    """
    best: dict[tuple[Counts, Counts], tuple[int, Counts]] = {}

    def extend(zeros: Counts, left: int) -> None:
        j = len(zeros)
        if j == len(counts):
            if left == 0:
                ones = tuple(n - a for n, a in zip(counts, zeros, strict=True))
                crossing = sum(min(pair) for pair in zip(zeros, ones, strict=True))
                key = decreasing(zeros), decreasing(ones)
                best[key] = min(best.get(key, (crossing, zeros)), (crossing, zeros))
            return
        most = zeros[-1] if j and counts[j - 1] == counts[j] else counts[j]
        for a in range(min(most, left), -1, -1):
            if left - a <= sum(counts[j + 1 :]):
                extend((*zeros, a), left - a)

    extend((), sum(counts) // 2)
    return tuple(best.values())


def on_table(
    d: int,
    messages: int,
    bounds: tuple[Fraction | None, Fraction],
    partitions: Iterable[tuple[Fraction, Sequence[int]]],
    weights: Sequence[Fraction] | None = None,
) -> Certificate:
    """Return the certificate of bounds on the minimax error of index, or of augmented index."""
    lower, upper = bounds
    problem = index(d) if weights is None else augmented_index(d)
    moves = translations(d, prefixes=weights is not None)
    parts = [(share, with_best_answers(problem, labels), labels) for share, labels in partitions]
    below = nothing_proved(problem)
    if lower is not None:
        masses = {
            (x, y): Fraction(1, d) if weights is None else weights[(y + 1).bit_length() - 1]
            for x, y in problem.inputs()
        }
        mu = HardDistribution.from_mapping({cell: w / (1 << d) for cell, w in masses.items()})
        below = prove_bound(problem, mu, messages, parts[0][2], moves)
    mixed = PublicCoinProtocol.mixture((share, part) for share, part, _ in parts)
    protocol = SymmetricProtocol(mixed, moves if weights is not None else (*moves, rotation(d)))
    found = MinimaxResult(
        problem, messages, "public", lower or Fraction(0), upper, protocol, below, "closed form"
    ).certificate()
    if lower is None:
        return replace(found, statement=found.statement | {"lower": None}, lower=None)
    return found


def translations(d: int, *, prefixes: bool) -> tuple[Symmetry, ...]:
    """Return the bit flips that are symmetries of index, or (with prefixes) of augmented index."""
    found = []
    for i in range(d):
        rows, columns, flips = tuple(x ^ 1 << i for x in range(1 << d)), tuple(range(d)), 1 << i
        if prefixes:  # column 2^n - 1 + p asks for the bit behind the prefix p of length n
            asked = ((n, p) for n in range(d) for p in range(1 << n))
            columns = tuple((p ^ 1 << i if n > i else p) + (1 << n) - 1 for n, p in asked)
            flips = ((1 << (1 << i)) - 1) << (1 << i) - 1
        found.append(Symmetry(rows, columns, flips))
    return tuple(found)


def rotation(d: int) -> Symmetry:
    """Return the symmetry of index that moves each position to the next one."""
    everything = (1 << d) - 1
    rows = (x << 1 & everything | x >> d - 1 for x in range(1 << d))
    return Symmetry(tuple(rows), tuple((i + 1) % d for i in range(d)), 0)


def with_best_answers(
    problem: CommunicationProblem, partition: Sequence[int]
) -> DeterministicProtocol:
    """Return the protocol in which Alice sends the class of her input and Bob answers best."""
    number = {label: m for m, label in enumerate(sorted(set(partition)))}
    votes = [[0] * len(problem.bob) for _ in number]
    for x, y in problem.inputs():
        votes[number[partition[x]]][y] += 1 if problem.value(x, y) else -1
    bob = tuple(sum(1 << y for y, vote in enumerate(row) if vote > 0) for row in votes)
    return DeterministicProtocol(tuple(map(number.__getitem__, partition)), bob, len(problem.bob))
