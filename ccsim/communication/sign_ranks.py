"""Sign rank: the minimum dimension in which halfspaces through the origin realise a matrix.

Rows have vectors ``u_x``, columns ``v_y``: ``<u_x, v_y>`` is positive where the matrix is 1 and
negative where it is 0. The *chirotope* of vectors of dimension r is the sign of each r x r
determinant. A *circuit* is the linear relation of r + 1 vectors; its coefficients are determinants.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from math import comb
from typing import Any, ClassVar

import flint
import numpy as np

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.arguments.renamed import Renamed
from ccsim.budget import Budget, Jobs, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_integers
from ccsim.classes import ConceptClass
from ccsim.communication.chirotopes.cases import Chirotopes, Line
from ccsim.communication.chirotopes.cubes import refuted_by_cubes
from ccsim.communication.chirotopes.final_polynomials import FinalPolynomials
from ccsim.communication.chirotopes.nodes import Lemma, Node, encoded, needed
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.kernel.rules import MAX_WORK
from ccsim.programs.sign_vectors import plain_vectors, realised

Place = tuple[int, int]
"""The number of a kept line, and the sign (1 or -1) with which it represents another line."""

SIDES = ("rows", "columns")
MAX_SIGNS = 300 * 300  # maximum number of entries of a matrix for the sign rank
# cases of a tree that are looked at, first and at last; only at last also by inequalities
_WORK = (6_000, False), (40_000, True)
_CASES = 1_000  # that are looked at by inequalities
_FEW_BASES = 126  # most determinants of lines for inequalities
_MOST_SEEDS = 6  # how often vectors are sought at last in a dimension that was not excluded
_STEPS = 300_000  # steps in which a shattered set of lines is sought
_BASES = 220  # most determinants of lines that are searched at once
_FIRST_WORK = 2_000  # cases of a tree for all lines that are looked at before it is divided
_CUBE_WORK = 5_000  # cases of a short cube
_MOST_BASES = 500  # most determinants of all lines
_TRIES = 12
_MOST_DIMENSION = 10  # for chirotopes; a relation has 3^(dimension + 1) partial assignments
_MOST_NORM, _MOST_ROWS = 128, 300  # rows of Gram matrices that the kernel squares often, and twice
_SQUARINGS, _FEW_SQUARINGS = 6, 2


@frozen
class SignRankResult(Answer[int]):
    """The sign rank of a matrix, or bounds on it.

    Attributes
    ----------
    instance : ConceptClass or CommunicationProblem
        The matrix; concepts and points, or Alice's and Bob's inputs, are its rows and columns.
    lower, upper : int
        Bounds on the sign rank; equal if the search succeeded.
    rows, columns : tuple of tuple of int
        A vector with ``upper`` entries for each row and each column.
    obstruction : Obstruction
        The proof that the sign rank is at least ``lower``.
    """

    asked = ("instance",)
    quantity: ClassVar[str] = "the sign rank"

    instance: ConceptClass | CommunicationProblem
    lower: int
    upper: int
    rows: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, ...], ...]
    obstruction: Obstruction

    def description(self) -> str:
        """Return a one-line description of the vectors and the lower bound.

        Examples
        --------
        >>> sign_rank("equality:n=3").description()
        'vectors of 2 integers of at most 1 digit; fewer dimensions excluded by 2 shattered rows'
        """
        most = max((abs(a) for vector in (*self.rows, *self.columns) for a in vector), default=0)
        integers = counted(self.upper, "integer", "integers")
        size = f"at most {counted(len(str(most)), 'digit', 'digits')}"
        return f"vectors of {integers} of {size}; {self.obstruction.description()}"

    shown = Renamed("description")

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``sign_rank``."""
        vectors: dict[str, Any] = {
            "rows": [encode_integers(vector) for vector in self.rows],
            "columns": [encode_integers(vector) for vector in self.columns],
        }
        return Certificate(
            "sign_rank",
            self.instance.to_json(),
            {"lower": self.lower, "upper": self.upper},
            self.obstruction.to_json(),
            {"vectors": vectors},
        )


