"""Hypotheses of learners of points over ``2**64`` points: point functions and keyed functions."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np

from ccsim.data import frozen
from ccsim.learning.sample import Bits, Points


@frozen
class PointFunction:
    """The function that is 1 on one point only, or nowhere if the point is None."""

    point: int | None

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        if self.point is None:
            return np.zeros(len(points), dtype=np.bool_)
        return np.asarray(points == np.uint64(self.point), dtype=np.bool_)


@frozen
class BiasedFunction:
    """A pseudorandom function that is 1 on about a given fraction of all points.

    Its value on a point is whether the keyed BLAKE2b digest of the point, as a fraction, lies below
    the bias. The key is the whole hypothesis: it does not tell which point it was chosen for.
    """

    key: bytes  # at most 64 bytes
    bias: Fraction  # between 0 and 1

    def value(self, point: int) -> bool:
        """Return the value on one point."""
        digest = hashlib.blake2b(point.to_bytes(8, "big"), key=self.key, digest_size=8).digest()
        number = int.from_bytes(digest, "big")
        return number * self.bias.denominator < self.bias.numerator << 64

    def predict(self, points: Points) -> Bits:
        """Return the value on each point."""
        distinct, inverse = np.unique(points, return_inverse=True)
        values = np.array([self.value(int(x)) for x in distinct], dtype=np.bool_)
        return np.asarray(values[inverse], dtype=np.bool_)
