"""Two-party Boolean functions, total or with a promise, and their families.

Words of n bits are numbered with ``x_i`` in bit ``i - 1``; labels are the words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import field
from typing import Any, Self

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.classes.concept_class import ConceptClass, transposed, values_of
from ccsim.classes.families.elementary import bit_strings, parities, power_of_two
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.matrices import open_matrix
from ccsim.classes.partial import PartialClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.texts.entries import text_mask
from ccsim.texts.labels import (
    Label,
    check_labels,
    check_masks,
    check_sides,
    check_size,
    named,
    text_row,
)
from ccsim.texts.reading import Reading


@validated
class CommunicationProblem:
    """A Boolean function of Alice's and Bob's inputs, possibly partial (with a promise).

    Attributes
    ----------
    alice, bob : tuple of int or str
        Labels of the inputs, distinct on each side.
    ones : tuple of int
        For each input of Alice the bit mask of Bob's inputs with value 1.
    promise : tuple of int
        For each input of Alice the bit mask of Bob's inputs inside the promise; it contains
        ``ones``.
    name : str
        Name of the problem in output; ignored by ``==``.
    reading : Reading or None
        Assumptions made in reading a matrix or a file; ignored by ``==``.

    Examples
    --------
    >>> f = CommunicationProblem.from_matrix([[0, 1], [None, 0]])
    >>> f.value(0, 1), f.value(1, 0), f.is_total
    (1, None, False)
    >>> eval(repr(f)) == f
    True
    >>> equality(100)
    CommunicationProblem(equality:n=100: 100 x 100, total)
    """

    alice: tuple[Label, ...]
    bob: tuple[Label, ...]
    ones: tuple[int, ...]
    promise: tuple[int, ...]
    name: str = field(default="", compare=False)
    reading: Reading | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_sides(self.name, alice=self.alice, bob=self.bob)
        check_masks(self.ones, "ones")
        check_masks(self.promise, "promise")
        check_size(len(self.ones), len(self.bob), self.name or "the problem")
        check_labels(self.alice, len(self.ones), "Alice's input")
        check_labels(self.bob, len(self.bob), "Bob's input")
        if len(self.promise) != len(self.ones):
            raise DomainError(f"promise must have {len(self.ones)} rows, not {len(self.promise)}")
        end = 1 << len(self.bob)
        for ones, inside in zip(self.ones, self.promise, strict=True):
            if not 0 <= inside < end or ones & ~inside:
                raise DomainError(
                    "a row of ones must lie inside its promise, and the promise below "
                    f"2**{len(self.bob)}, not {ones} and {inside}"
                )
        if not any(self.promise):
            raise DomainError("at least one pair of inputs must lie inside the promise")

    @classmethod
    def from_matrix(
        cls,
        matrix: Iterable[Iterable[int | str | None]],
        alice: Iterable[Hashable] | None = None,
        bob: Iterable[Hashable] | None = None,
        name: str = "",
        *,
        signs: bool = False,
    ) -> Self:
        """Return the problem with the given values; None (or ``"*"``) lies outside the promise.

        A row may be a text such as ``"01*"``. The labels of a data frame are kept; its index labels
        Alice's inputs. With ``signs``, the entry -1 means 1 and the entry 1 means 0.
        """
        check_sides(name)
        found = open_matrix(matrix, name or "the problem", partial=True, signs=signs)
        alice = found.row_labels if alice is None else alice
        bob = found.column_labels if bob is None else bob
        rows, width = found.rows, found.width
        return cls(
            named(range(len(rows)) if alice is None else alice, len(rows), "Alice's input"),
            named(range(width) if bob is None else bob, width, "Bob's input"),
            tuple(text_mask(row, "1") for row in rows),
            tuple(text_mask(row, "01") for row in rows),
            name,
            found.reading,
        )

    @classmethod
    def from_callable(
        cls,
        function: Callable[[Any, Any], int | None],
        alice: Iterable[Any],
        bob: Iterable[Any],
        name: str = "",
    ) -> Self:
        """Return the problem with values ``function(x, y)``, where None lies outside the promise.

        >>> CommunicationProblem.from_callable(lambda x, y: y in x, ["ab", "b"], ["a", "b"]).ones
        (3, 2)
        """
        check_sides(name)
        xs, ys, rows = values_of(function, (alice, "alice"), (bob, "bob"), name or "the problem")
        return cls.from_matrix(rows, xs, ys, name)

    @property
    def is_total(self) -> bool:
        """Whether every pair of inputs lies inside the promise."""
        return all(inside == (1 << len(self.bob)) - 1 for inside in self.promise)

    def to_class(self) -> ConceptClass:
        """Return the class of the rows of a total problem; equal rows are merged.

        Raises
        ------
        DomainError
            If an entry lies outside the promise.

        Examples
        --------
        >>> greater_than(3).to_class().rows
        (0, 1, 3)
        """
        if not self.is_total:
            raise DomainError(
                f"{self.name or 'problem'} must be total to become a concept class, but has a "
                "promise"
            )
        return ConceptClass.from_rows(self.ones, self.bob, self.alice, self.name, self.reading)

    def to_partial_class(self) -> PartialClass:
        """Return the partial class of the rows; equal rows are merged.

        A concept is undefined where its row lies outside the promise.

        Examples
        --------
        >>> augmented_index(1).to_partial_class().is_total
        True
        >>> CommunicationProblem.from_matrix(["0*", "11"]).to_partial_class().defined
        (1, 3)
        """
        return PartialClass.from_rows(
            self.ones, self.promise, self.bob, self.alice, self.name, self.reading
        )

    def transposed(self) -> CommunicationProblem:
        """Return the problem with the players exchanged.

        Examples
        --------
        >>> greater_than(3).transposed().ones
        (6, 4, 0)
        """
        ones, promise = (transposed(rows, len(self.bob)) for rows in (self.ones, self.promise))
        return CommunicationProblem(self.bob, self.alice, ones, promise, self.name)

    def value(self, x: int, y: int) -> int | None:
        """Return the value on the inputs with numbers ``x`` and ``y``; None outside the promise."""
        return self.ones[x] >> y & 1 if self.promise[x] >> y & 1 else None

    def inputs(self) -> list[tuple[int, int]]:
        """Return the pairs of input numbers inside the promise, row by row."""
        ys = range(len(self.bob))
        return [(x, y) for x, inside in enumerate(self.promise) for y in ys if inside >> y & 1]

    def __str__(self) -> str:
        kind = "total" if self.is_total else "promise"
        return f"{self.name or 'problem'}: {len(self.alice)} x {len(self.bob)}, {kind}"

    def to_json(self) -> dict[str, Any]:
        """Return the instance for use in a certificate (`docs/certificates.md`)."""
        return {
            "type": "communication problem",
            "name": self.name,
            "alice": list(self.alice),
            "bob": list(self.bob),
            "rows": [
                text_row(ones, len(self.bob), inside)
                for ones, inside in zip(self.ones, self.promise, strict=True)
            ],
        }


def _total(
    rows: Iterable[int], alice: Iterable[Label], bob: Iterable[Label], name: str
) -> CommunicationProblem:
    ones, columns = tuple(rows), tuple(bob)
    promise = ((1 << len(columns)) - 1,) * len(ones)
    return CommunicationProblem(tuple(alice), columns, ones, promise, name)


@checked_types
def evaluation_problem(concept_class: ClassLike) -> CommunicationProblem:
    """Return ``Eval_C``: Alice holds a concept, Bob holds a point, the value is the label (`fx` 3).

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix

    Examples
    --------
    >>> evaluation_problem(ConceptClass.from_matrix([[0, 1], [1, 1]])).ones
    (2, 3)
    """
    C = as_class(concept_class)
    return _total(C.rows, C.concepts, C.points, f"Eval({C.name or 'class'})")


def check_positive(family: str, **parameters: int) -> None:
    """Raise `DomainError` if a parameter of a family is below 1."""
    for name, number in parameters.items():
        if number < 1:
            raise DomainError(f"{family}: {name} must be at least 1, not {show_value(number)}")


@checked_types
def equality(n: int) -> CommunicationProblem:
    """Return equality of two numbers below ``n``.

    Parameters
    ----------
    n : int
        Number of inputs of each player, at least 1.

    Examples
    --------
    >>> equality(3).ones
    (1, 2, 4)
    """
    check_positive("equality", n=n)
    check_size(n, n, f"equality:n={n}")
    return _total([1 << x for x in range(n)], range(n), range(n), f"equality:n={n}")


@checked_types
def greater_than(n: int) -> CommunicationProblem:
    """Return greater-than, ``x > y``, for numbers ``x`` of Alice and ``y`` of Bob below ``n``.

    Parameters
    ----------
    n : int
        Number of inputs of each player, at least 1.

    Examples
    --------
    >>> greater_than(3).ones
    (0, 1, 3)
    """
    check_positive("greater_than", n=n)
    check_size(n, n, f"greater_than:n={n}")
    return _total([(1 << x) - 1 for x in range(n)], range(n), range(n), f"greater_than:n={n}")


@checked_types
def index(d: int) -> CommunicationProblem:
    """Return index: Alice holds ``x`` in ``{0,1}^d``, Bob holds ``i``, and the value is ``x_i``.

    Alice's input number ``X`` has ``x_i`` in bit ``i - 1``.

    Parameters
    ----------
    d : int
        Length of Alice's input in bits, at least 1.

    Examples
    --------
    >>> index(2).alice, index(2).bob, index(2).ones
    (('00', '10', '01', '11'), (1, 2), (0, 1, 2, 3))
    """
    check_positive("index", d=d)
    size = power_of_two(d, "index", "d")
    check_size(size, d, f"index:d={d}")
    return _total(range(size), bit_strings(d), range(1, d + 1), f"index:d={d}")


@checked_types
def augmented_index(d: int) -> CommunicationProblem:
    """Return augmented index: index in which Bob also holds ``x_1 ... x_{i-1}`` (`fx` section 4).

    Alice's input number ``X`` has ``x_i`` in bit ``i - 1``. Bob's input number ``2**(i-1) - 1 +
    P``, labelled ``i:prefix``, has the prefix with ``x_j`` in bit ``j - 1`` of ``P``. Pairs whose
    prefix is not a prefix of ``x`` lie outside the promise.

    Parameters
    ----------
    d : int
        Length of Alice's input in bits, at least 1.

    Examples
    --------
    >>> augmented_index(2).bob
    ('1:', '2:0', '2:1')
    >>> [augmented_index(2).value(1, y) for y in range(3)]
    [1, None, 0]
    """
    check_positive("augmented_index", d=d)
    size = power_of_two(d, "augmented_index", "d")
    check_size(size, size - 1, f"augmented_index:d={d}")
    ones, promise = [], []
    for x in range(size):
        cells = [(1 << i) - 1 + (x & (1 << i) - 1) for i in range(d)]
        promise.append(sum(1 << cell for cell in cells))
        ones.append(sum(1 << cell for i, cell in enumerate(cells) if x >> i & 1))
    labels = [f"{i + 1}:{prefix}" for i in range(d) for prefix in bit_strings(i)]
    alice, name = tuple(bit_strings(d)), f"augmented_index:d={d}"
    return CommunicationProblem(alice, tuple(labels), tuple(ones), tuple(promise), name)


def _words(n: int, family: str, name: str) -> tuple[str, ...]:
    """Return the words of n bits; raise if a problem on pairs of words would be too large."""
    check_positive(family, n=n)
    size = power_of_two(n, family, "n")
    check_size(size, size, name)
    return tuple(bit_strings(n))


@checked_types
def disjointness(n: int) -> CommunicationProblem:
    """Return disjointness of two subsets of ``n`` elements: 0 if some ``x_i = y_i = 1``, else 1.

    Parameters
    ----------
    n : int
        Size of the ground set, at least 1.

    Examples
    --------
    >>> disjointness(1).ones, disjointness(2).ones
    ((3, 1), (15, 5, 3, 1))
    """
    name = f"disjointness:n={n}"
    words, rows = _words(n, "disjointness", name), [1]
    for i in range(n):  # where y_{i+1} = 1, rows with x_{i+1} = 1 have value 0
        rows = [row << (1 << i) | row for row in rows] + rows
    return _total(rows, words, words, name)


@checked_types
def inner_product(n: int) -> CommunicationProblem:
    """Return the inner product ``x_1 y_1 + ... + x_n y_n`` modulo 2 of words of ``n`` bits.

    Parameters
    ----------
    n : int
        Length of each input in bits, at least 1.

    Examples
    --------
    >>> inner_product(2).ones
    (0, 10, 12, 6)
    """
    name = f"inner_product:n={n}"
    words = _words(n, "inner_product", name)
    return _total(parities(n).rows, words, words, name)


@checked_types
def gap_hamming(n: int, g: int) -> CommunicationProblem:
    """Return Gap-Hamming of words: 1 if they differ in ``(n+g)/2`` places or more.

    The value is 0 if the words differ in at most ``(n-g)/2`` of their ``n`` places. All other pairs
    of words lie outside the promise; for odd ``n`` and ``g = 1`` there are no such pairs.

    Parameters
    ----------
    n : int
        Length of a word.
    g : int
        The gap, from 1 to n.

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
        raise DomainError(f"gap_hamming: g must be between 1 and n = {n}, not {g}")
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
    """Return a row in which the two halves of each block of columns are swapped."""
    lower = ((1 << size) - 1) // ((1 << 2 * half) - 1) * ((1 << half) - 1)
    return (row & lower) << half | row >> half & lower
