"""All complexity measures of one matrix in a table, tightened by the inequalities between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor, isqrt
from types import MappingProxyType
from typing import Any, NamedTuple

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificates, Certified
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import ceil_log2
from ccsim.measures.questions import Measures

Number = int | Fraction


class Row(NamedTuple):
    """A line of the table: how a measure is called, and how it is computed."""

    name: str
    compute: Callable[[Measures], Answer[Any]]


ROWS: Mapping[str, Row] = MappingProxyType(
    {
        "fooling_1": Row("largest 1-fooling set", lambda m: m.fooling(1)),
        "fooling_0": Row("largest 0-fooling set", lambda m: m.fooling(0)),
        "rank": Row("rank over the rationals", lambda m: m.rank("rationals")),
        "gf2_rank": Row("rank over GF(2)", lambda m: m.rank("modulo 2")),
        "gamma_2": Row("factorisation norm gamma_2", lambda m: m.gamma(Fraction(1))),
        "discrepancy_uniform": Row("discrepancy, uniform", lambda m: m.discrepancy("uniform")),
        "fractional_cover_1": Row("fractional 1-cover number", lambda m: m.fractional(1)),
        "fractional_cover_0": Row("fractional 0-cover number", lambda m: m.fractional(0)),
        "cover_1": Row("1-cover number (nondeterministic)", lambda m: m.cover(1)),
        "cover_0": Row("0-cover number (conondeterministic)", lambda m: m.cover(0)),
        "partition_1": Row("1-partition number (unambiguous)", lambda m: m.partition(1)),
        "partition_0": Row("0-partition number (unambiguous)", lambda m: m.partition(0)),
        "leaves": Row("protocol size (leaves)", lambda m: m.size()),
        "D": Row("deterministic two-way cost D(f)", lambda m: m.cost()),
        "one_way": Row("one-way messages, Alice to Bob", lambda m: m.one_way(0)),
        "one_way_back": Row("one-way messages, Bob to Alice", lambda m: m.one_way(1)),
        "simultaneous": Row("simultaneous cost, deterministic", lambda m: m.simultaneous()),
        "sign_rank": Row("sign rank", lambda m: m.sign_rank()),
        "discrepancy": Row("discrepancy, worst distribution", lambda m: m.discrepancy("worst")),
    }
)


class Rule(NamedTuple):
    """An inequality: a bound of one measure from bounds of others."""

    target: str
    side: str  # ``lower`` or ``upper``: of the target
    others: tuple[str, ...]
    sides: str  # which bounds of the others it takes
    bound: Callable[..., Number]
    says: str
    total: bool = False  # whether it holds for total functions only


def _log(n: Number) -> int:
    return ceil_log2(max(1, ceil(n)))


def _root(n: Number) -> int:
    return isqrt(max(0, ceil(n) - 1)) + 1 if n > 0 else 0


def _rules() -> Iterator[Rule]:
    """Yield the inequalities (KN: Kushilevitz and Nisan; LS: Linial and Shraibman 2009)."""
    yield Rule("D", "lower", ("leaves",), "lower", _log, "D >= log2 leaves (KN 1.2)")
    pair = ("partition_0", "partition_1")
    yield Rule(
        "leaves", "lower", pair, "lower", int.__add__, "leaves are disjoint rectangles (KN 1.3)"
    )
    for v in ("0", "1"):
        cover, partition, fraction = f"cover_{v}", f"partition_{v}", f"fractional_cover_{v}"
        yield Rule(partition, "lower", (cover,), "lower", _same, "a partition is a cover")
        yield Rule(cover, "upper", (partition,), "upper", _same, "a partition is a cover")
        yield Rule(cover, "lower", (fraction,), "lower", ceil, "a cover is a fractional one")
        yield Rule(fraction, "upper", (cover,), "upper", Fraction, "a cover is a fractional one")
        fooling = f"fooling_{v}"
        yield Rule(fraction, "lower", (fooling,), "lower", Fraction, "fooling sets (KN 2.4)")
        yield Rule(fooling, "upper", (fraction,), "upper", floor, "fooling sets (KN 2.4)")
        says = "leaves of this value are a partition"
        yield Rule(partition, "upper", ("leaves",), "upper", _same, says)
    for field in ("rank", "gf2_rank"):
        yield Rule(
            "partition_1",
            "lower",
            (field,),
            "lower",
            _same,
            "disjoint rectangles add up to the matrix",
        )
        says = "fooling sets have at most rank^2 inputs (Dietzfelbinger et al. 1996)"
        yield Rule(field, "lower", ("fooling_1",), "lower", _root, says, total=True)
        yield Rule("fooling_1", "upper", (field,), "upper", lambda r: r * r, says, total=True)
    yield Rule("rank", "lower", ("gf2_rank",), "lower", _same, "minors modulo 2", total=True)
    yield Rule("gf2_rank", "upper", ("rank",), "upper", _same, "minors modulo 2", total=True)
    says = "gamma_2^2 <= rank + 1 (LS)"
    yield Rule("rank", "lower", ("gamma_2",), "lower", lambda g: ceil(g * g) - 1, says, total=True)
    says = "signs are 2 f - 1"
    yield Rule("sign_rank", "upper", ("rank",), "upper", lambda r: r + 1, says, total=True)
    yield Rule("rank", "lower", ("sign_rank",), "lower", lambda r: r - 1, says, total=True)
    for one_way in ("one_way", "one_way_back"):
        says = "one message, then the value"
        yield Rule("D", "upper", (one_way,), "upper", lambda k: _log(k) + 1, says)
        yield Rule("leaves", "upper", (one_way,), "upper", lambda k: 2 * k, says)
        yield Rule(
            one_way,
            "lower",
            ("D",),
            "lower",
            lambda d: 2 ** max(0, d - 2) + 1 if d > 1 else 1,
            says,
        )
    says = "both messages, one after the other"
    yield Rule("D", "upper", ("simultaneous",), "upper", _same, says)
    yield Rule("simultaneous", "lower", ("D",), "lower", _same, says)
    says = "the worst distribution is no better"
    yield Rule("discrepancy", "upper", ("discrepancy_uniform",), "upper", _same, says)
    yield Rule("discrepancy_uniform", "lower", ("discrepancy",), "lower", _same, says)


def _same(value: Number) -> Number:
    return value


RULES = tuple(_rules())


@frozen
class Bound:
    """Bounds on one measure, at least as good as those of its result, and where they come from.

    ``lower_by`` and ``upper_by`` are ``"certificate"``, or the inequality and other measures.
    """

    key: str
    name: str
    result: Any
    lower: Any
    upper: Any
    lower_by: str
    upper_by: str

    @classmethod
    def of(cls, key: str, result: Any) -> Bound:  # noqa: ANN401 - an answer
        """Return the bounds of a result."""
        ends = (result.lower, result.upper)
        return cls(key, ROWS[key].name, result, *ends, "certificate", "certificate")


@frozen
class BoundsTable(Certified):
    """Bounds on all complexity measures of one two-party function.

    Attributes
    ----------
    problem : CommunicationProblem
    rows : tuple
        For each measure its ``key`` and ``name``, the ``result`` with its certificate, and the
        bounds ``lower`` and ``upper``, which may be better than those of the result. ``lower_by``
        and ``upper_by`` are ``"certificate"``, or the inequality that gives the better bound.
    """

    question = "bounds on the complexity measures of a function"
    asked = ("problem",)
    answered = ("rows",)

    problem: CommunicationProblem
    rows: tuple[Bound, ...]

    def __getitem__(self, key: str) -> Bound:
        """Return the row of a measure, such as ``"D"`` or ``"cover_1"``."""
        return next(row for row in self.rows if row.key == key)

    def certificate(self) -> Certificates:
        """Return the certificates of all rows, whose bounds must follow from their results."""
        if not self.rows or not {row.key for row in self.rows} <= {*ROWS}:
            raise CertificateError("a table has rows of known measures")
        plain = [Bound.of(row.key, row.result) for row in self.rows]
        problems = {getattr(row.result, "problem", self.problem) for row in self.rows}
        if not problems <= {self.problem, self.problem.transposed()}:
            raise CertificateError("the rows of a table must be about one problem")
        if tightened(plain, is_total=self.problem.is_total) != [*self.rows]:
            raise CertificateError("a bound of the table does not follow from its results")
        made = (row.result.certificate() for row in self.rows)
        parts = (each.parts if isinstance(each, Certificates) else (each,) for each in made)
        return Certificates(tuple(part for several in parts for part in several))

    def to_dict(self) -> dict[str, Any]:
        """Return an object for each row, with ``value`` or ``lower`` and ``upper``."""
        data: dict[str, Any] = {"question": self.question, "instance": self.problem.name}
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
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    only: Sequence[str] | None = None,
) -> BoundsTable:
    """Return bounds on every complexity measure of a two-party function, each with a certificate.

    Parameters
    ----------
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`; the time is shared by all measures.
    only : sequence of str, optional
        Keys of the measures, such as ``"D"`` or ``"cover_1"``; all by default.

    Returns
    -------
    BoundsTable
        The rows in the order of `ROWS`, tightened by the inequalities between them. Measures for
        which the problem is too large are left out.

    Examples
    --------
    >>> table = bounds("equality:n=4", only=["D", "leaves", "rank", "fooling_1"])
    >>> table["D"].lower, table["leaves"].upper, table["rank"].lower
    (3, 8, 4)
    >>> table.check()
    """
    budget = Budget.of(time_limit, progress)
    keys = [*ROWS] if only is None else [*only]
    if unknown := [key for key in keys if key not in ROWS]:
        raise DomainError(f"only must be among {', '.join(ROWS)}, got {show_value(unknown[0])}")
    return bounds_of(as_problem(problem, budget), keys, budget)


def bounds_of(problem: CommunicationProblem, keys: Sequence[str], budget: Budget) -> BoundsTable:
    """Return the table of some measures; each of them has a share of the time that is left."""
    measures, found = Measures(problem, budget), list[tuple[str, Any]]()
    for i, key in enumerate(key for key in ROWS if key in keys):
        measures.budget = budget.share(2 / (len(keys) - i + 1)) if budget.limited else budget
        try:
            found.append((key, ROWS[key].compute(measures)))
        except InstanceTooLargeError:
            if len(keys) == 1:
                raise
    return table_of(found, problem)


def table_of(found: Sequence[tuple[str, Any]], problem: CommunicationProblem) -> BoundsTable:
    """Return the table of results by their keys, tightened."""
    rows = [Bound.of(key, result) for key, result in found]
    return BoundsTable(problem, tuple(tightened(rows, is_total=problem.is_total)))


def tightened(rows: Sequence[Bound], *, is_total: bool) -> list[Bound]:
    """Apply the inequalities until no bound changes."""
    known, changed = {row.key: row for row in rows}, True
    while changed:
        changed = False
        for rule in RULES:
            if rule.target not in known or (rule.total and not is_total):
                continue
            if not all(other in known for other in rule.others):
                continue
            value = rule.bound(*(getattr(known[other], rule.sides) for other in rule.others))
            row = known[rule.target]
            old = getattr(row, rule.side)
            if value > old if rule.side == "lower" else value < old:
                by = f"{rule.says}: {', '.join(rule.others)}"
                better: dict[str, Any] = {rule.side: value, f"{rule.side}_by": by}
                known[rule.target], changed = replace(row, **better), True
    return [*known.values()]
