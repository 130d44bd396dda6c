"""Codes to which the words of ``{0,1}^d`` have a small average distance: good ones, and the best.

A code is a set of words, given as numbers; the sum of the distances of all words to it is what
counts. Shifts change nothing, so a best code may be taken to hold the word 0.
"""

from __future__ import annotations

from operator import itemgetter

import numpy as np
import numpy.typing as npt

from ccsim.border import show_value
from ccsim.errors import InstanceTooLargeError

__all__ = ["MAX_POSITIONS", "best_code", "check_positions", "distances_of_words", "good_code"]

MAX_POSITIONS = 4096
"""Largest length of the words that closed forms count."""

_STARTS = 5

Distances = npt.NDArray[np.int8]


def check_positions(problem: str, d: int) -> None:
    """Refuse words of more than `MAX_POSITIONS` letters.

    Raises
    ------
    InstanceTooLargeError

    Examples
    --------
    >>> check_positions("index", 10**6)
    Traceback (most recent call last):
    ...
    ccsim.errors.InstanceTooLargeError: index: d is limited to 4096, not 1000000
    """
    if d > MAX_POSITIONS:
        raise InstanceTooLargeError(
            f"{problem}: d is limited to {MAX_POSITIONS}, not {show_value(d)}"
        )


def distances_of_words(d: int) -> Distances:
    """Return the Hamming distances of all pairs of words of length ``d``.

    Examples
    --------
    >>> distances_of_words(2)[0].tolist()
    [0, 1, 1, 2]
    """
    words = np.arange(1 << d)
    distances: Distances = np.bitwise_count(words[:, np.newaxis] ^ words).astype(np.int8)
    return distances


def good_code(distances: Distances, k: int, stop: int) -> tuple[tuple[int, ...], int]:
    """Return a good code and the sum of the distances to it, not always the least.

    Lexicographic codes of every distance, among them the Hamming codes, are cut or filled up to
    ``k`` words, and some random codes drawn; then single words are exchanged as long as that helps.

    Parameters
    ----------
    distances : matrix
        From `distances_of_words`.
    k : int
        Number of words, at least 1 and at most all.
    stop : int
        A sum that no code falls below; the search ends where it is reached.

    Examples
    --------
    >>> good_code(distances_of_words(3), 2, stop=6)
    ((0, 7), 6)
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

    Examples
    --------
    >>> best_code(distances_of_words(3), 3)
    ((0, 1, 6), 5)
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
