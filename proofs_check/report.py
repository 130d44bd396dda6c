"""Outcomes as printed tables and as files."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from ccsim.certificates.files import write_text_atomically
from ccsim.cli.output import Column, print_table
from ccsim.errors import UnreadableInputError
from proofs_check.claims.claim import Verdict
from proofs_check.claims.grid import Size, case_name
from proofs_check.claims.table import CLAIMS, PAPERS
from proofs_check.claims_html import claims_html
from proofs_check.outcome import Outcome, fate

__all__ = [
    "described",
    "notes",
    "print_case",
    "print_described",
    "print_outcomes",
    "print_papers",
    "summary",
    "tightness",
    "write_report",
]

_VERDICT = 2
"""The column of the verdict in the table."""
_SHORTEST_TITLE = 24
_TIGHT = (2, 4, 20)
"""Margins that are counted apart."""


def described(outcome: Outcome) -> dict[str, Any]:
    """Return the fields of a claim that was run, by name."""
    claim = outcome.claim
    repairs = [c for c in CLAIMS.values() if c.corrects == claim.key]
    failed = [i for i in outcome.instances if i.verdict is Verdict.FAILS]
    tightest = outcome.tightest
    over = () if claim.over is None else claim.over.cases(Size.SMALL)
    first = next((case_name(case) for case in over if case), None)
    return {
        "claim": claim.key,
        "title": claim.title,
        "place": claim.number,
        "paper": str(PAPERS[claim.paper]),
        "kind": claim.kind.value,
        "statement": claim.statement,
        "recorded": claim.recorded.value,
        "verdict": outcome.wording,
        "stopped": outcome.rejected or outcome.undecided,
        "reason": claim.reason,
        "counterexample": f"{failed[0].name}: {failed[0].detail}" if failed else None,
        "holds instead": [f"{c.key}: {c.statement}" for c in repairs],
        "survives": claim.survives,
        "corrects": claim.corrects,
        "variants": [
            {
                "statement": variant.statement,
                "replaced": variant.strength,
                "as it must": variant.sharp,
                "instance": None
                if variant.instance is None
                else f"{variant.instance.name}: {variant.instance.detail}",
            }
            for variant in outcome.variants
        ],
        "margin": claim.margin.in_words,
        "least slack": None if tightest is None else str(tightest.slack),
        "tightest": None if tightest is None else f"{tightest.name}: {tightest.detail}",
        "uses": list(claim.uses),
        "used by": [c.key for c in CLAIMS.values() if claim.key in c.uses],
        "one instance": f"proofs-check run {claim.key} --case '{first}'" if first else None,
    }


def print_described(fields: Mapping[str, Any]) -> None:
    """Print the nonempty fields of a claim, wrapped to the terminal."""
    for name, value in fields.items():
        if name == "variants":
            for variant in value:
                became = fate(Verdict(fields["recorded"]), variant["instance"])
                text = f"{variant['statement']} [{variant['replaced']}] {became}"
                _print_field("variant", text)
        elif isinstance(value, list):
            _print_field(name, ", ".join(value))
        elif value:
            _print_field(name, value)


def _print_field(name: str, text: str) -> None:
    if not text:
        return
    width = max(40, min(shutil.get_terminal_size((80, 24)).columns, 100))
    left = f"{name:<15}"
    wrapper = textwrap.TextWrapper(
        width=width,
        initial_indent=left,
        subsequent_indent=" " * len(left),
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo(wrapper.fill(text))


def print_case(outcome: Outcome) -> None:
    """Print the decision on one instance."""
    if outcome.rejected is not None:
        _print_field("rejected", outcome.rejected)
    for instance in outcome.instances:
        _print_field("claim", f"{outcome.key}: {outcome.claim.title}")
        _print_field("instance", instance.name)
        _print_field("verdict", instance.verdict.value)
        _print_field("detail", instance.detail)
        _print_field("slack", "" if instance.slack is None else str(instance.slack))
        _print_field("could fail", "yes" if instance.at_risk else "no, so it is not counted")


def print_papers(outcomes: Sequence[Outcome]) -> None:
    """Print a line for each paper, and every claim whose verdict differs from the recorded one."""
    for paper in dict.fromkeys(outcome.claim.paper for outcome in outcomes):
        of_paper = [outcome for outcome in outcomes if outcome.claim.paper == paper]
        counts = Counter(outcome.claim.recorded for outcome in of_paper if outcome.expected)
        words = {
            Verdict.HOLDS: "hold",
            Verdict.FAILS: "fail as printed",
            Verdict.NOT_DECIDED: "not decidable",
        }
        said = [f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict]]
        if surprises := len(of_paper) - counts.total():
            said.append(click.style(f"{surprises} not as recorded", fg="red"))
        click.echo(f"{paper:<5}{len(of_paper):>4} claims: {', '.join(said)}")
    for line in notes([outcome for outcome in outcomes if not outcome.expected]):
        click.echo(line)
    click.echo(summary(outcomes))
    click.echo(tightness(outcomes))


def print_outcomes(outcomes: Sequence[Outcome]) -> None:
    """Print one line for each claim: key, title, verdict, margin, least slack, time.

    On a narrow terminal, titles are wrapped and the last columns are omitted.
    """
    rows = [("claim", "title", "verdict", "margin", "slack", "seconds")]
    rows += [
        (o.key, o.claim.title, o.wording, str(o.claim.margin), _slack(o), f"{o.seconds:.2f}")
        for o in outcomes
    ]
    verdicts = ["", *("green" if outcome.expected else "red" for outcome in outcomes)]
    columns = [Column(), Column(breaks=True), Column(), *(Column(right=True) for _ in range(3))]
    shown = len(columns)
    if sys.stdout.isatty():
        room = shutil.get_terminal_size((80, 24)).columns - _SHORTEST_TITLE
        widths = [2 + max(len(row[column]) for row in rows) for column in range(shown)]
        while shown > _VERDICT + 1 and sum(widths[:shown]) - widths[1] > room:
            shown -= 1
    styles = (["", "", verdict, "", "", ""][:shown] for verdict in verdicts)
    print_table(columns[:shown], (row[:shown] for row in rows), styles)
    for line in notes(outcomes):
        click.echo(line)
    click.echo(summary(outcomes))
    click.echo(tightness(outcomes))


def _slack(outcome: Outcome) -> str:
    """Return the least slack, rounded down; an empty text if there is none."""
    tightest = outcome.tightest
    if tightest is None or tightest.slack is None:
        return ""
    return str(tightest.slack) if tightest.slack == 0 else f"{float(tightest.slack):.3g}"


def notes(outcomes: Sequence[Outcome]) -> list[str]:
    """Return notes to the table: counterexamples, reasons, rejections.

    An erratum that fails as recorded is shown by its first counterexample.
    """
    lines = []
    for outcome in outcomes:
        if outcome.claim.reason:
            lines.append(
                f"{outcome.key}: not decided by a finite computation: {outcome.claim.reason}"
            )
        if outcome.rejected is not None:
            lines.append(f"{outcome.key}: certificate rejected: {outcome.rejected}")
        lines += [
            f"{outcome.key}: a variant that must fail holds: {m.statement}" for m in outcome.blunt
        ]
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
    """Return a line with the number of claims whose verdicts are as recorded."""
    expected = sum(outcome.expected for outcome in outcomes)
    instances = sum(len(outcome.at_risk) for outcome in outcomes)
    variants = sum(len(outcome.variants) for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return (
        f"{expected} of {len(outcomes)} claims as recorded, {instances} instances, "
        f"{variants} variant{'s' * (variants != 1)}, {seconds:.1f} s"
    )


def tightness(outcomes: Sequence[Outcome]) -> str:
    """Return the last line: the numbers of claims with a margin up to 2, from 2 to 4, and so on."""
    factors = [outcome.claim.margin.factor for outcome in outcomes]
    known = [factor for factor in factors if factor is not None]
    within = [sum(factor <= limit for factor in known) for limit in _TIGHT]
    spans = [f"up to {_TIGHT[0]}", *(f"{a} to {b}" for a, b in pairwise(_TIGHT))]
    spans += [f"above {_TIGHT[-1]}", "no factor"]
    counts = [b - a for a, b in pairwise((0, *within, len(known), len(factors)))]
    parts = (f"{span}: {count}" for count, span in zip(counts, spans, strict=True))
    return f"margins {'; '.join(parts)}"


def write_report(directory: Path, outcomes: Sequence[Outcome]) -> None:
    """Write ``index.html``, ``report.json`` and ``report.md`` into a directory, each atomically.

    Raises
    ------
    UnreadableInputError
        If the directory cannot be created or written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableInputError(f"{directory}: cannot be created: {error.strerror}") from None
    rows = [
        f"| `{o.key}` | {o.claim.number} | {o.claim.title} | {o.wording} "
        f"| {o.claim.margin} | {_slack(o)} | {o.seconds:.2f} |"
        for o in outcomes
    ]
    text = "\n".join(
        [
            "# Report of proofs-check",
            "",
            "| claim | place | title | verdict | margin | least slack | seconds |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            *(f"* {line}" for line in notes(outcomes)),
            "",
            summary(outcomes),
            "",
            tightness(outcomes),
            "",
        ]
    )
    write_text_atomically(directory / "report.md", text)
    data = [outcome.to_json() for outcome in outcomes]
    write_text_atomically(directory / "report.json", json.dumps(data, indent=1) + "\n")
    write_text_atomically(
        directory / "index.html", claims_html(outcomes, summary(outcomes), tightness(outcomes))
    )
