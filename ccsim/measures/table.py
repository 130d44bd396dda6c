"""All complexity measures of one matrix in a table, tightened by the inequalities between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import Any, NamedTuple

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificates, Certified
from ccsim.certificates.answer import OneBound
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes.given import as_class
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.minimax import ComplexityResult
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.sign_ranks import SignRankResult
from ccsim.data import frozen
from ccsim.dimensions import LittlestoneResult, VCResult, littlestone_dimension, vc_dimension
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import ceil_log2
from ccsim.exact.inequalities import Number, Rule, tightened
from ccsim.measures.inequalities import RULES, with_error
from ccsim.measures.questions import MeasureResult, Measures, allowed_error, largest_entry, near
from ccsim.measures.simultaneous import SimultaneousResult


def _lines(a: int, b: int) -> tuple[int, int]:
    """Return bounds on ranks, fooling sets and covers; each row or column can be a rectangle."""
    return 0, min(a, b)


def _weights(a: int, b: int) -> tuple[Fraction, Fraction]:
    return Fraction(0), Fraction(min(a, b))


def _norms(a: int, b: int) -> tuple[Fraction, Fraction]:
    """Return bounds on norms of matrices whose entries are at least 1; all of them may be signs."""
    return Fraction(1), Fraction(largest_entry(min(a, b)))


def _discrepancies(a: int, b: int) -> tuple[Fraction, Fraction]:
    """Return bounds on discrepancies; one row has an average weight, half of it on one value."""
    return Fraction(1, 2 * min(a, b)), Fraction(1)


def _depths(a: int, b: int) -> tuple[int, int]:
    """Return bounds on the VC and Littlestone dimensions of a class of at most ``a`` concepts."""
    return 0, min(a.bit_length() - 1, b)


class Row(NamedTuple):
    """A row of the table: a measure, how it is computed, and bounds by the numbers of inputs.

    Without a function, all its bounds follow from the numbers of inputs and from other rows. Rows
    with a smaller `turn` are computed first.
    """

    name: str
    compute: Callable[[Measures], Answer[Any]] | None
    by_size: Callable[[int, int], tuple[Number, Number]] = _lines
    needs: str = ""  # ``total`` functions only, or an ``error``
    turn: int = 2


_QUICK, _SLOW = 1, 3  # turns of rows
_PER_INPUT = 1e-5  # seconds for each input that a slow row takes at an expired time limit
ROWS: Mapping[str, Row] = MappingProxyType(
    {
        "fooling_1": Row("largest 1-fooling set", lambda m: m.fooling(1)),
        "fooling_0": Row("largest 0-fooling set", lambda m: m.fooling(0)),
        "rank": Row("rank over the rationals", lambda m: m.rank("rationals")),
        "gf2_rank": Row("rank over GF(2)", lambda m: m.rank("modulo 2")),
        "gamma_2": Row(
            "factorisation norm gamma_2", lambda m: m.gamma(Fraction(1)), _norms, turn=_SLOW
        ),
        "discrepancy_uniform": Row(
            "discrepancy, uniform", lambda m: m.discrepancy("uniform"), _discrepancies
        ),
        "fractional_cover_1": Row("fractional 1-cover number", lambda m: m.fractional(1), _weights),
        "fractional_cover_0": Row("fractional 0-cover number", lambda m: m.fractional(0), _weights),
        "fractional_partition_1": Row(
            "fractional 1-partition number", lambda m: m.fractional(1, disjoint=True), _weights
        ),
        "fractional_partition_0": Row(
            "fractional 0-partition number", lambda m: m.fractional(0, disjoint=True), _weights
        ),
        "cover_1": Row("1-cover number (nondeterministic)", lambda m: m.cover(1)),
        "cover_0": Row("0-cover number (conondeterministic)", lambda m: m.cover(0)),
        "partition_1": Row("1-partition number (unambiguous)", lambda m: m.partition(1)),
        "partition_0": Row("0-partition number (unambiguous)", lambda m: m.partition(0)),
        "leaves": Row(
            "protocol size (leaves)", lambda m: m.size(), lambda a, b: (1, 2 * min(a, b))
        ),
        "D": Row(
            "deterministic two-way cost D(f)",
            lambda m: m.cost(),
            lambda a, b: (0, ceil_log2(min(a, b)) + 1),
        ),
        "one_way": Row(
            "one-way messages, Alice to Bob",
            lambda m: m.one_way(0),
            lambda a, _: (1, a),
            turn=_QUICK,
        ),
        "one_way_back": Row(
            "one-way messages, Bob to Alice",
            lambda m: m.one_way(1),
            lambda _, b: (1, b),
            turn=_QUICK,
        ),
        "simultaneous": Row(
            "simultaneous cost, deterministic",
            lambda m: m.simultaneous(),
            lambda a, b: (0, ceil_log2(a) + ceil_log2(b)),
        ),
        "sign_rank": Row(
            "sign rank", lambda m: m.sign_rank(), lambda a, b: (1, min(a, b)), turn=_SLOW
        ),
        "nonnegative_rank": Row("nonnegative rank", None),
        "vc": Row(
            "VC dimension of the rows",
            lambda m: m.dimension(vc_dimension),
            _depths,
            "total",
            _QUICK,
        ),
        "littlestone": Row(
            "Littlestone dimension of the rows",
            lambda m: m.dimension(littlestone_dimension),
            _depths,
            "total",
            _QUICK,
        ),
        "discrepancy": Row(
            "discrepancy, worst distribution", lambda m: m.discrepancy("worst"), _discrepancies
        ),
        "gamma_2_infinity": Row(
            "gamma_2 of matrices with the signs", lambda m: m.gamma_of_signs(), _norms, turn=_SLOW
        ),
        "margin": Row("margin", None, lambda a, b: (Fraction(1, min(a, b)), Fraction(1)), "total"),
        "gamma_2_error": Row(
            "gamma_2 near the signs", lambda m: m.near_gamma(), _norms, "error", _SLOW
        ),
        "approximate_rank": Row("approximate rank of the signs", None, needs="error"),
        "rectangle_bound_1": Row(
            "rectangle bound, value 1", lambda m: m.rectangle_bound(1), _weights, "error"
        ),
        "rectangle_bound_0": Row(
            "rectangle bound, value 0", lambda m: m.rectangle_bound(0), _weights, "error"
        ),
        "smooth_rectangle_bound_1": Row(
            "smooth rectangle bound, value 1",
            lambda m: m.rectangle_bound(1, smooth=True),
            _weights,
            "error",
        ),
        "smooth_rectangle_bound_0": Row(
            "smooth rectangle bound, value 0",
            lambda m: m.rectangle_bound(0, smooth=True),
            _weights,
            "error",
        ),
        "partition_bound": Row(
            "partition bound",
            lambda m: m.partition_bound(),
            lambda a, b: (Fraction(0), Fraction(2 * min(a, b))),
            "error",
        ),
        "public_coins": Row(
            "one-way messages, public coins",
            lambda m: m.one_way_error("public"),
            lambda a, _: (1, a),
            "error",
        ),
        "private_coins": Row(
            "one-way messages, private coins",
            lambda m: m.one_way_error("private"),
            lambda a, _: (1, a),
            "error",
        ),
    }
)


_ONE_WAY = {
    "one_way": "deterministic",
    "one_way_back": "deterministic",
    "public_coins": "public",
    "private_coins": "private",
}
_RESULTS: Mapping[str, type[Any]] = {
    **dict.fromkeys(_ONE_WAY, ComplexityResult),
    "simultaneous": SimultaneousResult,
    "sign_rank": SignRankResult,
    "vc": VCResult,
    "littlestone": LittlestoneResult,
}
_MEASURES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "rank": ("rank", {"field": "rationals"}),
    "gf2_rank": ("rank", {"field": "modulo 2"}),
    "discrepancy_uniform": ("discrepancy", {"distribution": "uniform"}),
    "discrepancy": ("discrepancy", {"distribution": "worst"}),
    "leaves": ("protocol_size", {}),
    "D": ("deterministic_cost", {}),
    "gamma_2": ("gamma_2", {"alpha": "1"}),
}


def _asks(key: str, size: int, error: Fraction | None) -> tuple[str, dict[str, Any]]:
    """Return the measure of a row and its parameters, given the number of inputs of a side."""
    if key in _MEASURES:
        return _MEASURES[key]
    if key == "gamma_2_infinity":
        return "gamma_2", {"alpha": str(largest_entry(size))}
    given = {} if error is None else {"error": encode_fraction(error)}
    if key == "gamma_2_error":
        return "gamma_2", {"alpha": encode_fraction(near(error or Fraction(0)))}
    if key == "partition_bound":
        return key, given
    name, value = key.rsplit("_", 1)
    if name.endswith("rectangle_bound"):
        return name, {"value": int(value), **given}
    return f"{name}_number", {"value": int(value)}


@frozen
class Bound:
    """Bounds on one measure, at least as good as those of its result, and their sources.

    ``lower_by`` and ``upper_by`` are ``"certificate"``, or an inequality and the other measures in
    it. A bound that neither proves is ``"size"``: it holds for all matrices of the same size.
    """

    key: str
    name: str
    result: Any
    lower: Any
    upper: Any
    lower_by: str
    upper_by: str

    @classmethod
    def of(cls, key: str, result: Any, problem: CommunicationProblem) -> Bound:  # noqa: ANN401
        """Return the bounds of a result; without one, those for all problems of the same size."""
        low, high = ROWS[key].by_size(len(problem.alice), len(problem.bob))
        by_size = cls(key, ROWS[key].name, result, low, high, "size", "size")
        sides: tuple[str, ...] = () if result is None else ("lower", "upper")
        whole = result
        if isinstance(result, OneBound):
            whole, sides = result.whole, (result.side,)
        ends = {side: getattr(whole, side) for side in sides}
        return replace(by_size, **ends, **{f"{side}_by": "certificate" for side in sides})


@frozen
class BoundsTable(Certified):
    """Bounds on all complexity measures of one two-party function.

    Attributes
    ----------
    problem : CommunicationProblem
    rows : tuple
        For each measure its ``key`` and ``name``, the ``result`` with its certificate or None, and
        the bounds ``lower`` and ``upper``, which may be better than those of the result.
        ``lower_by`` and ``upper_by`` are ``"certificate"``, the inequality that gives the better
        bound, or ``"size"`` if the bound holds for all matrices of the same size.
    error : Fraction or None
        The error of the rows about protocols with coins.
    """

    question = "bounds on the complexity measures of a function"
    asked = ("problem", "error")
    answered = ("rows",)

    problem: CommunicationProblem
    rows: tuple[Bound, ...]
    error: Fraction | None = None

    def __getitem__(self, key: str) -> Bound:
        """Return the row of a measure, given its key, such as ``"D"`` or ``"cover_1"``."""
        return next(row for row in self.rows if row.key == key)

    @property
    def results(self) -> tuple[Any, ...]:
        """The results of the rows, without rows that have no result."""
        return tuple(row.result for row in self.rows if row.result is not None)

    @property
    def randomised(self) -> int | None:
        """Lower bound, in bits, on the public-coin two-way cost; None if `error` is None.

        For cost c, the norm is at most ``2^(c/2)`` (Linial and Shraibman 2009), and the protocol
        has at most 2^c rectangles, on each of which its advantage is at most the discrepancy. The
        partition bound is at most 2^c (Jain and Klauck 2010).
        """
        if self.error is None:
            return None
        gain, known = 1 - 2 * self.error, {row.key: row for row in self.rows}
        found = [Fraction(1)]
        if "gamma_2_error" in known:
            found.append((known["gamma_2_error"].lower * gain) ** 2)
        if "discrepancy" in known:
            found.append(gain / known["discrepancy"].upper)
        if "partition_bound" in known:
            found.append(known["partition_bound"].lower)
        return ceil_log2(max(1, *map(ceil, found)))

    def certificate(self) -> Certificates:
        """Return the certificates of all rows; all bounds must follow from the results."""
        if not self.results or not {row.key for row in self.rows} <= {*ROWS}:
            raise CertificateError("a table must have one or more rows, all of known measures")
        if any(row.result is not None and ROWS[row.key].compute is None for row in self.rows):
            raise CertificateError("rows of measures without certificates must have no result")
        plain = [Bound.of(row.key, row.result, self.problem) for row in self.rows]
        if not all(map(self._is_asked, self.rows)):
            raise CertificateError("the rows of a table must be about its problem and its error")
        if _tightened(plain, is_total=self.problem.is_total, error=self.error) != [*self.rows]:
            raise CertificateError("every bound of a table must follow from its results")
        made = (result.certificate() for result in self.results)
        parts = (each.parts if isinstance(each, Certificates) else (each,) for each in made)
        return Certificates(tuple(part for several in parts for part in several))

    def _is_asked(self, row: Bound) -> bool:
        """Whether a row's result answers its question about the problem and error of the table."""
        lacks = {"total": not self.problem.is_total, "error": self.error is None}
        return not lacks.get(ROWS[row.key].needs) and self._answers(row)

    def _answers(self, row: Bound) -> bool:
        """Whether a result is of the measure of its key, with its parameters."""
        problem, result, key = self.problem, row.result, row.key
        if isinstance(result, OneBound):
            result = result.whole
        if result is None or type(result) is not _RESULTS.get(key, MeasureResult):
            return result is None
        if key in ("vc", "littlestone"):
            return bool(result.concept_class == as_class(problem))
        if key in ("sign_rank", "simultaneous"):
            return as_problem(result.instance if key == "sign_rank" else result.problem) == problem
        if key in _ONE_WAY:
            coins, error = _ONE_WAY[key], self.error or Fraction(0)
            sent = problem.transposed() if key == "one_way_back" else problem
            asked = (sent, coins, Fraction(0) if coins == "deterministic" else error)
            return bool((result.problem, result.coins, result.error) == asked)
        asks = _asks(key, min(len(problem.alice), len(problem.bob)), self.error)
        return (result.measure, dict(result.parameters), result.problem) == (*asks, problem)

    def to_dict(self) -> dict[str, Any]:
        """Return an object for each row, with ``value`` or ``lower`` and ``upper``."""
        data: dict[str, Any] = {"question": self.question, "instance": self.problem.name}
        if self.error is not None:
            data |= {"error": str(self.error), "randomised": {"lower": self.randomised}}
        for row in self.rows:
            ends = [v if isinstance(v, int) else str(v) for v in (row.lower, row.upper)]
            if row.lower == row.upper:
                data[row.key] = {"value": ends[0]}
            else:
                data[row.key] = {"lower": ends[0], "upper": ends[1]}
            data[row.key] |= {"lower_by": row.lower_by, "upper_by": row.upper_by}
        return data


