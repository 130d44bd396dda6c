"""What can be said about a linear program: four outcomes, each with a proof for the kernel.

Weak duality: for a weight ``y_k`` of each constraint, ``>= 0`` where the sense is ``>=``, ``<= 0``
where it is ``<=``, any where it is ``=``, every feasible ``x`` has
``c x >= sum_k y_k b_k + sum_j d_j x_j`` with ``d = c - sum_k y_k a_k``, and ``d_j x_j`` is at least
``d_j lower_j`` if ``d_j > 0`` and ``d_j upper_j`` if ``d_j < 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from ccsim.certificates import Certificate, Certified, encode_fraction, encode_integers
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.programs.program import LinearProgram


@frozen
class OptimalSolution(Certified):
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

    question = "the optimum of a linear program"
    asked = ("program",)
    answered = ("status",)

    program: LinearProgram
    weights: tuple[Fraction, ...]
    method: str

    status = "infeasible"

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: the least value is infinite."""
        weights = _prices(self.program, self.weights)["prices"]["prices"]
        lower = {"contradiction": {"weights": weights}}
        return _certificate(self.program, "infinity", None, lower, None)


@frozen
class UnboundednessProof(Certified):
    """A feasible point and a direction in which the objective falls for ever.

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
        """Return the certificate for the kernel: there is no least value."""
        point = _point(self.program, self.primal)["point"]
        upper = {"ray": point | {"ray": _integers(self.ray)[1]}}
        return _certificate(self.program, None, "-infinity", None, upper)


@frozen
class ProgramBounds(Certified):
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

    question = "the optimum of a linear program"
    asked = ("program",)

    program: LinearProgram
    lower: Fraction | None
    upper: Fraction | None
    primal: tuple[Fraction, ...] | None
    dual: tuple[Fraction, ...] | None

    status = "not decided"

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, of the bounds that are known."""
        lower = None if self.dual is None else _prices(self.program, self.dual)
        upper = None if self.primal is None else _point(self.program, self.primal)
        ends = [None if v is None else encode_fraction(v) for v in (self.lower, self.upper)]
        return _certificate(self.program, ends[0], ends[1], lower, upper)


LinearOutcome = OptimalSolution | InfeasibilityProof | UnboundednessProof | ProgramBounds
"""Whatever solving a linear program may return; ``status`` says which, ``check()`` proves it."""


def _integers(values: Iterable[Fraction]) -> tuple[int, list[int | str]]:
    """Return fractions in parts of a unit."""
    listed = [Fraction(value) for value in values]
    unit = lcm(*(value.denominator for value in listed))
    return unit, encode_integers(int(value * unit) for value in listed)


def _written(value: int) -> int | str:
    return encode_integers([value])[0]


def _scales(program: LinearProgram) -> list[int]:
    """Return by what each constraint is multiplied to have integers alone."""
    return [
        lcm(c.bound.denominator, *(a.denominator for _, a in c.terms)) for c in program.constraints
    ]


def _point(program: LinearProgram, x: Sequence[Fraction]) -> dict[str, Any]:
    if len(x) != program.num_variables:
        raise CertificateError(f"primal must have {program.num_variables} entries, not {len(x)}")
    unit, values = _integers(x)
    return {"point": {"unit": _written(unit), "values": values}}


def _prices(program: LinearProgram, y: Sequence[Fraction]) -> dict[str, Any]:
    """Return prices of the constraints as they stand in a certificate."""
    if len(y) != len(program.constraints):
        raise CertificateError(f"dual must have {len(program.constraints)} entries, not {len(y)}")
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
    ends = (
        [None if end is None else encode_fraction(end) for end in side]
        for side in (program.lower, program.upper)
    )
    constraints = [
        [
            [[j, _written(int(a * m))] for j, a in c.terms],
            c.sense,
            _written(int(c.bound * m)),
        ]
        for c, m in zip(program.constraints, _scales(program), strict=True)
    ]
    instance: dict[str, Any] = {
        "type": "linear program",
        "unit": _written(unit),
        "objective": objective,
    }
    instance |= dict(zip(("lower", "upper"), ends, strict=True)) | {"constraints": constraints}
    return Certificate("linear_program", instance, {"lower": low, "upper": high}, lower, upper)
