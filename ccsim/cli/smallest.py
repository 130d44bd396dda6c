"""What ``ccsim represent`` prints when no hypotheses are given: the smallest representations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from ccsim.budget import Budget
from ccsim.certificates import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.labels import text_row
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import counted, on_terminal, report, show_fraction
from ccsim.pictures.labels import show_label
from ccsim.representation.compared_quantities import EquivalenceTable
from ccsim.representation.equivalence import equivalence_table
from ccsim.representation.random_size import (
    ProbabilisticSizeResult,
    probabilistic_representation_size,
)
from ccsim.representation.size import DeterministicSizeResult, deterministic_representation_size

__all__ = ["print_smallest"]

_SHOWN = 12


def print_smallest(
    C: ConceptClass,
    error: Fraction,
    failure: Fraction | None,
    *,
    proper: bool,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Search for a smallest representation, print it, and return the exit status."""
    limit = Budget(time_limit, on_terminal(_show_progress))
    pool = C.rows if proper else None
    table = None
    result: DeterministicSizeResult | ProbabilisticSizeResult
    if failure is None:
        result = deterministic_representation_size(C, error, pool, time_limit=limit)
    elif proper:
        result = probabilistic_representation_size(C, error, failure, pool, time_limit=limit)
    else:
        table = equivalence_table(C, error, failure, time_limit=limit)
        result = table.probabilistic
    (result if table is None else table).check()
    if certificate is not None:
        result.certificate().write(certificate)
    data: dict[str, Any] = {
        "instance": C.name,
        "kind": "deterministic" if failure is None else "probabilistic",
        "size": result.size if result.exact else None,
        "lower": result.lower,
        "upper": result.upper,
        "represents": True,
        "error": encode_fraction(error),
        "failure": None if failure is None else encode_fraction(failure),
        "proper": proper,
        "representation": _representation(result),
        "merged": C.merged,
    }
    if table is not None:
        data |= _table_json(table)
    report(data, _lines(C, result) + _table_lines(table), as_json=as_json)
    return 0 if result.exact else EXIT_NOT_DECIDED


def _show_progress(lower: object, upper: object) -> None:
    click.echo(f"between {lower} and {upper}", err=True)


def _representation(result: DeterministicSizeResult | ProbabilisticSizeResult) -> Any:  # noqa: ANN401
    if isinstance(result, DeterministicSizeResult):
        return result.representation.hypotheses.to_json()
    return result.representation.representation.to_json()


def _lines(
    C: ConceptClass, result: DeterministicSizeResult | ProbabilisticSizeResult
) -> list[tuple[str, str]]:
    size = f"{result.size}" if result.exact else f"between {result.lower} and {result.upper}"
    lines = [("class", show_label(C)), ("error", show_fraction(result.error))]
    if isinstance(result, DeterministicSizeResult):
        lines.append(("smallest representation", counted(size, "hypothesis", "hypotheses")))
        H = result.representation.hypotheses
        lines += [("hypothesis", row) for row in H.to_json()[:_SHOWN]]
        if H.size > _SHOWN:
            lines.append(("", f"and {H.size - _SHOWN} more"))
        return lines
    R = result.representation.representation
    lines += [
        ("failure probability", show_fraction(result.failure)),
        ("smallest random set", counted(size, "hypothesis", "hypotheses")),
        ("reached failure", show_fraction(result.representation.upper)),
    ]
    for weight, H in list(zip(R.weights, R.sets, strict=True))[:_SHOWN]:
        rows = " ".join(text_row(row, R.num_points) for row in H.rows)
        lines.append((f"set with {show_fraction(weight)}", rows))
    if len(R.sets) > _SHOWN:
        lines.append(("", f"and {len(R.sets) - _SHOWN} more"))
    return lines


def _table_json(table: EquivalenceTable) -> dict[str, Any]:
    return {
        "table": {q.name: {"lower": q.lower, "upper": q.upper} for q in table.quantities},
        "inequalities": [
            {
                "left": each.left,
                "right": each.right,
                "source": each.source,
                "holds": each.holds,
                "slack": each.slack,
            }
            for each in table.inequalities
        ],
    }


def _table_lines(table: EquivalenceTable | None) -> list[tuple[str, str]]:
    if table is None:
        return []
    lines = [
        (q.name, f"{q.upper}" if q.exact else f"between {q.lower} and {q.upper}")
        for q in table.quantities
    ]
    for each in table.inequalities:
        verdict = {True: "holds", False: "fails", None: "not decided"}[each.holds]
        slack = "" if each.slack is None else f", slack {each.slack}"
        lines.append((f"{each.left} <= {each.right}", f"{verdict}{slack} ({each.source})"))
    return lines
