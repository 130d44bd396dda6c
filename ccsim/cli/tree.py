"""``ccsim tree``: a deepest mistake tree of a class, drawn or written out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ccsim.appearance import show_label
from ccsim.budget import Budget
from ccsim.certificates import is_checked, write_text_atomically
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.output import report, time_limit_option
from ccsim.cli.parameters import INSTANCE, Command, Picture
from ccsim.dimensions import LittlestoneResult, littlestone_dimension
from ccsim.dimensions.mistake_trees import Node
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.pictures import draw_mistake_tree, save_figure
from ccsim.pictures.figures import SUFFIXES
from ccsim.pictures.mistake_tree import draw_tree

_MAX_DEPTH = {**dict.fromkeys(SUFFIXES, 7), ".txt": 14, ".json": 14}
"""Deepest tree that is written, by the ending of the file."""
_NOT_DECIDED = 3


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--out",
    required=True,
    type=Picture(".txt", ".json"),
    metavar="FILE",
    help="Picture (.svg, .png, .pdf, .tikz, .tex), indented text (.txt) or .json.",
)
@time_limit_option("Stop the search after S seconds with the deepest tree found by then.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def tree(*, instance: str, out: str, time_limit: float, as_json: bool) -> int | None:
    """Write a deepest complete mistake tree of the class INSTANCE to a file.

    Inner nodes are points, edges their labels, leaves concepts that agree with the path to them.
    The exit status is 3 if there may be a deeper tree.
    """
    path = Path(out)
    ending = path.suffix.lower()
    budget = Budget(time_limit)
    C = as_class(instance, budget)
    found = littlestone_dimension(C, time_limit=budget)
    result = found if is_checked(found, budget) else found.with_upper_by_size()
    if result.tree is None:
        raise DomainError(f"{show_label(C)}: the empty class has no mistake tree")
    depth = result.lower
    if depth > _MAX_DEPTH[ending]:
        raise InstanceTooLargeError(
            f"a tree of depth {depth} is too large for {ending}, the limit is {_MAX_DEPTH[ending]}"
        )
    if ending in SUFFIXES:
        draw_tree(path, C, result.tree.root, depth)
    elif ending == ".txt":
        write_text_atomically(path, "\n".join(_lines(C, result.tree.root)) + "\n")
    else:
        write_text_atomically(path, json.dumps(_labelled(C, result.tree.root), indent=1) + "\n")
    data = {"instance": C.name, "depth": depth, "exact": result.exact, "file": out}
    known = "" if result.exact else f", Littlestone dimension at most {result.upper}"
    lines = [("class", show_label(C)), ("mistake tree", f"depth {depth}{known}"), ("file", out)]
    report(data, lines, as_json=as_json)
    return None if result.exact else _NOT_DECIDED


def draw_found(C: ConceptClass, found: object, out: str) -> None:
    """Draw the mistake tree, if there is one; deep nodes are left out."""
    if not isinstance(found, LittlestoneResult) or found.tree is None:
        click.echo("no picture was written: the empty class has no mistake tree", err=True)
        return
    save_figure(out, draw_mistake_tree(C, found.tree))


def _lines(C: ConceptClass, node: Node, before: str = "") -> list[str]:
    """Return the tree as text, a line for each node, indented by its depth."""
    indent = "  " * (len(before) // 3)
    if isinstance(node, int):
        return [f"{indent}{before[-3:]}{show_label(C.concepts[node])}"]
    point, *sides = node
    lines = [f"{indent}{before[-3:]}asks {show_label(C.points[point])}"]
    for label, side in enumerate(sides):
        lines += _lines(C, side, f"{before}{label}: ")
    return lines


def _labelled(C: ConceptClass, node: Node) -> dict[str, Any]:
    """Return the tree with labels: ``point`` with ``0`` and ``1``, or ``concept``."""
    if isinstance(node, int):
        return {"concept": C.concepts[node]}
    point, zero, one = node
    return {"point": C.points[point], "0": _labelled(C, zero), "1": _labelled(C, one)}
