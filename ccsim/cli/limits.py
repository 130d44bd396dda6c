"""``ccsim limits``: the largest accepted sizes, read from the modules that define them."""

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
    """List the size limits of searches and tables, or only the limits that contain all WORDs.

    The text after "Beyond:" describes the answer for larger instances. If a limit has no such text,
    larger instances are refused before any work. Every search also respects --time-limit.
    """
    rows = [
        row for row in _limits() if all(w.lower() in " ".join(map(str, row)).lower() for w in words)
    ]
    if not rows:
        raise DomainError(
            f"no limit contains all of these words: {', '.join(words)}; 'ccsim limits' lists all"
        )
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
    """Return the consequence of exceeding a limit, as documented where the limit is defined."""
    return meaning.partition("Beyond: ")[2].rstrip(".") or "refused"


def _limits() -> Iterator[tuple[str, str, int, str]]:
    """Yield the documented limits: module, name, value, meaning."""
    for path in sorted(_ROOT.rglob("*.py")):
        module = ".".join(path.relative_to(_ROOT.parent).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        text = path.read_text(encoding="utf-8") + "\n\n\n"
        last = text.rfind("\nMAX_")
        text = text[: text.find("\n\n\n", last)] if last >= 0 else ""  # limits precede functions
        body, lines = ast.parse(text).body, text.splitlines()
        for node, after in pairwise([*body, None]):
            if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
                continue
            name = node.targets[0].id
            if name.startswith("MAX_") and (meaning := _meaning(node, after, lines)):
                value = _value(node.value, module, name)
                yield module, name, value, " ".join(meaning.replace("`", "").split())


def _value(node: ast.expr, module: str, name: str) -> int:
    """Return the value of a limit by evaluating its expression, or else by importing its module."""
    try:
        return int(eval(compile(ast.Expression(node), module, "eval"), {}))  # noqa: S307 - our code
    except NameError:
        return int(getattr(import_module(module), name))


def _meaning(node: ast.Assign, after: ast.stmt | None, lines: list[str]) -> str:
    """Return the text below a limit, or the comment next to or above it, as a sentence."""
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        return str(after.value.value)
    comment = lines[node.lineno - 1].partition("  # ")[2]
    first = node.lineno - 1
    while not comment and first and lines[first - 1].startswith("# "):
        first -= 1
    comment = comment or " ".join(line[2:] for line in lines[first : node.lineno - 1])
    return f"{comment[:1].upper()}{comment[1:].rstrip('.')}." if comment else ""
