"""Questions to the atlas as texts: comparisons of sums of quantities, joined by and, or and not.

Grammar, in which names, words and operators are those of mathematics::

    question   = and { "or" and }           and = not { "and" not }
    not        = "not" not | comparison     comparison = sum { ("<" | "<=" | ...) sum }
    sum        = product { ("+" | "-") product }
    product    = factor { ("*" | "/") factor }
    factor     = "-" factor | number | name [ "(" number ")" ] | "(" question or sum ")"

Numbers are integers or decimals, ``0.5``. Only numbers multiply and divide, so that each side is a
sum of quantities with coefficients; what stands on both sides cancels before bounds are put in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TypeAlias

from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.surveys.atlas.quantities import ERRORS, MOST_MESSAGES, QUANTITIES
from ccsim.surveys.atlas.sums import Sum, compare

_LONGEST = 1000
_DEEPEST = 40
_DIGITS = 18
_TOKEN = re.compile(
    r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|(<=|>=|!=|==|[-+*/()<>=]))"
)
_COMPARISONS = ("<", "<=", ">", ">=", "=", "==", "!=")
_WORDS = ("and", "or", "not")
_MEANT = {
    "threshold": ("threshold_least", "threshold_most"),
    "dual_vc": ("dual_vc_least", "dual_vc_most"),
}

Known: TypeAlias = Mapping[str, tuple[Fraction, Fraction | None]]
Verdict: TypeAlias = Callable[[Known], bool | None]


@frozen
class Question:
    """A question that was read."""

    text: str
    asked: tuple[str, ...]  # the quantities in it as they are written, in their order
    most_points: int  # all of them are known up to so many points
    holds: Verdict  # takes the bounds of a class; True, False, or None where bounds do not decide


def read_question(text: str) -> Question:
    """Read a question."""
    if len(text) > _LONGEST:
        raise DomainError(f"question: at most {_LONGEST} characters, not {len(text)}")
    reader = _Reader(text)
    found = reader.either(0)
    if reader.left:
        raise reader.wrong("and, or, or the end")
    if isinstance(found, Sum):
        raise DomainError("question: it compares nothing; write for instance littlestone = 2")
    asked = tuple(dict.fromkeys(reader.asked))
    if not asked:
        raise DomainError("question: it names no quantity; ccsim atlas columns lists them")
    most = min(QUANTITIES[name.partition("(")[0]].most_points for name in asked)
    return Question(" ".join(text.split()), asked, most, found)


class _Reader:
    """Tokens that are left, and the quantities that were named."""

    def __init__(self, text: str) -> None:
        self.asked: list[str] = []
        self.left: list[str] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                raise DomainError(f"question: {text[place:].strip()[:20]!r} cannot be read")
            self.left.append(match.group().strip())
            place = match.end()
        self.left.reverse()

    def wrong(self, expected: str) -> DomainError:
        """Return the error that something else was expected."""
        found = repr(self.left[-1]) if self.left else "the end"
        return DomainError(f"question: expected {expected}, not {found}")

    def _takes(self, *tokens: str) -> str | None:
        return self.left.pop() if self.left and self.left[-1] in tokens else None

    def either(self, depth: int) -> Sum | Verdict:
        """Read conditions joined by or, or a sum."""
        if depth > _DEEPEST:
            raise DomainError(f"question: more than {_DEEPEST} parentheses or signs in each other")
        found = self._both(depth)
        while self._takes("or"):
            found = _joined(self._verdict(found), self._verdict(self._both(depth)), decides=True)
        return found

    def _both(self, depth: int) -> Sum | Verdict:
        found = self._negated(depth)
        while self._takes("and"):
            found = _joined(
                self._verdict(found), self._verdict(self._negated(depth)), decides=False
            )
        return found

    def _negated(self, depth: int) -> Sum | Verdict:
        if depth > _DEEPEST:
            raise DomainError(f"question: more than {_DEEPEST} parentheses or signs in each other")
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
            raise DomainError("question: a comparison stands where a number is expected")
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
                raise DomainError("question: only numbers multiply and divide")
            if sign == "/" and not left.constant:
                raise DomainError("question: division by 0")
            found = right.times(1 / left.constant if sign == "/" else left.constant)
        return found

    def _factor(self, depth: int) -> Sum | Verdict:
        if depth > _DEEPEST:
            raise DomainError(f"question: more than {_DEEPEST} parentheses or signs in each other")
        if self._takes("-"):
            return self._number(self._factor(depth + 1)).times(Fraction(-1))
        if self._takes("("):
            found = self.either(depth + 1)
            if not self._takes(")"):
                raise self.wrong("')'")
            return found
        if not self.left or not (self.left[-1][0].isalnum() or self.left[-1][0] == "_"):
            raise self.wrong("a quantity or a number")
        token = self.left.pop()
        if token[0].isdigit():
            if len(token) > _DIGITS:
                raise DomainError(f"question: a number of more than {_DIGITS} digits")
            return Sum.number(Fraction(token))
        if token in _WORDS:
            self.left.append(token)
            raise self.wrong("a quantity or a number")
        return self._quantity(token)

    def _quantity(self, name: str) -> Sum:
        if name not in QUANTITIES:
            close = _MEANT.get(name) or get_close_matches(name, QUANTITIES, 1)
            hint = " or ".join(close) + "?" if close else "ccsim atlas columns lists them"
            raise DomainError(f"question: no quantity {name[:40]!r} ({hint})")
        kind = QUANTITIES[name].arguments
        if not kind:
            self.asked.append(name)
            return Sum.quantity(name)
        example = "(3)" if kind == "k" else f"({ERRORS[0]})"
        if not self._takes("("):
            raise DomainError(f"question: {name} needs an argument: {name}{example}")
        argument = self._number(self._sum(_DEEPEST - 1))
        if not argument.is_number or not self._takes(")"):
            raise DomainError(f"question: the argument of {name} is one number: {name}{example}")
        value = _argument(name, kind, argument.constant)
        self.asked.append(f"{name}({value})")
        if name in {"drdim", "prdim"}:
            return Sum.logarithm(f"{name[:2]}size({value})")
        if kind == "k" and value > MOST_MESSAGES:
            return Sum.number(Fraction(0))
        return Sum.quantity(f"{name}({value})")


def _argument(name: str, kind: str, value: Fraction) -> Fraction:
    if kind == "k" and (value.denominator != 1 or value < 1):
        raise DomainError(f"question: {name} takes a number of messages, not {value}")
    if kind == "e" and not 0 <= value < 1:
        raise DomainError(f"question: {name} takes an error in [0, 1), not {value}")
    if kind == "e1" and value not in ERRORS:
        known = " and ".join(map(str, ERRORS))
        raise DomainError(f"question: {name} is known for the errors {known}, not {value}")
    return value


def _joined(left: Verdict, right: Verdict, *, decides: bool) -> Verdict:
    """Join by or if True decides, by and if False does."""

    def verdict(known: Known) -> bool | None:
        both = left(known), right(known)
        if decides in both:
            return decides
        return None if None in both else not decides

    return verdict


def _comparison(left: Sum, operator: str, right: Sum) -> Verdict:
    difference = left.plus(right.times(Fraction(-1)))
    return lambda known: compare(difference, operator, known)
