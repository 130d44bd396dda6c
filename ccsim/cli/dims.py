"""``ccsim dims``: the dimensions of a class."""

from __future__ import annotations

import click

from ccsim.classes import ConceptClass
from ccsim.cli.output import output_options, report, show_label
from ccsim.dimensions import DimensionsResult, MistakeTree, dimensions
from ccsim.instances import parse_class

__all__ = ["dims"]


@click.command()
@click.argument("instance")
@output_options
def dims(*, instance: str, as_json: bool, certificate: str | None) -> None:
    """Print VC, dual VC and Littlestone dimension of the class INSTANCE, with witnesses."""
    C = parse_class(instance)
    result = dimensions(C)
    result.check()
    data = {
        "instance": C.name,
        "concepts": len(C.concepts),
        "points": len(C.points),
        "vc": result.vc.value,
        "dual_vc": result.dual_vc.value,
        "littlestone": result.littlestone.value,
        "merged": C.merged,
    }
    if certificate is not None:
        result.certificate().write(certificate)
    report(data, _lines(C, result), as_json=as_json)


def _lines(C: ConceptClass, result: DimensionsResult) -> list[tuple[str, str]]:
    shattered = ", ".join(show_label(C.points[x]) for x in result.vc.points)
    dual = ", ".join(show_label(C.concepts[c]) for c in result.dual_vc.concepts)
    ldim = result.littlestone
    lines = [
        ("class", show_label(C)),
        ("VC dimension", f"{result.vc.value}  shattered points: {shattered or 'none'}"),
        ("dual VC dimension", f"{result.dual_vc.value}  shattered concepts: {dual or 'none'}"),
        ("Littlestone dimension", f"{ldim.value}  {_root(C, ldim.tree)}"),
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