@checked_types
def sign_rank(
    problem: ProblemLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> SignRankResult:
    """Return the sign rank of a matrix, or bounds on it.

    It is the minimum dimension of vectors, one for each row and column, whose inner products have
    the signs of the entries. For a class this is the *dimension complexity*: the minimum dimension
    in which the points are vectors and the concepts are halfspaces through the origin. For a
    problem, its logarithm is the communication complexity with unbounded error, up to one bit
    (Paturi and Simon 1986).

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        Entries outside the promise may have any sign or be 0.
    time_limit, progress
        As for `vc_dimension`; a stopped search returns the bounds proved so far.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Returns
    -------
    SignRankResult
        Bounds with proofs. They differ if vectors of some dimension were neither found nor
        excluded.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_SIGNS` entries.

    Notes
    -----
    The search for vectors uses floats and rounds the result to integers. A dimension is excluded by
    shattered rows or columns, by the spectral norm (Forster 2002), or by a search that excludes all
    chirotopes. A chirotope consists of the signs of the determinants of the vectors of some rows or
    columns. Biquadratic final polynomials (Bokowski and Richter 1990) exclude chirotopes that no
    vectors have.

    Complexity: deciding whether the sign rank is 3 is as hard as the existential theory of the
    reals. Matrices up to 8 x 8 take about a second, or a few seconds with final polynomials.
    Without a time limit, matrices with up to 12 rows or columns can take hours.

    Examples
    --------
    >>> from ccsim import equality
    >>> result = sign_rank(equality(4))
    >>> result.value, result.rows[0], result.columns[0]
    (3, (1, -2, 0), (1, 0, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress, jobs)
    F = problem if isinstance(problem, ConceptClass) else as_problem(problem, budget)
    width = len(F.points if isinstance(F, ConceptClass) else F.bob)
    if len(F.ones if isinstance(F, CommunicationProblem) else F.rows) * width > MAX_SIGNS:
        raise InstanceTooLargeError(
            f"{F} has too many entries; the limit of sign_rank is {MAX_SIGNS}"
        )
    search = _Search(Signs.of(F), budget)
    with budget:
        search.run()
    rows, columns = (search.signs.spread(side, search.vectors[side]) for side in (0, 1))
    return SignRankResult(F, search.lower, search.upper, rows, columns, search.obstruction)


class _Search:
    """Bounds on the sign rank of a matrix, and the methods that improve them."""

    def __init__(self, signs: Signs, budget: Budget) -> None:
        self.signs, self.budget = signs, budget
        self.matrix = np.array(signs.entries, dtype=np.int64).reshape(signs.size)
        self.lower = int(any(map(any, signs.entries)))
        m, n = signs.size
        self.vectors = plain_vectors(signs.entries) if self.lower else ([[]] * m, [[]] * n)
        self.upper = max(map(len, [*self.vectors[0], *self.vectors[1]]), default=0)
        self.obstruction = Obstruction("trivial")

    def run(self) -> None:
        """Improve the bounds until they coincide or no method makes progress."""
        self.budget.report(self.lower, self.upper)
        if self.lower < self.upper:
            self.lower, self.obstruction = first_obstruction(self.signs, self.budget.or_at_once())
            self.budget.report(self.lower, self.upper)
        for dimension in range(self.lower, self.upper):
            if self._show(dimension, seeds=1):
                break
        for work, last in _WORK:
            while self.lower < self.upper:
                found = chirotope_obstruction(
                    self.signs, self.lower, work, self.budget, subsets=last
                )
                if found is None and last:
                    found = self._last()
                if found is None:
                    break
                self.lower, self.obstruction = self.lower + 1, found
                self.budget.report(self.lower, self.upper)
            if self.lower == self.upper or self._show(self.lower, seeds=_MOST_SEEDS):
                break

    def _last(self) -> Obstruction | None:
        """Exclude a dimension by all lines: by short cubes, by inequalities, by any cubes."""
        signs, dimension, budget = self.signs, self.lower, self.budget
        return (
            all_chirotopes(signs, dimension, _CUBE_WORK, budget)
            or final_polynomials(signs, dimension, budget)
            or all_chirotopes(signs, dimension, sys.maxsize, budget)
        )

    def _show(self, dimension: int, seeds: int) -> bool:
        """Search for vectors of a given dimension; store them and return whether they exist."""
        found = realised(self.matrix, dimension, self.budget, seeds)
        if found is not None:
            self.vectors, self.upper = found, dimension
            self.budget.report(self.lower, self.upper)
        return found is not None


@frozen
class Signs:
    """A sign matrix without equal or opposite lines, and the map to the original matrix."""

    entries: tuple[tuple[int, ...], ...]  # 1, -1, or 0 where the sign is free
    kept: tuple[tuple[int, ...], tuple[int, ...]]  # the numbers that its rows, and its columns, had
    # for each row, and for each column, which one stands for it, with which sign
    places: tuple[tuple[Place, ...], tuple[Place, ...]]

    @classmethod
    def of(cls, instance: ConceptClass | CommunicationProblem) -> Signs:
        """Return the signs of a class or a problem."""
        if isinstance(instance, ConceptClass):
            width = len(instance.points)
            pairs = [(row, (1 << width) - 1) for row in instance.rows]
        else:
            width = len(instance.bob)
            pairs = list(zip(instance.ones, instance.promise, strict=True))
        across = range(width)
        matrix = [
            tuple((1 if row >> y & 1 else -1) if inside >> y & 1 else 0 for y in across)
            for row, inside in pairs
        ]
        rows, row_places = _distinct(matrix)
        columns, column_places = _distinct([tuple(matrix[x][y] for x in rows) for y in across])
        entries = tuple(tuple(matrix[x][y] for y in columns) for x in rows)
        return cls(entries, (tuple(rows), tuple(columns)), (row_places, column_places))

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of kept rows and columns."""
        return len(self.kept[0]), len(self.kept[1])

    def lines(self, side: int) -> list[Line]:
        """Return the kept rows (side 0) or columns (side 1)."""
        matrix = tuple(zip(*self.entries, strict=True)) if side else self.entries
        return [
            (
                sum(1 << i for i, sign in enumerate(line) if sign > 0),
                sum(1 << i for i, sign in enumerate(line) if sign < 0),
            )
            for line in matrix
        ]

    def spread(self, side: int, vectors: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """Return a vector for each row or column, from the vectors of those kept."""
        return tuple(
            tuple(sign * entry for entry in vectors[line]) for line, sign in self.places[side]
        )


def _distinct(lines: Sequence[tuple[int, ...]]) -> tuple[list[int], tuple[Place, ...]]:
    """Return the first of equal or opposite lines, and the representative of each line."""
    number: dict[tuple[int, ...], Place] = {}
    kept, places = list[int](), list[Place]()
    for i, line in enumerate(lines):
        if line not in number:
            opposite = tuple(-sign for sign in line)
            number[opposite] = len(kept), -1
            number[line] = len(kept), 1  # a line of free signs is its own opposite
            kept.append(i)
        places.append(number[line])
    return kept, tuple(places)


@frozen
class Obstruction:
    """A proof of a lower bound on the sign rank: the form of proof and its data."""

    # ``trivial``, ``shattered``, ``spectral``, ``chirotope`` or ``final_polynomials``
    form: str
    side: str | None = None  # whether lines are ``rows`` or ``columns``, where the form has lines
    lines: tuple[int, ...] = ()  # what is shattered, or has no chirotope
    # of chirotopes the dimension that is excluded, of a spectral bound the squarings
    number: int = 0
    nodes: tuple[Node, ...] = ()  # the tree of cases of chirotopes
    lemmas: tuple[Lemma, ...] = ()  # of final polynomials

    def description(self) -> str:
        """Return a short description of the argument that excludes fewer dimensions."""
        cases = len(self.nodes) + sum(len(lemma.nodes) for lemma in self.lemmas)
        trees = f"chirotopes of {len(self.lines)} {self.side}, {cases} cases"
        by = {
            "trivial": "a sign",
            "shattered": f"{len(self.lines)} shattered {self.side}",
            "spectral": "the spectral norm",
            "chirotope": trees,
            "final_polynomials": f"{trees}, final polynomials",
        }
        return f"fewer dimensions excluded by {by[self.form]}"

    def to_json(self) -> dict[str, Any]:
        """Return the lower-bound part of a certificate."""
        of_lines = {"side": self.side, "lines": list(self.lines)}
        tree = of_lines | {"dimension": self.number, "nodes": encoded(self.nodes)}
        data: dict[str, dict[str, Any]] = {
            "shattered": of_lines,
            "spectral": {"squarings": self.number},
            "chirotope": tree,
            "final_polynomials": tree | {"lemmas": [lemma.to_json() for lemma in self.lemmas]},
        }
        return {self.form: data.get(self.form, {})}


def first_obstruction(signs: Signs, budget: Budget) -> tuple[int, Obstruction]:
    """Return the best lower bound from shattered lines or the spectral norm, with its proof."""
    best = (int(any(map(any, signs.entries))), Obstruction("trivial"))
    for i, side in enumerate(SIDES):
        found = _shattered(signs.lines(i), budget)
        if len(found) > best[0]:
            lines = tuple(signs.kept[i][line] for line in found)
            best = len(found), Obstruction("shattered", side, lines)
    spectral = _spectral(signs)
    return best if spectral is None or spectral[0] <= best[0] else spectral


def _shattered(lines: list[Line], budget: Budget) -> list[int]:
    """Return shattered lines (all sign patterns up to complement), found by a short search."""
    best: list[int] = []
    work = budget.share(work=_STEPS)

    def grow(chosen: list[int], cells: list[int], after: int) -> None:
        # a cell holds the positions of a pattern and of its opposite, as the first line has them
        nonlocal best
        work.spend(len(cells) * (len(lines) - after) + 1)
        if len(chosen) > len(best):
            best = chosen
        for i in range(after, len(lines)):
            ones, zeros = lines[i]  # where it agrees with the first line, and where it differs:
            same, other = ones & ~turn | zeros & turn, zeros & ~turn | ones & turn
            parts = [part for cell in cells for part in (cell & same, cell & other)]
            if all(parts):
                grow([*chosen, i], parts, i + 1)

    with suppress(OutOfWorkError), budget:
        for i, (ones, turn) in enumerate(lines):
            if ones | turn:
                grow([i], [ones | turn], i + 1)
    return best


def _spectral(signs: Signs) -> tuple[int, Obstruction] | None:
    """Return the bound from the spectral norm of a submatrix without free signs, and the proof."""
    m, n = (len(places) for places in signs.places)
    if not all(map(all, signs.entries)) or not 0 < min(m, n) <= _MOST_ROWS:
        return None
    matrix = np.array(signs.entries)
    for axis, places in enumerate(signs.places):
        matrix = matrix.take([line for line, _ in places], axis)
        turns = np.array([sign for _, sign in places])
        matrix = matrix * (turns[:, None] if axis == 0 else turns)
    if m > n:
        matrix = matrix.T
    norm = np.linalg.norm(matrix.astype(float), 2)
    if m * n <= 4 * norm * norm:  # no more than shattered lines prove
        return None
    gram = flint.fmpz_mat((matrix @ matrix.T).tolist())
    squarings = _SQUARINGS if min(m, n) <= _MOST_NORM else _FEW_SQUARINGS
    for _ in range(squarings):
        gram *= gram
    trace = sum(int(gram[i, i]) for i in range(min(m, n)))
    power, bound = 1 << squarings, 0
    while (m * n) ** power > bound ** (2 * power) * trace:
        bound += 1
    return bound, Obstruction("spectral", number=squarings)


def chirotope_obstruction(
    signs: Signs, dimension: int, work: int, budget: Budget, *, subsets: bool = False
) -> Obstruction | None:
    """Return a proof that no vectors of the given dimension have the signs, or None.

    If it is for `subsets` of the lines, a side with few lines is not searched again.
    """
    for side in sorted((0, 1), key=signs.size.__getitem__):
        lines = signs.lines(side)
        choices = _choices(len(lines), dimension)
        for chosen in choices if len(choices) > 1 or not subsets else ():
            found = _with_fewer(lines, chosen, dimension, work // len(choices), budget)
            if found is not None:
                listed = tuple(signs.kept[side][line] for line in found[0])
                return Obstruction("chirotope", SIDES[side], listed, dimension, tuple(found[1]))
    return None


def all_chirotopes(signs: Signs, dimension: int, work: int, budget: Budget) -> Obstruction | None:
    """Return a proof by a tree for all rows or all columns, found in cubes with limits of work.

    The result is None if a limit is reached, if the lines have a chirotope, or if the tree is too
    large for the kernel.
    """
    side = min((0, 1), key=signs.size.__getitem__)
    lines = signs.lines(side)
    possible = dimension < len(lines) and dimension <= _MOST_DIMENSION
    if not possible or comb(len(lines), dimension) > _MOST_BASES:
        return None
    try:
        nodes = Chirotopes(dimension, lines, budget.share(work=_FIRST_WORK)).refuted()
    except OutOfWorkError:
        nodes = refuted_by_cubes(dimension, lines, work, budget)
    if nodes is None or len(nodes) * (50 + dimension * (21 + dimension**2)) > MAX_WORK:
        return None
    return Obstruction("chirotope", SIDES[side], signs.kept[side], dimension, tuple(nodes))


def final_polynomials(signs: Signs, dimension: int, budget: Budget) -> Obstruction | None:
    """Return a proof that also uses inequalities and symmetries, or None if none is found."""
    for side in sorted((0, 1), key=signs.size.__getitem__):
        lines = signs.lines(side)
        if not 1 < dimension < len(lines) or comb(len(lines), dimension) > _FEW_BASES:
            continue
        search = FinalPolynomials(dimension, lines, budget.share(work=_CASES))
        with suppress(OutOfWorkError):
            if (nodes := search.refuted()) is not None:
                lemmas, tree = needed(search.lemmas, nodes)
                return Obstruction(
                    "final_polynomials",
                    SIDES[side],
                    signs.kept[side],
                    dimension,
                    tuple(tree),
                    tuple(lemmas),
                )
    return None


def _choices(count: int, dimension: int) -> list[list[int]]:
    """Return the sets of lines to try: all if there are few, otherwise some of a few sizes."""
    if count < dimension + 1 or dimension > _MOST_DIMENSION:
        return []
    if comb(count, dimension) <= _BASES:
        return [list(range(count))]
    most = max(k for k in range(dimension + 1, count) if comb(k, dimension) <= _BASES)
    draw = random.Random(dimension)  # noqa: S311 - choices, not secrets
    return [
        sorted(draw.sample(range(count), size))
        for size in sorted({*range(dimension + 2, most, 2), most})
        for _ in range(_TRIES)
    ]


def _with_fewer(
    lines: list[Line], chosen: list[int], dimension: int, work: int, budget: Budget
) -> tuple[list[int], list[Node]] | None:
    """Return a smaller set of lines without a chirotope, and the tree that proves it."""
    found = None
    with suppress(OutOfWorkError):
        while True:
            search = Chirotopes(dimension, [lines[i] for i in chosen], budget.share(work=work))
            if (nodes := search.refuted()) is None:
                break
            found = chosen, nodes
            cited = {line for node in nodes if isinstance(node, tuple) for line in node}
            used = sorted(cited | set(range(dimension)))
            if len(used) == len(chosen):
                break
            chosen = [chosen[line] for line in used]  # the first determinant may change by this
    return found
