"""Representations of single points: random sets, hashing, lines of planes, Reed-Solomon codes.

A hypothesis is a set of points. If a point lies in ``p`` listed sets, and every other point in at
most ``c`` of these, then under any distribution one of them has error at most ``c / p`` on the
indicator of the point (`bbkn` section 4.1): the listed sets are the whole proof.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor

import flint
import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.certificates import Certificate, Certified, encode_fraction
from ccsim.classes import ConceptClass, points
from ccsim.classes.masks import members
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction, binomial_tail, clopper_pearson, enclose
from ccsim.exact.fractions import next_prime
from ccsim.exact.intervals import Interval
from ccsim.exact.probability import generator
from ccsim.representation.error import RepresentationResult
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

_MOST_BITS = 64

MAX_MEMBERSHIPS = 1 << 28
"""Largest number of sets times points that is drawn."""

MAX_COINS = 16
"""Largest number of coins, ``b * count``, that are enumerated."""

MAX_ORDER = 64
"""Largest order of a field that is tabulated."""

_NAME = "Reed-Solomon code"
_MAX_POINTS = 1 << 12  # of a code whose sets are listed

Elements = npt.NDArray[np.int64]


@checked_types
def single_points(size: int) -> ConceptClass:
    """Return the indicator functions of single points over ``size`` points, any positive number.

    Parameters
    ----------
    size : int
        At least 1.

    Examples
    --------
    >>> single_points(3).rows, single_points(4) == points(2)
    ((1, 2, 4), True)
    """
    if size < 1:
        raise DomainError(f"single points: size must be at least 1, not {size}")
    if size & (size - 1) == 0:
        return points(size.bit_length() - 1)
    return ConceptClass.from_rows(
        [1 << j for j in range(size)], range(size), name=f"{size} single points"
    )


@frozen
class PointRepresentation(Certified):
    """Hypotheses that represent the single points of a domain, with the sets that show it.

    Attributes
    ----------
    hypotheses : HypothesisSet
    witnesses : tuple of tuple of int
        For each point the numbers of hypotheses whose uniform mixture answers for its indicator;
        a hypothesis may be listed several times.
    value : Fraction
        Largest share of the witnesses of a point that are wrong on one point: the hypotheses
        represent all indicators with this error, perhaps with a smaller one.

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
        """Return the representation with the error that the witnesses prove.

        Raises
        ------
        DomainError
            If a point has no witness.
        """
        if not all(witnesses):
            raise DomainError(f"point {witnesses.index(())} has no witness")
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
        """The class of the single points that is represented."""
        return single_points(self.hypotheses.num_points)

    def represents(self, error: Fraction) -> bool:
        """Whether the witnesses prove that every point is represented with the given error."""
        return self.value <= error

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: an upper bound on the error."""
        if not all(0 <= i < self.size for chosen in self.witnesses for i in chosen):
            raise CertificateError(f"witnesses must be numbers below {self.size}")
        counts = [Counter(chosen) for chosen in self.witnesses]
        weights = [[listed[i] for i in range(self.size)] for listed in counts]
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {
                "hypotheses": self.hypotheses.to_json(),
                "lower": None,
                "upper": encode_fraction(self.value),
            },
            None,
            {"mixtures": {"weights": weights}},
        )


def containing_sets(hypotheses: HypothesisSet) -> list[tuple[int, ...]]:
    """Return, for each point, the numbers of the sets that contain it."""
    containing: list[list[int]] = [[] for _ in range(hypotheses.num_points)]
    for i, row in enumerate(hypotheses.rows):
        for j in members(row):
            containing[j].append(i)
    return [tuple(numbers) for numbers in containing]


@validated
class RandomSetSystem:
    """The law of the random sets of `bbkn` Lemma 4.1, with its parameters.

    Attributes
    ----------
    b : int
        ``2**b`` points are to be represented, at least 1.
    sets : int
        Number ``k`` of sets that are drawn.
    set_size : int
        Number ``s`` of points of a set, out of ``2**(b + 1)``.
    witnesses : int
        Number ``p`` of sets that must contain a good point.

    Examples
    --------
    >>> law = RandomSetSystem.of_lemma(8, "1/4")
    >>> law.witnesses, law.sets, law.set_size
    (40, 4350, 10)
    >>> float(law.bad_point) < 1 / 4
    True
    """

    b: int
    sets: int
    set_size: int
    witnesses: int

    def __post_init__(self) -> None:
        if self.b < 1 or self.sets < 1 or self.witnesses < 1:
            raise DomainError(f"b, sets and witnesses must be at least 1, not {self}")
        if not 1 <= self.set_size <= self.points:
            raise DomainError(f"set_size must lie between 1 and {self.points}, not {self.set_size}")
        if self.sets * self.points > MAX_MEMBERSHIPS:
            raise InstanceTooLargeError(
                f"{self.sets} sets over {self.points} points are more than {MAX_MEMBERSHIPS} "
                "memberships"
            )

    @classmethod
    def of_lemma(cls, b: int, error: Fraction | int | str) -> RandomSetSystem:
        """Return the parameters of the lemma: ``p = b (1 + ceil(1/error))``, ``k = 8 e p^2 / b``.

        Sizes are rounded up: ``k``, and ``s = 4 p T / k`` of the rounded ``k``.
        """
        import sympy

        allowed = as_fraction(error, "error", 0, 1)
        if b < 1 or allowed == 0:
            raise DomainError(
                f"need b >= 1 and a positive error, not {show_value(b)} and {allowed}"
            )
        if b > _MOST_BITS:
            raise InstanceTooLargeError(
                f"random sets are over at most 2^{_MOST_BITS} points, not 2^b for b {show_value(b)}"
            )
        p = b * (1 + ceil(1 / allowed))
        sets = ceil(enclose(8 * sympy.E * sympy.Rational(p**2, b)).upper)
        size = ceil(Fraction(4 * p << b, sets))
        return cls(b, sets, size, p)

    @property
    def points(self) -> int:
        """Number of points that the sets are drawn from, twice as many as are wanted."""
        return 2 << self.b

    @property
    def bad_point(self) -> Fraction:
        """Upper bound, exact, on the probability that a given point is not good.

        Too few sets contain it with a binomial probability; each other point lies in ``b`` of the
        first ``p`` with another one, and the union bound runs over these points.
        """
        inside = Fraction(self.set_size, self.points)
        few = binomial_tail(self.sets, 1 - inside, self.sets - self.witnesses + 1)
        beside = Fraction(self.set_size - 1, self.points - 1)
        crowded = (self.points - 1) * binomial_tail(self.witnesses, beside, self.b)
        return min(Fraction(1), few + crowded)

    @property
    def failure(self) -> Fraction:
        """Upper bound, exact, on the probability that fewer than half of the points are good.

        Markov's inequality on the number of other points.
        """
        return min(Fraction(1), self.points * self.bad_point / (self.points // 2 + 1))

    def measured_failure(self, trials: int, seed: int, confidence: Fraction) -> Interval:
        """Return an interval of Clopper and Pearson for the probability of failure.

        Parameters
        ----------
        trials : int
            Number of systems drawn.
        seed : int
        confidence : Fraction
            Coverage probability of the interval.

        Examples
        --------
        >>> law = RandomSetSystem.of_lemma(3, "1/2")
        >>> interval = law.measured_failure(50, 0, Fraction(99, 100))
        >>> interval.lower <= law.failure
        True
        """
        rng = generator(seed)
        wanted = self.points // 2
        failures = sum(len(self.good(self.draw(rng))) < wanted for _ in range(trials))
        return clopper_pearson(failures, trials, confidence)

    def draw(self, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """Return random sets as rows of a Boolean matrix, one column for each point."""
        matrix = np.zeros((self.sets, self.points), dtype=np.bool_)
        for row in matrix:
            row[rng.choice(self.points, self.set_size, replace=False)] = True
        return matrix

    def good(
        self, matrix: npt.NDArray[np.bool_], wanted: int | None = None
    ) -> dict[int, list[int]]:
        """Return the good points, each with the first ``p`` sets that contain it.

        Parameters
        ----------
        matrix : array of bool
            From `draw`.
        wanted : int, optional
            How many are enough; all unless given.
        """
        inside = np.array([np.flatnonzero(row) for row in matrix])
        found: dict[int, list[int]] = {}
        for j in range(self.points):
            if len(found) == wanted:
                break
            chosen = np.flatnonzero(matrix[:, j])[: self.witnesses]
            crowds = np.bincount(inside[chosen].ravel(), minlength=self.points)
            crowds[j] = 0
            if len(chosen) == self.witnesses and crowds.max() < self.b:
                found[j] = chosen.tolist()
        return found

    def representation(self, seed: int, *, tries: int = 100) -> PointRepresentation:
        """Return sets that are drawn until half of the points are good, cut down to these.

        Raises
        ------
        NotDecidedError
            If no system drawn had enough good points.
        """
        rng = generator(seed)
        wanted = self.points // 2
        for _ in range(tries):
            matrix = self.draw(rng)
            good = self.good(matrix, wanted)
            if len(good) == wanted:
                return _cut_down(matrix, good)
        raise NotDecidedError(
            f"none of {tries} random systems had {wanted} good points out of {self.points}"
        )


def _cut_down(matrix: npt.NDArray[np.bool_], good: dict[int, list[int]]) -> PointRepresentation:
    """Restrict the sets to good points; the sets listed for each of them are its witnesses."""
    rows = [
        sum(1 << i for i, inside in enumerate(row) if inside)
        for row in matrix[:, list(good)].tolist()
    ]
    hypotheses = HypothesisSet.from_rows(rows, len(good))
    number = {row: i for i, row in enumerate(hypotheses.rows)}
    return PointRepresentation.from_witnesses(
        hypotheses, [tuple(number[rows[i]] for i in chosen) for chosen in good.values()]
    )


@checked_types
def random_set_system(
    b: int, error: Fraction | int | str, seed: int, *, tries: int = 100
) -> PointRepresentation:
    """Return random sets that represent the ``2**b`` single points with the given error.

    Parameters
    ----------
    b : int
        At least 1; 8 takes a second.
    error : Fraction, int or str
        In (0, 1].
    seed : int
        Seed of the sampling; the same seed gives the same sets.
    tries : int
        Systems to draw before giving up.

    Returns
    -------
    PointRepresentation
        At most ``ceil(8 e b (1 + ceil(1/error))^2)`` hypotheses, and for each point the sets that
        prove an error below ``1 / (1 + ceil(1/error))``; nothing rests on probability.

    Raises
    ------
    NotDecidedError
        If no system drawn had enough good points; for ``b >= 6`` half of them have.

    Notes
    -----
    Source: `bbkn` Lemma 4.1. The proof needs only ``b >= 6``; up to ``b = 11`` the class itself is
    a smaller set of hypotheses than the lemma's bound.

    Examples
    --------
    >>> representation = random_set_system(4, "1/2", seed=0)
    >>> representation.check()
    >>> representation.hypotheses.num_points, representation.represents(Fraction(1, 2))
    (16, True)
    """
    return RandomSetSystem.of_lemma(b, error).representation(seed, tries=tries)


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
        """Return the sums of elements."""
        return (a + b) % self.order if self._tables is None else self._tables[0][a, b]

    def product(self, a: Elements, b: Elements) -> Elements:
        """Return the products of elements."""
        return a * b % self.order if self._tables is None else self._tables[1][a, b]

    def values(self, coefficients: Elements, length: int) -> Elements:
        """Return the values of polynomials at the first elements, one row for each polynomial."""
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
        raise InstanceTooLargeError(f"{name}: the order is limited to {MAX_ORDER}, got {q}")
    return FiniteField(int(prime), int(degree))


@checked_types
def plane_lines(q: int) -> tuple[int, ...]:
    """Return the lines of the projective plane over the field with ``q`` elements as bit masks.

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
            f"projective plane: the order is limited to {MAX_ORDER}, got {q}"
        )
    field = finite_field(q, "projective plane")
    triples = [
        triple
        for triple in product(range(q), repeat=3)
        if next((entry for entry in triple if entry), 0) == 1
    ]
    points = np.array(triples, dtype=np.int64)
    lines = []
    for line in points:
        x, y, z = field.product(points, line).T
        inner = field.sum(field.sum(x, y), z)
        lines.append(sum(1 << int(i) for i in np.flatnonzero(inner == 0)))
    return tuple(lines)


