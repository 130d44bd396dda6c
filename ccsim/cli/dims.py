"""``ccsim dims``: the dimensions of a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self, TypeVar

import click

from ccsim.budget import Budget
from ccsim.certificates import is_checked
from ccsim.classes import ConceptClass, Label
from ccsim.classes.given import as_class
from ccsim.cli.output import output_options, report, time_limit_option
from ccsim.cli.parameters import INSTANCE, Command
from ccsim.cli.terminal.progress import closing_in
from ccsim.cli.terminal.tables import Column, print_table
from ccsim.dimensions import (
    DimensionsResult,
    MistakeTree,
    dual_vc_dimension,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.pictures.labels import show_label

__all__ = ["dims"]

_NOT_DECIDED = 3
_PATIENCE = 10
"""Seconds for a check after an interrupt."""
_TITLES = ("Littlestone dimension", "VC dimension", "dual VC dimension")
_WIDTH = max(map(len, _TITLES))


class _Result(Protocol):
    """Bounds of one dimension, which can be checked."""

    @property
    def lower(self) -> int: ...
    @property
    def upper(self) -> int: ...
    def check(self, time_limit: Budget) -> None: ...
    def with_upper_by_size(self) -> Self: ...


_R = TypeVar("_R", bound=_Result)


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@time_limit_option(
    "Stop the searches after S seconds in all with the bounds proved by then.", default=60
)
@output_options
def dims(*, instance: str, time_limit: float, as_json: bool, certificate: str | None) -> int | None:
    """Print Littlestone, VC and dual VC dimension of the class INSTANCE, with witnesses.

    Each is printed as it comes. The time is shared: the Littlestone dimension gets at most a half
    of it, the VC dimension a half of what is then left. An interrupt (Ctrl-C) stops all searches
    like a time limit. Where the bounds of a dimension have not met, it is null in JSON beside
    NAME_lower and NAME_upper, and the exit status is 3. Where the time was enough for a search but
    not for the check of its upper bound, a note says so, and the certificate states a weaker one.
    """
    run = _Run(Budget(time_limit), aloud=not as_json)
    C = as_class(instance, run.budget)
    run.say("class", show_label(C))
    littlestone, stated_littlestone = run.solve(_TITLES[0], littlestone_dimension, C, 1 / 2)
    run.say(_TITLES[0], f"{_show(littlestone)}  {_root(C, littlestone.tree)}")
    vc, stated_vc = run.solve(_TITLES[1], vc_dimension, C, 1 / 2)
    run.say(_TITLES[1], f"{_show(vc)}  shattered points: {_listed(C.points, vc.points)}")
    dual_vc, stated_dual_vc = run.solve(_TITLES[2], dual_vc_dimension, C, 1)
    shattered = _listed(C.concepts, dual_vc.concepts)
    run.say(_TITLES[2], f"{_show(dual_vc)}  shattered concepts: {shattered}")
    for title in run.unchecked:
        run.say("note", f"the check of the upper bound of the {title} was stopped by the limit")
    if C.merged:
        rows = "1 row equal to an earlier one was"
        rows = rows if C.merged == 1 else f"{C.merged} rows equal to earlier ones were"
        run.say("note", f"{rows} merged")
    if certificate is not None:
        stated = DimensionsResult(stated_vc, stated_dual_vc, stated_littlestone)
        stated.certificate().write(certificate)
    data: dict[str, object] = {
        "instance": C.name,
        "concepts": len(C.concepts),
        "points": len(C.points),
    }
    found = {"vc": vc, "dual_vc": dual_vc, "littlestone": littlestone}
    for name, result in found.items():
        data[name] = result.lower if result.lower == result.upper else None
        if data[name] is None:
            data |= {f"{name}_lower": result.lower, f"{name}_upper": result.upper}
    names = dict(zip(_TITLES, ("littlestone", "vc", "dual_vc"), strict=True))
    data |= {"unchecked": [names[title] for title in run.unchecked], "merged": C.merged}
    if as_json:
        report(data, [], as_json=True)
    return _NOT_DECIDED if None in data.values() else None


class _Run:
    """Searches that share a time limit, and the lines printed meanwhile.

    Attributes
    ----------
    unchecked : list of str
        The dimensions whose upper bound there was no time to check.
    """

    def __init__(self, budget: Budget, *, aloud: bool) -> None:
        self.budget, self.aloud = budget, aloud
        self.unchecked: list[str] = []

    def say(self, name: str, value: str) -> None:
        """Print a line for people, at once."""
        if self.aloud:
            print_table([Column(least=_WIDTH), Column(breaks=True)], [(name, value)])

    def solve(
        self, title: str, solve: Callable[..., _R], C: ConceptClass, part: float
    ) -> tuple[_R, _R]:
        """Search with a part of the time left, and check; return what was found, and is certified.

        On a terminal the bounds are shown closing in.
        """
        with closing_in(title) as progress:
            budget = self.budget.share(part, progress=progress)
            result = solve(C, time_limit=budget)
            certified = result.with_upper_by_size()
            if is_checked(result, budget.grace(_PATIENCE)):
                certified = result
        if certified is not result:
            certified.check(Budget())
            self.unchecked.append(title)
        return result, certified


def _show(bounds: _Result) -> str:
    if bounds.lower == bounds.upper:
        return f"{bounds.lower}"
    return f"between {bounds.lower} and {bounds.upper}"


def _listed(labels: Sequence[Label], chosen: Sequence[int]) -> str:
    return ", ".join(show_label(labels[i]) for i in chosen) or "none"


def _root(C: ConceptClass, tree: MistakeTree | None) -> str:
    """Return the first questions of a mistake tree."""
    if tree is None or tree.depth == 0:
        return ""
    paths = ("", "0", "1") if tree.depth > 1 else ("",)
    asked = [show_label(C.points[tree.node(path)]) for path in paths]
    if len(asked) == 1:
        return f"mistake tree: asks {asked[0]}"
    return f"mistake tree: asks {asked[0]}, then {asked[1]} after label 0, {asked[2]} after label 1"