@checked_types
def bounds(
    problem: ProblemLike,
    error: Fraction | int | str | None = None,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    only: Sequence[str] | None = None,
) -> BoundsTable:
    """Return bounds on every complexity measure of a two-party function, each with a certificate.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    error : Fraction, int or str, optional
        Error of protocols with coins, at most 999/2000. Without it, the measures with error are
        left out.
    time_limit, progress
        As for `vc_dimension`; the time is shared by all measures.
    only : sequence of str, optional
        Keys of the measures, such as ``"D"`` or ``"cover_1"``; all by default. For measures without
        a certificate, the rows from which their bounds follow are added.

    Returns
    -------
    BoundsTable
        The rows in the order of `ROWS`, tightened by the inequalities between them. If the problem
        is too large for a measure, or the time limit too short, its ``result`` is None and its
        bounds follow from the numbers of inputs and from other rows.

    Examples
    --------
    >>> table = bounds("equality:n=4", only=["D", "leaves", "rank", "fooling_1"])
    >>> table["D"].lower, table["leaves"].upper, table["rank"].lower
    (3, 8, 4)
    >>> table.check()
    >>> table = bounds("equality:n=8", "1/8", only=["gamma_2_error", "public_coins"])
    >>> table["public_coins"].lower, table.randomised
    (4, 2)
    """
    budget = Budget.of(time_limit, progress)
    if only is not None and (unknown := [key for key in only if key not in ROWS]):
        raise DomainError(f"only must be among {', '.join(ROWS)}, not {show_value(unknown[0])}")
    given = as_problem(problem, budget)
    allowed = None if error is None else allowed_error(error)
    return bounds_of(given, keys_of(given, allowed, only or ()), budget, allowed)


