"""``ccsim predict``: the predictions of a learned rule for other records."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import tee

import click

from ccsim.appearance import counted
from ccsim.certificates.files import STANDARD_INPUT, write_bytes_atomically
from ccsim.cli.output import report
from ccsim.cli.parameters import INPUT, OUTPUT, Command
from ccsim.errors import DomainError
from ccsim.instances.records import people_blocks
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
    header, blocks = people_blocks(data)
    added = f"predicted_{known.target}"
    if added in header:
        raise DomainError(f"{data}: the table must not have a column {added}; rename it")
    shows_table = out is not None or not (as_json or score)
    done = _Predicted(known, [*header, added], keeps=as_json, writes=shows_table, scores=score)
    try:
        done.predict(blocks)
    except DomainError as error:
        raise DomainError(f"{data}: {error}") from None
    wrong = done.wrong(data) if score else None
    if as_json or out is not None or score:
        if out is not None:
            write_bytes_atomically(out, b"".join(done.table))
        sizes = {label: done.sizes[label] for label in known.labels}
        result = {
            "target": known.target,
            "rule": known.in_words,
            "privacy": known.privacy,
            "records": done.sizes.total(),
            "predicted": sizes,
            "wrong": wrong,
            "predictions": done.labels,
            "file": out,
        }
        lines = [
            ("rule", f"{known.target}: {known.in_words}"),
            ("privacy", known.privacy),
            ("records", ", ".join(f"{n} {label}" for label, n in sizes.items())),
        ]
        if wrong is not None:
            of = counted(done.sizes.total(), "record", "records")
            lines.append(("wrong", f"{wrong} of {of}; NOT PRIVATE if these records are private"))
        if out is not None:
            lines.append(("written to", out))
        report(result, lines, as_json=as_json)
    else:
        for part in done.table:
            click.echo(part.decode(), nl=False)


class _Predicted:
    """The predictions for a table, block by block: their counts and, on request, the table."""

    def __init__(
        self,
        model: RuleModel,
        header: Sequence[str],
        *,
        keeps: bool,
        writes: bool,
        scores: bool,
    ) -> None:
        self.model, self.header, self.keeps, self.writes = model, header, keeps, writes
        has_target = scores and model.target in header[:-1]
        self.target = header.index(model.target) if has_target else None
        self.sizes, self.pairs = Counter[str](), Counter[tuple[str, str]]()
        self.labels: list[str] = []
        self.table: list[bytes] = [_text([header])] if writes else []
        self.unlabelled: int | None = None  # first record whose target is no label

    def predict(self, blocks: Iterable[list[list[str]]]) -> None:
        """Predict all blocks."""
        *columns, _ = self.header
        kept, again = tee(blocks)
        for rows, found in zip(again, self.model.predict_rows(columns, kept), strict=True):
            if self.target is not None:
                self._compare([row[self.target].strip() for row in rows], found)
            self.sizes.update(found)
            if self.keeps:
                self.labels += found
            if self.writes:
                pairs = zip(rows, found, strict=True)
                self.table.append(_text([*map(str.strip, row), label] for row, label in pairs))

    def _compare(self, true: list[str], found: list[str]) -> None:
        if self.unlabelled is None and not {*true} <= {*self.model.labels}:
            first = next(i for i, label in enumerate(true) if label not in self.model.labels)
            self.unlabelled = self.sizes.total() + first + 1
        self.pairs.update(zip(true, found, strict=True))

    def wrong(self, source: str) -> int:
        """Return the number of predictions that differ from the target column."""
        if not self.pairs:
            raise DomainError(f"{source}: the table must have the column {self.model.target}")
        if self.unlabelled is not None:
            raise DomainError(
                f"{source}: record {self.unlabelled}: not a label of {self.model.target}"
            )
        return sum(number for (a, b), number in self.pairs.items() if a != b)


def _text(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as comma-separated text."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode()
