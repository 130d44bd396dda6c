"""What can be said about a linear program: four outcomes, each with a proof that checks itself.

The checks use the definition in fractions and weak duality, and nothing of the solver.

Weak duality: for a weight ``y_k`` of each constraint, ``>= 0`` where the sense is ``>=``, ``<= 0``
where it is ``<=``, any where it is ``=``, every feasible ``x`` has
``c x >= sum_k y_k b_k + sum_j d_j x_j`` with ``d = c - sum_k y_k a_k``, and ``d_j x_j`` is at least
``d_j lower_j`` if ``d_j > 0`` and ``d_j upper_j`` if ``d_j < 0``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ccsim.errors import CertificateError
from ccsim.exact.bounds import check_fields
from ccsim.programs.program import SENSES, LinearProgram

__all__ = [
    "InfeasibilityProof",
    "LinearOutcome",
    "OptimalSolution",
    "ProgramBounds",
    "UnboundednessProof",
]


@dataclass(frozen=True, slots=True)
class OptimalSolution:
    """An optimal point, and prices of the constraints that prove it.

    Attributes
    ----------
    program : LinearProgram
    value : Fraction
        The least value of the objective.
    primal : tuple of Fraction
        One value for each variable.
    dual : tuple of Fraction
        One price for each constraint: ``>= 0`` for ``>=``, ``<= 0`` for ``<=``.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    program: LinearProgram
    value: Fraction
    primal: tuple[Fraction, ...]
    dual: tuple[Fraction, ...]
    method: str

    status = "optimal"

    def check(self) -> None:
        """Check that ``primal`` is feasible with ``value``, and that no point can have less.

        Raises
        ------
        CertificateError
            Naming the first condition that fails.
        """
        _check_program(self)
        _check_feasible(self.program, self.primal)
        _check_equal(
            "the objective at the primal point", _objective(self.program, self.primal), self.value
        )
        _check_equal("the bound of the prices", _dual_bound(self.program, self.dual), self.value)


