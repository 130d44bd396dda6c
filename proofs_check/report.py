"""Outcomes as a table for people and as files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import click

from ccsim.certificates import write_text_atomically
from ccsim.errors import UnreadableInputError
from proofs_check.claims.claim import Verdict
from proofs_check.runner import Outcome

__all__ = ["notes", "print_table", "summary", "write_report"]


def print_table(outcomes: Sequence[Outcome]) -> None:
    """Print one line for each claim: key, title, verdict, least slack, time.

    Titles are cut where the line would not fit into the terminal.
    """
    rows = [("claim", "title", "verdict", "slack", "seconds")]
    rows += [(o.key, o.claim.title, o.wording, _slack(o), f"{o.seconds:.2f}") for o in outcomes]
    key, title, verdict, slack, seconds = (
        max(len(row[column]) for row in rows) for column in range(5)
    )
    terminal = shutil.get_terminal_size((120, 24)).columns
    title = max(10, min(title, terminal - key - verdict - slack - seconds - 9))
    for row, outcome in zip(rows, (None, *outcomes), strict=True):
        shown = row[1] if len(row[1]) <= title else row[1][: title - 1] + "\N{HORIZONTAL ELLIPSIS}"
        colour = None if outcome is None else ("green" if outcome.expected else "red")
        click.echo(
            f"{row[0]:<{key}}  {shown:<{title}}  {click.style(f'{row[2]:<{verdict}}', fg=colour)}"
            f"  {row[3]:>{slack}}  {row[4]:>{seconds}}"
        )
    for line in notes(outcomes):
        click.echo(line)
    click.echo(summary(outcomes))


def _slack(outcome: Outcome) -> str:
    """Return the least slack, rounded down, or nothing."""
    tightest = outcome.tightest
    if tightest is None or tightest.slack is None:
        return ""
    return str(tightest.slack) if tightest.slack == 0 else f"{float(tightest.slack):.3g}"


def notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Return what a reader must know beyond the table: counterexamples, reasons, rejections.

    An erratum that fails as recorded is shown by its first counterexample.
    """
    lines = []
    for outcome in outcomes:
        if outcome.claim.reason:
            lines.append(f"{outcome.key}: no finite computation decides it: {outcome.claim.reason}")
        if outcome.rejected is not None:
            lines.append(f"{outcome.key}: certificate rejected: {outcome.rejected}")
        if outcome.undecided is not None:
            lines.append(f"{outcome.key}: not decided: {outcome.undecided}")
        open_or_failed = [i for i in outcome.instances if i.verdict is not Verdict.HOLDS]
        shown = open_or_failed[:1] if outcome.expected else open_or_failed
        more = len(open_or_failed) - len(shown)
        lines += [
            f"{outcome.key}: {instance.verdict.value} on {instance.name}: {instance.detail}"
            + (f" (and {more} more)" if more else "")
            for instance in shown
        ]
    return lines


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the last line: how many claims came out as recorded."""
    expected = sum(outcome.expected for outcome in outcomes)
    instances = sum(len(outcome.instances) for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return (
        f"{expected} of {len(outcomes)} claims as recorded, {instances} instances, {seconds:.1f} s"
    )


def write_report(directory: Path, outcomes: Sequence[Outcome]) -> None:
    """Write ``report.json`` and ``report.md`` into a directory, each whole or not at all.

    Raises
    ------
    UnreadableInputError
        If the directory cannot be made or written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableInputError(f"{directory}: cannot be made: {error.strerror}") from None
    rows = [
        f"| `{o.key}` | {o.claim.number} | {o.claim.title} | {o.wording} | {_slack(o)} "
        f"| {o.seconds:.2f} |"
        for o in outcomes
    ]
    text = "\n".join(
        [
            "# Report of proofs-check",
            "",
            "| claim | place | title | verdict | least slack | seconds |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
            *(f"* {line}" for line in notes(outcomes)),
            "",
            summary(outcomes),
            "",
        ]
    )
    write_text_atomically(directory / "report.md", text)
    data = [outcome.to_json() for outcome in outcomes]
    write_text_atomically(directory / "report.json", json.dumps(data, indent=1) + "\n")
