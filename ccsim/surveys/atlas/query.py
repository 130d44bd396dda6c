"""Questions to the atlas as texts, and the classes for which they are true.

Quantities may only be multiplied and divided by numbers, so each side of a comparison is a linear
combination of quantities. Equal terms on both sides cancel before bounds are substituted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.surveys.atlas.spans import Bounds, write_span
from ccsim.surveys.atlas.table import ERRORS, MOST_MESSAGES, MOST_POINTS, QUANTITIES, Entry, atlas

_LONGEST = 1000
_DEEPEST = 40
_DIGITS = 18
_MOST_BITS = 1 << 20
_TOKEN = re.compile(
    r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|(<=|>=|!=|==|[-+*/()<>=]))"
)
_COMPARISONS = ("<", "<=", ">", ">=", "=", "==", "!=")
_WORDS = ("and", "or", "not")
_MEANT = {
    "threshold": ("threshold_least", "threshold_most"),
    "dual_vc": ("dual_vc_least", "dual_vc_most"),
}

Known: TypeAlias = Mapping[str, Bounds]
Verdict: TypeAlias = Callable[[Known], bool | None]


@frozen
class QueryResult:
    """The classes for which a question is true."""

    question: str
    asked: tuple[str, ...]  # the quantities in it
    most_points: int  # classes on so many points and fewer were looked at
    not_known: str  # a quantity that is not known on all points that were asked for, or ``""``
    looked_at: int  # number of those classes, up to isomorphism
    matches: tuple[Entry, ...]  # those for which it holds, by points, concepts, and then order
    undecided: tuple[Entry, ...]  # those about which the bounds leave it open

    @property
    def count(self) -> int:
        """Number of classes for which the question is true, up to isomorphism."""
        return sum(entry.classes for entry in self.matches)

    def to_dict(self, limit: int | None = None) -> dict[str, Any]:
        """Return the JSON value of ``ccsim atlas query``, with at most ``limit`` classes a list."""
        return {
            "question": self.question,
            "points": self.most_points,
            "looked_at": self.looked_at,
            "count": self.count,
            "matches": [_row(entry, self.asked) for entry in self.matches[:limit]],
            "undecided_count": sum(entry.classes for entry in self.undecided),
            "undecided": [_row(entry, self.asked) for entry in self.undecided[:limit]],
        }


@checked_types
def query_atlas(
    question: str, *, points: int | None = None, entries: Sequence[Entry] | None = None
) -> QueryResult:
    """Return the classes of the atlas for which a question is true.

    This takes a tenth of a second.
    """
    if points is not None and not 1 <= points <= MOST_POINTS:
        raise DomainError(f"points must be between 1 and {MOST_POINTS}, not {points}")
    read = read_question(question)
    wanted = MOST_POINTS if points is None else points
    most = min(wanted, read.most_points)
    known = {name: QUANTITIES[name.partition("(")[0]].most_points for name in read.asked}
    missing = next((name for name in known if known[name] == most < wanted), "")
    chosen = [e for e in (atlas() if entries is None else entries) if e.points <= most]
    verdicts = [(read.holds(entry.values), entry) for entry in chosen]
    matches = tuple(entry for verdict, entry in verdicts if verdict)
    undecided = tuple(entry for verdict, entry in verdicts if verdict is None)
    number = sum(entry.classes for entry in chosen)
    return QueryResult(read.text, read.asked, most, missing, number, matches, undecided)


def shown_value(name: str, entry: Entry) -> str:
    """Return the value of a quantity of a class as text."""
    if name.startswith(("drdim", "prdim")):
        return f"log2({shown_value(name.replace('dim', 'size'), entry)})"
    return write_span(value_of(name, entry.values))


def _row(entry: Entry, asked: Sequence[str]) -> dict[str, Any]:
    return {
        "instance": entry.instance,
        "classes": entry.classes,
        "concepts": list(entry.concepts),
        "values": {name: shown_value(name, entry) for name in asked},
    }


@frozen
class Question:
    """A question in parsed form."""

    text: str
    asked: tuple[str, ...]  # the quantities in it as they are written, in their order
    most_points: int  # all of them are known up to so many points
    holds: Verdict  # takes the bounds of a class; True, False, or None where bounds do not decide


def read_question(text: str) -> Question:
    """Parse the text of a question."""
    if len(text) > _LONGEST:
        raise DomainError(f"question must have at most {_LONGEST} characters, not {len(text)}")
    reader = _Reader(text)
    found = reader.either(0)
    if reader.left:
        raise reader.wrong("'and', 'or' or the end")
    if isinstance(found, Sum):
        raise DomainError("question must contain a comparison, such as littlestone = 2")
    asked = tuple(dict.fromkeys(reader.asked))
    if not asked:
        raise DomainError("question must contain a quantity; 'ccsim atlas columns' lists them")
    most = min(QUANTITIES[name.partition("(")[0]].most_points for name in asked)
    return Question(" ".join(text.split()), asked, most, found)


class _Reader:
    """A recursive-descent parser with the remaining tokens and the quantities named so far."""

    def __init__(self, text: str) -> None:
        self.asked: list[str] = []
        self.left: list[str] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                raise DomainError(
                    f"question contains {text[place:].strip()[:20]!r}, which cannot be read"
                )
            self.left.append(match.group().strip())
            place = match.end()
        self.left.reverse()

    def wrong(self, expected: str) -> DomainError:
        """Return an error with the expected and the actual token."""
        found = repr(self.left[-1]) if self.left else "the end"
        return DomainError(f"question: expected {expected}, not {found}")

    def _takes(self, *tokens: str) -> str | None:
        return self.left.pop() if self.left and self.left[-1] in tokens else None

    def _check_depth(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise DomainError(f"question must have at most {_DEEPEST} nested parentheses or signs")

    def either(self, depth: int) -> Sum | Verdict:
        """Read conditions joined by ``or``, or a sum."""
        self._check_depth(depth)
        return self._all_joined("or", self._both, depth)

    def _both(self, depth: int) -> Sum | Verdict:
        return self._all_joined("and", self._negated, depth)

    def _all_joined(
        self, word: str, read: Callable[[int], Sum | Verdict], depth: int
    ) -> Sum | Verdict:
        found = read(depth)
        while self._takes(word):
            other = self._verdict(found), self._verdict(read(depth))
            found = _joined(*other, decides=word == "or")
        return found

    def _negated(self, depth: int) -> Sum | Verdict:
        self._check_depth(depth)
        if self._takes("not"):
            verdict = self._verdict(self._negated(depth + 1))
            return lambda known: None if (v := verdict(known)) is None else not v
        first = self._sum(depth)
        verdicts: list[Verdict] = []
        while operator := self._takes(*_COMPARISONS):
            second = self._sum(depth)
            verdicts.append(_comparison(self._number(first), operator, self._number(second)))
            first = second
        if not verdicts:
            return first
        found = verdicts[0]
        for verdict in verdicts[1:]:
            found = _joined(found, verdict, decides=False)
        return found

    def _verdict(self, found: Sum | Verdict) -> Verdict:
        if isinstance(found, Sum):
            raise self.wrong("a comparison")
        return found

    def _number(self, found: Sum | Verdict) -> Sum:
        if not isinstance(found, Sum):
            raise DomainError("question: expected a number, not a comparison")
        return found

    def _sum(self, depth: int) -> Sum | Verdict:
        found = self._product(depth)
        while sign := self._takes("+", "-"):
            other = self._number(self._product(depth)).times(Fraction(1 if sign == "+" else -1))
            found = self._number(found).plus(other)
        return found

    def _product(self, depth: int) -> Sum | Verdict:
        found = self._factor(depth)
        while sign := self._takes("*", "/"):
            left, right = self._number(found), self._number(self._factor(depth))
            if sign == "/" or not left.is_number:
                left, right = right, left
            if not left.is_number:
                raise DomainError(
                    "question: quantities may be multiplied and divided only by numbers"
                )
            if sign == "/" and not left.constant:
                raise DomainError("question must not divide by 0")
            found = right.times(1 / left.constant if sign == "/" else left.constant)
        return found

    def _factor(self, depth: int) -> Sum | Verdict:
        self._check_depth(depth)
        if self._takes("-"):
            return self._number(self._factor(depth + 1)).times(Fraction(-1))
        if self._takes("("):
            found = self.either(depth + 1)
            if not self._takes(")"):
                raise self.wrong("')'")
            return found
        token = self.left[-1] if self.left else "("
        if token in _WORDS or not (token[0].isalnum() or token[0] == "_"):
            raise self.wrong("a quantity or a number")
        self.left.pop()
        if token[0].isdigit():
            if len(token) > _DIGITS:
                raise DomainError(
                    f"question: numbers must have at most {_DIGITS} digits, not {len(token)}"
                )
            return Sum(Fraction(token))
        return self._quantity(token)

    def _quantity(self, name: str) -> Sum:
        if name not in QUANTITIES:
            close = _MEANT.get(name) or get_close_matches(name, QUANTITIES, 1)
            hint = f"did you mean {' or '.join(close)}? " if close else ""
            listed = "'ccsim atlas columns' lists all quantities"
            raise DomainError(f"question: unknown quantity {name[:40]!r}; {hint}{listed}")
        kind = QUANTITIES[name].arguments
        if not kind:
            self.asked.append(name)
            return Sum(Fraction(0), {name: Fraction(1)})
        example = "(3)" if kind == "k" else f"({ERRORS[0]})"
        if not self._takes("("):
            raise DomainError(f"question: {name} needs an argument: {name}{example}")
        argument = self._number(self._sum(_DEEPEST - 1))
        if not argument.is_number or not self._takes(")"):
            raise DomainError(f"question: {name} takes one number as its argument: {name}{example}")
        value = _argument(name, kind, argument.constant)
        self.asked.append(f"{name}({value})")
        if name in {"drdim", "prdim"}:
            return Sum(Fraction(0), {}, {f"{name[:2]}size({value})": Fraction(1)})
        if kind == "k" and value > MOST_MESSAGES:
            return Sum(Fraction(0))
        return Sum(Fraction(0), {f"{name}({value})": Fraction(1)})


def _argument(name: str, kind: str, value: Fraction) -> Fraction:
    if kind == "k" and (value.denominator != 1 or value < 1):
        raise DomainError(
            f"question: the argument of {name} must be a number of messages, not {value}"
        )
    if kind == "e" and not 0 <= value < 1:
        raise DomainError(
            f"question: the argument of {name} must be an error in [0, 1), not {value}"
        )
    if kind == "e1" and value not in ERRORS:
        known = " and ".join(map(str, ERRORS))
        raise DomainError(f"question: {name} is known for the errors {known}, not {value}")
    return value


def _joined(left: Verdict, right: Verdict, *, decides: bool) -> Verdict:
    """Return the ``or`` of two conditions if ``decides`` is True, otherwise their ``and``."""

    def verdict(known: Known) -> bool | None:
        both = left(known), right(known)
        if decides in both:
            return decides
        return None if None in both else not decides

    return verdict


def _comparison(left: Sum, operator: str, right: Sum) -> Verdict:
    difference = left.plus(right.times(Fraction(-1)))
    return lambda known: compare(difference, operator, known)


@frozen
class Sum:
    """A linear combination of 1, quantities, and their logarithms to base 2."""

    constant: Fraction
    quantities: Mapping[str, Fraction] = field(default_factory=dict)
    logarithms: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def is_number(self) -> bool:
        """Whether the sum is a number, without quantities."""
        return not self.quantities and not self.logarithms

    def plus(self, other: Sum) -> Sum:
        """Return the sum of two sums; opposite terms cancel."""
        return Sum(
            self.constant + other.constant,
            _added(self.quantities, other.quantities),
            _added(self.logarithms, other.logarithms),
        )

    def times(self, factor: Fraction) -> Sum:
        """Return the sum multiplied by a number."""
        return Sum(
            self.constant * factor,
            {name: c * factor for name, c in self.quantities.items() if factor},
            {name: c * factor for name, c in self.logarithms.items() if factor},
        )


def _added(left: Mapping[str, Fraction], right: Mapping[str, Fraction]) -> dict[str, Fraction]:
    names = dict.fromkeys((*left, *right))
    total = {name: left.get(name, Fraction(0)) + right.get(name, Fraction(0)) for name in names}
    return {name: c for name, c in total.items() if c}


def value_of(name: str, known: Known) -> Bounds:
    """Return bounds on a quantity of a class."""
    head, _, rest = name.partition("(")
    if head == "error":
        return known.get(name, (Fraction(0), Fraction(0)))  # one message for each concept
    if head != "messages":
        return known[name]
    error, k = Fraction(rest[:-1]), 1
    while value_of(f"error({k})", known)[0] > error:
        k += 1
    lower = k
    while (value_of(f"error({k})", known)[1] or 0) > error:
        k += 1
    return Fraction(lower), Fraction(k)


def compare(difference: Sum, operator: str, known: Known) -> bool | None:
    """Return the truth of a comparison of a sum with 0; None if the bounds do not decide it."""
    low, high = _sign(difference, known, lower=True), _sign(difference, known, lower=False)
    if operator in {">", ">="}:
        low, high = -high, -low
    if operator in {"<", ">"}:
        return True if high < 0 else False if low >= 0 else None
    if operator in {"<=", ">="}:
        return True if high <= 0 else False if low > 0 else None
    equal = True if low == high == 0 else False if low > 0 or high < 0 else None
    if operator == "!=":
        return None if equal is None else not equal
    return equal


def _sign(total: Sum, known: Known, *, lower: bool) -> int:
    """Return the sign of the smallest (if ``lower``) or the largest value that the bounds allow."""
    worst, logs = total.constant, list[tuple[Fraction, Fraction]]()
    for terms in (total.quantities, total.logarithms):
        for name, factor in terms.items():
            bound = value_of(name, known)[0 if (factor > 0) == lower else 1]
            if bound is None:
                return -1 if lower else 1
            if terms is total.logarithms:
                logs.append((factor, bound))
            else:
                worst += factor * bound
    return _sign_of_logarithms(worst, logs) if logs else (worst > 0) - (worst < 0)


def _sign_of_logarithms(constant: Fraction, logs: list[tuple[Fraction, Fraction]]) -> int:
    """Return the sign of a number plus multiples of binary logarithms, in integers."""
    unit = lcm(constant.denominator, *(factor.denominator for factor, _ in logs))
    powers = [
        (int(constant * unit), 2),
        *((int(factor * unit), int(size)) for factor, size in logs),
    ]
    if sum(abs(exponent) * size.bit_length() for exponent, size in powers) > _MOST_BITS:
        raise DomainError("question: the numbers are too long for a comparison with logarithms")
    above = below = 1
    for exponent, size in powers:
        if exponent > 0:
            above *= size**exponent
        else:
            below *= size**-exponent
    return (above > below) - (above < below)
