"""``ccsim families``: what an INSTANCE text, or the name of a protocol, may be."""

from __future__ import annotations

import textwrap

import click

from ccsim.cli.output import echo_json
from ccsim.cli.parameters import Command
from ccsim.instances import protocols
from ccsim.texts import registry

_WIDTH = 80


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def families(*, as_json: bool) -> None:
    """List the families of classes, problems and protocols, with their parameters.

    All parameters are integers, as in lines:p=5 or random:m=12,n=8,seed=0. A family refuses sizes
    that are too large, and says its limit.
    """
    kinds = {
        "INSTANCE": registry.describe_families(),
        "PROTOCOL": protocols.describe_families(),
    }
    if as_json:
        rows = [
            {"for": kind, "text": text, "meaning": meaning}
            for kind, listed in kinds.items()
            for text, meaning in listed
        ]
        echo_json(rows)
        return
    for kind, listed in kinds.items():
        click.echo(
            f"{kind}, as 'ccsim {'dimensions' if kind == 'INSTANCE' else 'protocol'}' takes it"
        )
        for text, meaning in listed:
            click.echo(f"  {text}")
            plain = meaning.replace("``", "").replace("`", "")
            click.echo(
                textwrap.fill(plain, _WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6)
            )