@checked_types
def projective_plane_representation(q: int) -> RepresentationResult:
    """Return the lines of a projective plane, which represent its points with error ``1/(q+1)``.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`; up to 9 takes a second.

    Returns
    -------
    RepresentationResult
        Both proofs in closed form: above, the uniform mixture of the lines through a point; below,
        the uniform distribution over all other points, under which a line through it errs
        ``q / (q^2 + q)`` and another one more.

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
    concept_class = PointRepresentation.from_witnesses(
        hypotheses, containing_sets(hypotheses)
    ).concept_class
    return RepresentationResult(concept_class, hypotheses, share, share, 0, distribution, weights)


@checked_types
def thinned_plane_representation(
    q: int, error: Fraction | int | str, seed: int, *, tries: int = 100
) -> PointRepresentation:
    """Return random lines of a projective plane and the points that lie on enough of them.

    Parameters
    ----------
    q : int
        Order of the plane, a prime power of at most `MAX_ORDER`.
    error : Fraction, int or str
        In (0, 1]; each point that is kept lies on more than ``1 / error`` of the lines drawn.
    seed : int
    tries : int
        Sets of lines to draw before giving up.

    Returns
    -------
    PointRepresentation
        Over the points that are kept, at least half of the plane's.

    Raises
    ------
    NotDecidedError
        If no set of lines drawn left half of the points.

    Notes
    -----
    Source: `bbkn` section 4.1, with details that are left out there: a line is kept with
    probability ``min(1, m / (q + 1))`` for ``m = floor(1/error) + 2``, so that ``m`` lines pass
    through a point on average, one more than it needs, and about ``m q`` are kept of which about
    ``2 T = q^2 + q + 1`` points use: ``O(sqrt(T) / error)``.

    Examples
    --------
    >>> thinned = thinned_plane_representation(7, "1/2", seed=0)
    >>> thinned.check()
    >>> thinned.represents(Fraction(1, 2)), thinned.size < 57
    (True, True)
    """
    allowed = as_fraction(error, "error", 0, 1)
    if allowed == 0:
        raise DomainError("thinned plane: the error must be positive")
    lines, need = plane_lines(q), floor(1 / allowed) + 1
    share = min(1.0, (need + 1) / (q + 1))
    rng = generator(seed)
    for _ in range(tries):
        chosen = [line for line in lines if rng.random() < share]
        degrees = [sum(line >> j & 1 for line in chosen) for j in range(len(lines))]
        kept = [j for j, degree in enumerate(degrees) if degree >= need]
        if 2 * len(kept) >= len(lines):
            rows = [sum((line >> j & 1) << i for i, j in enumerate(kept)) for line in chosen]
            hypotheses = HypothesisSet.from_rows(rows, len(kept))
            number = {row: i for i, row in enumerate(hypotheses.rows)}
            witnesses = [
                tuple(number[row] for row in rows if row >> i & 1) for i in range(len(kept))
            ]
            return PointRepresentation.from_witnesses(hypotheses, witnesses)
    raise NotDecidedError(f"none of {tries} sets of lines left half of the {len(lines)} points")


@frozen
class SymbolSet:
    """The hypothesis that is 1 where the code word has a given symbol at a given place."""

    sets: ReedSolomonSets
    place: int
    symbol: int

    def predict(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return the value on each point."""
        return np.asarray(self.sets.words(points)[:, self.place] == self.symbol, dtype=np.bool_)


