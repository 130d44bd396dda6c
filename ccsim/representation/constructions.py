"""Representations of single points by hashing, projective planes and Reed-Solomon codes.

Suppose that a point lies in ``p`` of the sets and every other point in at most ``c`` of these ``p``
sets. Then, under any distribution, one of the ``p`` sets approximates the indicator of the point
with error at most ``c / p`` (`bbkn` section 4.1).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import flint
import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass, points
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact.fractions import next_prime
from ccsim.representation.error import RepresentationResult
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

MAX_COINS = 16
"""Maximum number of coins, ``b * count``, for their enumeration."""
MAX_ORDER = 64
"""Largest order of a finite field."""
_NAME = "Reed-Solomon code"
_MAX_POINTS = 1 << 12  # of a code whose sets are listed
Elements = npt.NDArray[np.int64]


@checked_types
def single_points(size: int) -> ConceptClass:
    """Return the indicator functions of the single points of a domain of any positive size.

    Parameters
    ----------
    size : int
        Number of points, at least 1.

    Examples
    --------
    >>> single_points(3).rows, single_points(4) == points(2)
    ((1, 2, 4), True)
    """
    if size < 1:
        raise DomainError(f"single_points: size must be at least 1, not {size}")
    if size & (size - 1) == 0:
        return points(size.bit_length() - 1)
    return ConceptClass.from_rows(
        [1 << j for j in range(size)], range(size), name=f"{size} single points"
    )


@frozen
class PointRepresentation(Certified):
    """Hypotheses that represent the single points of a domain, with mixtures as a proof.

    Attributes
    ----------
    hypotheses : HypothesisSet
        The hypotheses.
    witnesses : tuple of tuple of int
        For each point the indices of hypotheses whose uniform mixture approximates its indicator;
        an index may be repeated.
    value : Fraction
        The maximum, over pairs of points, of the fraction of the witnesses of the first point that
        are wrong on the second. The hypotheses represent all indicators with this error, or a
        smaller error.

    Examples
    --------
    >>> H = HypothesisSet.from_matrix([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    >>> pairs = PointRepresentation.from_witnesses(H, [(0, 1), (0, 2), (1, 2)])
    >>> pairs.value
    Fraction(1, 2)
    >>> pairs.check()
    """

    question = "the error of a representation of points"
    asked = ("hypotheses",)
    answered = ("value",)

    hypotheses: HypothesisSet
    witnesses: tuple[tuple[int, ...], ...]
    value: Fraction

    @classmethod
    def from_witnesses(
        cls, hypotheses: HypothesisSet, witnesses: list[tuple[int, ...]]
    ) -> PointRepresentation:
        """Return the representation with the error proved by the witnesses."""
        if not all(witnesses):
            raise DomainError(
                f"every point must have a witness, but point {witnesses.index(())} has none"
            )
        worst = Fraction(0)
        for j, chosen in enumerate(witnesses):
            wrong: Counter[int] = Counter()
            for i in chosen:
                wrong.update(members(hypotheses.rows[i] ^ 1 << j))
            most = max(wrong.values(), default=0)
            worst = max(worst, Fraction(most, len(chosen)))
        return cls(hypotheses, tuple(witnesses), worst)

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.hypotheses.size

    @property
    def concept_class(self) -> ConceptClass:
        """The class of single points that the hypotheses represent."""
        return single_points(self.hypotheses.num_points)

    def represents(self, error: Fraction) -> bool:
        """Whether the witnesses prove a representation with the given error."""
        return self.value <= error

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: an upper bound on the error."""
        if not all(0 <= i < self.size for chosen in self.witnesses for i in chosen):
            raise CertificateError(f"witnesses must be at least 0 and below {self.size}")
        counts = [Counter(chosen) for chosen in self.witnesses]
        weights = [[listed[i] for i in range(self.size)] for listed in counts]
        bounds = {"lower": None, "upper": encode_fraction(self.value)}
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {"hypotheses": self.hypotheses.to_json(), **bounds},
            None,
            {"mixtures": {"weights": weights}},
        )


def containing_sets(hypotheses: HypothesisSet) -> list[tuple[int, ...]]:
    """Return, for each point, the indices of the sets that contain it."""
    containing: list[list[int]] = [[] for _ in range(hypotheses.num_points)]
    for i, row in enumerate(hypotheses.rows):
        for j in members(row):
            containing[j].append(i)
    return [tuple(numbers) for numbers in containing]


@checked_types
def inner_product_representation(b: int, count: int) -> ProbabilisticRepresentation:
    """Return the representation of ``points(b)`` by random inner products.

    Parameters
    ----------
    b : int
        Dimension, at least 1; points are the vectors of ``{0,1}^b``.
    count : int
        Number of random vectors, at least 1; ``b * count`` is at most `MAX_COINS`.

    Returns
    -------
    ProbabilisticRepresentation
        Sets of at most ``2**count`` hypotheses for every ``b``. Two distinct points have equal
        inner products with probability ``2**-count``, so by Markov's inequality the failure
        probability at error ``eps`` is at most ``2**-count / eps``. `ccsim.failure_probability`
        computes it exactly.

    Notes
    -----
    Source: `fx` section 3.1 (equality by hashing) with Theorem 7 (=3.1). Linear maps with the same
    kernel give the same set of hypotheses. If a map is not onto, the set also contains the zero
    function.

    Examples
    --------
    >>> R = inner_product_representation(2, 1)
    >>> R.size, R.weights[0], [H.rows for H in R.sets][1]
    (2, Fraction(1, 4), (5, 10))
    """
    if b < 1 or count < 1:
        raise DomainError(
            f"inner_product_representation: b and count must be at least 1, not {b} and {count}"
        )
    if b * count > MAX_COINS:
        raise InstanceTooLargeError(
            f"inner_product_representation: b * count must be at most {MAX_COINS}, not {b * count}"
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


class FiniteField:
    """The field with ``q`` elements; element number ``i`` has the base-p digits of ``i``."""

    def __init__(self, p: int, degree: int) -> None:
        self.order = p**degree
        self._tables: tuple[Elements, Elements] | None = None
        if degree > 1:
            context = flint.fq_default_ctx(p, degree)
            digits = [[i // p**e % p for e in range(degree)] for i in range(self.order)]
            elements = [context(flint.fmpz_poly(digit)) for digit in digits]
            number = {str(element): i for i, element in enumerate(elements)}
            sums = [[number[str(a + b)] for b in elements] for a in elements]
            products = [[number[str(a * b)] for b in elements] for a in elements]
            self._tables = np.array(sums), np.array(products)

    def sum(self, a: Elements, b: Elements) -> Elements:
        """Return the elementwise sum of two arrays of field elements."""
        return (a + b) % self.order if self._tables is None else self._tables[0][a, b]

    def product(self, a: Elements, b: Elements) -> Elements:
        """Return the elementwise product of two arrays of field elements."""
        return a * b % self.order if self._tables is None else self._tables[1][a, b]

    def values(self, coefficients: Elements, length: int) -> Elements:
        """Return the values of polynomials at the first ``length`` elements, row by row."""
        places = np.arange(length, dtype=np.int64)
        total = np.zeros((len(coefficients), length), dtype=np.int64)
        for column in coefficients.T[::-1]:  # Horner's rule
            total = self.sum(self.product(total, places), column[:, np.newaxis])
        return total


@cache
def finite_field(q: int, name: str) -> FiniteField:
    """Return the field with ``q`` elements."""
    factors = flint.fmpz(q).factor() if q > 1 else []
    if len(factors) != 1:
        raise DomainError(f"{name}: the order must be a prime power, not {q}")
    [(prime, degree)] = factors
    if q > MAX_ORDER and (degree > 1 or q >= 1 << 31):
        raise InstanceTooLargeError(f"{name}: the order must be at most {MAX_ORDER}, not {q}")
    return FiniteField(int(prime), int(degree))


@checked_types
def plane_lines(q: int) -> tuple[int, ...]:
    """Return the lines of the projective plane over the field of ``q`` elements, as bit masks.

    Points and lines are the ``q^2 + q + 1`` triples whose first non-zero entry is 1, in
    lexicographic order; a point lies on a line if their inner product is 0.

    Parameters
    ----------
    q : int
        A prime power.

    Examples
    --------
    >>> [f"{line:07b}" for line in plane_lines(2)][:2]
    ['0101010', '0011001']
    """
    if q > MAX_ORDER:
        raise InstanceTooLargeError(
            f"projective plane: the order must be at most {MAX_ORDER}, not {q}"
        )
    field = finite_field(q, "projective plane")
    triples = [t for t in product(range(q), repeat=3) if next(filter(None, t), 0) == 1]
    points = np.array(triples, dtype=np.int64)
    lines = []
    for line in points:
        x, y, z = field.product(points, line).T
        inner = field.sum(field.sum(x, y), z)
        lines.append(sum(1 << int(i) for i in np.flatnonzero(inner == 0)))
    return tuple(lines)


@checked_types
def projective_plane_representation(q: int) -> RepresentationResult:
    """Return the representation of points by lines of a projective plane, with error ``1/(q+1)``.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`; orders up to 9 take a second.

    Returns
    -------
    RepresentationResult
        The error with proofs in closed form. The upper bound is proved by the uniform mixture of
        the lines through a point. The lower bound is proved by the uniform distribution over the
        other points, under which a line through the point has error ``q / (q^2 + q)`` and any other
        line a larger error.

    Notes
    -----
    Source: `bbkn` section 4.1, which proves an error of at most ``1/q``.

    Examples
    --------
    >>> fano = projective_plane_representation(2)
    >>> fano.value, fano.hypotheses.size
    (Fraction(1, 3), 7)
    >>> fano.check()
    """
    lines = plane_lines(q)
    hypotheses = HypothesisSet.from_rows(lines, len(lines))
    share, zero = Fraction(1, q + 1), Fraction(0)
    weights = tuple(
        tuple(share if row >> j & 1 else zero for row in hypotheses.rows) for j in range(len(lines))
    )
    others = Fraction(1, len(lines) - 1)
    distribution = (zero,) + (others,) * (len(lines) - 1)
    concept_class = single_points(len(lines))
    return RepresentationResult(concept_class, hypotheses, share, share, 0, distribution, weights)


@frozen
class SymbolSet:
    """The hypothesis that is 1 where the code word has a given symbol at a given place.

    Attributes
    ----------
    sets : ReedSolomonSets
        The family of hypotheses.
    place : int
        Place in the code word.
    symbol : int
        Symbol at this place.
    """

    sets: ReedSolomonSets
    place: int
    symbol: int

    def predict(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return the value on each point."""
        return np.asarray(self.sets.words(points)[:, self.place] == self.symbol, dtype=np.bool_)


@frozen
class ReedSolomonSets:
    """The sets ``{x : symbol i of the code word of x is v}``.

    Attributes
    ----------
    field : int
        Order ``q`` of the field: a prime or a small prime power.
    dimension : int
        Number of coefficients ``k``. The code has ``q**k`` words, one for each point.
    length : int
        Number of places, at most ``q``.
    """

    field: int
    dimension: int
    length: int

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.field * self.length

    @property
    def error(self) -> Fraction:
        """Error with which the hypotheses represent the point functions."""
        return Fraction(self.dimension - 1, self.length)

    def words(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the code words of the points, one row for each point."""
        digits = np.empty((len(points), self.dimension), dtype=np.int64)
        rest = points.copy()
        for k in range(self.dimension):
            digits[:, k] = rest % np.uint64(self.field)
            rest //= np.uint64(self.field)
        return finite_field(self.field, _NAME).values(digits, self.length)

    def hypothesis(self, place: int, symbol: int) -> SymbolSet:
        """Return the hypothesis for a symbol at a place of the code word."""
        return SymbolSet(self, place, symbol)


@checked_types
def reed_solomon_representation(q: int, dimension: int, length: int) -> PointRepresentation:
    """Return a representation of ``q**dimension`` points by ``q * length`` hypotheses.

    A point is a polynomial of degree below ``dimension`` over the field of ``q`` elements. A
    hypothesis contains the polynomials with a given value at a given place. Two polynomials agree
    at no more than ``dimension - 1`` of the ``length`` places, so the error is ``(dimension - 1) /
    length``.

    Parameters
    ----------
    q : int
        A prime power of at most 64, or a prime.
    dimension : int
        Number of coefficients, at least 1; ``q**dimension`` is at most ``2**12``.
    length : int
        Number of places, between ``dimension`` and ``q``.

    Notes
    -----
    This is an explicit alternative to `bbkn` Lemma 4.1; for example, 64 hypotheses represent 256
    points with error 1/4.

    Examples
    --------
    >>> code = reed_solomon_representation(4, 2, 4)
    >>> code.hypotheses.num_points, code.size, code.value
    (16, 16, Fraction(1, 4))
    """
    if not 1 <= dimension <= length <= q or q**dimension > _MAX_POINTS:
        raise DomainError(
            f"{_NAME}: dimension, length and q must satisfy 1 <= dimension <= length <= q, and "
            f"q**dimension must be at most {_MAX_POINTS}, not {dimension}, {length} and {q}"
        )
    words = ReedSolomonSets(q, dimension, length).words(np.arange(q**dimension, dtype=np.uint64))
    rows = [
        sum(1 << int(x) for x in np.flatnonzero(words[:, place] == symbol))
        for place in range(length)
        for symbol in range(q)
    ]
    hypotheses = HypothesisSet.from_rows(rows, q**dimension)
    return PointRepresentation.from_witnesses(hypotheses, containing_sets(hypotheses))


@cache
def reed_solomon_sets(bits: int, error: Fraction) -> ReedSolomonSets:
    """Return the smallest Reed-Solomon sets for ``2**bits`` points with at most the given error."""
    if error <= 0:
        raise DomainError(f"error must be positive, not {error}")
    best: ReedSolomonSets | None = None
    for dimension in range(1, bits + 1):  # the first has few sets, however small the error
        length = max(-(-(dimension - 1) // error), 1)
        least = max(length, _root(1 << bits, dimension))
        if best is None or least * length <= best.size:
            sets = ReedSolomonSets(next_prime(least), dimension, int(length))
            best = sets if best is None or sets.size <= best.size else best
    if best is None:
        raise DomainError(f"bits must be at least 1, not {bits}")
    return best


def _root(number: int, degree: int) -> int:
    """Return the smallest integer whose power of the given degree is at least ``number``."""
    root = int(flint.fmpz(number).root(degree))
    return root if root**degree >= number else root + 1
