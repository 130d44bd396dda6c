"""``ccsim predict``: the predictions of a learned rule for other records."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import click

from ccsim.appearance import counted
from ccsim.certificates.files import STANDARD_INPUT, write_text_atomically
from ccsim.cli.output import report
from ccsim.cli.parameters import INPUT, OUTPUT, Command
from ccsim.errors import DomainError
from ccsim.instances.records import read_people
from ccsim.learning.rules import RuleModel, read_model


@click.command(cls=Command)
@click.argument("model", type=INPUT)
@click.option(
    "--data",
    required=True,
    type=INPUT,
    metavar="FILE",
    help="Table of records, with a header (- for stdin).",
)
@click.option("--out", type=OUTPUT, metavar="FILE", help="Write the table to FILE.")
@click.option(
    "--score",
    is_flag=True,
    help="Count wrong predictions; the table has the target column.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def predict(*, model: str, data: str, out: str | None, score: bool, as_json: bool) -> None:
    """Apply the rule in the file MODEL, written by 'ccsim learn --data', to other records.

    The output is the table with an additional column predicted_NAME. The table needs the columns
    that the rule uses; other columns are copied.
    """
    if model.removeprefix("@") == data.removeprefix("@") == STANDARD_INPUT:
        raise click.UsageError("only one of MODEL and --data can be standard input")
    known = read_model(STANDARD_INPUT if model == f"@{STANDARD_INPUT}" else model)
    header, records = read_people(data)
    added = f"predicted_{known.target}"
    if added in header:
        raise DomainError(f"{data}: the table must not have a column {added}; rename it")
    try:
        found = known.predict(records)
    except DomainError as error:
        raise DomainError(f"{data}: {error}") from None
    wrong = (
        _wrong(known, found, [record.get(known.target) for record in records], data)
        if score
        else None
    )
    if as_json or out is not None or score:
        if out is not None:
            write_text_atomically(out, _table([*header, added], records, found))
        sizes = {label: found.count(label) for label in known.labels}
        result = {
            "target": known.target,
            "rule": known.in_words,
            "privacy": known.privacy,
            "records": len(found),
            "predicted": sizes,
            "wrong": wrong,
            "predictions": found,
            "file": out,
        }
        lines = [
            ("rule", f"{known.target}: {known.in_words}"),
            ("privacy", known.privacy),
            ("records", ", ".join(f"{n} {label}" for label, n in sizes.items())),
        ]
        if wrong is not None:
            of = counted(len(found), "record", "records")
            lines.append(("wrong", f"{wrong} of {of}; NOT PRIVATE if these records are private"))
        if out is not None:
            lines.append(("written to", out))
        report(result, lines, as_json=as_json)
    else:
        click.echo(_table([*header, added], records, found), nl=False)


def _wrong(model: RuleModel, found: Sequence[str], true: Sequence[str | None], source: str) -> int:
    """Return the number of predictions that differ from the target column."""
    for number, label in enumerate(true, 1):
        if label not in model.labels:
            what = "there is no column" if label is None else "not a label of"
            raise DomainError(f"{source}: record {number}: {what} {model.target}")
    return sum(a != b for a, b in zip(found, true, strict=True))


def _table(header: Sequence[str], records: Sequence[dict[str, str]], found: Sequence[str]) -> str:
    """Return the records with the predictions as comma-separated text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    for record, label in zip(records, found, strict=True):
        writer.writerow([*record.values(), label])
    return stream.getvalue()
