"""The subjects of ``ccsim audit``, and the user's own mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.cli.output import show_fraction
from ccsim.cli.privacy.programs import query_neighbours, show_vector
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.instances.channels import NEIGHBOURS, Channel, read_channel
from ccsim.instances.functions import (
    RELATIONS,
    OwnMechanism,
    OwnProgram,
    is_function,
    named_relation,
    own_mechanism,
    read_domain,
)
from ccsim.privacy import Mechanism, NoiseProgram, QueryNeighbours
from ccsim.texts.reading import is_name_of_table

Show: TypeAlias = Callable[[Any], str]

_NEEDS = """give --mechanism NAME to audit a mechanism on a class; your own mechanism is a table, \
@channel.csv, or a function, module.py:function"""
_WAYS = {
    "all": "rows",
    "consecutive": "consecutive rows",
    "records": "rows whose labels differ in one record",
    "add-remove": "rows of which one has one record more",
}


@frozen
class Subject:
    """The audited mechanism, its neighbours, and the functions that print them."""

    name: str  # of the mechanism, for JSON
    short: str  # in pictures
    title: str
    mechanism: Mechanism[Any, Any] | NoiseProgram
    compared: Any  # the neighbours, as `ccsim.privacy.audit` takes them
    shown: tuple[Show, Show]  # texts of records and of outcomes
    labels: tuple[Show | None, Show | None]  # labels of them in a certificate, which are distinct
    data: Mapping[str, Any]
    about: tuple[tuple[str, str], ...] = field(default=())
    pairs_of: str = ""  # what the pairs are; by default neighbouring databases


def refuse_options(why: str, **given: object) -> None:
    """Refuse options that do not apply."""
    for name, value in given.items():
        if value is not None and value != ():
            flag = "--set" if name == "settings" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{flag} cannot be used {why}")


def own_subject(
    instance: str,
    neighbours: str | None,
    domain: str | None,
    options: dict[str, Any],
    budget: Budget,
) -> Subject:
    """Return the user's own mechanism, a table or a function, with the compared databases."""
    samples, queries = options.pop("samples"), options.pop("queries")
    key = options.pop("key")
    if is_function(instance):
        refuse_options("for a function, only with --mechanism", **options)
        records = None if domain is None else read_domain(domain)
        found = click.get_current_context().with_resource(own_mechanism(instance, records))
        if isinstance(found, OwnProgram) and found.program.records is not None:
            refuse_options("for a program on databases: give --samples",
                           queries=queries, domain=domain)  # fmt: skip
            return _on_databases(instance, found, neighbours or "replace", samples, key)
        if isinstance(found, OwnProgram):
            refuse_options("for a noise program: give --queries", samples=samples, key=key)
            compared, values = query_neighbours(neighbours, queries, domain)
            return _program(instance, found, compared, values)
        refuse_options("for a function of databases: give --samples", queries=queries)
        return _function(instance, found, neighbours, samples, key)
    if not instance.startswith("@"):
        if is_name_of_table(instance):
            raise UnreadableInputError(
                f"{instance[:80]!r} is the name of a file; write @{instance[:80]}"
            )
        raise click.UsageError(_NEEDS)
    refuse_options("for a table, only with --mechanism", **options)
    refuse_options("for a table: give --neighbours",
                   samples=samples, domain=domain, key=key, queries=queries)  # fmt: skip
    if neighbours is None:
        raise click.UsageError(f"give --neighbours: {NEIGHBOURS}")
    return _table(instance, neighbours, budget)


def _table(instance: str, neighbours: str, budget: Budget) -> Subject:
    channel = read_channel(instance[1:], budget)
    compared = channel.neighbours(neighbours, budget)
    size = f"{counted(len(channel.rows), 'row', 'rows')}"
    about = []
    if channel.normalised:
        change = f"largest change {show_fraction(channel.moved)}"
        about.append(
            ("normalised", f"{channel.normalised} of {size} divided by their sums; {change}")
        )
    return Subject(
        "table",
        channel.source,
        f"{channel.source}, {size} and {counted(len(channel.outputs), 'output', 'outputs')}",
        channel.mechanism,
        compared,
        (show_label, show_label),
        (str, str),
        {"instance": instance, "neighbours": neighbours} | _normalised(channel),
        tuple(about),
        _WAYS.get(neighbours, f"rows listed in {neighbours[1:]}"),
    )


def _normalised(channel: Channel) -> dict[str, Any]:
    return {"normalised_rows": channel.normalised, "largest_change": str(channel.moved)}


def _function(
    instance: str,
    found: OwnMechanism,
    neighbours: str | None,
    samples: tuple[int | None, int] | None,
    key: int | None,
) -> Subject:
    if samples is None:
        raise click.UsageError("give --samples M: the number of records of each database")
    least, most = samples
    listed = list(map(_shown, found.mechanism.records))
    data: dict[str, Any] = {"instance": instance, "domain": listed}
    about: tuple[tuple[str, str], ...] = ()
    compared: Any
    if neighbours is None and least is None and key is None:
        compared = found.neighbours(most)
    else:
        name = neighbours or "replace"
        compared = named_relation(found, name, (least, most), key)
        first, last = compared.sizes
        sizes = f"{first} to {last}" if first < last else str(last)
        about = (("neighbours", RELATIONS[name]), ("records of a database", sizes))
        data |= {"neighbours": name, "sizes": [first, last]}
    return Subject(
        "function",
        instance,
        f"{instance}, records {_first(listed)}",
        found.mechanism,
        compared,
        (_shown, _shown),
        (None, None),
        data,
        about,
    )


def _program(
    instance: str, found: OwnProgram, compared: QueryNeighbours, values: Mapping[str, Any]
) -> Subject:
    return Subject(
        "noise program",
        instance,
        f"{instance}, {counted(len(compared.vectors[0]), 'query', 'queries')}",
        found.program,
        compared,
        (show_vector, str),
        (show_vector, None),
        {"instance": instance, **values},
        tuple((name, str(value)) for name, value in values.items() if name == "neighbours"),
        "query vectors",
    )


def _on_databases(
    instance: str,
    found: OwnProgram,
    neighbours: str,
    samples: tuple[int | None, int] | None,
    key: int | None,
) -> Subject:
    if samples is None:
        raise click.UsageError("give --samples M: the number of records of each database")
    compared: Any = named_relation(found, neighbours, samples, key)
    first, last = compared.sizes
    sizes = f"{first} to {last}" if first < last else str(last)
    listed = list(map(_shown, found.program.records or ()))
    return Subject(
        "noise program",
        instance,
        f"{instance}, records {_first(listed)}",
        found.program,
        compared,
        (_database, str),
        (_database, None),
        {"instance": instance, "domain": listed, "neighbours": neighbours, "sizes": [first, last]},
        (("neighbours", RELATIONS[neighbours]), ("records of a database", sizes)),
        "databases",
    )


def _database(records: tuple[object, ...]) -> str:
    return " ".join(map(_shown, records)) or "no records"


def _first(listed: list[str]) -> str:
    """Return the first records, at most 8 and in at most 24 characters if possible."""
    number = min(8, len(listed))
    while number > 1 and len(", ".join(listed[:number])) > 24:
        number -= 1
    return ", ".join(listed[:number]) + (", ..." if number < len(listed) else "")


def _shown(value: object) -> str:
    """Return a record or an output; texts that look like numbers or lists are quoted."""
    is_word = isinstance(value, str) and any(map(str.isalpha, value)) and ";" not in value
    return str(value) if is_word else repr(value)
