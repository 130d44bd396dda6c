"""Index and codes: the least error is the mean distance to the best code, over the length.

Main statements (`docs/closed-forms.md`, section 2). The least error of index(d) with ``k`` messages
is the least average distance of a word of ``{0,1}^d`` to a code of ``k`` words, over ``d``. Neither
index nor augmented index has less error than `index_lower_bound`, the *ball bound*: of ``k``
classes as even as possible, each weighs at least what the words of least weight do. Perfect codes
reach it, and so do all linear codes whose coset leaders are words of least weight.

Codes to which the words of ``{0,1}^d`` have a small average distance: good ones, and the best.

A code is a set of words, given as numbers; the sum of the distances of all words to it is what
counts. Shifts change nothing, so a best code may be taken to hold the word 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from operator import itemgetter
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.communication.closed_forms.families import family_certificate
from ccsim.communication.closed_forms.on_tables import on_table
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError

MAX_LENGTH = 9
"""Longest words for which codes are searched, with bounds as the answer."""

MAX_SEARCHED = 5
"""Longest words for which all codes are searched, so that the answer is a value."""


def _check(d: int, messages: int) -> None:
    for name, number in (("d", d), ("messages", messages)):
        if number < 1:
            raise DomainError(f"index: {name} must be at least 1, not {show_value(number)}")
    check_positions("index", d)


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


@checked_types
def index_lower_bound(d: int, messages: int) -> Fraction:
    """Return the ball bound on the error of index and of augmented index.

    Parameters
    ----------
    d : int
        Number of positions, at least 1.
    messages : int
        At least 1.

    Notes
    -----
    Complexity: ``d`` binomial coefficients; hundreds of positions are no matter.

    Examples
    --------
    >>> index_lower_bound(7, 16), index_lower_bound(23, 4096)  # Hamming and Golay codes
    (Fraction(1, 8), Fraction(127, 1024))
    >>> [str(index_lower_bound(3, k)) for k in range(1, 9)]
    ['1/2', '1/4', '5/24', '1/6', '1/8', '1/12', '1/24', '0']
    """
    _check(d, messages)
    size, larger = divmod(1 << d, messages)
    weight = (messages - larger) * _least_weight(d, size)
    return Fraction(weight + larger * _least_weight(d, size + 1), d << d)


@checked_types
def code_error(d: int, words: Sequence[int]) -> Fraction:
    """Return the average distance of a word of length ``d`` to a code, over ``d``.

    Parameters
    ----------
    d : int
        Length of the words.
    words : sequence of int
        The code, as bit masks; at least one word.

    Raises
    ------
    DomainError
        If there is no word, or one does not have the length.

    Examples
    --------
    >>> code_error(3, [0b000, 0b111])
    Fraction(1, 4)
    """
    if not words or not all(0 <= word < 1 << d for word in words):
        raise DomainError(
            f"a code of length {d} needs words from 0 to {(1 << d) - 1}, not {list(words)[:9]}"
        )
    near = (min((word ^ other).bit_count() for word in words) for other in range(1 << d))
    return Fraction(sum(near), d << d)


def nearest_words(d: int, words: Sequence[int]) -> list[int]:
    """Return for each word of length ``d`` the number of a nearest one of a code."""
    return [
        min(range(len(words)), key=lambda i: (words[i] ^ other).bit_count())
        for other in range(1 << d)
    ]


@frozen
class IndexValue(Answer[Fraction]):
    """The least error of index, or bounds on it.

    Attributes
    ----------
    d, messages : int
        Number of positions and of messages.
    lower, upper : Fraction
        Bounds on the least error on the worst input; equal when it is known.
    code : tuple of int
        At most ``messages`` words whose average distance is ``upper``.
    method : str
        What proves ``lower``: ``"ball bound"``, or ``"all codes"``.
    """

    asked = ("d", "messages")

    quantity: ClassVar[str] = "the least error of index"

    d: int
    messages: int
    lower: Fraction
    upper: Fraction
    code: tuple[int, ...]
    method: str

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate for the kernel: a code on the table, and the ball bound.

        Where all codes were compared the table has the lower bound, too.

        Raises
        ------
        DomainError, CertificateError
            If a parameter is below 1, or the code has other words or too many.
        InstanceTooLargeError
            If words are longer than codes are searched for.
        """
        _check(self.d, self.messages)
        if self.d > MAX_LENGTH:
            raise InstanceTooLargeError(
                f"codes are checked up to length {MAX_LENGTH}, not {self.d}"
            )
        words = all(0 <= word < 1 << self.d for word in self.code)
        if not (words and 0 < len(self.code) <= self.messages):
            raise CertificateError(
                f"a code has from 1 to {self.messages} words of length {self.d}, unlike {self.code}"
            )
        sent = [(Fraction(1), nearest_words(self.d, self.code))]
        if self.method == "all codes":
            return on_table(self.d, self.messages, (self.lower, self.upper), sent)
        lower = family_certificate("index", self.d, self.messages, (self.lower, {"ball": {}}), None)
        return Certificates((lower, on_table(self.d, self.messages, (None, self.upper), sent)))


