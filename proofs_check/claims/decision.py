"""Decisions on instances of a statement, and whether each could have failed.

Main definitions: `Decision`; `at_most`, `at_least`, `below`, `above`, `equal`, `holds`, `all_of`,
`undecided`, which make one.

Conventions: the quantity is on the left and its stated bound on the right. A side may be a number,
an interval, or a result with bounds; a result is first re-checked by its own check and by the
kernel. Comparisons are exact; overlapping intervals are undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ccsim.errors import DomainError
from ccsim.exact import Interval, LogSum
from ccsim.exact.bounds import Bounds
from ccsim.exact.epsilon import Excess
from ccsim.exact.exponentials import Exponential
from proofs_check.claims.evidence import Checked, recheck

__all__ = [
    "Decision",
    "Side",
    "Verdict",
    "above",
    "all_of",
    "at_least",
    "at_most",
    "below",
    "equal",
    "holds",
    "undecided",
]

Number: TypeAlias = Fraction | int | LogSum | Exponential
Side: TypeAlias = Number | Interval | Excess | Bounds[Any]


class Verdict(Enum):
    """Outcome of a check; an unchecked statement never counts as holding."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on one instance.

    Attributes
    ----------
    verdict : Verdict
    detail : str
        Both sides of the decided inequality; for a failure the counterexample, for an undecided
        instance the reason.
    slack : Fraction or None
        Difference of the sides of the decided inequality, negative if it fails, rounded down if it
        is irrational or long; None if there is no single inequality.
    at_risk : bool
        Whether the instance could have failed; trivial inequalities are not counted.
    """

    verdict: Verdict
    detail: str
    slack: Fraction | None = None
    at_risk: bool = True

    @property
    def holds(self) -> bool:
        """Whether the verdict is that the statement holds."""
        return self.verdict is Verdict.HOLDS

    def at_risk_if(self, condition: bool) -> Decision:  # noqa: FBT001
        """Return the decision; it is at risk only if the condition holds or the decision fails.

        Examples
        --------
        >>> k, inputs = 4, 4
        >>> equal(0, 0, "send everything").at_risk_if(k < inputs).at_risk
        False
        """
        return replace(self, at_risk=self.at_risk and (condition or self.verdict is Verdict.FAILS))


_SLACK_UNIT = 10**9
_LONG, _LONG_BITS, _FLOAT_BITS = 40, 200, 1000


def _ends(side: Side) -> tuple[Number, Number | None]:
    """Return the two bounds of a side, after a check of a result; the upper bound may be None."""
    if isinstance(side, Bounds):
        recheck(cast("Checked", side))
        return side.lower, side.upper
    if isinstance(side, Interval | Excess):
        ends = side.enclose() if isinstance(side, Excess) else side
        return ends.lower, ends.upper
    if isinstance(side, float) or not isinstance(side, Fraction | int | LogSum | Exponential):
        raise DomainError(
            f"compared values must be exact numbers, intervals or results, not {side!r}"
        )
    return side, side


def _shown(side: Side) -> str:
    if isinstance(side, Interval | Bounds):
        lower, upper = side.lower, side.upper
        if lower == upper:
            return _shown(lower)
        return f"{_shown(lower)} to {'?' if upper is None else _shown(upper)}"
    if isinstance(side, int | Fraction):
        above, under = side.numerator.bit_length(), side.denominator.bit_length()
        if above - under > _FLOAT_BITS:  # too large to be written as a decimal fraction
            return f"about {'-' if side < 0 else ''}2^{above - under}"
        if above + under < _LONG_BITS and len(exact := str(side)) <= _LONG:
            return exact
    return f"{float(side):.6g}"


def _slack(difference: Number) -> Fraction:
    """Return the difference, rounded down if it is irrational or long."""
    if difference == 0:
        return Fraction(0)
    if isinstance(difference, LogSum | Exponential):
        return Fraction(int(difference.enclose().lower * _SLACK_UNIT // 1), _SLACK_UNIT)
    exact = Fraction(difference)
    if exact.denominator.bit_length() < _LONG_BITS:
        return exact
    return Fraction(exact * _SLACK_UNIT // 1, _SLACK_UNIT)


def _ordered(
    small: Side, large: Side, detail: str, *, ascending: bool, strict: bool, moot: bool
) -> Decision:
    """Decide ``small <= large``, or ``<`` if strict; if not ascending, print the sides reversed."""
    least, most = _ends(small)
    floor, ceiling = _ends(large)
    slack = None
    if most is not None and (most < floor if strict else most <= floor):
        verdict, slack = Verdict.HOLDS, max(_slack(floor - most), Fraction(0))
    elif ceiling is not None and (least >= ceiling if strict else least > ceiling):
        verdict, slack = Verdict.FAILS, _slack(ceiling - least)
    else:
        verdict = Verdict.NOT_DECIDED
    if verdict is Verdict.NOT_DECIDED:
        sign = "against"
    else:
        less = ascending == (verdict is Verdict.HOLDS)
        sign = ("<" if less else ">") + "=" * (strict != (verdict is Verdict.HOLDS))
    left, right = (small, large) if ascending else (large, small)
    shown = f"{_shown(left)} {sign} {_shown(right)}"
    text = f"{shown}; {detail}" if detail else shown
    return Decision(verdict, text, slack).at_risk_if(not moot)


def _reaches(bound: Side, trivial: Number | None, *, from_above: bool) -> bool:
    """Whether a stated bound is trivial, that is, holds for every value that is possible."""
    if trivial is None:
        return False
    lower, upper = _ends(bound)
    if from_above:
        return bool(lower >= trivial)
    return upper is not None and bool(upper <= trivial)


def at_most(
    value: Side, bound: Side, detail: str = "", *, trivial: Number | None = None
) -> Decision:
    """Decide ``value <= bound``.

    Parameters
    ----------
    value, bound : Fraction, int, LogSum, Exponential, Interval or result with bounds
    detail : str
        Text printed after both sides.
    trivial : number, optional
        A number that the value never exceeds, such as 1 for a probability. An instance with a
        bound of at least this number could not fail.

    Examples
    --------
    >>> at_most(Fraction(1, 4), Fraction(1, 3)).slack
    Fraction(1, 12)
    >>> at_most(LogSum.log2(3), 1).detail
    '1.58496 > 1'
    >>> at_most(Fraction(1, 4), 2, trivial=1).at_risk
    False
    >>> at_most(Interval(Fraction(0), Fraction(1)), Fraction(1, 2)).verdict.value
    'not decided'
    """
    moot = _reaches(bound, trivial, from_above=True)
    return _ordered(value, bound, detail, ascending=True, strict=False, moot=moot)


def below(value: Side, bound: Side, detail: str = "", *, trivial: Number | None = None) -> Decision:
    """Decide ``value < bound``; see `at_most`."""
    moot = _reaches(bound, trivial, from_above=True)
    return _ordered(value, bound, detail, ascending=True, strict=True, moot=moot)


def at_least(
    value: Side, bound: Side, detail: str = "", *, trivial: Number | None = None
) -> Decision:
    """Decide ``value >= bound``; see `at_most`.

    Examples
    --------
    >>> at_least(3, 2, "both trees").detail
    '3 >= 2; both trees'
    >>> at_least(Fraction(1, 9), 0, trivial=0).at_risk
    False
    """
    moot = _reaches(bound, trivial, from_above=False)
    return _ordered(bound, value, detail, ascending=False, strict=False, moot=moot)


def above(value: Side, bound: Side, detail: str = "", *, trivial: Number | None = None) -> Decision:
    """Decide ``value > bound``; see `at_most`."""
    moot = _reaches(bound, trivial, from_above=False)
    return _ordered(bound, value, detail, ascending=False, strict=True, moot=moot)


def equal(value: Side, stated: Side, detail: str = "") -> Decision:
    """Decide whether two sides are equal.

    Overlapping intervals that are not single numbers are undecided.

    Examples
    --------
    >>> equal(2, 3).detail
    '2, not 3'
    """
    (low, high), (least, most) = _ends(value), _ends(stated)
    apart = (most is not None and low > most) or (high is not None and high < least)
    if apart:
        verdict = Verdict.FAILS
    else:
        verdict = Verdict.HOLDS if low == high == least == most else Verdict.NOT_DECIDED
    words = {Verdict.HOLDS: "=", Verdict.FAILS: "is not"}
    shown = f"{_shown(value)} {words.get(verdict, 'against')} {_shown(stated)}"
    shown = shown.replace(" is not", ", not")
    return Decision(verdict, f"{shown}; {detail}" if detail else shown)


def holds(truth: bool, detail: str) -> Decision:  # noqa: FBT001
    """Decide a computed property; the detail names it and contains a counterexample.

    Raises
    ------
    DomainError
        If the value is not a Boolean.

    Examples
    --------
    >>> holds(sorted([1, 2]) == [1, 2], "sorted").verdict.value
    'holds'
    """
    if type(truth) is not bool:
        raise DomainError(f"a decision must be True or False, not {truth!r}")
    return Decision(Verdict.HOLDS if truth else Verdict.FAILS, detail)


def undecided(reason: str) -> Decision:
    """Return an undecided decision with its reason."""
    return Decision(Verdict.NOT_DECIDED, reason)


def all_of(cases: Iterable[tuple[object, Decision | bool]], what: str = "") -> Decision:
    """Decide whether every case holds.

    The detail contains the first case that fails or, if none fails, the case with the least slack.
    Cases that could not fail are not counted.

    Parameters
    ----------
    cases : iterable of (object, Decision or bool)
        The object names the case in the detail; a truth value needs ``what``.
    what : str
        The property that is decided for each case.

    Examples
    --------
    >>> all_of((n, at_most(n, n * n)) for n in range(4)).detail
    '4 cases; tightest at 0: 0 <= 0'
    >>> all_of(((n, n**2 < 5) for n in range(4)), "n**2 < 5").detail
    'fails for 3: n**2 < 5'
    >>> all_of([]).verdict.value
    'not decided'
    """
    number = 0
    tightest: tuple[Fraction, object, Decision] | None = None
    open_case: tuple[object, Decision] | None = None
    for case, given in cases:
        decision = given if isinstance(given, Decision) else holds(given, what)
        if decision.verdict is Verdict.FAILS:
            detail = (
                decision.detail
                if decision.detail == what or not what
                else (f"{what}: {decision.detail}")
            )
            return Decision(Verdict.FAILS, f"fails for {case}: {detail}", decision.slack)
        if decision.verdict is Verdict.NOT_DECIDED:
            open_case = open_case or (case, decision)
            continue
        number += decision.at_risk
        slack = decision.slack if decision.at_risk else None
        if slack is not None and (tightest is None or slack < tightest[0]):
            tightest = slack, case, decision
    if open_case is not None:
        case, decision = open_case
        return undecided(f"undecided for {case}: {decision.detail}")
    if number == 0:
        return undecided("no case could fail")
    counted = f"{number} case" + ("" if number == 1 else "s")
    text = f"{counted}: {what}" if what else counted
    if tightest is None:
        return Decision(Verdict.HOLDS, text)
    least, case, decision = tightest
    return Decision(Verdict.HOLDS, f"{text}; tightest at {case}: {decision.detail}", least)
