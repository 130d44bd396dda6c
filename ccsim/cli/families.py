"""``ccsim families``: the names that arguments and options accept, and their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from ccsim.cli.output import echo_json
from ccsim.cli.parameters import Command
from ccsim.instances import protocols
from ccsim.texts import registry

_WIDTH = 76  # of texts; two columns of indented ones are up to four characters wider
_CLASSES = (registry.LEARNER_CLASSES, registry.MECHANISM_CLASSES, registry.SANITIZER_CLASSES)
_COMMANDS = {"learner": "learn", "mechanism": "audit", "sanitizer": "sanitize"}

_PAPERS = """
Papers: bbkn (Beimel, Brenner, Kasiviswanathan and Nissim), bns (Beimel, Nissim
and Stemmer) and fx (Feldman and Xiao); docs/claims.md lists their statements."""

_Entry = tuple[str, Sequence[str], Sequence[tuple[str, str]]]
"""A name, its description, and its parameters with their meanings."""


@click.command(cls=Command)
@click.option("--learners", is_flag=True, help="List the learners of 'ccsim learn' instead.")
@click.option("--mechanisms", is_flag=True, help="List the mechanisms of 'ccsim audit' instead.")
@click.option("--sanitizers", is_flag=True, help="List the sanitizers of 'ccsim sanitize' instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def families(*, as_json: bool, **asked: bool) -> None:
    """List the families of classes, problems and protocols, with their parameters.

    The parameters of families are integers, as in lines:p=5 or random:m=12,n=8,seed=0. A size
    above the limit of a family is an error.
    """
    chosen = [known for known in _CLASSES if asked[f"{known.what}s"]]
    kinds = {
        "INSTANCE": ("Classes and problems for INSTANCE", registry.describe_families()),
        "MULTICLASS": (
            "Classes with any number of labels for 'ccsim dimensions --multiclass'",
            registry.describe_families(registry.MULTICLASS_FAMILIES),
        ),
        "PROTOCOL": ("Protocols for 'ccsim protocol'", protocols.describe_protocols()),
    }
    if as_json and chosen:
        found = [row for known in chosen for row in registry.describe_classes(known)]
        if registry.LEARNER_CLASSES in chosen:
            found += [
                {"for": "rule learner", "name": name, "class": "", "parameters": [], "source": ""}
                | {"meaning": f"Choose {rule}."}
                for name, rule in _rules().items()
            ]
        echo_json(found)
    elif as_json:
        rows = [
            {"for": kind, "text": text, "meaning": meaning}
            for kind, (_, listed) in kinds.items()
            for text, meaning in listed
        ]
        echo_json(rows)
    elif chosen:
        for known in chosen:
            what = known.what
            _print(f"{what.capitalize()}s for 'ccsim {_COMMANDS[what]} --{what}'", _entries(known))
        if registry.LEARNER_CLASSES in chosen:
            rules: list[_Entry] = [(n, [f"Choose {rule}."], []) for n, rule in _rules().items()]
            _print("Learners of rules for 'ccsim learn --data --learner'", iter(rules))
        click.echo(_PAPERS.lstrip())
    else:
        for title, listed in kinds.values():
            _print(title, ((text, [meaning], []) for text, meaning in listed))


def _rules() -> Mapping[str, str]:
    """Return, for each learner of rules, a description of its rules."""
    from ccsim.learning.rules import LEARNERS

    return LEARNERS


def _entries(known: registry.Registry) -> Iterator[_Entry]:
    """Yield, for each class of a registry, its name, lines about it, and its parameters."""
    for row in registry.describe_classes(known):
        about = [row["meaning"]]
        if row["class"]:
            about.append(f"Class: {row['class']}.")
        if row["source"]:
            about.append(f"Source: {row['source']}.")
        yield row["name"], about, [(p["name"], p["in_words"]) for p in row["parameters"]]


def _print(title: str, entries: Iterator[_Entry]) -> None:
    """Print a section, with all texts wrapped."""
    formatter = click.HelpFormatter(width=_WIDTH)
    formatter.write_heading(title)
    for name, about, parameters in entries:
        formatter.write(f"  {name}\n")
        formatter.current_indent = 6
        formatter.write_text(" ".join(about).replace("`", ""))
        if parameters:
            formatter.write_dl([(f"{name}  ", meaning) for name, meaning in parameters])
        formatter.current_indent = 0
    click.echo(formatter.getvalue())
