"""Linear programs with names and a direction, as in files of other programs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction

from ccsim.budget import in_time
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.exact.fractions import as_fraction
from ccsim.programs.program import LinearConstraint, LinearProgram

MAX_COEFFICIENTS = 1 << 20
"""Maximum total number of variables, rows and coefficients of a linear program in a file."""

MAX_TEXT = 1 << 26
"""Maximum number of characters of a file with a linear program."""

MAX_LINES = 1 << 22
"""Maximum number of lines of such a file, and of words of a file in LP format."""

SENSES = ("minimise", "maximise")
_POINT = re.compile(r"(?<=[0-9])\.(?![0-9])")  # at the end of digits
_INFINITE = 10**20  # what other programs take as infinite where they read a bound


@validated
class NamedProgram:
    r"""A linear program with names, which is minimised or maximised.

    Attributes
    ----------
    title : str
        Name of the program, possibly empty.
    sense : str
        ``"minimise"`` or ``"maximise"``.
    objective : str
        Name of the objective.
    constant : Fraction
        Constant term of the objective.
    variables : tuple of str
        One name for each variable.
    rows : tuple of str
        One name for each constraint of `program`. A row with two bounds gives two constraints.
    program : LinearProgram
        The program as a minimisation, without the constant, and with a negated objective if `sense`
        is ``"maximise"``.
    notes : tuple of str
        Assumptions made when the file was read.

    Examples
    --------
    >>> from ccsim.interchange import from_lp
    >>> found = from_lp("maximise 3 x + 5\nsubject to\nc: 2 x <= 7\nend")
    >>> found.sense, found.constant, found.variables, found.rows
    ('maximise', Fraction(5, 1), ('x',), ('c',))
    """

    title: str
    sense: str
    objective: str
    constant: Fraction
    variables: tuple[str, ...]
    rows: tuple[str, ...]
    program: LinearProgram
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.sense not in SENSES:
            raise DomainError(f"sense must be minimise or maximise, not {self.sense[:40]!r}")
        if len(self.variables) != self.program.num_variables:
            raise DomainError(
                f"variables must have {self.program.num_variables} names, one for each variable of "
                "the program"
            )
        if len(self.rows) != len(self.program.constraints):
            raise DomainError(
                f"rows must have {len(self.program.constraints)} names, one for each constraint of "
                "the program"
            )

    @property
    def sign(self) -> int:
        """1 for a minimisation, -1 for a maximisation."""
        return 1 if self.sense == "minimise" else -1

    def value(self, least: Fraction) -> Fraction:
        """Return the value of the objective that corresponds to a value of `program`.

        If the objective is maximised, the sign changes. The constant of the objective is added.

        Parameters
        ----------
        least : Fraction
            Value of the objective of `program`, a minimisation.
        """
        return self.sign * least + self.constant


@frozen
class Draft:
    """A program that is being read: variables and rows by number."""

    variables: dict[str, int] = field(default_factory=dict)
    cost: dict[int, Fraction] = field(default_factory=dict)
    rows: dict[str, tuple[dict[int, Fraction], list[Fraction | None]]] = field(default_factory=dict)
    bounds: dict[int, dict[str, Fraction | None]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def variable(self, name: str) -> int:
        """Return the number of a variable, which is added if it is unknown."""
        return self.variables.setdefault(name, len(self.variables))

    def bound(self, name: str, **ends: Fraction | None) -> None:
        """Set bounds of a variable, each at most once."""
        given = self.bounds.setdefault(self.variables[name], {})
        for side, end in ends.items():
            if side in given:
                raise DomainError(f"the {side} bound of {name[:40]!r} occurs twice")
            given[side] = end

    def infinite(self, number: Fraction, name: str) -> bool:
        """Return whether a bound is so large that other programs read it as infinite."""
        if abs(number) < _INFINITE:
            return False
        note = f"bounds of at least 1e20, such as that of {name[:40]!r}, are read as infinite"
        if not any(each.startswith("bounds of at least") for each in self.notes):
            self.notes.append(note)
        return True

    def program(self, title: str, sense: str, objective: str, constant: Fraction) -> NamedProgram:
        """Return the program."""
        if not self.variables:
            raise UnreadableInputError(
                "expected a linear program with variables, but found no variables"
            )
        names, constraints = [], []
        for name, (terms, (low, high)) in self.rows.items():
            ends = [(">=", low), ("<=", high)] if low != high else [("=", low)]
            for sense_of_row, end in ends:
                if end is not None:
                    names.append(name)
                    constraints.append(_constraint(terms, sense_of_row, end))
        lower: list[Fraction | None] = [Fraction(0)] * len(self.variables)
        upper: list[Fraction | None] = [None] * len(self.variables)
        for name, j in self.variables.items():
            given = self.bounds.get(j, {})
            low, high = given.get("lower", Fraction(0)), given.get("upper")
            if high is not None and high < 0 and "lower" not in given:
                raise UnreadableInputError(
                    f"the variable {name[:40]!r} has a negative upper bound {high} and no lower "
                    "bound, which some programs read as 0 and others as -infinity; state the "
                    "lower bound"
                )
            lower[j], upper[j] = low, high
            if low is not None and high is not None and low > high:  # no point is feasible
                upper[j] = None
                names.append(f"upper bound of {name}")
                constraints.append(_constraint({j: Fraction(1)}, "<=", high))
        sign = 1 if sense == "minimise" else -1
        cost = tuple(sign * self.cost.get(j, Fraction(0)) for j in range(len(self.variables)))
        program = LinearProgram(cost, tuple(constraints), tuple(lower), tuple(upper))
        found = tuple(self.variables), tuple(names), program, tuple(self.notes)
        return NamedProgram(title, sense, objective, constant, *found)


def _constraint(terms: Mapping[int, Fraction], sense: str, end: Fraction) -> LinearConstraint:
    return LinearConstraint(tuple(sorted((j, a) for j, a in terms.items() if a)), sense, end)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers; refuse a text that is too long."""
    if len(text) > MAX_TEXT:
        raise InstanceTooLargeError(
            f"a program must have at most {MAX_TEXT} characters, not {len(text)}"
        )
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    if plain.count("\n") > MAX_LINES:
        raise InstanceTooLargeError(f"a program must have at most {MAX_LINES} lines")
    yield from enumerate(in_time(plain.split("\n")), 1)


def check_coefficients(number: int) -> None:
    """Check that there are at most `MAX_COEFFICIENTS` variables, rows and coefficients."""
    if number > MAX_COEFFICIENTS:
        raise InstanceTooLargeError(
            f"a program must have at most {MAX_COEFFICIENTS} variables, rows and coefficients "
            "in total"
        )


def side_of(number: Fraction) -> Fraction:
    """Return the right-hand side of a row; refuse it if other programs read it as infinite."""
    if abs(number) >= _INFINITE:
        raise DomainError(
            "a right-hand side of at least 1e20 is infinite in other programs; remove the row"
        )
    return number


def exact_number(word: str, name: str) -> Fraction:
    """Return a number, which may end in a point or have an exponent with D, as in Fortran."""
    return as_fraction(_POINT.sub("", word.replace("D", "e").replace("d", "e")), name)
