"""Linear programs with rational data, solved exactly; every outcome has a proof.

For prices ``y_k``, ``>= 0`` for ``>=`` and ``<= 0`` for ``<=``, every feasible ``x`` has ``c x >=
sum_k y_k b_k + sum_j d_j x_j`` with ``d = c - sum_k y_k a_k``. Programs are solved and checked in
integers, from the bases of a float solver or by exact pivots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import itemgetter
from typing import Any

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types, iterated
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.answer import is_writable
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.data import frozen, validated
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.fractions import as_fraction, common_denominator
from ccsim.programs.highs import Suggestion, suggest
from ccsim.programs.integer_program import (
    Basis,
    Contradiction,
    Descent,
    IntegerProgram,
    Optimum,
    ProgramEnd,
    dual_bound,
    is_feasible,
    prices,
    primal_solution,
    run_simplex,
)

_LONGEST = 13000  # bits of numbers that a certificate holds
SENSES = ("<=", "=", ">=")
Coefficients = Sequence[object] | Mapping[Any, object]
"""Coefficients of all variables in order, or a mapping from indices to coefficients."""
Bounds = int | str | Fraction | Sequence[object] | None


@validated
class LinearConstraint:
    """A linear constraint: a linear form, a sense and a bound.

    Attributes
    ----------
    terms : tuple of (int, Fraction)
        Index and coefficient of each variable with a nonzero coefficient, in increasing order of
        the index.
    sense : str
        One of ``"<="``, ``"="``, ``">="``.
    bound : Fraction
        Right-hand side of the constraint.
    """

    terms: tuple[tuple[int, Fraction], ...]
    sense: str
    bound: Fraction

    def __str__(self) -> str:
        """Return the constraint in mathematical notation."""
        form = " + ".join(f"{a} x{j}" for j, a in self.terms) or "0"
        return f"{form} {self.sense} {self.bound}"


@validated
class LinearProgram:
    """Minimise ``sum_j objective[j] x_j`` under constraints and ``lower <= x <= upper``.

    Attributes
    ----------
    objective : tuple of Fraction, one for each variable
        Coefficients of the objective, which is minimised.
    constraints : tuple of LinearConstraint
        The constraints.
    lower, upper : tuple of Fraction or None, one for each variable
        Bounds of the variables; None for no bound.

    Examples
    --------
    >>> program = LinearProgram.minimise([2, 3], [([1, 1], ">=", "1/2"), ({1: 3}, "<=", 5)])
    >>> program.num_variables, str(program.constraints[0]), program.lower
    (2, '1 x0 + 1 x1 >= 1/2', (Fraction(0, 1), Fraction(0, 1)))
    """

    objective: tuple[Fraction, ...]
    constraints: tuple[LinearConstraint, ...]
    lower: tuple[Fraction | None, ...]
    upper: tuple[Fraction | None, ...]

    @classmethod
    def minimise(
        cls,
        objective: Coefficients,
        constraints: Iterable[tuple[Coefficients, str, object]],
        lower: Bounds = 0,
        upper: Bounds = None,
    ) -> LinearProgram:
        """Return the program that minimises an objective under constraints and bounds.

        Parameters
        ----------
        objective : sequence of int, Fraction or str
            One coefficient for each variable; its length is the number of variables.
        constraints : iterable of (coefficients, sense, bound)
            Coefficients are a sequence with one entry for each variable, or a mapping from indices
            of variables to coefficients; the sense is ``"<="``, ``"="`` or ``">="``.
        lower, upper : rational, None, or sequence of these
            Bounds of the variables, or one bound for all of them. None means unbounded.
        """
        if isinstance(objective, Mapping):
            raise DomainError(
                "objective must be a sequence with one coefficient for each variable, not a mapping"
            )
        costs = tuple(
            as_fraction(c, f"objective[{j}]")
            for j, c in enumerate(iterated(objective, "objective", "coefficients"))
        )
        rows = tuple(_constraint(k, given, len(costs)) for k, given in enumerate(constraints))
        lows, highs = _bounds(lower, "lower", len(costs)), _bounds(upper, "upper", len(costs))
        for j, (low, high) in enumerate(zip(lows, highs, strict=True)):
            if low is not None and high is not None and low > high:
                raise DomainError(f"lower[{j}] must be at most upper[{j}], not {low} > {high}")
        return cls(costs, rows, lows, highs)

    @property
    def num_variables(self) -> int:
        """Number of variables."""
        return len(self.objective)


@frozen
class OptimalSolution(Certified):
    """An optimal point, with dual prices that prove its optimality.

    Attributes
    ----------
    program : LinearProgram
    value : Fraction
        The minimum of the objective.
    primal : tuple of Fraction
        One value for each variable.
    dual : tuple of Fraction
        One dual price for each constraint: ``>= 0`` for ``>=``, ``<= 0`` for ``<=``.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    question = "the optimum of a linear program"
    asked = ("program",)
    answered = ("value",)

    program: LinearProgram
    value: Fraction
    primal: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]
    method: str

    status = "optimal"

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        value = encode_fraction(self.value)
        lower, upper = _prices(self.program, self.dual), _point(self.program, self.primal)
        return _certificate(self.program, value, value, lower, upper)


