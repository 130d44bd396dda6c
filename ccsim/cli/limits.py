"""``ccsim limits``: the sizes up to which the program goes, read from where they are kept."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import click

from ccsim.cli.output import echo_json
from ccsim.cli.parameters import Command
from ccsim.errors import DomainError

_ROOT = Path(__file__).parents[1]
_WIDTH = 80
_LARGE = 1 << 16


@click.command(cls=Command)
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def limits(words: tuple[str, ...], *, as_json: bool) -> None:
    """List the limits of the searches and tables, those whose lines hold all WORDs.

    Beyond a limit the answer is certified bounds where its line says so; elsewhere the question is
    refused in one line, which says the limit, before any work. Every search also heeds
    --time-limit.
    """
    rows = [
        row for row in _limits() if all(w.lower() in " ".join(map(str, row)).lower() for w in words)
    ]
    if not rows:
        raise DomainError(f"no limit has all of these words: {', '.join(words)}")
    if as_json:
        keys = ("where", "name", "value", "meaning", "beyond")
        echo_json([dict(zip(keys, (*row, _beyond(row[3])), strict=True)) for row in rows])
        return
    place = ""
    for where, name, value, meaning in rows:
        if where != place:
            click.echo(where)
            place = where
        power = value.bit_length() - 1
        shown = f"2^{power}" if value >= _LARGE and value == 1 << power else str(value)
        text = f"{shown}  {meaning} [{name}]"
        click.echo(textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="      "))


def _beyond(meaning: str) -> str:
    """Return what becomes of a question above a limit, which is said where the limit is set."""
    return meaning.partition("Beyond: ")[2].rstrip(".") or "refused"


def _limits() -> Iterator[tuple[str, str, int, str]]:
    """Yield the limits that are documented where they are set: module, name, value, meaning."""
    for path in sorted(_ROOT.rglob("*.py")):
        module = ".".join(path.relative_to(_ROOT.parent).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for node, after in pairwise(body):
            if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
                continue
            name = node.targets[0].id
            if not (name.startswith("MAX_") and isinstance(after, ast.Expr)):
                continue
            if isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
                value = getattr(import_module(module), name)
                meaning = " ".join(after.value.value.replace("`", "").split())
                yield module, name, value, meaning
