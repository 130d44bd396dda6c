"""Complexity measures of a two-party function: functions that return certified bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Annotated, Any, ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.budget import Budget, Jobs, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.communication import signed_rectangles
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.minimax import ComplexityResult, communication_complexity
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.two_way import TwoWayProtocol
from ccsim.communication.sign_ranks import SignRankResult, sign_rank
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.fractions import as_fraction
from ccsim.kernel.protocol_trees import MAX_LINES
from ccsim.measures import rectangle_programs
from ccsim.measures.covers import Cover, CoverSearch
from ccsim.measures.fooling import largest_fooling_set
from ccsim.measures.gamma import least_norm
from ccsim.measures.power_search import bounds_of_power
from ccsim.measures.ranks import factors
from ccsim.measures.rectangles import Rectangle, Side, fractional_cover
from ccsim.measures.simultaneous import SimultaneousResult, simultaneous
from ccsim.measures.trees import MOST_LINES, Lines, Node, Tables, Trees, deeper, more, plain_tree

Value = Annotated[int, Parameter("the value whose inputs count", choices=(0, 1))]
Modulus = Annotated[int, Parameter("the prime, or 0 for the rationals", choices=(0, 2, 3, 5, 7))]
Distribution = Annotated[str, Parameter("of the inputs", choices=("uniform", "worst"))]
Copies = Annotated[int, Parameter("the number of coordinates", least=1)]
Proof = dict[str, Any]
Number = int | Fraction

PRIMES = (2, 3, 5, 7)
MOST_ALPHA = 1000
_MOST_ENTRIES = 1 << 22  # of programs of covers: inputs times rectangles
_MOST_GROWN = 16  # inputs of the shorter side, for programs that grow by their heaviest rectangles
_MOST_SIGNS, _MOST_WEIGHED = 400, 150  # inputs up to which sign ranks and programs have no limit
_SECONDS = 20  # that of others
_MOST_AT_ONCE = 1 << 14  # inputs of a value whose rank is computed at a time limit
_NODES = 4000  # of a tree of cases, without a time limit
_STEPS = 3_000_000  # inputs that the search of a fooling set colours


@frozen
class MeasureResult(Answer[Any]):
    """Bounds on a complexity measure of a two-party function, with a proof of each.

    Attributes
    ----------
    problem : CommunicationProblem
    measure : str
        The kind of the certificate, such as ``"cover_number"``.
    parameters : tuple of (str, str or int)
        The parameters of the measure, such as the covered value.
    lower, upper : int or Fraction
        Bounds on the measure; they coincide if it was determined exactly.
    below, above : dict
        The proofs of both bounds, in the format of certificates (docs/certificates.md).
    """

    asked = ("problem", "measure", "parameters")
    quantity: ClassVar[str] = "the measure"

    problem: CommunicationProblem
    measure: str
    parameters: tuple[tuple[str, str | int], ...]
    lower: Any
    upper: Any
    below: Proof
    above: Proof

    def certificate(self) -> Certificate:
        """Return the certificate of the kind that `measure` names."""
        ends = (self.lower, self.upper)
        known = [v if isinstance(v, int) else encode_fraction(v) for v in ends]
        statement = {"lower": known[0], "upper": known[1], **dict(self.parameters)}
        return Certificate(self.measure, self.problem.to_json(), statement, self.below, self.above)

    @property
    def protocol(self) -> TwoWayProtocol:
        """The two-way protocol that proves the upper bound on a cost or a protocol size.

        Raises
        ------
        DomainError
            If the measure is neither `deterministic_cost` nor `protocol_size`.
        """
        if "tree" not in self.above:
            raise DomainError(
                f"the upper bound of {self.measure} is not a protocol; deterministic_cost and "
                "protocol_size have one"
            )
        return TwoWayProtocol.from_tree(self.above["tree"]["nodes"], self.problem)


class Measures:
    """The measures of one problem; intermediate results are computed only once."""

    def __init__(
        self, problem: CommunicationProblem, budget: Budget, error: Fraction | None = None
    ) -> None:
        self.problem, self.budget, self.error = problem, budget, error
        self.sides = (Side.of(problem, 0), Side.of(problem, 1))
        self.known: dict[tuple[Any, ...], MeasureResult] = {}
        self.one_ways: dict[int, ComplexityResult] = {}

    @property
    def given_error(self) -> Fraction:
        """The allowed error; it must have been given."""
        if self.error is None:
            raise DomainError("error must be given for measures of protocols with an error")
        return self.error

    def result(
        self,
        measure: str,
        ends: tuple[Number, Number],
        below: Proof,
        above: Proof,
        **parameters: str | int,
    ) -> MeasureResult:
        """Return the result for a measure with the given bounds and their proofs."""
        known = tuple(parameters.items())
        self.budget.report(*ends)
        return MeasureResult(self.problem, measure, known, *ends, below, above)

    @cached_property
    def lines(self) -> Lines:
        """The distinct rows and columns."""
        return Lines.of(self.problem.ones, self.problem.promise, len(self.problem.bob))

    @cached_property
    def tables(self) -> Tables | None:
        """The tables of all rectangles; None if there are too many rows and columns."""
        sizes = len(self.lines.rows), len(self.lines.columns)
        return Tables(self.lines) if sum(sizes) <= MOST_LINES else None

    @cached_property
    def _of_cost(self) -> Trees | None:
        """The trees of least depth; None if the table is too large or time ran out."""
        if self.tables is not None:
            with self.budget:
                return Trees(self.tables, self.tables.cost(self.budget), deeper)
        return None

    @cached_property
    def _of_size(self) -> Trees | None:
        """The trees with the fewest leaves; None if the table is too large or time ran out."""
        if self.tables is not None:
            with self.budget:
                return Trees(self.tables, self.tables.size(self.budget), more)
        return None

    def cost(self) -> MeasureResult:
        """Return the deterministic cost."""
        return self._tree("deterministic_cost", 0)

    def size(self) -> MeasureResult:
        """Return the protocol size."""
        return self._tree("protocol_size", 1)

    def _tree(self, measure: str, alone: int) -> MeasureResult:
        """Return bounds on trees by fooling sets and ranks, tables of rectangles, or partitions."""
        nodes = plain_tree(self.lines)
        upper = _of_nodes(nodes, alone)
        lower, below = _by_leaves([self._least(value, disjoint=True) for value in (0, 1)], alone)
        trees, sizes = None, (len(self.lines.rows), len(self.lines.columns))
        if lower < upper and (trees := self._of_size if alone else self._of_cost) is not None:
            nodes, upper = trees.tree(), trees.value
        above = {"tree": {"nodes": [node and [*node] for node in nodes]}}
        if lower < upper and trees is not None and max(sizes) <= MAX_LINES:
            kept = [self.lines.first(side, mask) for side, mask in enumerate(trees.everything)]
            lower, below = upper, {"rectangles": dict(zip(("rows", "columns"), kept, strict=True))}
        elif lower < upper:
            parts = [self.partition(value) for value in (0, 1)]
            lower, below = _by_leaves([(part.lower, part.below) for part in parts], alone)
        return self.result(measure, (lower, upper), below, above)

    def fooling(self, value: int) -> MeasureResult:
        """Return the size of a largest fooling set."""
        key = ("fooling", value)
        if key not in self.known:
            found = largest_fooling_set(self.sides[value], self.budget, _STEPS)
            inputs = [self._input(i) for i in found.inputs]
            self.known[key] = self.result(
                "fooling_number",
                (len(inputs), found.upper),
                {"inputs": {"inputs": inputs}},
                {"colours": {"size": found.upper}},
                value=value,
            )
        return self.known[key]

    def cover(self, value: int) -> MeasureResult:
        """Return the cover number."""
        return self._covering("cover_number", value)

    def partition(self, value: int) -> MeasureResult:
        """Return the partition number."""
        return self._covering("partition_number", value)

    def _covering(self, measure: str, value: int) -> MeasureResult:
        key = (measure, value)
        if key not in self.known:
            side, disjoint = self.sides[value], measure == "partition_number"
            lower, below = self._least(value, disjoint=disjoint)
            chosen = self._plain(side)
            if disjoint and lower < len(chosen) and (size := self._of_size) is not None:
                chosen = min(chosen, size.leaves(value), key=len)
            if lower < len(chosen) and (cover := self._search(side, chosen, disjoint=disjoint)):
                if cover.upper < len(chosen):
                    chosen = [*cover.rectangles]
                if cover.lower > lower:
                    lower, below = cover.lower, {"cases": {"nodes": [*cover.nodes]}}
            listed = [side.spread(one) for one in chosen]
            above = {"rectangles": {"listed": listed}}
            self.known[key] = self.result(measure, (lower, len(chosen)), below, above, value=value)
        return self.known[key]

    def _least(self, value: int, *, disjoint: bool) -> tuple[int, Proof]:
        """Return a lower bound by a fooling set or, for disjoint rectangles, by a rank."""
        fooling, side = self.fooling(value), self.sides[value]
        weights = [[*cell, 1] for cell in fooling.below["inputs"]["inputs"]]
        lower: int = fooling.lower
        below: Proof = {"weights": {"weights": weights}}
        for field in ("rationals", "modulo 2") if disjoint else ():
            if self.budget.expired and side.inputs.bit_count() > _MOST_AT_ONCE:
                break
            rank = self._rank_of(value, field)
            if rank.lower > lower:
                lower = rank.lower
                below = {"rank": {"field": field, "proof": rank.below}}
        return lower, below

    def _search(self, side: Side, chosen: list[Rectangle], *, disjoint: bool) -> Cover | None:
        with self.budget:
            known = (side.every if disjoint else side.maximal)(self.budget)
            if known is not None and len(known) * side.inputs.bit_count() <= _MOST_ENTRIES:
                work = self.budget.share(work=_NODES)
                return CoverSearch(side, known, work, disjoint=disjoint).solve(len(chosen))
        return None

    def _plain(self, side: Side) -> list[Rectangle]:
        """Return one rectangle for each distinct row, or each distinct column, with the value."""
        rows: dict[int, int] = {}
        for x, held in enumerate(side.held):
            rows[held] = rows.get(held, 0) | 1 << x
        columns: dict[int, int] = {}
        for y in range(side.width):
            held = sum((row >> y & 1) << x for x, row in enumerate(side.held))
            columns[held] = columns.get(held, 0) | 1 << y
        both = [
            [(xs, held) for held, xs in rows.items() if held],
            [(held, ys) for held, ys in columns.items() if held],
        ]
        return min(both, key=len)

    def fractional(self, value: int, *, disjoint: bool = False) -> MeasureResult:
        """Return the fractional cover number or, if `disjoint`, the fractional partition number."""
        side, found = self.sides[value], None
        with self.budget:
            known = (side.every if disjoint else side.maximal)(self.budget)
            if known is not None and len(known) * side.inputs.bit_count() <= _MOST_ENTRIES:
                found = fractional_cover(side, known, self.budget, disjoint=disjoint)
        if found is not None:
            weights = [[*self._input(i), w] for i, w in found.weights]
            listed = [[*side.spread(one), w] for one, w in found.rectangles]
            lower = upper = found.value
            unit = found.unit
        else:
            inputs = self.fooling(value).below["inputs"]["inputs"]
            weights = [[*cell, 1] for cell in inputs]
            cover, unit = (self.partition if disjoint else self.cover)(value), 1
            listed = [[*one, 1] for one in cover.above["rectangles"]["listed"]]
            lower, upper = Fraction(len(inputs)), Fraction(cover.upper)
            if lower < upper and (grown := self._grown(value, disjoint=disjoint)) is not None:
                if grown.lower > lower:
                    held = [(cell, w) for *cell, [w] in grown.weights() if side.has(*cell)]
                    lower, weights = grown.lower, [[*cell, w] for cell, w in held if w]
                if grown.upper < upper:
                    pairs = grown.rectangles.items()
                    upper, unit = grown.upper, grown.unit
                    listed = [[*side.spread((xs, ys)), w] for (_, xs, ys), w in pairs]
        return self.result(
            f"fractional_{'partition' if disjoint else 'cover'}_number",
            (lower, upper),
            {"weights": {"weights": _encoded(weights)}},
            {"rectangles": {"unit": _encoded(unit), "listed": _encoded(listed)}},
            value=value,
        )

    def _grown(self, value: int, *, disjoint: bool) -> rectangle_programs.Weights | None:
        """Return a fractional cover by column generation; None without time or with many lines."""
        shorter = min(len(self.problem.alice), len(self.problem.bob))
        if self.budget.expired or shorter > _MOST_GROWN:
            return None
        layers = rectangle_programs.of_value(self.problem, value, Fraction(0), smooth=disjoint)
        return rectangle_programs.solved(layers, self._some_time(_MOST_WEIGHED))

    def fractional_power(self, value: int, k: int) -> MeasureResult:
        """Return the fractional partition number of a power."""
        side, cover = self.sides[value], self.fractional(value)
        listed = [(x, y, int(w)) for x, y, w in cover.below["weights"]["weights"]]
        power, found = bounds_of_power(side, k, (listed, cover.lower), self.budget)
        moves = [[[*images] for images in pair] for pair in power.symmetries]
        turned = power.transposition and [[*images] for images in power.transposition]
        shared = {"symmetries": moves, "transposition": turned}
        pairs = zip(power.types, found.weights, strict=True)
        types = [[[*kind], w] for kind, w in pairs if w]
        rectangles = [
            [power.lines(r.product, r.rows, 0), power.lines(r.product, r.columns, 1), w]
            for r, w in found.rectangles
        ]
        return self.result(
            "fractional_partition_of_power",
            (found.lower, found.upper),
            {"weights": shared | {"types": _encoded(types), "heaviest": _encoded(found.heaviest)}},
            {"rectangles": shared | {"unit": _encoded(found.unit), "listed": _encoded(rectangles)}},
            value=value,
            power=k,
        )

    def rank(self, field: str) -> MeasureResult:
        """Return the rank of the matrix over a field."""
        key = ("rank", field)
        if key not in self.known:
            self.known[key] = self._ranked(self.problem, field)
        return self.known[key]

    def _rank_of(self, value: int, field: str) -> MeasureResult:
        """Return the rank of the matrix with entries 1 at the inputs of the given value."""
        if value:
            return self.rank(field)
        problem = self.problem
        ones = tuple(i & ~one for one, i in zip(problem.ones, problem.promise, strict=True))
        flipped = CommunicationProblem(problem.alice, problem.bob, ones, problem.promise)
        return self._ranked(flipped, field)

    def _ranked(self, problem: CommunicationProblem, field: str) -> MeasureResult:
        prime = 0 if field == "rationals" else int(field.rsplit(maxsplit=1)[-1])
        found = factors(problem, prime, self.budget)
        below = {"minor": {"rows": [*found.rows], "columns": [*found.columns]}}
        above = {
            "factors": {
                "unit": _encoded(found.unit),
                "left": _encoded(found.left),
                "right": _encoded(found.right),
            }
        }
        known = ("rank", found.lower, found.upper, below, above)
        return MeasureResult(problem, known[0], (("field", field),), *known[1:])

    def one_way(self, sender: int) -> ComplexityResult:
        """Return the deterministic one-way complexity if Alice (0) or Bob (1) sends."""
        if sender not in self.one_ways:
            problem = self.problem.transposed() if sender else self.problem
            self.one_ways[sender] = communication_complexity(
                problem, 0, "deterministic", time_limit=self.budget
            )
        return self.one_ways[sender]

    def simultaneous(self) -> SimultaneousResult:
        """Return the cost in bits if both players send one message each to a referee."""
        return simultaneous(self.problem, (self.one_way(0), self.one_way(1)), self.budget)

    def sign_rank(self) -> SignRankResult:
        """Return the sign rank; without a time limit, large problems are limited to 20 seconds."""
        return sign_rank(self.problem, time_limit=self._some_time(_MOST_SIGNS))

    def _some_time(self, most: int) -> Budget:
        """Return the budget; without a time limit, larger problems are limited to 20 seconds."""
        size = len(self.problem.alice) * len(self.problem.bob)
        return self.budget if self.budget.limited or size <= most else Budget(_SECONDS)

    def dimension(self, of: Callable[..., Answer[Any]]) -> Answer[Any]:
        """Return a dimension of the class of rows; the problem must be total."""
        return of(self.problem, time_limit=self.budget)

    def one_way_error(self, coins: str) -> ComplexityResult:
        """Return the one-way complexity of Alice with the given error and coins."""
        return communication_complexity(
            self.problem, self.given_error, coins, time_limit=self.budget
        )

    def near_gamma(self) -> MeasureResult:
        """Return bounds on gamma_2 of matrices that approximate the signs within the error."""
        return self.gamma(near(self.given_error))

    def gamma_of_signs(self) -> MeasureResult:
        """Return bounds on gamma_2^infinity; no entry of an optimal matrix exceeds the norm."""
        shorter = min(len(self.problem.alice), len(self.problem.bob))
        return self.gamma(Fraction(largest_entry(shorter)))

    def _check_lines(self, measure: str) -> None:
        """Raise an error if there are too many rectangles to weigh all of them."""
        limit = signed_rectangles.MOST_LINES
        lines = min(len(self.problem.alice), len(self.problem.bob))
        if lines > limit:
            raise InstanceTooLargeError(
                f"the shorter side of {self.problem} has {lines} inputs; the limit of {measure} "
                f"is {limit}"
            )

    def discrepancy(self, distribution: str) -> MeasureResult:
        """Return the discrepancy under the uniform or the worst distribution."""
        self._check_lines("the discrepancy")
        if distribution == "uniform":
            found = signed_rectangles.uniform(self.problem)
        else:
            found = signed_rectangles.worst(self.problem, self.budget)
        side = self.sides[1]
        listed = [[*side.spread(one), w] for one, w in found.rectangles]
        return self.result(
            "discrepancy",
            (found.lower, found.upper),
            {"rectangles": {"listed": _encoded(listed)}},
            {"weights": {"weights": _encoded(found.weights)}},
            distribution=distribution,
        )

    def rectangle_bound(self, value: int, *, smooth: bool = False) -> MeasureResult:
        """Return the rectangle bound, or the smooth one, of a value at the given error."""
        error = self.given_error
        self._check_lines("rectangle bounds")
        layers = rectangle_programs.of_value(self.problem, value, error, smooth=smooth)
        found = rectangle_programs.solved(layers, self._some_time(_MOST_WEIGHED))
        side = self.sides[value]
        listed = [[*side.spread((xs, ys)), w] for (_, xs, ys), w in found.rectangles.items()]
        weights = [[x, y, w] for x, y, [w] in found.weights() if w]
        return self.result(
            f"{'smooth_' * smooth}rectangle_bound",
            (found.lower, found.upper),
            {"weights": {"weights": _encoded(weights)}},
            {"rectangles": {"unit": _encoded(found.unit), "listed": _encoded(listed)}},
            value=value,
            error=encode_fraction(error),
        )

    def partition_bound(self) -> MeasureResult:
        """Return the partition bound at the given error."""
        error = self.given_error
        self._check_lines("the partition bound")
        layers = rectangle_programs.of_partition(self.problem, error)
        found = rectangle_programs.solved(layers, self._some_time(_MOST_WEIGHED))
        side = self.sides[1]
        listed = [[*side.spread((xs, ys)), v, w] for (v, xs, ys), w in found.rectangles.items()]
        weights = [[x, y, *both] for x, y, both in found.weights() if any(both)]
        return self.result(
            "partition_bound",
            (found.lower, found.upper),
            {"weights": {"weights": _encoded(weights)}},
            {"rectangles": {"unit": _encoded(found.unit), "listed": _encoded(listed)}},
            error=encode_fraction(error),
        )

    def gamma(self, alpha: Fraction) -> MeasureResult:
        """Return bounds on gamma_2 of the sign matrix or, if alpha > 1, of an approximation."""
        found = least_norm(self.problem, alpha, self.budget)
        lengths = {"rows": _encoded(found.rows), "columns": _encoded(found.columns)}
        return self.result(
            "gamma_2",
            (found.lower, found.upper),
            {"dual": {"weights": _encoded(found.weights), **lengths}},
            {"gram": {"unit": _encoded(found.unit), "form": _encoded(found.gram)}},
            alpha=encode_fraction(alpha),
        )

    def _input(self, i: int) -> list[int]:
        return [*divmod(i, len(self.problem.bob))]


def near(error: Fraction) -> Fraction:
    """Return ``alpha = 1 / (1 - 2 error)``, which bounds the scaled expected outputs of a protocol.

    If outputs are 1 and -1, the expected output differs from the sign by at most twice the error.
    """
    return 1 / (1 - 2 * error)


def largest_entry(size: int) -> int:
    """Return the root of a size, rounded up: gamma_2 of a sign matrix is at most this root."""
    return isqrt(max(0, size - 1)) + 1


def _of_nodes(nodes: Sequence[Node], alone: int) -> int:
    """Return the depth or the number of leaves of a tree; that of a single leaf is `alone`."""
    values = list[int]()
    for node in reversed(nodes):
        joined = more if alone else deeper
        values.append(alone if node is None else joined(values.pop(), values.pop()))
    return values[0]


def _by_leaves(parts: Sequence[tuple[int, Proof]], alone: int) -> tuple[int, Proof]:
    """Return a bound on trees from bounds on the leaves with each value, with a proof."""
    (zeros, first), (ones, second) = parts
    below: Proof = {"partitions": {"zeros": first, "ones": second}}
    if alone:
        return zeros + ones, below
    return max(0, zeros + ones - 1).bit_length(), {"leaves": {"proof": below}}


def _encoded(value: Any) -> Any:  # noqa: ANN401 - integers, or lists of them
    """Return integers, in nested lists, in the format of certificates."""
    if isinstance(value, int):
        return encode_integers([value])[0]
    if all(isinstance(each, int) for each in value):
        return encode_integers(value)
    return [_encoded(each) for each in value]


def allowed_error(error: object, name: str = "error") -> Fraction:
    """Return an error as a fraction, checked to lie in the range where the norm is bounded."""
    return as_fraction(error, name, 0, (1 - Fraction(1, MOST_ALPHA)) / 2)


def _measures(
    problem: ProblemLike,
    time_limit: TimeLimit,
    progress: Progress | None,
    error: Fraction | None = None,
    jobs: Jobs = None,
) -> Measures:
    budget = Budget.of(time_limit, progress, jobs)
    return Measures(as_problem(problem, budget), budget, error)


@checked_types
def deterministic_cost(
    problem: ProblemLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> MeasureResult:
    """Return the deterministic two-way communication cost D(f): the least depth of a protocol tree.

    Outside the promise, leaves may have either value.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; a stopped search returns the bounds proved so far.
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Returns
    -------
    MeasureResult
        Exact for up to `MOST_LINES` distinct rows and columns in total; bounds for larger problems.

    Notes
    -----
    Complexity: ``O(c (m + n) 2^(m + n))`` for m rows, n columns and the cost c, by counting the
    covers of each set of rows or columns. A 10 x 10 matrix takes half a second.

    Examples
    --------
    >>> result = deterministic_cost("equality:n=8")
    >>> result.value
    4
    >>> result.check()
    """
    return _measures(problem, time_limit, progress, jobs=jobs).cost()


@checked_types
def protocol_size(
    problem: ProblemLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> MeasureResult:
    """Return the minimum number of leaves of a deterministic two-way protocol.

    Parameters
    ----------
    problem, time_limit, progress, jobs
        As for `deterministic_cost`.

    Returns
    -------
    MeasureResult
        Exact for up to `MOST_LINES` distinct rows and columns in total; bounds for larger problems.

    Notes
    -----
    Complexity: that of `deterministic_cost`, with the number of leaves instead of the cost.

    Examples
    --------
    >>> protocol_size("equality:n=4").value
    8
    """
    return _measures(problem, time_limit, progress, jobs=jobs).size()


@checked_types
def simultaneous_cost(
    problem: ProblemLike, *, time_limit: TimeLimit = None, progress: Progress | None = None
) -> SimultaneousResult:
    """Return the simultaneous deterministic cost: both players send one message to a referee.

    For a total function, it is ``ceil(log2 r) + ceil(log2 c)`` for r distinct rows and c distinct
    columns.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        Outside the promise, the referee may give either answer.
    time_limit, progress
        As for `deterministic_cost`.

    Returns
    -------
    SimultaneousResult
        Exact for total problems. With a promise, the bounds may differ.

    Examples
    --------
    >>> simultaneous_cost("equality:n=8").value, simultaneous_cost("index:d=3").value
    (6, 5)
    """
    return _measures(problem, time_limit, progress).simultaneous()


@checked_types
def fooling_number(
    problem: ProblemLike,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the size of a largest fooling set for a value.

    A fooling set is a set of inputs with this value, no two of which lie in a common rectangle on
    which the function has this value.

    Parameters
    ----------
    problem, time_limit, progress
        As for `deterministic_cost`.
    value : 0 or 1

    Notes
    -----
    Complexity: exponential; a branch and bound for a largest clique uses colourings as bounds.

    Examples
    --------
    >>> fooling_number("equality:n=8").value, fooling_number("equality:n=8", 0).value
    (8, 3)
    """
    return _measures(problem, time_limit, progress).fooling(value)