@dataclass(frozen=True, slots=True)
class InfeasibilityProof:
    """Weights of the constraints under which they contradict the bounds (Farkas' lemma).

    Attributes
    ----------
    program : LinearProgram
    weights : tuple of Fraction
        One for each constraint, signed as prices are; without objective they bound 0 from below
        by a positive number.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    program: LinearProgram
    weights: tuple[Fraction, ...]
    method: str

    status = "infeasible"

    def check(self) -> None:
        """Check the contradiction.

        Raises
        ------
        CertificateError
            Naming the first condition that fails.
        """
        _check_program(self)
        bound = _dual_bound(self.program, self.weights, with_objective=False)
        if bound <= 0:
            raise CertificateError(
                f"the weights bound 0 from below by {bound}, which is no contradiction"
            )


@dataclass(frozen=True, slots=True)
class UnboundednessProof:
    """A feasible point and a direction in which the objective falls for ever.

    Attributes
    ----------
    program : LinearProgram
    primal, ray : tuple of Fraction
        One entry for each variable.
    method : str
        ``"basis"`` or ``"pivoting"``.
    """

    program: LinearProgram
    primal: tuple[Fraction, ...]
    ray: tuple[Fraction, ...]
    method: str

    status = "unbounded"

    def check(self) -> None:
        """Check the point, and that the direction stays feasible and lowers the objective.

        Raises
        ------
        CertificateError
            Naming the first condition that fails.
        """
        _check_program(self)
        program = self.program
        _check_feasible(program, self.primal)
        _check_length("ray", self.ray, program.num_variables)
        bounds = zip(self.ray, program.lower, program.upper, strict=True)
        for j, (rate, low, high) in enumerate(bounds):
            if (low is not None and rate < 0) or (high is not None and rate > 0):
                raise CertificateError(
                    f"ray[{j}] is {rate} although variable {j} is bounded in that direction"
                )
        for k, constraint in enumerate(program.constraints):
            rate = sum((a * self.ray[j] for j, a in constraint.terms), Fraction(0))
            if (rate < 0 and constraint.sense != "<=") or (rate > 0 and constraint.sense != ">="):
                raise CertificateError(
                    f"the ray changes constraint {k} ({constraint.sense}) at rate {rate}"
                )
        if (rate := _objective(program, self.ray)) >= 0:
            raise CertificateError(
                f"the ray changes the objective at rate {rate}, which must be negative"
            )


@dataclass(frozen=True, slots=True)
class ProgramBounds:
    """What was proved when the time was over: bounds of the least value, each with its proof.

    Attributes
    ----------
    program : LinearProgram
    lower : Fraction or None
        Bound from below that ``dual`` proves, if any was found. If the program is infeasible it
        bounds nothing.
    upper : Fraction or None
        Value of the feasible point ``primal``, if any was found.
    primal, dual : tuple of Fraction or None
        The two proofs.
    """

    program: LinearProgram
    lower: Fraction | None
    upper: Fraction | None
    primal: tuple[Fraction, ...] | None
    dual: tuple[Fraction, ...] | None

    status = "not decided"

    def check(self) -> None:
        """Check the proof of each bound that is stated.

        Raises
        ------
        CertificateError
            Naming the first condition that fails.
        """
        _check_program(self)
        for bound, proof, name in (
            (self.lower, self.dual, "lower bound"),
            (self.upper, self.primal, "upper bound"),
        ):
            if (bound is None) != (proof is None):
                raise CertificateError(f"the {name} and its proof must be given together")
        if self.primal is not None and self.upper is not None:
            _check_feasible(self.program, self.primal)
            _check_equal(
                "the objective at the primal point",
                _objective(self.program, self.primal),
                self.upper,
            )
        if self.dual is not None and self.lower is not None:
            _check_equal(
                "the bound of the prices", _dual_bound(self.program, self.dual), self.lower
            )


LinearOutcome = OptimalSolution | InfeasibilityProof | UnboundednessProof | ProgramBounds
"""Whatever solving a linear program may return; ``status`` says which, ``check()`` proves it."""


def _check_program(outcome: LinearOutcome) -> None:
    """Refuse fields of other types, and a program whose parts do not fit together."""
    check_fields(outcome)
    check_fields(outcome.program)
    program, number = outcome.program, outcome.program.num_variables
    if not len(program.lower) == len(program.upper) == number:
        raise CertificateError(
            f"a program with {number} variables needs as many bounds on either side"
        )
    for k, constraint in enumerate(program.constraints):
        places = [j for j, _ in constraint.terms]
        if constraint.sense not in SENSES or not set(places) <= set(range(number)):
            raise CertificateError(
                f"constraint {k} must be one of {', '.join(SENSES)} on {number} variables"
            )


def _objective(program: LinearProgram, x: Sequence[Fraction]) -> Fraction:
    return sum((c * v for c, v in zip(program.objective, x, strict=True) if c and v), Fraction(0))


def _check_length(name: str, vector: Sequence[object], length: int) -> None:
    if len(vector) != length:
        raise CertificateError(f"{name} must have {length} entries, not {len(vector)}")


def _check_equal(name: str, found: Fraction, stated: Fraction) -> None:
    if found != stated:
        raise CertificateError(f"{name} is {found}, not {stated}")


def _check_feasible(program: LinearProgram, x: Sequence[Fraction]) -> None:
    _check_length("primal", x, program.num_variables)
    for j, (value, low, high) in enumerate(zip(x, program.lower, program.upper, strict=True)):
        if (low is not None and value < low) or (high is not None and value > high):
            raise CertificateError(f"primal[{j}] is {value}, outside its bounds {low} and {high}")
    for k, constraint in enumerate(program.constraints):
        form = sum((a * x[j] for j, a in constraint.terms if x[j]), Fraction(0))
        if (form < constraint.bound and constraint.sense != "<=") or (
            form > constraint.bound and constraint.sense != ">="
        ):
            raise CertificateError(
                f"constraint {k} is broken: {form} {constraint.sense} {constraint.bound}"
            )


def _dual_bound(
    program: LinearProgram, y: Sequence[Fraction], *, with_objective: bool = True
) -> Fraction:
    """Return the bound of weak duality; refuse weights that give none."""
    _check_length("dual" if with_objective else "weights", y, len(program.constraints))
    reduced = list(program.objective) if with_objective else [Fraction(0)] * program.num_variables
    total = Fraction(0)
    for k, (price, constraint) in enumerate(zip(y, program.constraints, strict=True)):
        if (price < 0 and constraint.sense == ">=") or (price > 0 and constraint.sense == "<="):
            raise CertificateError(
                f"the price of constraint {k} ({constraint.sense}) has the wrong sign: {price}"
            )
        if price:
            total += price * constraint.bound
            for j, a in constraint.terms:
                reduced[j] -= price * a
    for j, (d, low, high) in enumerate(zip(reduced, program.lower, program.upper, strict=True)):
        end = low if d > 0 else high
        if not d:
            continue
        if end is None:
            raise CertificateError(
                f"the prices leave variable {j} the cost {d} in a direction without bound"
            )
        total += d * end
    return total
