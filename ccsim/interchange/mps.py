"""Linear programs in MPS files, in free or fixed format, read exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NoReturn

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.interchange.named import (
    Draft,
    NamedProgram,
    check_coefficients,
    exact_number,
    lines_of,
    side_of,
)

_FIELDS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
"""Columns of the fields in the fixed format."""
_PULP = re.compile(r"^\*SENSE:(Maximi[sz]e)[ \t\r]*$", re.MULTILINE | re.IGNORECASE)
"""The comment from which PuLP reads the direction; the objective is maximised as written."""
_MOST = 7  # words of a line that are told apart: a line of data has at most 6
_COMMENT = re.compile(r"(?<=\S)\s+\$.*")  # behind a word
_SENSES = MappingProxyType(
    dict.fromkeys(("MAX", "MAXIMIZE", "MAXIMISE"), "maximise")
    | dict.fromkeys(("MIN", "MINIMIZE", "MINIMISE"), "minimise")
)
_INTEGER = MappingProxyType(
    {"BV": "UP with the bound 1", "LI": "LO", "UI": "UP", "SC": "UP", "SI": "UP"}
)
"""Types of bounds of integer and semicontinuous variables, and their types in the relaxation."""
_NOT_LINEAR = frozenset(
    ("SOS", "SOS1", "SOS2", "QUADOBJ", "QMATRIX", "QSECTION", "QCMATRIX", "CSECTION", "INDICATORS")
)
_INFINITIES = frozenset(("INF", "INFINITY", "1.#INF"))
_RELAXATION = "ccsim program solves only linear programs; for the relaxation {}"
Split = Callable[[str], list[str] | None]


@checked_types
def from_mps(text: str) -> NamedProgram:
    """Return the linear program of a text in MPS format.

    Parameters
    ----------
    text : str
        The text, in free or fixed format; the fixed format is recognised by blanks in names. Its
        sections are NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS and ENDATA.

    Raises
    ------
    UnreadableInputError
        If the text is invalid or has integer variables. The message names the line.

    Examples
    --------
    >>> found = from_mps('''NAME small
    ... ROWS
    ...  N cost
    ...  G need
    ... COLUMNS
    ...  x cost 1 need 0.5
    ... RHS
    ...  b need 3
    ... ENDATA''')
    >>> found.variables, str(found.program.constraints[0])
    (('x',), '1/2 x0 >= 3')
    """
    lines = [
        (number, _COMMENT.sub("", line).rstrip())
        for number, line in lines_of(text)
        if line.strip() and not line.startswith("*")
    ]
    found = _PULP.search(text)
    comment = found[1] if found else ""
    fixed = all(not line.startswith(" ") or _fixed(line) is not None for _, line in lines)
    if not fixed or all(
        [word for word in _fixed(line) or () if word] == _free(line)
        for _, line in lines
        if line.startswith(" ")
    ):
        return _Reader(lines, _free, comment).read()
    try:
        free = _Reader(lines, _free, comment).read()
    except DomainError as error:
        try:
            return _Reader(lines, _fixed, comment).read()
        except DomainError:
            raise error from None
    try:
        meant = _Reader(lines, _fixed, comment).read()
    except DomainError:
        return free
    if meant != free:
        raise UnreadableInputError(
            "names with blanks have different meanings in the free and the fixed format; "
            "write names without blanks"
        )
    return free


def _free(line: str) -> list[str]:
    """Return the fields of a line in free format; if there are too many, one field has the rest."""
    return line.split(None, _MOST)


def _fixed(line: str) -> list[str] | None:
    """Return the fields of a line of data in fixed format; None if the line has another format."""
    if "\t" in line or line[61:].strip():
        return None
    outside = list(line[:61].ljust(61))
    fields = []
    for start, end in _FIELDS:
        fields.append(line[start:end].strip())
        outside[start:end] = " " * (end - start)
    if "".join(outside).strip():
        return None
    while fields and not fields[-1]:
        fields.pop()
    return fields if fields[:1] != [""] else fields[1:]


class _Reader:
    """A reader of the sections of a file."""

    def __init__(self, lines: Sequence[tuple[int, str]], split: Split, comment: str) -> None:
        self._lines, self._split, self._line = lines, split, 1
        self._draft = Draft()
        self._kinds: dict[str, str] = {}  # of rows
        self._sense = _SENSES.get(comment.upper(), "minimise")
        self._title, self._objective = "", ""
        self._sets: dict[str, str] = {}  # which vector of a section is read
        self._constant = Fraction(0)
        self._column = ""
        self._count = 0
        self._ranged: set[str] = set()
        self._sided: set[str] = set()
        self._seen: set[str] = set()  # sections

    def read(self) -> NamedProgram:
        """Read the whole file."""
        sections: dict[str, Callable[[list[str]], None]] = {
            "OBJSENSE": self._objsense,
            "OBJNAME": self._objname,
            "ROWS": self._row,
            "COLUMNS": self._entries,
            "RHS": self._side,
            "RANGES": self._range,
            "BOUNDS": self._bound,
        }
        try:
            last = ""
            for number, line in in_time(self._lines):
                self._line = number
                if last == "ENDATA":
                    self._refuse("expected the end of the file after ENDATA")
                fields: list[str] | None
                if line[0] not in " \t":
                    last, fields = self._section(line, sections)
                elif last in sections:
                    fields = self._split(line)
                else:
                    self._refuse("expected a section, found a line of data")
                if fields:
                    sections[last](fields)
            self._check_end(last)
        except DomainError as error:
            raise UnreadableInputError(f"line {self._line}: {error}") from None
        return self._draft.program(self._title, self._sense, self._objective, self._constant)

    def _refuse(self, reason: str) -> NoReturn:
        raise DomainError(reason)

    def _check_end(self, last: str) -> None:
        """Refuse a file that is truncated or has no objective."""
        if self._sense == "maximise" and "OBJSENSE" not in self._seen:
            self._draft.notes.append("the direction is read from the comment *SENSE: of PuLP")
        if last != "ENDATA":
            self._refuse("expected ENDATA, found the end of the file")
        free = [name for name, kind in self._kinds.items() if kind == "N"]
        if self._objective not in free:
            what = f"found {self._objective[:40]!r}" if self._objective else "found none"
            self._refuse(f"expected a row of type N for the objective, {what}")
        if len(free) > 1:
            unused = next(name for name in free if name != self._objective)
            self._draft.notes.append(
                f"the row {unused[:40]!r} of type N is not the objective and is ignored"
            )

    def _section(self, line: str, known: Container[str]) -> tuple[str, list[str]]:
        """Return the name of a section, given the line that starts it."""
        section, *rest = line.split(None, _MOST)
        section = section.upper()
        if section in self._seen:
            self._refuse(f"the section {section[:40]} occurs twice")
        self._seen.add(section)
        if section == "NAME":
            self._title = line[4:].strip()
            return section, []
        if section in _NOT_LINEAR:
            self._refuse(f"the section {section} is not linear; remove it")
        if section not in known and section != "ENDATA":
            self._refuse(f"unknown section {section[:40]!r}")
        if rest and section not in {"OBJSENSE", "OBJNAME"}:
            self._refuse(f"expected nothing after the section {section} on its line")
        return section, rest

    def _objsense(self, fields: list[str]) -> None:
        sense = _SENSES.get(fields[0].upper()) if len(fields) == 1 else None
        if sense is None:
            raise DomainError(f"OBJSENSE must be MIN or MAX, not {' '.join(fields)[:40]!r}")
        self._sense = sense

    def _objname(self, fields: list[str]) -> None:
        if self._draft.variables:
            raise DomainError("OBJNAME must come before COLUMNS")
        self._objective = " ".join(fields)

    def _row(self, fields: list[str]) -> None:
        if len(fields) != 2:
            raise DomainError(f"expected the type and the name of a row, found {len(fields)} words")
        kind, name = fields
        kind = kind.upper()
        if kind not in {"N", "L", "G", "E"}:
            raise DomainError(f"the type of a row must be N, L, G or E, not {kind[:40]!r}")
        if name in self._kinds:
            raise DomainError(f"the row {name[:40]!r} occurs twice")
        self._kinds[name] = kind
        self._add()
        zero = Fraction(0)
        if kind == "N":
            self._objective = self._objective or name
        else:
            ends = [None if kind == "L" else zero, None if kind == "G" else zero]
            self._draft.rows[name] = {}, ends

    def _add(self) -> None:
        self._count += 1
        check_coefficients(self._count)

    def _kind(self, row: str) -> str:
        if row not in self._kinds:
            raise DomainError(f"unknown row {row[:40]!r}")
        return self._kinds[row]

    def _pairs(self, fields: list[str], what: str) -> Iterator[tuple[str, Fraction]]:
        """Yield the pairs of a row and a number that a line contains."""
        if len(fields) not in {2, 4}:
            raise DomainError(f"expected {what} with one or two pairs of a row and a number")
        for row, word in zip(fields[::2], fields[1::2], strict=True):
            self._kind(row)
            yield row, exact_number(word, f"the number of {row[:40]!r}")

    def _entries(self, fields: list[str]) -> None:
        if "'MARKER'" in fields:
            way = "remove the lines with MARKER, and state the bounds of the variables"
            raise DomainError(f"integer variables: {_RELAXATION.format(way)}")
        name, draft = fields[0], self._draft
        if name != self._column:
            if name in draft.variables:
                raise DomainError(f"the column {name[:40]!r} occurs twice")
            self._column = name
            self._add()
        j = draft.variable(name)
        for row, number in self._pairs(fields[1:], "a column"):
            terms = {} if self._kinds[row] == "N" else draft.rows[row][0]
            terms = draft.cost if row == self._objective else terms
            if j in terms:
                raise DomainError(f"the row {row[:40]!r} occurs twice in column {name[:40]!r}")
            terms[j] = number
            self._add()

    def _vector(self, section: str, fields: list[str]) -> list[str]:
        """Return fields without the name of their vector; refuse a second vector in a section."""
        name = ""
        if len(fields) % 2:
            name, *fields = fields
        if self._sets.setdefault(section, name) != name:
            raise DomainError(
                f"{section} must contain only one vector, but {name[:40]!r} is a second one; "
                "remove one of them"
            )
        return fields

    def _side(self, fields: list[str]) -> None:
        for row, number in self._pairs(self._vector("RHS", fields), "a right-hand side"):
            if row in self._sided:
                raise DomainError(f"the right-hand side of {row[:40]!r} occurs twice")
            if row in self._ranged:
                raise DomainError("RHS must come before RANGES")
            self._sided.add(row)
            if row == self._objective:
                self._constant = -number
            elif self._kinds[row] != "N":
                ends = self._draft.rows[row][1]
                ends[:] = [None if end is None else side_of(number) for end in ends]

    def _range(self, fields: list[str]) -> None:
        for row, number in self._pairs(self._vector("RANGES", fields), "a range"):
            if row in self._ranged or self._kinds[row] == "N":
                what = "is of type N" if self._kinds[row] == "N" else "occurs twice"
                raise DomainError(f"the row {row[:40]!r} in RANGES {what}")
            self._ranged.add(row)
            ends, width = self._draft.rows[row][1], side_of(abs(number))
            side = next(end for end in ends if end is not None)
            down = self._kinds[row] == "L" or (self._kinds[row] == "E" and number < 0)
            ends[:] = [side - width, side] if down else [side, side + width]

    def _bound(self, fields: list[str]) -> None:
        kind = fields[0].upper()
        if kind in _INTEGER:
            way = f"write {_INTEGER[kind]} instead of {kind}"
            raise DomainError(f"integer or semicontinuous: {_RELAXATION.format(way)}")
        if kind not in {"LO", "UP", "FX", "FR", "MI", "PL"}:
            raise DomainError(f"the type of a bound must be LO, UP, FX, FR, MI or PL, not {kind!r}")
        numbered = kind in {"LO", "UP", "FX"}
        rest = fields[1:]
        if (
            not numbered
            and len(rest) > 1
            and (len(rest) > 2 or rest[1] not in self._draft.variables)
        ):
            rest.pop()  # a number without a meaning
        if len(rest) not in {1 + numbered, 2 + numbered}:
            raise DomainError("expected a bound with its type, a variable and a number")
        if len(rest) == 2 + numbered and self._sets.setdefault("BOUNDS", rest[0]) != rest[0]:
            raise DomainError(
                f"BOUNDS must contain only one vector, but {rest[0][:40]!r} is a second one; "
                "remove one of them"
            )
        name = rest[-1 - numbered]
        if name not in self._draft.variables:
            raise DomainError(f"unknown variable {name[:40]!r}")
        end = self._end(rest[-1], name, kind) if numbered else None
        sides = {"LO": ["lower"], "MI": ["lower"], "UP": ["upper"], "PL": ["upper"]}
        self._draft.bound(name, **dict.fromkeys(sides.get(kind, ["lower", "upper"]), end))

    def _end(self, word: str, name: str, kind: str) -> Fraction | None:
        """Return a bound; None if it is infinite."""
        negative = word.startswith("-")
        if word.lstrip("+-").upper() not in _INFINITIES:
            number = exact_number(word, f"the bound of {name[:40]!r}")
            if not self._draft.infinite(number, name):
                return number
        if kind != ("LO" if negative else "UP"):
            raise DomainError(f"the bound {kind} of {name[:40]!r} must be finite, not {word[:40]}")
        return None
