"""``ccsim dims``: the dimensions of a class."""

from __future__ import annotations

import math
import sys

import click

from ccsim.classes import ConceptClass
from ccsim.cli.output import output_options, report, show_label
from ccsim.dimensions import (
    DimensionsResult,
    LittlestoneResult,
    MistakeTree,
    dual_vc_dimension,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.instances import parse_class

__all__ = ["dims"]

_NOT_DECIDED = 3


@click.command()
@click.argument("instance")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    default=math.inf,
    metavar="S",
    help="Stop the search for mistake trees after S seconds with the bounds proved by then.",
)
@output_options
def dims(*, instance: str, time_limit: float, as_json: bool, certificate: str | None) -> int | None:
    """Print VC, dual VC and Littlestone dimension of the class INSTANCE, with witnesses.

    An interrupt (Ctrl-C) stops the search for mistake trees like a time limit. The exit status is 3
    if the bounds of the Littlestone dimension have not met.
    """
    C = parse_class(instance)
    result = DimensionsResult(vc_dimension(C), dual_vc_dimension(C), _littlestone(C, time_limit))
    result.check()
    ldim = result.littlestone
    data = {
        "instance": C.name,
        "concepts": len(C.concepts),
        "points": len(C.points),
        "vc": result.vc.value,
        "dual_vc": result.dual_vc.value,
        "littlestone": ldim.value if ldim.exact else None,
        "merged": C.merged,
    }
    if not ldim.exact:
        data |= {"littlestone_lower": ldim.lower, "littlestone_upper": ldim.upper}
    if certificate is not None:
        result.certificate().write(certificate)
    report(data, _lines(C, result), as_json=as_json)
    return None if ldim.exact else _NOT_DECIDED


def _littlestone(C: ConceptClass, time_limit: float) -> LittlestoneResult:
    """Return the Littlestone dimension; on a terminal, show both bounds closing in."""
    if not sys.stderr.isatty():
        return littlestone_dimension(C, time_limit=time_limit)

    def show(lower: int, upper: int) -> None:
        text = f"Littlestone dimension between {lower} and {upper}"
        click.echo(f"\r{text:<60}", err=True, nl=False)

    result = littlestone_dimension(C, time_limit=time_limit, progress=show)
    click.echo(f"\r{'':<60}\r", err=True, nl=False)
    return result


def _lines(C: ConceptClass, result: DimensionsResult) -> list[tuple[str, str]]:
    shattered = ", ".join(show_label(C.points[x]) for x in result.vc.points)
    dual = ", ".join(show_label(C.concepts[c]) for c in result.dual_vc.concepts)
    ldim = result.littlestone
    bounds = f"{ldim.value}" if ldim.exact else f"between {ldim.lower} and {ldim.upper}"
    lines = [
        ("class", show_label(C)),
        ("VC dimension", f"{result.vc.value}  shattered points: {shattered or 'none'}"),
        ("dual VC dimension", f"{result.dual_vc.value}  shattered concepts: {dual or 'none'}"),
        ("Littlestone dimension", f"{bounds}  {_root(C, ldim.tree)}"),
    ]
    if C.merged:
        rows = "1 row equal to an earlier one was"
        rows = rows if C.merged == 1 else f"{C.merged} rows equal to earlier ones were"
        lines.append(("note", f"{rows} merged"))
    return lines


def _root(C: ConceptClass, tree: MistakeTree | None) -> str:
    """Return the first questions of a mistake tree."""
    if tree is None or tree.depth == 0:
        return ""
    paths = ("", "0", "1") if tree.depth > 1 else ("",)
    asked = [show_label(C.points[tree.node(path)]) for path in paths]
    if len(asked) == 1:
        return f"mistake tree: asks {asked[0]}"
    return f"mistake tree: asks {asked[0]}, then {asked[1]} after label 0, {asked[2]} after label 1"