@frozen
class InfeasibilityProof(Certified):
    """A proof by Farkas' lemma that a linear program is infeasible.

    Attributes
    ----------
    program : LinearProgram
    weights : tuple of Fraction
        One weight for each constraint, with the sign of a dual price. The weighted constraints and
        the bounds of the variables imply that 0 is at least a positive number.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    question = "the optimum of a linear program"
    asked = ("program",)
    answered = ("status",)

    program: LinearProgram
    weights: tuple[Fraction, ...]
    method: str

    status = "infeasible"

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: the minimum is infinite."""
        weights = _prices(self.program, self.weights)["prices"]["prices"]
        lower = {"contradiction": {"weights": weights}}
        return _certificate(self.program, "infinity", None, lower, None)


@frozen
class UnboundednessProof(Certified):
    """A feasible point and a direction in which the objective decreases without bound.

    Attributes
    ----------
    program : LinearProgram
    primal, ray : tuple of Fraction
        One entry for each variable.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    question = "the optimum of a linear program"
    asked = ("program",)
    answered = ("status",)

    program: LinearProgram
    primal: tuple[Fraction, ...]
    ray: tuple[Fraction, ...]
    method: str

    status = "unbounded"

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: there is no minimum."""
        point = _point(self.program, self.primal)["point"]
        upper = {"ray": point | {"ray": _integers(self.ray)[1]}}
        return _certificate(self.program, None, "-infinity", None, upper)


@frozen
class ProgramBounds(Certified):
    """Bounds on the minimum of a linear program at the time limit, each with its proof.

    Attributes
    ----------
    program : LinearProgram
    lower : Fraction or None
        Lower bound proved by ``dual``, or None. It holds if the program is feasible.
    upper : Fraction or None
        Upper bound, the value of the feasible point ``primal``, or None.
    primal, dual : tuple of Fraction or None
        The proofs: a feasible point for ``upper``, and dual prices for ``lower``.
    """

    question = "the optimum of a linear program"
    asked = ("program",)

    program: LinearProgram
    lower: Fraction | None
    upper: Fraction | None
    primal: tuple[Fraction, ...] | None
    dual: tuple[Fraction, ...] | None

    status = "not decided"

    def certificate(self) -> Certificate:
        """Return the certificate of the bounds for the kernel."""
        lower = None if self.dual is None else _prices(self.program, self.dual)
        upper = None if self.primal is None else _point(self.program, self.primal)
        ends = [None if v is None else encode_fraction(v) for v in (self.lower, self.upper)]
        return _certificate(self.program, ends[0], ends[1], lower, upper)


LinearOutcome = OptimalSolution | InfeasibilityProof | UnboundednessProof | ProgramBounds
"""An outcome of a linear program; ``status`` names it and ``check()`` verifies it."""


