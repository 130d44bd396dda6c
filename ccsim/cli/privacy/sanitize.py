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
from ccsim.cli.parameters import EPSILON, INPUT, INSTANCE, OUTPUT, Command, Integer, Rational
from ccsim.cli.privacy.domains import RecordDomain, domain_of
from ccsim.cli.privacy.registered import (
    parameter_options,
    registered_option,
    settings_of,
)
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.probability import randomness
from ccsim.instances.records import read_records
from ccsim.learning.sample_size import check_parameters
from ccsim.release.sanitizer import Release, Sanitizer
from ccsim.texts.labels import Label
from ccsim.texts.registry import SANITIZER_CLASSES

_DELTA = Fraction(1, 10**6)
_SHOWN = 5
_MOST_COPIES = 1 << 24
"""Maximum number of lines of a database in a text file."""


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option(
    "--records",
    type=INPUT,
    required=True,
    metavar="FILE",
    help="Records: one per line, a column, or a JSON list.",
)
@click.option(
    "--column", metavar="NAME", help="Column that contains the records, in a file with a header."
)
@registered_option(SANITIZER_CLASSES)
@click.option(
    "--epsilon",
    required=True,
    type=EPSILON,
    metavar="E",
    help="Privacy parameter, e.g. 1/2 or 'ln 3'.",
)
@click.option(
    "--delta",
    type=Rational(0, 1),
    metavar="D",
    help="Privacy parameter delta (default 1/1000000).",
)
@click.option("--accuracy", default="1/10", show_default=True, metavar="A",
              help="Largest intended error.")  # fmt: skip
@click.option("--failure", default="1/10", show_default=True, metavar="F",
              help="Allowed probability of a larger error.")  # fmt: skip
@click.option(
    "--require-theorem", is_flag=True, help="Refuse fewer records than the theorem needs."
)
@parameter_options(SANITIZER_CLASSES)
@click.option(
    "--error",
    "with_error",
    is_flag=True,
    help="Also print the largest query error; NOT PRIVATE.",
)
@click.option(
    "--out",
    type=OUTPUT,
    metavar="FILE",
    help="Write the release to FILE, as text or as .json.",
)
@click.option(
    "--seed",
    type=Integer(0),
    metavar="N",
    help="Seed of a demonstration; the output is NOT PRIVATE.",
)
@time_limit_option("Stop after S seconds without a release.")
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
    with_error: bool,
    out: str | None,
    seed: int | None,
    time_limit: float,
    as_json: bool,
    **options: object,
) -> None:
    """Release the records in a file privately, for all queries of INSTANCE.

    INSTANCE is points:b=B or thresholds:b=B with B from 1 to 64, k_points:b=B,k=K, or a class of
    points or thresholds; for blum-ligett-roth any small class. The records are integers, or labels
    of the points of the class. The number of records is public. Neighbouring databases differ in
    one record. The sanitizers quantile-tree, counted-tree and blum-ligett-roth have delta = 0.
    """
    budget = Budget(time_limit)
    allowed, missed = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    check_parameters(allowed, missed, bound)
    kind = SANITIZER_CLASSES.load_class(sanitizer)
    if delta is not None and getattr(kind, "is_pure", False):
        raise click.UsageError(f"--delta cannot be used with {sanitizer}, whose delta is 0")
    given = settings_of(SANITIZER_CLASSES, sanitizer, (), options)
    given |= {"accuracy": allowed, "failure": missed, "epsilon": bound}
    domain, known = domain_of(instance, kind.family, budget)
    given |= known | {"delta": _DELTA if delta is None else delta}
    chosen = kind.for_task(**given)
    listed = read_records(records, domain.reader(), domain.expected, column, budget)
    promise = _promise(kind, len(listed), given, require_theorem=require_theorem)
    with budget.heard():
        released = chosen.release_records(listed, randomness(seed))
    data = _data(instance, sanitizer, chosen, domain, released, seed) | {
        "records": len(listed),
        **promise,
    }
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


def _promise(
    kind: type[Sanitizer], size: int, given: dict[str, Any], *, require_theorem: bool
) -> dict[str, Any]:
    """Return the guarantee on the error, with the required number of records."""
    reason, needed = "", None
    try:
        needed = kind.least_records(**given)
    except DomainError as error:
        reason = str(error)
    if needed is not None and size < needed:
        verb = "is" if size == 1 else "are"
        reason = f"the theorem needs at least {needed} records, but there {verb} {size}"
    if require_theorem and reason:
        raise DomainError(reason)
    return {
        "accuracy": str(given["accuracy"]),
        "failure": str(given["failure"]),
        "theorem": needed,
        "promised": not reason,
        "reason": reason,
    }


def _data(
    instance: str,
    name: str,
    chosen: Sanitizer,
    domain: RecordDomain,
    released: Release,
    seed: int | None,
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
            {"value": domain.name(x), value: n if isinstance(n, int) else str(n)}
            for x, n in released.items
        ],
        **{key: _named(value, domain) for key, value in released.more.items()},
    }


def _named(value: object, domain: RecordDomain) -> object:
    """Return an output; intervals of record numbers are converted to records as in the file."""
    if not isinstance(value, tuple):
        return value
    return [[domain.name(first), domain.name(last)] for first, last in value]


def _lines(
    data: dict[str, Any], domain: RecordDomain, released: Release, out: str | None
) -> list[tuple[str, str]]:
    guarantee = f"error at most {data['accuracy']}, except with probability {data['failure']}"
    if not data["promised"]:
        guarantee = f"none for {guarantee}: {data['reason']}"
    size = released.copies if released.kind == "database" else len(released.items)
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
    if "least_kept" in data:
        text = f"{data['least_kept']}; values with a smaller noisy count are left out"
        lines.append(("least kept", text))
    if "calls" in data:
        lines.append(("calls", f"{data['calls']} of at most {data['allowed']}"))
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
    """Return whether a text is a number that is too long for a line; logarithms never are."""
    return len(text) > 2 * _SHOWN + 10 and text.replace("/", "").isdigit()


def _query(label: Label) -> str:
    return f"query {show_label(label)}"


def _text(out: str, domain: RecordDomain, released: Release, data: dict[str, Any]) -> str:
    """Return the contents of a file with the release."""
    if Path(out).suffix.lower() == ".json":
        return json.dumps(data) + "\n"
    copies = released.copies
    if copies > _MOST_COPIES:
        raise InstanceTooLargeError(
            f"a text file must have at most {_MOST_COPIES} records, not {copies}; write a .json "
            "file"
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