@frozen
class ReedSolomonSets:
    """The sets ``{x : symbol i of the word of x is v}``."""

    field: int  # order ``q`` of the field: a prime, or a small prime power
    dimension: int  # number of coefficients ``k``; ``q**k`` points have words
    length: int  # number of places, at most ``q``

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.field * self.length

    @property
    def error(self) -> Fraction:
        """Error with which the hypotheses represent the point functions."""
        return Fraction(self.dimension - 1, self.length)

    def words(self, points: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the words of the points, one row each."""
        digits = np.empty((len(points), self.dimension), dtype=np.int64)
        rest = points.copy()
        for k in range(self.dimension):
            digits[:, k] = rest % np.uint64(self.field)
            rest //= np.uint64(self.field)
        return finite_field(self.field, _NAME).values(digits, self.length)

    def hypothesis(self, place: int, symbol: int) -> SymbolSet:
        """Return the hypothesis of a symbol at a place."""
        return SymbolSet(self, place, symbol)


@checked_types
def reed_solomon_representation(q: int, dimension: int, length: int) -> PointRepresentation:
    """Return ``q * length`` sets that represent ``q**dimension`` points.

    A point is a polynomial of degree below ``dimension`` over the field with ``q`` elements, and a
    set holds the polynomials with a given value in a given place. Two polynomials agree in at most
    ``dimension - 1`` of the ``length`` places, so that the error is ``(dimension - 1) / length``.

    Parameters
    ----------
    q : int
        A prime power of at most 64, or a prime.
    dimension : int
        At least 1; ``q**dimension`` is at most ``2**12``.
    length : int
        Number of places, between ``dimension`` and ``q``.

    Notes
    -----
    An explicit alternative to `bbkn` Lemma 4.1: 64 sets for 256 points at error 1/4.

    Examples
    --------
    >>> code = reed_solomon_representation(4, 2, 4)
    >>> code.hypotheses.num_points, code.size, code.value
    (16, 16, Fraction(1, 4))
    """
    if not 1 <= dimension <= length <= q or q**dimension > _MAX_POINTS:
        raise DomainError(
            f"{_NAME}: need 1 <= dimension <= length <= q and at most {_MAX_POINTS} points, "
            f"not {dimension}, {length}, {q}"
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
    """Return the smallest such representation of ``2**bits`` points with at most a given error."""
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
    """Return the least integer whose power is at least the number."""
    root = int(flint.fmpz(number).root(degree))
    return root if root**degree >= number else root + 1
