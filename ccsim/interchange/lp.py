"""Linear programs in CPLEX's LP format, read exactly.

A name is a word without blanks and operators that does not begin with a digit or a point. Numbers
may be fractions such as ``1/3``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.budget import check_time, in_time
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.interchange.named import (
    MAX_LINES,
    SENSES,
    Draft,
    NamedProgram,
    check_coefficients,
    exact_number,
    lines_of,
    side_of,
)

_KEYWORD = re.compile(
    r"\s*(?:(?P<maximise>max(?:imi[sz]e|imum)?)|(?P<minimise>min(?:imi[sz]e|imum)?)"
    r"|(?P<rows>subject\s+to|such\s+that|s\.t\.|st\.?)|(?P<bounds>bounds?)|(?P<end>end)"
    r"|(?P<integers>general(?:s)?|gen|integers?|int|binary|binaries|bin|semi-continuous|semis?)"
    r"|(?P<other>sos[12]?|lazy\s+constraints|user\s+cuts|pwlobj|multi-objectives))"
    r"(?=\s|$)(?!\s*:)",
    re.IGNORECASE,
)
_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d++/\d++|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?))"
    r"|(?P<arrow>->)|(?P<sense><=|=<|>=|=>|<|>|=)|(?P<sign>[+-])|(?P<colon>:)"
    r"|(?P<name>[^\s\d.+\-*/^:<>=\[\]()][^\s+\-*/^:<>=]*)|(?P<other>\S))"
)
_SPELLED = {"<": "<=", "=<": "<=", ">": ">=", "=>": ">="}
_TURNED = {"<=": ">=", "=": "=", ">=": "<="}
_LP_SOLVE = (
    "expected the LP format of CPLEX, found that of lp_solve; convert it with lp_solve -S1 -parse "
    "FILE -wfmps OUT.mps"
)
Terms = dict[str, Fraction]


@frozen
class _Word:
    kind: str
    text: str
    line: int


@checked_types
def from_lp(text: str) -> NamedProgram:
    r"""Return the linear program of a text in the LP format of CPLEX.

    Parameters
    ----------
    text : str
        The text, with the sections objective, ``subject to``, ``bounds`` and ``end``.

    Raises
    ------
    UnreadableInputError
        If the text is invalid, or has integer variables or products. The message names the line.

    Examples
    --------
    >>> found = from_lp('''maximise 3 x + 2 y
    ... subject to
    ...   time: x + 1/3 y <= 4
    ... bounds
    ...   y <= 2
    ... end''')
    >>> found.variables, found.program.upper
    (('x', 'y'), (None, Fraction(2, 1)))
    """
    return _Reader(_sections(text)).read()


def _sections(text: str) -> list[tuple[str, list[_Word]]]:
    """Return the sections with their words; the keyword of a section begins a line."""
    sections: list[tuple[str, list[_Word]]] = [("", [])]
    count = 0
    for number, line in lines_of(text):
        plain = line.partition("\\")[0].rstrip()
        keyword = _KEYWORD.match(plain)
        if keyword is not None:
            begins = _Word("keyword", " ".join(keyword[0].split()), number)
            sections.append((keyword.lastgroup or "", [begins]))
        for found in in_time(_WORD.finditer(plain, keyword.end() if keyword else 0)):
            count += 1
            if count > MAX_LINES:
                raise InstanceTooLargeError(f"a program must have at most {MAX_LINES} words")
            kind = found.lastgroup or ""
            sections[-1][1].append(_Word(kind, found[kind], number))
    return sections


class _Reader:
    """A reader of the words of the sections."""

    def __init__(self, sections: Sequence[tuple[str, list[_Word]]]) -> None:
        self._sections = sections
        self._words: list[_Word] = []
        self._at = 0
        self._draft = Draft()
        self._count = 0
        self._alone: list[str] = []  # variables that occur in bounds only

    def read(self) -> NamedProgram:
        """Read all sections."""
        self._check_start()
        sense = self._sections[1][0]
        constant, objective = Fraction(0), "obj"
        order = [sense, "rows", "bounds", "end"]
        for name, words in self._sections[1:]:
            self._words, self._at = words, 0
            if name == "integers" and len(words) == 1:
                continue
            self._check_section(name, words[0].text, order)
            order = order[order.index(name) + 1 :]
            self._at = 1
            if name == sense:
                objective, constant = self._objective()
            elif name == "end" and len(words) > 1:
                self.refuse("expected the end of the file after end")
            while self._peek() is not None:
                self._row() if name == "rows" else self._bound()
        if order:
            self.refuse("expected the keyword end, found the end of the file")
        if self._alone:
            occur = counted(len(self._alone), "variable occurs", "variables occur")
            self._draft.notes.append(f"{occur} in bounds only, such as {self._alone[0][:40]!r}")
        return self._draft.program("", sense, objective, constant)

    def _check_start(self) -> None:
        """Refuse a text that does not begin with the direction of the objective."""
        first = self._sections[0][1]
        if first:
            self._words = first
            is_other = len(first) > 1 and first[0].text.lower() in {"max", "min"}
            self.refuse(
                _LP_SOLVE
                if is_other and first[1].kind == "colon"
                else f"expected maximize or minimize, found {first[0].text[:40]!r}"
            )
        if len(self._sections) == 1:
            raise UnreadableInputError("line 1: expected maximize or minimize, found the end")
        name, self._words = self._sections[1]
        if name not in SENSES:
            self.refuse(f"expected maximize or minimize, found {self._words[0].text!r}")

    def _check_section(self, name: str, keyword: str, order: Sequence[str]) -> None:
        """Refuse a section that is not part of a linear program, or is out of order."""
        if name in {"other", "integers"}:
            is_binary = keyword.lower().startswith("bin")
            what = "declares integer variables" if name == "integers" else "is not linear"
            bounds = ", and bound each of its variables by 0 and 1" if is_binary else ""
            self.refuse(
                f"the section {keyword} {what}, but ccsim program solves only linear programs; "
                f"to solve the relaxation, remove the section{bounds}"
            )
        if name not in order:
            self.refuse(f"the section {keyword} occurs twice or in the wrong place")

    def _peek(self, ahead: int = 0) -> str | None:
        """Return the kind of the next word; None at the end of the section."""
        place = self._at + ahead
        return self._words[place].kind if place < len(self._words) else None

    def _text(self) -> str:
        return self._words[self._at].text if self._at < len(self._words) else "the end"

    def _take(self, *kinds: str) -> str | None:
        """Consume the next word and return it if it is of one of the kinds.

        Return None if it is of no such kind.
        """
        if self._peek() not in kinds:
            return None
        check_time()
        self._at += 1
        return self._words[self._at - 1].text

    def refuse(self, reason: str) -> NoReturn:
        """Refuse the text at the next word."""
        place = min(self._at, len(self._words) - 1)
        raise UnreadableInputError(f"line {self._words[place].line}: {reason}")

    def _unexpected(self, expected: str) -> NoReturn:
        """Refuse the next word, with a hint if there is one."""
        kind, text = self._peek(), self._text()
        if kind in {"other", "arrow"} and text in "[]^*/()->":
            self.refuse(
                f"{text!r} is not part of a linear program; remove products, quotients, powers, "
                "brackets and indicators"
            )
        self.refuse(f"expected {expected}, found {text[:40]!r}" if kind else f"expected {expected}")

    def _number(self, text: str) -> Fraction:
        try:
            return exact_number(text, "a number")
        except DomainError as error:
            self._at -= 1
            self.refuse(str(error))

    def _signs(self) -> int | None:
        """Return the product of the following signs, or None if there are none."""
        sign = None
        while (text := self._take("sign")) is not None:
            sign = (sign or 1) * (1 if text == "+" else -1)
        return sign

    def _label(self) -> str:
        """Return the name in front of a colon; '' if there is none."""
        if self._peek() != "name" or self._peek(1) != "colon":
            return ""
        label = self._take("name") or ""
        self._take("colon")
        return label

    def _form(self) -> tuple[Terms, Fraction]:
        """Read a linear form with a constant; the form may be empty."""
        terms, constant, first = Terms(), Fraction(0), True
        while self._peek() in {"sign", "number", "name"} and not self._is_label():
            sign = self._signs()
            if sign is None and not first:
                break  # the next row begins
            number, first = self._take("number"), False
            factor = (sign or 1) * (Fraction(1) if number is None else self._number(number))
            name = None if self._is_label() else self._take("name")
            if name is not None:
                terms[name] = terms.get(name, Fraction(0)) + factor
            elif number is not None:
                constant += factor
            else:
                self._unexpected("a variable or a number")
        return terms, constant

    def _is_label(self) -> bool:
        return self._peek() == "name" and self._peek(1) == "colon"

    def _numbered(self, terms: Terms) -> dict[int, Fraction]:
        """Return terms with variables replaced by their numbers.

        New variables are added to the program.
        """
        self._count += len(terms) + 1
        check_coefficients(self._count + len(self._draft.variables))
        return {self._draft.variable(name): factor for name, factor in terms.items()}

    def _objective(self) -> tuple[str, Fraction]:
        name = self._label() or "obj"
        terms, constant = self._form()
        if self._peek() is not None:
            self._unexpected("+, - or a line that begins with subject to")
        self._draft.cost.update(self._numbered(terms))
        return name, constant

    def _row(self) -> None:
        start, label = self._at, self._label()
        if not label:
            label = f"row {len(self._draft.rows) + 1}"
        if label in self._draft.rows:
            self._at = start
            self.refuse(f"the row {label[:40]!r} occurs twice")
        left, number = self._form()
        sense = self._sense()
        right, other = self._form() if not left else (Terms(), self._signed())
        terms = left or right
        ends: dict[str, Fraction] = {}
        ends[sense if left else _TURNED[sense]] = other - number if left else number - other
        if not left and self._peek() == "sense":  # number <= form <= number
            if self._sense() != sense or sense == "=":
                self.refuse("a row with two ends must have two signs <= or two signs >=")
            ends[sense] = self._signed() - other
        try:
            low, high = (
                side_of(ends[key]) if key in ends else None
                for key in (("=", "=") if "=" in ends else (">=", "<="))
            )
        except DomainError as error:
            self.refuse(str(error))
        self._draft.rows[label] = self._numbered(terms), [low, high]

    def _sense(self) -> str:
        text = self._take("sense")
        if text is None:
            self._unexpected("<=, = or >=")
        return _SPELLED.get(text, text)

    def _signed(self) -> Fraction:
        """Read a number with signs."""
        sign = self._signs() or 1
        text = self._take("number")
        if text is None:
            self._unexpected("a number; variables must be on the left side")
        return sign * self._number(text)

    def _end(self, name: str, *, upper: bool) -> Fraction | None:
        """Read a bound; None if it is infinite."""
        start, sign = self._at, self._signs() or 1
        if self._peek() == "name" and self._text().lower() in {"inf", "infinity"}:
            self._take("name")
            number = None
        elif (text := self._take("number")) is not None:
            number = sign * self._number(text)
            if not self._draft.infinite(number, name):
                return number
        else:
            self._unexpected("a number")
        if upper != (sign > 0):
            self._at = start
            self.refuse(f"the bound of {name[:40]!r} must be finite on this side")
        return None

    def _bound(self) -> None:
        start = self._at
        before = self._is_bound()
        if before:
            while self._peek() != "sense":  # the number is read when its variable is known
                self._at += 1
            first = self._sense()
        name = self._take("name")
        if name is None:
            self._unexpected("a variable")
        if name not in self._draft.variables:
            self._alone.append(name)
            self._numbered({name: Fraction(1)})
        after = self._at
        try:
            if before:
                self._at = start
                self._set(name, _TURNED[first])
                self._at = after
                if self._peek() == "sense":
                    self._set(name, self._sense())
            elif self._peek() == "name" and self._text().lower() == "free":
                self._take("name")
                self._draft.bound(name, lower=None, upper=None)
            else:
                self._set(name, self._sense())
        except UnreadableInputError:
            raise
        except DomainError as error:
            self._at = start
            self.refuse(str(error))

    def _is_bound(self) -> bool:
        """Return whether a bound begins with a number, which may be infinite."""
        ahead = 0
        while self._peek(ahead) == "sign":
            ahead += 1
        is_number = self._peek(ahead) == "number"
        words = self._words[self._at + ahead : self._at + ahead + 1]
        is_infinite = [word.text.lower() for word in words] in (["inf"], ["infinity"])
        return (is_number or is_infinite) and self._peek(ahead + 1) == "sense"

    def _set(self, name: str, sense: str) -> None:
        """Read a bound and set it."""
        if sense == "=":
            start = self._at
            self._signs()
            if self._peek() != "number":
                self._unexpected("a number")
            self._at = start
            end = self._end(name, upper=True)
            self._draft.bound(name, lower=end, upper=end)
        elif sense == "<=":
            self._draft.bound(name, upper=self._end(name, upper=True))
        else:
            self._draft.bound(name, lower=self._end(name, upper=False))