@checked_types
def solve_linear_program(program: LinearProgram, *, time_limit: TimeLimit = None) -> LinearOutcome:
    """Solve a linear program exactly.

    Parameters
    ----------
    time_limit : float or Budget, optional
        Seconds after which bounds are returned. If there is a limit, an interrupt has the same
        effect.

    Returns
    -------
    OptimalSolution, InfeasibilityProof, UnboundednessProof or ProgramBounds
        Each has a ``status``, which ``check()`` verifies. Bounds are returned only at the time
        limit.

    Notes
    -----
    Complexity: usually one linear program in floats and two exact solutions of a square linear
    system as large as the basis without slack variables, which take seconds for several hundred
    rows. If the basis is not optimal, exact pivoting follows.

    Examples
    --------
    >>> program = LinearProgram.minimise([2, 3], [([1, 1], ">=", "1/2"), ([3, 1], ">=", 1)])
    >>> outcome = solve_linear_program(program)
    >>> outcome.status, outcome.value, outcome.primal
    ('optimal', Fraction(1, 1), (Fraction(1, 2), Fraction(0, 1)))
    >>> outcome.check()
    >>> solve_linear_program(LinearProgram.minimise([1], [([1], "<=", -1)])).status
    'infeasible'
    """
    return _solved(program, Budget.of(time_limit), lambda _: True)


def solve_for_certificate(program: LinearProgram, budget: Budget) -> LinearOutcome:
    """Solve as `solve_linear_program`; return bounds if the solution is too long to certify."""
    for k, row in enumerate(program.constraints):
        _check_digits([row.bound, *(a for _, a in row.terms)], f"the numbers of constraint {k + 1}")
    _check_digits(program.objective, "the coefficients of the objective")
    ends = [end for end in (*program.lower, *program.upper) if end is not None]
    _check_digits([*ends, *(row.bound for row in program.constraints)], "bounds and right sides")
    return _solved(program, budget, is_writable)


def _check_digits(numbers: Sequence[Fraction], what: str) -> None:
    """Raise an error if numbers over a common denominator are too long for a certificate."""
    unit, longest = 1, max((abs(number.numerator) for number in numbers), default=0)
    for denominator in {number.denominator for number in numbers}:
        unit = lcm(unit, denominator)
        if unit.bit_length() + longest.bit_length() > _LONGEST:
            raise InstanceTooLargeError(
                f"{what} have more than {_LONGEST} bits with their common denominator, the limit "
                "of a certificate; write them with fewer digits"
            )


def _solved(
    program: LinearProgram, budget: Budget, accepted: Callable[[LinearOutcome], bool]
) -> LinearOutcome:
    """Return the outcome, or bounds if it is not accepted or the time limit is reached."""
    units = _Units(program)
    seen: list[Suggestion] = []
    end = None
    with budget:
        suggestions = remembered(suggest(units.integers, budget), seen)
        end = solve_integer_program(units.integers, suggestions, budget)
    outcome = None if end is None else _outcome(program, units, end)
    if outcome is None or not accepted(outcome):
        return _best_bounds(program, units, seen)
    return outcome


def _outcome(program: LinearProgram, units: _Units, end: ProgramEnd) -> LinearOutcome:
    """Return an outcome in the units of the program."""
    method = "pivoting" if end.pivots else "basis"
    if isinstance(end, Contradiction):
        return InfeasibilityProof(program, units.row_weights(end.weights, 1), method)
    x = units.point(end.x, end.x_scale)
    if isinstance(end, Descent):
        return UnboundednessProof(program, x, tuple(Fraction(r) for r in end.ray), method)
    prices = units.prices(end.y, end.y_scale)
    return OptimalSolution(program, _value(program, x), x, prices, method)


def _value(program: LinearProgram, x: Iterable[Fraction]) -> Fraction:
    return sum((c * v for c, v in zip(program.objective, x, strict=True) if v), Fraction(0))


