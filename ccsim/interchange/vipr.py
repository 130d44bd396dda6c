"""Linear programs with certificates as VIPR files (Cheung, Gleixner, Steffy 2017), version 1.0.

The derivation is one line: multipliers of constraints and bounds whose combination is the
objective.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import NoReturn

from ccsim.arguments.checked import checked_types
from ccsim.budget import check_time
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact.fractions import as_fraction, as_integer
from ccsim.interchange.named import (
    MAX_COEFFICIENTS,
    Draft,
    NamedProgram,
    check_coefficients,
    lines_of,
    side_of,
)
from ccsim.programs.program import InfeasibilityProof, LinearProgram, OptimalSolution

_WORD = re.compile(r"\S+")
_SENSES = {"<=": "L", "=": "E", ">=": "G"}
Terms = Iterable[tuple[int, Fraction]]


@checked_types
def to_vipr(outcome: OptimalSolution | InfeasibilityProof) -> str:
    """Return a solved linear program and its proof as the text of a ``.vipr`` file.

    Parameters
    ----------
    outcome : OptimalSolution or InfeasibilityProof
        Result of `ccsim.programs.solve_linear_program`.

    Returns
    -------
    str
        The text. Variables are named ``x0``, ``x1``, ... The bounds of variables are the first
        constraints. For an optimum, the solution proves the upper bound and the derivation the
        lower bound.

    Raises
    ------
    CertificateError
        If the outcome does not prove what it states.

    Examples
    --------
    >>> from ccsim.programs import LinearProgram, solve_linear_program
    >>> program = LinearProgram.minimise([1, 1], [([4, 1], ">=", 1), ([4, -1], "<=", 2)])
    >>> print(to_vipr(solve_linear_program(program)), end="")
    VER 1.0
    VAR 2
    x0 x1
    INT 0
    OBJ min
    2 0 1 1 1
    CON 4 2
    lower0 G 0 1 0 1
    lower1 G 0 1 1 1
    C0 G 1 2 0 4 1 1
    C1 L 2 2 0 4 1 -1
    RTP range 1/4 1/4
    SOL 1
    optimum 1 0 1/4
    DER 1
    bound G 1/4 OBJ { lin 2 1 3/4 2 1/4 } -1
    """
    outcome.check()
    program = outcome.program
    bounds = _bounds(program)
    lines = ["VER 1.0", f"VAR {program.num_variables}"]
    lines += [" ".join(f"x{j}" for j in range(program.num_variables)), "INT 0", "OBJ min"]
    lines.append(_terms((j, c) for j, c in enumerate(program.objective) if c))
    lines.append(f"CON {len(bounds) + len(program.constraints)} {len(bounds)}")
    for j, sense, bound in bounds:
        name = "lower" if sense == "G" else "upper"
        lines.append(f"{name}{j} {sense} {bound} 1 {j} 1")
    for k, constraint in enumerate(program.constraints):
        sense = _SENSES[constraint.sense]
        lines.append(f"C{k} {sense} {constraint.bound} {_terms(constraint.terms)}")
    if isinstance(outcome, OptimalSolution):
        value = outcome.value
        lines.append(f"RTP range {value} {value}")
        point = _terms((j, x) for j, x in enumerate(outcome.primal) if x)
        lines += ["SOL 1", f"optimum {point}"]
        proved, _ = _derivation(program, bounds, outcome.dual, program.objective)
        derived = f"bound G {value} OBJ {proved}"
    else:
        lines += ["RTP infeas", "SOL 0"]
        nothing = [Fraction(0)] * program.num_variables
        proved, excess = _derivation(program, bounds, outcome.weights, nothing)
        derived = f"contradiction G {excess} 0 {proved}"
    return "\n".join([*lines, "DER 1", f"{derived} -1", ""])


@checked_types
def from_vipr(text: str) -> NamedProgram:
    """Return the linear program of a ``.vipr`` text; derivations are ignored.

    Parameters
    ----------
    text : str
        Output of `to_vipr` or of an exact solver, without integer variables.

    Raises
    ------
    UnreadableInputError
        If the text is invalid. The message names the line.

    Examples
    --------
    >>> from ccsim.programs import LinearProgram, solve_linear_program
    >>> program = LinearProgram.minimise([1, 1], [([4, 1], ">=", 1), ([4, -1], "<=", 2)])
    >>> found = from_vipr(to_vipr(solve_linear_program(program)))
    >>> found.variables, found.rows, solve_linear_program(found.program).value
    (('x0', 'x1'), ('lower0', 'lower1', 'C0', 'C1'), Fraction(1, 4))
    """
    return _Words(text).program()


class _Words:
    """A reader of the words of a text, without comments."""

    def __init__(self, text: str) -> None:
        lines = ((i, line) for i, line in lines_of(text) if line.lstrip()[:1] != "%")
        self._words = ((i, found[0]) for i, line in lines for found in _WORD.finditer(line))
        self._line = 1

    def _take(self, *expected: str) -> str:
        check_time()
        self._line, word = next(self._words, (self._line, ""))
        if not word or (expected and word not in expected):
            rule = " or ".join(expected) if expected else "another word"
            self._refuse(f"expected {rule}, found {repr(word[:40]) if word else 'the end'}")
        return word

    def _refuse(self, reason: str) -> NoReturn:
        raise UnreadableInputError(f"line {self._line}: {reason}")

    def _count(self, most: int = MAX_COEFFICIENTS) -> int:
        try:
            return as_integer(self._take(), "a number of entries", 0, most)
        except DomainError as error:
            self._refuse(str(error))

    def _number(self, *, is_side: bool = False) -> Fraction:
        word = self._take()
        try:
            number = as_fraction(word, "a number")
            return side_of(number) if is_side else number
        except DomainError as error:
            self._refuse(str(error))

    def _terms(self, width: int) -> dict[int, Fraction]:
        terms = dict[int, Fraction]()
        for _ in range(self._count(width)):
            j = self._count(width - 1)
            if j in terms:
                self._refuse(f"the variable {j} occurs twice")
            terms[j] = self._number()
        return terms

    def program(self) -> NamedProgram:
        """Read everything before the statement that the file proves."""
        draft = Draft()
        self._take("VER")
        self._take("1.0", "1.1")
        self._take("VAR")
        for _ in range(self._count()):
            draft.bounds[draft.variable(self._take())] = {"lower": None, "upper": None}
        width = len(draft.bounds)
        if self._take("INT") and self._count():
            self._refuse("expected a linear program, found integer variables")
        self._take("OBJ")
        sense = "minimise" if self._take("min", "max") == "min" else "maximise"
        draft.cost.update(self._terms(width))
        self._take("CON")
        rows, _ = self._count(), self._count()
        count = width
        for _ in range(rows):
            name, kind, end = self._take(), self._take("E", "L", "G"), self._number(is_side=True)
            terms = self._terms(width)
            count += 1 + len(terms)
            check_coefficients(count)
            if name in draft.rows:
                self._refuse(f"the row {name[:40]!r} occurs twice")
            draft.rows[name] = terms, [None if kind == "L" else end, None if kind == "G" else end]
        self._take("RTP")
        return draft.program("", sense, "obj", Fraction(0))


def _bounds(program: LinearProgram) -> list[tuple[int, str, Fraction]]:
    found = []
    for j, ends in enumerate(zip(program.lower, program.upper, strict=True)):
        found += [(j, sense, end) for sense, end in zip("GL", ends, strict=True) if end is not None]
    return found


def _terms(terms: Terms) -> str:
    listed = list(terms)
    return " ".join([str(len(listed)), *(f"{j} {a}" for j, a in listed)])


def _derivation(
    program: LinearProgram,
    bounds: list[tuple[int, str, Fraction]],
    prices: tuple[Fraction, ...],
    objective: Iterable[Fraction],
) -> tuple[str, Fraction]:
    """Return a combination of constraints and bounds that equals the objective, and its bound."""
    left = list(objective)
    total = Fraction(0)
    for price, constraint in zip(prices, program.constraints, strict=True):
        total += price * constraint.bound
        for j, a in constraint.terms:
            left[j] -= price * a
    weights = []
    for i, (j, sense, bound) in enumerate(bounds):
        if left[j] and (left[j] > 0) == (sense == "G"):
            weights.append((i, left[j]))
            total += left[j] * bound
    weights += [(len(bounds) + k, price) for k, price in enumerate(prices) if price]
    return f"{{ lin {_terms(weights)} }}", total