@checked_types
def cover_number(
    problem: ProblemLike,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> MeasureResult:
    """Return the minimum number of rectangles of a value that cover all inputs with this value.

    Its logarithm is the nondeterministic cost (value 1), or the conondeterministic cost (value 0).
    The Boolean rank of a matrix is its 1-cover number.

    Parameters
    ----------
    problem, time_limit, progress
        As for `deterministic_cost`.
    value : 0 or 1
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Notes
    -----
    Complexity: an integer program with a column for each maximal rectangle, branched on pairs of
    inputs. With more than 65 536 rectangles, the bounds are a fooling set and a simple cover.

    Examples
    --------
    >>> cover_number("equality:n=6", 0).value  # least t with binom(t, t/2) >= 6
    4
    """
    return _measures(problem, time_limit, progress, jobs=jobs).cover(value)


@checked_types
def partition_number(
    problem: ProblemLike,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    jobs: Jobs = None,
) -> MeasureResult:
    """Return the minimum number of disjoint rectangles that cover all inputs with a value.

    Its logarithm is the unambiguous nondeterministic cost; for the value 1 it is the binary rank.

    Parameters
    ----------
    problem, time_limit, progress
        As for `deterministic_cost`.
    value : 0 or 1
    jobs : int or Workers, optional
        The processes that share a long search; see `ccsim.Workers`.

    Notes
    -----
    Complexity: as for `cover_number`, with a column for every rectangle instead of the maximal
    ones.

    Examples
    --------
    >>> partition_number("greater_than:n=4").value
    3
    """
    return _measures(problem, time_limit, progress, jobs=jobs).partition(value)


@checked_types
def fractional_cover_number(
    problem: ProblemLike,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the least total weight of rectangles that cover each input of a value at least once.

    Parameters
    ----------
    problem, time_limit, progress
        As for `deterministic_cost`.
    value : 0 or 1

    Returns
    -------
    MeasureResult
        The bounds are fractions.

    Examples
    --------
    >>> fractional_cover_number("equality:n=8", 0).value
    Fraction(7, 2)
    """
    return _measures(problem, time_limit, progress).fractional(value)


@checked_types
def fractional_partition_number(
    problem: ProblemLike,
    value: Value = 1,
    power: Copies = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the least total weight of rectangles that cover each input of a value exactly once.

    If ``power`` is ``k > 1``, the inputs are the k-tuples of inputs with the value. For the value 1
    these are the ones of the Kronecker power of the matrix, which is not written out. The problem
    must then be total.

    Parameters
    ----------
    problem, time_limit, progress
        As for `deterministic_cost`.
    value : 0 or 1
    power : int
        Number of coordinates, at least 1.

    Returns
    -------
    MeasureResult
        The bounds are fractions. For powers, the certificate has the kind
        `fractional_partition_of_power`.

    Raises
    ------
    DomainError
        If the power is larger than 1 and the problem has a promise.
    InstanceTooLargeError
        If there are too many types of inputs up to symmetry, or too many products of maximal
        rectangles (docs/powers.md).

    Notes
    -----
    Complexity: a linear program with a variable for each rectangle, solved exactly. With more than
    65 536 rectangles and at most 16 inputs on the shorter side, rectangles are added as needed; the
    square of a 4 x 4 matrix takes about a second.

    Complexity: a linear program with a variable for each rectangle, solved exactly. For powers, it
    has an equation for each type of inputs up to symmetry, and rectangles are added until none
    violates the dual program. The bounds coincide if each product of k maximal rectangles has at
    most 32 distinct rows or columns (k <= 5 for rectangles with two distinct rows).

    Examples
    --------
    >>> domino = ["110", "111", "011"]
    >>> fractional_partition_number(domino).value
    Fraction(5, 2)
    >>> fractional_partition_number(domino, power=3).value
    Fraction(2059, 149)
    """
    measures = _measures(problem, time_limit, progress)
    if power == 1:
        return measures.fractional(value, disjoint=True)
    if not measures.problem.is_total:
        raise DomainError(f"power must be 1 for a problem with a promise, not {power}")
    return measures.fractional_power(value, power)


@checked_types
def rank(
    problem: ProblemLike,
    modulus: Modulus = 0,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the rank of a matrix over the rationals, or over the integers modulo a prime.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        Entries outside the promise are free; the bounds are on the least rank of a completion.
    modulus : int
        The prime, or 0 for the rationals.
    time_limit, progress
        As for `deterministic_cost`.

    Examples
    --------
    >>> ip = [[(x & y).bit_count() % 2 for y in range(8)] for x in range(8)]
    >>> rank(ip).value, rank(ip, 2).value
    (7, 3)
    """
    return _measures(problem, time_limit, progress).rank(
        f"modulo {modulus}" if modulus else "rationals"
    )


@checked_types
def discrepancy(
    problem: ProblemLike,
    distribution: Distribution = "worst",
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the discrepancy of a function under the uniform or the worst distribution.

    It is the largest difference, over all rectangles, between the probabilities that the input is
    in the rectangle and has the value 0, and that it is in the rectangle and has the value 1.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        It must have at most 18 rows or at most 18 columns.
    distribution : str
        ``"uniform"`` on the promise, or ``"worst"``: the distribution with the least discrepancy.
    time_limit, progress
        As for `deterministic_cost`.

    Raises
    ------
    InstanceTooLargeError
        If there are more than 18 rows and more than 18 columns.

    Examples
    --------
    >>> discrepancy("equality:n=4").value
    Fraction(1, 6)
    """
    return _measures(problem, time_limit, progress).discrepancy(distribution)


@checked_types
def gamma_2(
    problem: ProblemLike,
    alpha: Fraction | int | str = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return bounds on the factorisation norm gamma_2 of the sign matrix.

    If ``alpha`` is above 1, the bounds are on the least norm of a matrix whose entries have these
    signs and absolute values from 1 to alpha. Entries outside the promise lie between -alpha and
    alpha.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    alpha : Fraction, int or str
        Largest absolute value of an entry, between 1 and `MOST_ALPHA`.
    time_limit, progress
        As for `deterministic_cost`.

    Returns
    -------
    MeasureResult
        The bounds differ by less than 1e-5 for problems with at most 1024 inputs. For larger total
        problems with alpha = 1, up to 200 x 200, they differ by at most 1e-4 times the norm; for
        other problems they may differ by more. Beyond about 220 x 220, the upper bound is slightly
        above the square root of the number of rows.

    Raises
    ------
    InstanceTooLargeError
        If a certificate takes too long to check, as for more than 320 rows and 320 columns.

    Examples
    --------
    >>> result = gamma_2("equality:n=8")
    >>> float(round(result.lower, 5)), float(round(result.upper, 5))
    (2.5, 2.5)
    """
    ratio = as_fraction(alpha, "alpha", 1, MOST_ALPHA)
    return _measures(problem, time_limit, progress).gamma(ratio)


@checked_types
def rectangle_bound(
    problem: ProblemLike,
    error: Fraction | int | str,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the rectangle bound (corruption bound) of a value at a given error.

    It is the least total weight of rectangles such that the weights of the rectangles that contain
    an input sum to at least ``1 - error`` if it has the value, and to at most ``error`` if it has
    the other value (Jain and Klauck 2010). Its logarithm is at most the cost of two-way protocols
    with public coins and this error. There is no condition on inputs outside the promise.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        It must have at most 18 rows or at most 18 columns.
    error : Fraction, int or str
        At least 0 and at most 999/2000.
    value : 0 or 1
    time_limit, progress
        As for `vc_dimension`; a stopped search returns the bounds proved so far.

    Returns
    -------
    MeasureResult
        The bounds are fractions. Without a time limit, the search stops after 20 seconds if there
        are more than 150 inputs.

    Raises
    ------
    InstanceTooLargeError
        If there are more than 18 rows and more than 18 columns.

    Notes
    -----
    Complexity: a linear program with constraints added for violating rectangles only, and an exact
    solution of a system with as many rows as inputs. An 8 x 8 problem takes a second.

    Examples
    --------
    >>> rectangle_bound("equality:n=4", "1/4").value
    Fraction(3, 2)
    """
    return _measures(problem, time_limit, progress, allowed_error(error)).rectangle_bound(value)


@checked_types
def smooth_rectangle_bound(
    problem: ProblemLike,
    error: Fraction | int | str,
    value: Value = 1,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the smooth rectangle bound of a value at a given error.

    It is defined as `rectangle_bound`, but the weights of the rectangles that contain an input with
    the value must also sum to at most 1 (Jain and Klauck 2010). So it is at least as large as the
    rectangle bound.

    Parameters
    ----------
    problem, error, value, time_limit, progress
        As for `rectangle_bound`.

    Returns
    -------
    MeasureResult
        The bounds are fractions; the time is limited as for `rectangle_bound`.

    Raises
    ------
    InstanceTooLargeError
        If there are more than 18 rows and more than 18 columns.

    Notes
    -----
    Complexity: as for `rectangle_bound`.

    Examples
    --------
    >>> rows = ["110", "011", "111"]
    >>> rectangle_bound(rows, "1/4").value, smooth_rectangle_bound(rows, "1/4").value
    (Fraction(5, 4), Fraction(11, 8))
    """
    return _measures(problem, time_limit, progress, allowed_error(error)).rectangle_bound(
        value, smooth=True
    )


@checked_types
def partition_bound(
    problem: ProblemLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MeasureResult:
    """Return the partition bound of a function at a given error.

    It is the least total weight of rectangles, each with a value 0 or 1, such that the rectangles
    that contain an input have total weight exactly 1 and, if the input is inside the promise, those
    with its value have total weight at least ``1 - error`` (Jain and Klauck 2010). Its logarithm is
    at most the cost of two-way protocols with public coins and this error.

    Parameters
    ----------
    problem, error, time_limit, progress
        As for `rectangle_bound`.

    Returns
    -------
    MeasureResult
        The bounds are fractions; the time is limited as for `rectangle_bound`.

    Raises
    ------
    InstanceTooLargeError
        If there are more than 18 rows and more than 18 columns.

    Notes
    -----
    Complexity: as for `rectangle_bound`, with two variables for each rectangle.

    Examples
    --------
    >>> partition_bound("equality:n=4", "1/4").value
    Fraction(13, 4)
    """
    return _measures(problem, time_limit, progress, allowed_error(error)).partition_bound()