@checked_types
def index_error(d: int, messages: int) -> IndexValue:
    """Return the least public-coin error of index with ``d`` positions, or bounds on it.

    Parameters
    ----------
    d : int
        From 1 to `MAX_LENGTH`; the answer is a value up to `MAX_SEARCHED`, and beyond where a code
        is found that reaches the ball bound.
    messages : int
        At least 1.

    Raises
    ------
    DomainError
        If a parameter is below 1.
    InstanceTooLargeError
        If ``d`` exceeds `MAX_LENGTH`.

    Notes
    -----
    Complexity: a local search over codes, then, up to `MAX_SEARCHED` and where the ball bound is
    not reached, all codes that hold the word 0; a few seconds at most.

    Examples
    --------
    >>> index_error(3, 3).value, index_error(4, 3).value, index_error(7, 16).value
    (Fraction(5, 24), Fraction(1, 4), Fraction(1, 8))
    >>> result = index_error(6, 7)
    >>> str(result.lower), str(result.upper), result.method
    ('3/16', '73/384', 'ball bound')
    """
    _check(d, messages)
    if d > MAX_LENGTH:
        raise InstanceTooLargeError(
            f"codes are searched up to length {MAX_LENGTH}, not {d}; the ball bound has no limit"
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


MAX_POSITIONS = 4096
"""Largest length of the words that closed forms count."""

_STARTS = 5

Distances = npt.NDArray[np.int8]


def check_positions(problem: str, d: int) -> None:
    """Refuse words of more than `MAX_POSITIONS` letters."""
    if d > MAX_POSITIONS:
        raise InstanceTooLargeError(
            f"{problem}: d is limited to {MAX_POSITIONS}, not {show_value(d)}"
        )


def distances_of_words(d: int) -> Distances:
    """Return the Hamming distances of all pairs of words of length ``d``."""
    words = np.arange(1 << d)
    distances: Distances = np.bitwise_count(words[:, np.newaxis] ^ words).astype(np.int8)
    return distances


def good_code(distances: Distances, k: int, stop: int) -> tuple[tuple[int, ...], int]:
    """Return a good code and the sum of the distances to it, not always the least.

    Lexicographic codes of every distance, among them the Hamming codes, are cut or filled up to
    ``k`` words, and some random codes drawn; then single words are exchanged as long as that helps.
    """
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
    """Return the first ``k`` words that are at least so far from all words taken before."""
    code: list[int] = []
    near = np.full(len(distances), len(distances), dtype=np.int64)
    for word in range(len(distances)):
        if len(code) < k and near[word] >= least:
            code.append(word)
            near = np.minimum(near, distances[word])
    return code


def _exchange(distances: Distances, code: list[int], k: int) -> tuple[list[int], int]:
    """Fill a code up to ``k`` words, then replace single words, always by the best ones."""
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
    """Return the word that lowers the sum of the distances most when added, and the sum."""
    near = distances[code].min(axis=0) if code else np.full(len(distances), 127, np.int8)
    sums = np.minimum(distances, near).sum(axis=1, dtype=np.int64)
    word = int(sums.argmin())
    return word, int(sums[word])


def best_code(distances: Distances, k: int) -> tuple[tuple[int, ...], int]:
    """Return a code of ``k`` words, one of them 0, with the least sum of distances.

    Complexity: all such codes but for their last word; seconds for six words of length 5.
    """
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
