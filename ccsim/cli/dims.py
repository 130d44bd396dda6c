"""``ccsim dims``: the dimensions of a class."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

import click

from ccsim.classes import ConceptClass
from ccsim.cli.output import output_options, report, show_label, time_limit_option
from ccsim.cli.parameters import INSTANCE, Command
from ccsim.dimensions import (
    DimensionsResult,
    MistakeTree,
    dual_vc_dimension,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.instances import parse_class

__all__ = ["dims"]

_NOT_DECIDED = 3


class _Bounds(Protocol):
    """Bounds of one dimension."""

    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...


_R = TypeVar("_R", bound=_Bounds)


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@time_limit_option("Stop the searches after S seconds in all with the bounds proved by then.")
@output_options
def dims(*, instance: str, time_limit: float, as_json: bool, certificate: str | None) -> int | None:
    """Print VC, dual VC and Littlestone dimension of the class INSTANCE, with witnesses.

    The time is shared: the VC dimension gets at most a third of it, the dual one half of what is
    then left. An interrupt (Ctrl-C) stops all searches like a time limit. Where the bounds of a
    dimension have not met, it is null in JSON beside NAME_lower and NAME_upper, and the exit status
    is 3.
    """
    C = parse_class(instance)
    clock = _Clock(time_limit)
    result = DimensionsResult(
        clock.run("VC dimension", vc_dimension, C, 3),
        clock.run("dual VC dimension", dual_vc_dimension, C, 2),
        clock.run("Littlestone dimension", littlestone_dimension, C, 1),
    )
    result.check()
    data: dict[str, object] = {
        "instance": C.name,
        "concepts": len(C.concepts),
        "points": len(C.points),
    }
    found: dict[str, _Bounds] = {
        "vc": result.vc,
        "dual_vc": result.dual_vc,
        "littlestone": result.littlestone,
    }
    for name, bounds in found.items():
        data[name] = bounds.lower if bounds.lower == bounds.upper else None
        if data[name] is None:
            data |= {f"{name}_lower": bounds.lower, f"{name}_upper": bounds.upper}
    data["merged"] = C.merged
    if certificate is not None:
        result.certificate().write(certificate)
    report(data, _lines(C, result), as_json=as_json)
    return _NOT_DECIDED if None in data.values() else None


class _Clock:
    """Time shared by several searches; once one is interrupted, the others do not begin."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds

    def run(self, title: str, solve: Callable[..., _R], C: ConceptClass, share: int) -> _R:
        """Run a search for at most one ``share``-th of the time left; show its bounds closing in.

        They are shown on a terminal only.
        """
        seconds = max(self.end - time.monotonic(), 0) / share
        until = time.monotonic() + seconds
        if not sys.stderr.isatty():
            result = solve(C, time_limit=seconds)
        else:

            def show(lower: int, upper: int) -> None:
                text = f"{title} between {lower} and {upper}"
                click.echo(f"\r{text:<60}", err=True, nl=False)

            result = solve(C, time_limit=seconds, progress=show)
            click.echo(f"\r{'':<60}\r", err=True, nl=False)
        if result.lower < result.upper and time.monotonic() < until:
            self.end = -math.inf  # interrupted
        return result


def _show(bounds: _Bounds) -> str:
    if bounds.lower == bounds.upper:
        return f"{bounds.lower}"
    return f"between {bounds.lower} and {bounds.upper}"


def _lines(C: ConceptClass, result: DimensionsResult) -> list[tuple[str, str]]:
    shattered = ", ".join(show_label(C.points[x]) for x in result.vc.points)
    dual = ", ".join(show_label(C.concepts[c]) for c in result.dual_vc.concepts)
    lines = [
        ("class", show_label(C)),
        ("VC dimension", f"{_show(result.vc)}  shattered points: {shattered or 'none'}"),
        ("dual VC dimension", f"{_show(result.dual_vc)}  shattered concepts: {dual or 'none'}"),
        (
            "Littlestone dimension",
            f"{_show(result.littlestone)}  {_root(C, result.littlestone.tree)}",
        ),
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