def keys_of(
    problem: CommunicationProblem, error: Fraction | None, only: Sequence[str]
) -> list[str]:
    """Return the requested keys and those they need; by default all that the problem allows."""
    lacks = {"total": not problem.is_total, "error": error is None}
    for key in only:
        if lacks.get(ROWS[key].needs):
            needs = {"total": "a total function", "error": "an error"}[ROWS[key].needs]
            raise DomainError(f"{key} needs {needs}; give one, or omit {key}")
    known = [key for key, row in ROWS.items() if not lacks.get(row.needs)]
    derived = [key for key in only if ROWS[key].compute is None]
    rules = RULES if error is None else (*RULES, *with_error(error))
    needed = {other for rule in rules if rule.target in derived for other in rule.others}
    return [key for key in known if not only or key in only or key in needed]


def bounds_of(
    problem: CommunicationProblem, keys: Sequence[str], budget: Budget, error: Fraction | None
) -> BoundsTable:
    """Return the table of some measures, which share the remaining time.

    Half a second of processor time after the limit, no other measure is computed. Slow ones are
    not computed either if they would exceed this time, unless no other measure was.
    """
    measures, late = Measures(problem, budget, error), budget.at_once()
    found: dict[str, Any] = {key: None for key in ROWS if key in keys}
    inputs, is_first = len(problem.alice) * len(problem.bob), True
    for i, key in enumerate(sorted(found, key=lambda key: ROWS[key].turn)):
        row = ROWS[key]
        if not budget.expired:
            late = budget.at_once()
        needed = _PER_INPUT * inputs if row.turn == _SLOW else 0
        too_late = budget.remaining + late.remaining <= needed and not is_first
        if row.compute is None or too_late:
            continue
        measures.budget = budget.share(2 / (len(found) - i + 1)) if budget.limited else budget
        try:
            found[key], is_first = row.compute(measures), False
        except InstanceTooLargeError:
            if len(found) == 1:
                raise
    return table_of([*found.items()], problem, error)


def table_of(
    found: Sequence[tuple[str, Any]], problem: CommunicationProblem, error: Fraction | None
) -> BoundsTable:
    """Return the table of the given results, tightened by the inequalities."""
    rows = [Bound.of(key, result, problem) for key, result in found]
    better = _tightened(rows, is_total=problem.is_total, error=error)
    return BoundsTable(problem, tuple(better), error)


def _tightened(
    rows: Sequence[Bound], *, is_total: bool, error: Fraction | None = None
) -> list[Bound]:
    """Apply the inequalities until no bound changes."""
    rules = RULES if error is None else (*RULES, *with_error(error))
    rules = tuple(rule for rule in rules if is_total or not rule.total)

    def words(rule: Rule) -> str:
        return f"{rule.says}, from {', '.join(rule.others)}"

    return [*tightened({row.key: row for row in rows}, rules, "by", words).values()]
