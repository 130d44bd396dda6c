"""Hashing by inner products as a probabilistic representation of points (`fx` section 3.1).

Random vectors split the points into classes of equal hashes; the hypotheses are the indicators of
the classes. Their number does not depend on the number of points.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

MAX_COINS = 16
"""Largest number of coins, ``b * count``, that are enumerated."""


@checked_types
def inner_product_representation(b: int, count: int) -> ProbabilisticRepresentation:
    """Return the representation of ``points(b)`` by the classes of random inner products.

    Parameters
    ----------
    b : int
        Points are the vectors of ``{0,1}^b``, at least 1.
    count : int
        Number of random vectors, at least 1; ``b * count`` is at most `MAX_COINS`.

    Returns
    -------
    ProbabilisticRepresentation
        At most ``2**count`` hypotheses in each set, whatever ``b`` is. A point shares its class
        with a given other one with probability ``2**-count``, so that by Markov's inequality the
        failure probability at error ``eps`` is at most ``2**-count / eps``;
        `ccsim.failure_probability` computes it exactly.

    Notes
    -----
    Source: `fx` section 3.1 (equality by hashing) with Theorem 7 (=3.1). Maps with the same kernel
    have the same classes and are one set of the representation; the empty class of a map that is
    not onto counts as the zero function.

    Examples
    --------
    >>> R = inner_product_representation(2, 1)
    >>> R.size, R.weights[0], [H.rows for H in R.sets][1]
    (2, Fraction(1, 4), (5, 10))
    """
    if b < 1 or count < 1:
        raise DomainError(f"inner products: need b >= 1 and count >= 1, not {b} and {count}")
    if b * count > MAX_COINS:
        raise InstanceTooLargeError(
            f"inner products: b * count is limited to {MAX_COINS}, got {b * count}"
        )
    size = 1 << b
    hashes = [[(v & x).bit_count() & 1 for x in range(size)] for v in range(size)]
    found: Counter[tuple[int, ...]] = Counter()
    for vectors in product(range(size), repeat=count):
        classes = [0] * (1 << count)
        for x in range(size):
            classes[sum(hashes[v][x] << i for i, v in enumerate(vectors))] |= 1 << x
        found[tuple(sorted(set(classes)))] += 1
    coins = size**count
    return ProbabilisticRepresentation.mixture(
        (Fraction(times, coins), HypothesisSet(rows, size)) for rows, times in found.items()
    )
