"""Problems on two words of n bits: disjointness, inner product, Gap-Hamming.

Input number ``X`` of either side is the word with ``x_i`` in bit ``i - 1``; its label is the word.
"""

from __future__ import annotations

from ccsim.arguments.checked import checked_types
from ccsim.classes.families.elementary import bit_strings, parities, power_of_two
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError
from ccsim.texts.labels import check_size


def _words(n: int, family: str, name: str) -> tuple[str, ...]:
    """Return the words of n bits, if a problem on pairs of them is not too large."""
    if n < 1:
        raise DomainError(f"{family}: n must be at least 1, not {n}")
    size = power_of_two(n, family, "n")
    check_size(size, size, name)
    return tuple(bit_strings(n))


@checked_types
def disjointness(n: int) -> CommunicationProblem:
    """Return disjointness of two sets of ``n`` elements: 1 unless ``x_i = y_i = 1`` for some i.

    Parameters
    ----------
    n : int
        Elements of the ground set, at least 1.

    Examples
    --------
    >>> disjointness(1).ones, disjointness(2).ones
    ((3, 1), (15, 5, 3, 1))
    """
    name = f"disjointness:n={n}"
    words, rows = _words(n, "disjointness", name), [1]
    for i in range(n):  # where y_{i+1} = 1, rows with x_{i+1} = 1 have value 0
        rows = [row << (1 << i) | row for row in rows] + rows
    everything = ((1 << len(words)) - 1,) * len(words)
    return CommunicationProblem(words, words, tuple(rows), everything, name)


@checked_types
def inner_product(n: int) -> CommunicationProblem:
    """Return the inner product ``x_1 y_1 + ... + x_n y_n`` modulo 2 of words of ``n`` bits.

    Parameters
    ----------
    n : int
        Bits of each input, at least 1.

    Examples
    --------
    >>> inner_product(2).ones
    (0, 10, 12, 6)
    """
    name = f"inner_product:n={n}"
    words = _words(n, "inner_product", name)
    everything = ((1 << len(words)) - 1,) * len(words)
    return CommunicationProblem(words, words, parities(n).rows, everything, name)


@checked_types
def gap_hamming(n: int, g: int) -> CommunicationProblem:
    """Return Gap-Hamming: 1 at a distance of at least ``(n+g)/2``, 0 of at most ``(n-g)/2``.

    Other pairs of words are outside the promise; for odd ``n`` and ``g = 1`` there are none.

    Parameters
    ----------
    n : int
        Bits of a word.
    g : int
        The gap, from 1 to n.

    Raises
    ------
    DomainError, InstanceTooLargeError

    Notes
    -----
    Source: Indyk and Woodruff (2003), "Tight lower bounds for the distinct elements problem".

    Examples
    --------
    >>> f = gap_hamming(2, 2)
    >>> [[f.value(x, y) for y in range(4)] for x in range(2)]
    [[0, None, None, 1], [None, 0, 1, None]]
    """
    name = f"gap_hamming:n={n},g={g}"
    words = _words(n, "gap_hamming", name)
    if not 1 <= g <= n:
        raise DomainError(f"gap_hamming: g must lie between 1 and n = {n}, not {g}")
    size = len(words)
    excess = [2 * y.bit_count() - n for y in reversed(range(size))]  # of the ones over the zeros
    far = int("".join("01"[each >= g] for each in excess), 2)
    near = int("".join("01"[each <= -g] for each in excess), 2)
    ones, promise = [far], [far | near]
    for i in range(n):  # x_{i+1} = 1 swaps the halves of each block of 2^(i+1) inputs of Bob
        ones += [_swapped(row, 1 << i, size) for row in ones]
        promise += [_swapped(row, 1 << i, size) for row in promise]
    return CommunicationProblem(words, words, tuple(ones), tuple(promise), name)


def _swapped(row: int, half: int, size: int) -> int:
    """Return a row with the two halves of each block of columns swapped."""
    lower = ((1 << size) - 1) // ((1 << 2 * half) - 1) * ((1 << half) - 1)
    return (row & lower) << half | row >> half & lower