class _Units:
    """A program in integers: ``A' = S A``, ``c' = s c``, ``x' = D x``, and ``y = S y' / s``."""

    def __init__(self, program: LinearProgram) -> None:
        rows = program.constraints
        self.row = [common_denominator(a for _, a in row.terms) for row in rows]
        self.cost = common_denominator(program.objective)
        numbers = [row.bound * s for row, s in zip(rows, self.row, strict=True)]
        self.variable = common_denominator(
            [*numbers, *(b for b in (*program.lower, *program.upper) if b is not None)]
        )

        def ends(bounds: Iterable[Fraction | None], free: str) -> list[int | None]:
            each = zip(rows, numbers, strict=True)
            listed = [*bounds, *(None if row.sense == free else number for row, number in each)]
            return [None if end is None else int(end * self.variable) for end in listed]

        self.integers = IntegerProgram.from_rows(
            [{j: int(a * s) for j, a in row.terms} for row, s in zip(rows, self.row, strict=True)],
            [int(c * self.cost) for c in program.objective],
            ends(program.lower, "<="),
            ends(program.upper, ">="),
        )

    def point(self, x: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return a point in the units of the program."""
        return tuple(Fraction(number, scale * self.variable) for number in x)

    def row_weights(self, y: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return weights of the rows in the units of the program, up to a common factor."""
        return tuple(Fraction(w * s, scale) for w, s in zip(y, self.row, strict=True))

    def prices(self, y: Iterable[int], scale: int) -> tuple[Fraction, ...]:
        """Return prices in the units of the program."""
        return self.row_weights(y, scale * self.cost)


def remembered(suggestions: Iterable[Suggestion], seen: list[Suggestion]) -> Iterator[Suggestion]:
    """Yield suggestions, and append each of them to a list."""
    for suggestion in suggestions:
        seen.append(suggestion)
        yield suggestion


def _best_bounds(
    program: LinearProgram, units: _Units, seen: Iterable[Suggestion]
) -> ProgramBounds:
    """Return the best bounds that rounded float solutions prove."""
    integers = units.integers
    lowers: list[tuple[Fraction, tuple[Fraction, ...]]] = []
    uppers: list[tuple[Fraction, tuple[Fraction, ...]]] = []
    for suggestion in seen:
        x, x_scale = suggestion.rounded_point(integers)
        if is_feasible(integers, x, x_scale):
            point = units.point(x, x_scale)
            uppers.append((_value(program, point), point))
        y, y_scale = suggestion.rounded_prices(integers)
        if (bound := dual_bound(integers, y, y_scale)) is not None:
            value = Fraction(bound, y_scale * units.cost * units.variable)
            lowers.append((value, units.prices(y, y_scale)))
    lower, dual = max(lowers, default=(None, None), key=itemgetter(0))
    upper, primal = min(uppers, default=(None, None), key=itemgetter(0))
    return ProgramBounds(program, lower, upper, primal, dual)


def solve_integer_program(
    program: IntegerProgram, suggestions: Iterable[Suggestion], budget: Budget | None = None
) -> ProgramEnd:
    """Return the outcome of a program, proved by a suggested basis or found by pivoting."""
    first: Basis | None = None
    for suggestion in suggestions:
        first = first or suggestion.basis
        program.afford(suggestion.basis, budget)
        if (end := end_of_basis(program, suggestion.basis)) is not None:
            return end
        if budget is not None:
            budget.spend()
    end = run_simplex(program, first, budget)
    if not end.is_proved(program):
        raise CertificateError("the solution found by exact pivoting fails its check")
    return end


def end_of_basis(program: IntegerProgram, basis: Basis) -> ProgramEnd | None:
    """Return the outcome that a basis proves without pivots; None if it proves none."""
    if len(basis.columns) != len(basis.tight):
        return None
    try:
        optimum = Optimum(*primal_solution(program, basis), *prices(program, basis))
        if optimum.is_proved(program):
            return optimum
        end = run_simplex(program, basis, most_pivots=0)
    except (ZeroDivisionError, NotDecidedError):
        return None
    return end if end.is_proved(program) else None


def _constraint(
    k: int, given: tuple[Coefficients, str, object], variables: int
) -> LinearConstraint:
    name = f"constraints[{k}]"
    try:
        coefficients, sense, bound = given
    except (TypeError, ValueError):
        raise DomainError(f"{name} must be a triple (coefficients, sense, bound)") from None
    if sense not in SENSES:
        raise DomainError(f"{name} must have one of the senses <=, =, >=, not {sense!r}")
    pairs: Iterable[tuple[Any, object]]
    if isinstance(coefficients, Mapping):
        pairs = coefficients.items()
    else:
        listed = list(iterated(coefficients, name, "coefficients"))
        if len(listed) != variables:
            raise DomainError(f"{name} must have {variables} coefficients, not {len(listed)}")
        pairs = enumerate(listed)
    terms = []
    for j, coefficient in pairs:
        if type(j) is not int or not 0 <= j < variables:
            raise DomainError(f"{name} must have indices of variables below {variables}, not {j!r}")
        if value := as_fraction(coefficient, f"{name}[{j}]"):
            terms.append((j, value))
    return LinearConstraint(tuple(sorted(terms)), sense, as_fraction(bound, f"bound of {name}"))


def _bounds(given: object, name: str, variables: int) -> tuple[Fraction | None, ...]:
    if given is None or isinstance(given, int | str | Fraction):
        bound = None if given is None else as_fraction(given, name)
        return (bound,) * variables
    if not isinstance(given, Sequence) or len(given) != variables:
        raise DomainError(
            f"{name} must be one bound or a sequence of {variables} bounds, not {given!r:.60}"
        )
    return tuple(
        None if bound is None else as_fraction(bound, f"{name}[{j}]")
        for j, bound in enumerate(given)
    )


def _integers(values: Iterable[Fraction]) -> tuple[int, list[int | str]]:
    """Return the common denominator of fractions, and their numerators."""
    listed = [Fraction(value) for value in values]
    unit = lcm(*(value.denominator for value in listed))
    return unit, encode_integers(int(value * unit) for value in listed)


def _written(value: int) -> int | str:
    return encode_integers([value])[0]


def _scales(program: LinearProgram) -> list[int]:
    """Return, for each constraint, a factor that makes its coefficients and bound integers."""
    return [
        lcm(c.bound.denominator, *(a.denominator for _, a in c.terms)) for c in program.constraints
    ]


def _point(program: LinearProgram, x: Sequence[Fraction]) -> dict[str, Any]:
    if len(x) != program.num_variables:
        raise CertificateError(
            f"primal must have {counted(program.num_variables, 'entry', 'entries')}, not {len(x)}"
        )
    unit, values = _integers(x)
    return {"point": {"unit": _written(unit), "values": values}}


def _prices(program: LinearProgram, y: Sequence[Fraction]) -> dict[str, Any]:
    """Return the prices of the constraints as encoded in a certificate."""
    if len(y) != len(program.constraints):
        raise CertificateError(
            f"dual must have {counted(len(program.constraints), 'entry', 'entries')}, not {len(y)}"
        )
    scale = _integers(program.objective)[0]
    unit, prices = _integers(
        price * scale / m for price, m in zip(y, _scales(program), strict=True)
    )
    return {"prices": {"unit": _written(unit), "prices": prices}}


def _certificate(
    program: LinearProgram,
    low: str | None,
    high: str | None,
    lower: dict[str, Any] | None,
    upper: dict[str, Any] | None,
) -> Certificate:
    unit, objective = _integers(program.objective)
    lows, highs = (
        [None if end is None else encode_fraction(end) for end in side]
        for side in (program.lower, program.upper)
    )
    constraints = [
        [[[j, _written(int(a * m))] for j, a in c.terms], c.sense, _written(int(c.bound * m))]
        for c, m in zip(program.constraints, _scales(program), strict=True)
    ]
    instance: dict[str, Any] = {"type": "linear program", "unit": _written(unit)}
    instance |= {"objective": objective, "lower": lows, "upper": highs, "constraints": constraints}
    return Certificate("linear_program", instance, {"lower": low, "upper": high}, lower, upper)
