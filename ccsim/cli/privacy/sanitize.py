"""``ccsim sanitize``: a private release of the records in a file."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates.files import write_text_atomically
from ccsim.cli.output import (
    NOT_PRIVATE,
    noise_data,
    report,
    show_coins,
    show_fraction,
    time_limit_option,
)
from ccsim.cli.parameters import INPUT, INSTANCE, OUTPUT, Command, Integer, Rational
from ccsim.cli.privacy.released import Asked, RecordDomain, Released, Sanitizer
from ccsim.cli.privacy.sanitizers import SANITIZERS
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.probability import randomness
from ccsim.instances.records import read_records
from ccsim.learning.sample_size import check_parameters
from ccsim.texts.labels import Label

_PURE = ("blum-ligett-roth", "counted-tree", "quantile-tree")
_DELTA = Fraction(1, 10**6)
_SHOWN = 5
_MOST_COPIES = 1 << 24
"""Most lines of a database that is written out."""


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--records",
    type=INPUT,
    required=True,
    metavar="FILE",
    help="One record a line, a column of a CSV file (--column), or a list in a .json file.",
)
@click.option("--column", metavar="NAME", help="Column of the records; the first row is a header.")
@click.option(
    "--sanitizer",
    required=True,
    type=click.Choice(sorted(SANITIZERS)),
    help="Of points: stability-histogram, and the paper's san-points; of sets of k points: "
    "k-points. Of thresholds: counted-tree and quantile-tree, pure, the first also for heavy ties, "
    "and the paper's san-thresholds. Of any small "
    "class: blum-ligett-roth, pure.",
)
@click.option("--epsilon", required=True, metavar="E", help="1, 1/2 or a logarithm such as 'ln 3'.")
@click.option(
    "--delta",
    type=Rational(0, 1),
    metavar="D",
    help="Not for trees and blum-ligett-roth; 1/1000000 unless given.",
)
@click.option("--accuracy", default="1/10", show_default=True, metavar="A", help="Wanted error.")
@click.option("--failure", default="1/10", show_default=True, metavar="F", help="Chance of more.")
@click.option("--require-theorem", is_flag=True, help="Refuse fewer records than the theorem's.")
@click.option("--levels", type=Integer(1), default=4, show_default=True, help="Of quantile-tree.")
@click.option("--size", type=Integer(1), metavar="S", help="Of the output of blum-ligett-roth.")
@click.option(
    "--error",
    "with_error",
    is_flag=True,
    help="Also print the largest query error, exactly. It is computed from the records and is not "
    "private.",
)
@click.option(
    "--out",
    type=OUTPUT,
    metavar="FILE",
    help="Write the release to FILE, whole or not at all: JSON if its name ends in .json, else "
    "text: the synthetic records, one a line, or points with their shares.",
)
@click.option(
    "--seed",
    type=Integer(0),
    metavar="N",
    help="Repeat a release, for demonstrations: NOT PRIVATE, as a seed makes the noise known.",
)
@time_limit_option("Stop after S seconds, without a release.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sanitize(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    records: str,
    column: str | None,
    sanitizer: str,
    epsilon: str,
    delta: Fraction | None,
    accuracy: str,
    failure: str,
    require_theorem: bool,
    levels: int,
    size: int | None,
    with_error: bool,
    out: str | None,
    seed: int | None,
    time_limit: float,
    as_json: bool,
) -> None:
    """Release the records in a file privately, for all queries of INSTANCE.

    INSTANCE is points:b=1 to 64, thresholds:b=1 to 64, k_points:b=...,k=..., or a class whose
    concepts are single points, or first points; for blum-ligett-roth any small class. The records
    are integers, or the labels of the points, which the release keeps. The number of records is
    public. Neighbours have one record that is another.
    """
    budget = Budget(time_limit)
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    check_parameters(allowed, missed, bound)
    _check_options(sanitizer, delta, size)
    given = _DELTA if delta is None else delta
    chosen = SANITIZERS[sanitizer](
        Asked(instance, allowed, missed, bound, given, levels, size), budget
    )
    domain = chosen.domain
    listed = read_records(records, domain.reader(), domain.expected, column, budget)
    promise = _promise(chosen, len(listed), allowed, missed, require_theorem=require_theorem)
    with budget.heard():
        released = chosen.draw(listed, randomness(seed))
    data = _data(instance, sanitizer, chosen, released, seed) | {"records": len(listed), **promise}
    if out is not None:
        write_text_atomically(out, _text(out, domain, released, data))
    lines = _lines(data, domain, released, out)
    if with_error:
        worst = released.error()
        data["error"] = {
            "query": worst.query,
            "true": str(worst.true),
            "released": str(worst.released),
            "error": str(worst.error),
        }
        lines.append(("largest error", f"{show_fraction(worst.error)}, at {_query(worst.query)}"))
        data["not_private"] = [*data["not_private"], "error"]
        lines.append(("", NOT_PRIVATE))
    report(data, lines, as_json=as_json)


def _check_options(sanitizer: str, delta: Fraction | None, size: int | None) -> None:
    """Refuse options that are for other sanitizers."""
    if delta is not None and sanitizer in _PURE:
        raise click.UsageError(f"--delta is not for {sanitizer}, whose delta is 0")
    if size is not None and sanitizer != "blum-ligett-roth":
        raise click.UsageError(f"--size is for blum-ligett-roth, not {sanitizer}")


def _promise(
    chosen: Sanitizer, size: int, accuracy: Fraction, failure: Fraction, *, require_theorem: bool
) -> dict[str, Any]:
    """Return what is promised of the error, with the number of records that it takes."""
    reason, needed = "", None
    try:
        needed = chosen.needed()
    except DomainError as error:
        reason = str(error)
    if needed is not None and size < needed:
        reason = f"records must be at least {needed} for the theorem, not {size}"
    if require_theorem and reason:
        raise DomainError(reason)
    return {
        "accuracy": str(accuracy),
        "failure": str(failure),
        "theorem": needed,
        "promised": not reason,
        "reason": reason,
    }


def _data(
    instance: str, name: str, chosen: Sanitizer, released: Released, seed: int | None
) -> dict[str, Any]:
    epsilon, delta = chosen.privacy
    value = "copies" if released.kind == "database" else "share"
    return {
        "instance": instance,
        "sanitizer": name,
        "epsilon": str(epsilon),
        "delta": str(delta),
        **noise_data(_guarantee(epsilon, delta), seed, ["release", *released.more]),
        "seed": seed,
        "kind": released.kind,
        "release": [
            {"value": chosen.domain.name(x), value: n if isinstance(n, int) else str(n)}
            for x, n in released.items
        ],
        **released.more,
    }


def _lines(
    data: dict[str, Any], domain: RecordDomain, released: Released, out: str | None
) -> list[tuple[str, str]]:
    guarantee = f"error at most {data['accuracy']}, except with probability {data['failure']}"
    if not data["promised"]:
        guarantee += f"; not promised: {data['reason']}"
    size = sum(n for _, n in released.items) if released.kind == "database" else len(released.items)
    what = ("record", "records") if released.kind == "database" else ("share", "shares")
    shown = ", ".join(
        f"{show_label(domain.name(x))}{f' x {n}' if isinstance(n, int) else f': {float(n):.6g}'}"
        for x, n in released.items[:_SHOWN]
    )
    more = ", ..." if len(released.items) > _SHOWN else ""
    lines = [
        ("sanitizer", f"{data['sanitizer']} of {data['instance']}"),
        ("privacy", data["privacy"]),
        ("coins", show_coins(data["seed"])),
        ("records", str(data["records"])),
        ("guarantee", guarantee),
        ("released", f"{counted(str(size), *what)}{f': {shown}{more}' if shown else ''}"),
    ]
    if "calls" in data:
        lines.append(("calls", f"{data['calls']} of {data['allowed']} that are allowed"))
    if out is not None:
        lines.append(("written to", out))
    return lines


def _guarantee(epsilon: Epsilon, delta: Fraction) -> str:
    stated = [
        show_fraction(Fraction(text)) if _is_long(text) else text
        for text in (str(epsilon), str(delta))
    ]
    return f"epsilon = {stated[0]}, delta = {stated[1]}, if one record is replaced"


def _is_long(text: str) -> bool:
    """Tell whether a number is too long for a line of text; logarithms are not."""
    return len(text) > 2 * _SHOWN + 10 and text.replace("/", "").isdigit()


def _query(label: Label) -> str:
    return f"query {show_label(label)}"


def _text(out: str, domain: RecordDomain, released: Released, data: dict[str, Any]) -> str:
    """Return the contents of a file with the release."""
    if Path(out).suffix.lower() == ".json":
        return json.dumps(data) + "\n"
    copies = sum(n for _, n in released.items if isinstance(n, int))
    if copies > _MOST_COPIES:
        raise InstanceTooLargeError(
            f"a text holds at most {_MOST_COPIES} records, not {copies}: write a .json file"
        )
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if released.kind == "shares":
        writer.writerow(["value", "share"])
        writer.writerows([domain.name(x), str(share)] for x, share in released.items)
    else:
        for x, n in released.items:
            writer.writerows([[domain.name(x)]] * int(n))
    return stream.getvalue()
