"""Noise programs: mechanisms written as functions of exact query values and of noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Self, TypeAlias, overload

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import check_time
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism
from ccsim.privacy.neighbours import Domain, RestrictedNeighbours, identity
from ccsim.privacy.noise_programs.outcomes import Table, table_of
from ccsim.privacy.noise_programs.paths import paths
from ccsim.privacy.qualities import QualityNeighbours
from ccsim.privacy.relations import Relation, ReplaceNeighbours

Vector: TypeAlias = tuple[Fraction | int, ...]
"""The values of the queries on a database; integral values are integers."""

MAX_VECTORS = 1 << 12
"""Maximum number of query vectors to compare."""
MAX_VECTOR_PAIRS = 1 << 18
"""Maximum number of pairs of query vectors to compare."""
CHANGES = ("each", "one direction", "one query", "replacement", "total")


@validated
class QueryNeighbours:
    """Query vectors, and the pairs of query vectors of neighbouring databases.

    Attributes
    ----------
    vectors : tuple of Vector
        Distinct query vectors, at most `MAX_VECTORS`.
    pairs : tuple of (int, int)
        Indices of the vectors to compare, each pair once; both directions are compared.

    Examples
    --------
    >>> counts = QueryNeighbours.within(2, 0, 1, change="one direction")
    >>> len(counts.vectors), [(counts.vectors[i], counts.vectors[j]) for i, j in counts.pairs]
    (4, [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 0), (1, 1)), ((0, 1), (1, 1)), ((1, 0), (1, 1))])
    """

    vectors: tuple[Vector, ...]
    pairs: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        read = tuple(_vector(vector) for vector in self.vectors)
        if not 1 <= len(read) <= MAX_VECTORS:
            raise InstanceTooLargeError(
                f"there must be between 1 and {MAX_VECTORS} query vectors, not {len(read)}"
            )
        if len(set(read)) < len(read):
            raise DomainError("query vectors must be distinct")
        for i, j in self.pairs:
            if not (0 <= i < len(read) and 0 <= j < len(read)) or i == j:
                raise DomainError(
                    f"a pair must be two different numbers of query vectors, below {len(read)}, "
                    f"not {i} and {j}"
                )
        if len(self.pairs) > MAX_VECTOR_PAIRS:
            raise InstanceTooLargeError(
                f"{len(self.pairs)} pairs of query vectors exceed the limit of {MAX_VECTOR_PAIRS}; "
                "use fewer queries or values"
            )
        object.__setattr__(self, "vectors", read)

    @classmethod
    def of_pairs(cls, pairs: Iterable[Sequence[Sequence[Fraction | int | str]]]) -> Self:
        """Return given pairs of query vectors; values are integers, fractions or texts.

        Examples
        --------
        >>> QueryNeighbours.of_pairs([((0, 0), (1, 0)), ((0, 0), (0, "1/2"))]).pairs
        ((0, 1), (0, 2))
        """
        if isinstance(pairs, str):
            raise DomainError(f"pairs of query vectors must be a list, not {show_value(pairs)}")
        numbers: dict[Vector, int] = {}
        listed: dict[tuple[int, int], None] = {}
        for pair in pairs:
            if len(pair) != 2:
                raise DomainError(
                    f"neighbours must be pairs of query vectors, not {show_value(pair)}"
                )
            first, second = (numbers.setdefault(_vector(v), len(numbers)) for v in pair)
            listed[min(first, second), max(first, second)] = None
        return cls(tuple(numbers), tuple(listed))

    @classmethod
    def within(cls, queries: int, low: int, high: int, change: str = "each", most: int = 1) -> Self:
        """Return all pairs of neighbours among the integer vectors with values in a range.

        Parameters
        ----------
        queries : int
            Number of queries, at least 1.
        low, high : int
            Smallest and largest value of a query; ``(high - low + 1) ** queries`` is at most
            `MAX_VECTORS`.
        change : str
            How neighbours differ: ``"each"``, every query changes by at most ``most``; ``"one
            direction"``, the same, and no query rises while another falls, as for counts if a
            record is added or removed; ``"one query"``, only one query changes, by at most
            ``most``, as for a histogram if a record is added or removed; ``"replacement"``, the
            queries rise by as much as they fall, at most ``most``, as for a histogram if a record
            is replaced; ``"total"``, the absolute values of all changes sum to at most ``most``.
        most : int
            Largest change, at least 1.

        Examples
        --------
        >>> [len(QueryNeighbours.within(2, 0, 2, c).pairs) for c in ("each", "one query")]
        [20, 12]
        """
        for name, value in (("queries", queries), ("most", most)):
            if value < 1:
                raise DomainError(f"{name} must be at least 1, not {show_value(value)}")
        if low > high:
            raise DomainError(
                f"low and high must be integers with low <= high, not {show_value(low)} and "
                f"{show_value(high)}"
            )
        if change not in CHANGES:
            raise DomainError(f"change must be one of {', '.join(CHANGES)}, not {change!r}")
        if queries > MAX_VECTORS or (high - low + 1) ** queries > MAX_VECTORS:
            raise InstanceTooLargeError(
                f"{high - low + 1}^{queries} query vectors exceed the limit of {MAX_VECTORS}; use "
                "fewer queries or values"
            )
        vectors = tuple(product(range(low, high + 1), repeat=queries))
        steps = [
            step
            for step in product(range(-most, most + 1), repeat=queries)
            if any(step) and _allowed(step, change, most)
        ]
        place = {vector: i for i, vector in enumerate(vectors)}
        pairs = []
        for i, vector in enumerate(vectors):
            check_time()
            for step in steps:
                j = place.get(tuple(v + s for v, s in zip(vector, step, strict=True)), -1)
                if j > i:
                    pairs.append((i, j))
            if len(pairs) > MAX_VECTOR_PAIRS:
                raise InstanceTooLargeError(
                    f"there are more than {MAX_VECTOR_PAIRS} pairs of neighbouring query vectors; "
                    "use fewer queries or values"
                )
        return cls(vectors, tuple(pairs))

    def __iter__(self) -> Iterator[tuple[tuple[Vector], tuple[Vector]]]:
        """Yield each pair as databases of one record, a query vector."""
        vectors = self.vectors
        return (((vectors[i],), (vectors[j],)) for i, j in self.pairs)


def _allowed(step: Sequence[int], change: str, most: int) -> bool:
    if change == "one direction":
        return min(step) >= 0 or max(step) <= 0
    if change == "one query":
        return sum(map(bool, step)) == 1
    if change == "replacement":
        return sum(step) == 0 and sum(map(abs, step)) <= 2 * most
    return change == "each" or sum(map(abs, step)) <= most


def _vector(values: object) -> Vector:
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise DomainError(f"a query vector must be a list of numbers, not {show_value(values)}")
    found = [as_fraction(value, "query") for value in values]
    return tuple(int(v) if v.denominator == 1 else v for v in found)


@validated
class NoiseProgram:
    """A mechanism that is a function of query values and of noise.

    Use the decorator `mechanism` to create a noise program. The function receives a tuple of exact
    numbers, the values of the queries on the database, and a `Noise`, from which it draws. It may
    add noise, multiply it by exact numbers, compare, branch, loop and stop early. It yields its
    outputs, or returns them. An output is a noisy number, a comparison, or any hashable value.

    The output distribution is computed exactly from all sequences of decisions of the program,
    without truncating the noise. Only for discrete Gaussian noise are the probabilities enclosed
    instead.

    Attributes
    ----------
    function : callable
        The function.
    records : tuple or None
        The values of a record if the first argument of the function is a database, a tuple of
        records; None if it is a tuple of query values.

    Examples
    --------
    >>> @mechanism
    ... def noisy_sign(queries, noise):
    ...     return queries[0] + noise.geometric("1/2") >= 0
    >>> noisy_sign.distribution([1]).as_mapping()
    {True: Fraction(5, 6), False: Fraction(1, 6)}
    """

    function: Callable[[tuple[Any, ...], Any], Any]
    records: tuple[Any, ...] | None = None

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", "a noise program"))

    def distribution(self, queries: Sequence[Any]) -> Distribution[Any]:
        """Return the exact output distribution on one query vector or database.

        Parameters
        ----------
        queries : sequence
            Values of the queries: integers, fractions or texts; or the records of the database.

        Raises
        ------
        DomainError
            If the program draws discrete Gaussian noise, whose probabilities are only enclosed.
        InstanceTooLargeError
            If a noisy output has infinitely many values, or there is no closed form.
        """
        given = _vector(queries) if self.records is None else tuple(queries)
        table = table_of([paths(self.function, given)], apart=True)
        if any(table.missing):
            raise DomainError(
                "the program must not draw discrete Gaussian noise, whose probabilities are only "
                "enclosed; audit it instead"
            )
        return Distribution(tuple(zip(_distinct(table.outcomes), table.rows[0], strict=True)))

    def on(
        self, neighbours: object
    ) -> tuple[Mechanism[Any, Any], tuple[tuple[tuple[Any], tuple[Any]], ...]]:
        """Return a mechanism with finitely many outcomes, and the pairs of its databases.

        The mechanism has the inputs of the program as records, and classes of outputs as outcomes.
        All divergences of its distributions are those of the program. The result is meant for
        other measures of privacy and for compositions.

        Parameters
        ----------
        neighbours : QueryNeighbours, iterable of pairs, int or Relation
            As for `audit`.

        Raises
        ------
        DomainError
            If the distributions are only enclosed, because the program draws discrete Gaussian
            noise, or because the ratios of the probabilities of a noisy output differ for
            infinitely many values.

        Examples
        --------
        >>> from ccsim.privacy import renyi_privacy
        >>> @mechanism
        ... def noisy(queries, noise):
        ...     return queries[0] + noise.geometric("1/2")
        >>> finite, pairs = noisy.on([((0,), (1,))])
        >>> renyi_privacy(finite, 2, pairs).moment
        Fraction(3, 2)
        """
        _, inputs = inputs_of(self, neighbours)
        found, table = tabulated(self, inputs.vectors)
        if table.rough or any(table.missing):
            raise DomainError(
                f"the distributions of {self.name} are only enclosed; audit it for an epsilon and "
                "a delta instead"
            )
        return found, tuple(inputs)


@overload
def mechanism(function: Callable[[tuple[Any, ...], Any], Any]) -> NoiseProgram: ...


@overload
def mechanism(
    *, records: Iterable[Any]
) -> Callable[[Callable[[tuple[Any, ...], Any], Any]], NoiseProgram]: ...


@checked_types
def mechanism(
    function: Callable[[tuple[Any, ...], Any], Any] | None = None,
    *,
    records: Iterable[Any] | None = None,
) -> NoiseProgram | Callable[[Callable[[tuple[Any, ...], Any], Any]], NoiseProgram]:
    """Make a mechanism from a function of query values, or of a database, and of noise.

    Parameters
    ----------
    function : callable
        Function of a tuple of exact numbers and of a `Noise`; it yields or returns its outputs.
    records : iterable, optional
        Values of a record. If they are given, as in ``@mechanism(records=(0, 1))``, the first
        argument of the function is a database, a tuple of records, and the neighbours of an audit
        are those of databases, such as `AddRemoveNeighbours`.

    Returns
    -------
    NoiseProgram or callable
        If only ``records`` are given, a decorator that makes a `NoiseProgram`.

    Raises
    ------
    DomainError
        If the argument is not callable.

    Notes
    -----
    Complexity: a sum over the noise for each sequence of decisions, of which there may be at most
    `MAX_PATHS` on each input. The sum is fast if every comparison contains at most two noise terms;
    up to about five noise terms may occur in one comparison.

    Examples
    --------
    The sparse vector technique, which stops at the first positive answer.

    >>> from ccsim.privacy import audit
    >>> @mechanism
    ... def sparse_vector(queries, noise):
    ...     threshold = noise.geometric("1/4")
    ...     for q in queries:
    ...         if q + noise.geometric("1/2") >= threshold:
    ...             yield True
    ...             return
    ...         yield False
    >>> neighbours = QueryNeighbours.within(3, 0, 2)
    >>> result = audit(sparse_vector, "ln 16", 0, neighbours)
    >>> result.verdict, result.factor
    (<Verdict.HOLDS: 'holds'>, Fraction(25664, 4313))

    A noisy count of records, if a record is added or removed.

    >>> from ccsim.privacy import AddRemoveNeighbours
    >>> @mechanism(records=(0, 1))
    ... def noisy_count(database, noise):
    ...     return sum(database) + noise.geometric("1/2")
    >>> audit(noisy_count, "ln 2", 0, AddRemoveNeighbours(3)).factor
    Fraction(2, 1)
    """
    if function is not None:
        return NoiseProgram(function, None if records is None else Domain.of(records).records)
    if records is None:
        raise DomainError("mechanism must be given a function, or records=..., or both")
    values = Domain.of(records).records
    return lambda given: NoiseProgram(given, values)


@frozen
class ProgramTable(CanonicalMechanism[Vector, Any]):
    """A noise program on finitely many query vectors; a database is one query vector.

    ``rows`` are the probabilities of the classes of outcomes; the last class stands for all that is
    not enumerated, if anything is not.
    """

    program: NoiseProgram
    vectors: tuple[Vector, ...]
    outcomes: tuple[Any, ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def records(self) -> tuple[Vector, ...]:
        """The query vectors."""
        return self.vectors

    def distribution_of(self, database: tuple[Vector, ...]) -> Distribution[Any]:
        """Return the distribution of the class of the outcome."""
        if len(database) != 1:
            raise DomainError(f"database must consist of one query vector, not {len(database)}")
        row = self.rows[self.vectors.index(database[0])]
        return Distribution(tuple(zip(self.outcomes, row, strict=True)))


@frozen
class Inputs:
    """Query vectors or databases, and the pairs of their numbers that are compared."""

    vectors: tuple[tuple[Any, ...], ...]
    pairs: tuple[tuple[int, int], ...]

    @classmethod
    def of_databases(cls, program: NoiseProgram, relation: Relation) -> Self:
        """Return the databases over the records of a program, and all pairs of neighbours."""
        numbers: dict[tuple[Any, ...], int] = {}
        pairs = []
        for pair in relation.pairs(program.records or ()):
            check_time()
            first, second = (numbers.setdefault(D, len(numbers)) for D in pair)
            pairs.append((first, second))
            if len(numbers) > MAX_VECTORS:
                raise InstanceTooLargeError(
                    f"a noise program can be audited on at most {MAX_VECTORS} databases; use fewer "
                    "records"
                )
        return cls(tuple(numbers), tuple(pairs))

    def __iter__(self) -> Iterator[tuple[tuple[Any], tuple[Any]]]:
        """Yield each pair as databases of one record, which is a vector or a database."""
        vectors = self.vectors
        return (((vectors[i],), (vectors[j],)) for i, j in self.pairs)


def inputs_of(
    program: NoiseProgram, neighbours: object
) -> tuple[QueryNeighbours | Relation, QueryNeighbours | Inputs]:
    """Return the neighbours to compare, as asked and as pairs of inputs of a noise program."""
    if program.records is not None:
        relation = ReplaceNeighbours(neighbours) if isinstance(neighbours, int) else neighbours
        if not isinstance(relation, Relation):
            raise DomainError(
                "neighbours of a noise program on databases must be a number of records or a "
                f"relation such as AddRemoveNeighbours, not {show_value(neighbours)}"
            )
        return relation, Inputs.of_databases(program, relation)
    if isinstance(neighbours, int | QualityNeighbours | RestrictedNeighbours | Relation):
        raise DomainError(
            "neighbours of a noise program must be QueryNeighbours or pairs of query vectors, not "
            f"{show_value(neighbours)}; for databases, write @mechanism(records=...)"
        )
    if not isinstance(neighbours, Iterable):
        raise DomainError(
            "neighbours of a noise program must be QueryNeighbours or pairs of query vectors, not "
            f"{show_value(neighbours)}"
        )
    if not isinstance(neighbours, QueryNeighbours):
        neighbours = QueryNeighbours.of_pairs(neighbours)
    return neighbours, neighbours


def tabulated(
    program: NoiseProgram, vectors: tuple[tuple[Any, ...], ...]
) -> tuple[ProgramTable, Table]:
    """Return a program on query vectors or databases as a mechanism, and its table of classes."""
    runs = []
    for vector in vectors:
        check_time()
        runs.append(paths(program.function, vector))
    table = table_of(runs)
    outcomes, rows = _distinct(table.outcomes), table.rows
    if any(table.missing):
        outcomes = (*outcomes, "not enumerated")
        rows = tuple((*row, 1 - sum(row, Fraction(0))) for row in rows)
    return ProgramTable(program, vectors, outcomes, rows), table


def _distinct(outcomes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return outcomes of which no two are equal; equal ones of different types become texts."""
    if len({identity(o) for o in outcomes}) == len(set(outcomes)) == len(outcomes):
        return outcomes
    texts = tuple(map(str, outcomes))
    if len(set(texts)) == len(texts):
        return texts
    return tuple(f"{i}: {text}" for i, text in enumerate(texts))
