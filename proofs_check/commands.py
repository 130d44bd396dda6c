"""The subcommands of ``proofs-check``: list, graph, show, run, margins and others."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ccsim.cli.group import Group
from ccsim.cli.output import Column, echo_json, print_table
from ccsim.cli.parameters import OUTPUT, Command, Integer, OutputFolder
from ccsim.cli.report import PYODIDE_OPTION
from proofs_check.verification import build, formalize, verify

__all__ = ["cli"]


class _Checks(Group):
    """The group of subcommands."""

    def instead(self, text: str) -> str:
        """Return the command to suggest if a claim or a certificate is given as a subcommand."""
        if "/" in text and not text.endswith(".json"):
            return f"show {text}"
        return f"verify {text}" if text.endswith(".json") else ""


@click.group(
    cls=_Checks,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="KEY is the key of a claim, such as fx/lemma-9; 'proofs-check list' prints all keys.",
)
@click.version_option(package_name="ccsim", prog_name="proofs-check")
def cli() -> None:
    """Check published statements on finite instances, and check certificates.

    Exit status: 0 if all verdicts are as recorded and all certificates accepted; 1 after a crash; 2
    for invalid usage or an unreadable file; 3 if a claim was not decided; 4 if a certificate was
    rejected; 5 if a verdict differs from the recorded one.
    """


@cli.command("list", cls=Command)
@click.option(
    "--paper", metavar="KEY", help="Only claims from fx, bbkn, bns, pap, kn, ls, jk or ccsim."
)
@click.option(
    "--missing",
    "only_missing",
    is_flag=True,
    help="List the statements without a claim.",
)
@click.option(
    "--markdown",
    type=click.Choice(["claims", "errata"]),
    is_flag=False,
    flag_value="claims",
    help="Print the page docs/claims.md or docs/errata.md.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def list_claims(
    paper: str | None, *, only_missing: bool, markdown: str | None, as_json: bool
) -> None:
    """List the claims with their places in the papers."""
    from proofs_check.claims.catalogue import missing
    from proofs_check.claims.table import CLAIMS
    from proofs_check.runner import choose_claims
    from proofs_check.tables import claims_page, errata_page

    if markdown is not None:
        if as_json or only_missing or paper is not None:
            raise click.UsageError("--markdown must not be combined with other options")
        click.echo({"claims": claims_page, "errata": errata_page}[markdown](), nl=False)
        return
    if only_missing:
        rows = [{"claim": key, "title": title} for key, title in missing(CLAIMS, paper).items()]
    else:
        rows = [
            {"claim": c.key, "number": c.number, "title": c.title, "kind": c.kind.value}
            for c in choose_claims([], paper)
        ]
    if as_json:
        echo_json(rows)
        return
    if not rows:
        click.echo("Every statement of the papers has a claim.", err=True)
    places = (f" [{row['number']}]" if "number" in row else "" for row in rows)
    titles = ((row["claim"], row["title"] + place) for row, place in zip(rows, places, strict=True))
    print_table([Column(), Column(breaks=True)], titles)


@cli.command(cls=Command)
@click.option(
    "--paper", metavar="KEY", help="Only claims from fx, bbkn, bns, pap, kn, ls, jk or ccsim."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "dot", "svg"]),
    help="Output format; by default from the ending of FILE.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=OUTPUT,
    help="Write to FILE (.dot, .svg, .png, .pdf, .tikz, .tex).",
)
def graph(paper: str | None, form: str | None, out: str | None) -> None:
    """Print or draw the dependencies and corrections of claims."""
    from ccsim.certificates.files import write_text_atomically
    from ccsim.pictures.figures import SUFFIXES, save_figure
    from proofs_check.graph import claim_graph, dot, draw_claims, drawn, listed
    from proofs_check.runner import choose_claims

    ending = Path(out or "").suffix.lower()
    shown = form or {".svg": "svg", ".dot": "dot"}.get(ending, "text")
    claims = claim_graph(choose_claims([], paper))
    if form is None and out is not None and ending in SUFFIXES and shown != "svg":
        save_figure(out, draw_claims(claims))
        click.echo(f"written to {out}")
        return
    text = {"text": listed, "dot": dot, "svg": drawn}[shown](claims)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text_atomically(out, text)
        click.echo(f"written to {out}")


@cli.command(cls=Command)
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(key: str, *, as_json: bool) -> None:
    """Run one claim and print its statement and verdict.

    The output includes its place in the paper, a counterexample, the variants, and the claims that
    it uses. A variant is a strengthened statement that must fail, or, for an erratum, a corrected
    statement that must hold. Variants show that the check can detect an error.
    """
    from proofs_check.claims.claim import Size
    from proofs_check.report import described, print_described
    from proofs_check.runner import choose_claims, run_claim

    (claim,) = choose_claims([key], None)
    fields = described(run_claim(claim, Size.SMALL))
    if as_json:
        echo_json(fields)
    else:
        print_described(fields)


@cli.command(cls=Command)
@click.argument("keys", nargs=-1)
@click.option(
    "--paper", metavar="KEY", help="Only claims from fx, bbkn, bns, pap, kn, ls, jk or ccsim."
)
@click.option(
    "--size",
    type=click.Choice(["small", "medium", "large"]),
    default="small",
    show_default=True,
    help="Grid of instances; each contains the smaller ones.",
)
@click.option(
    "--case",
    metavar="NAME",
    help="Run one claim on one instance ('p=5'), without variants.",
)
@click.option("--jobs", type=Integer(1, 256), default=1, show_default=True, metavar="N",
              help="Number of processes.")  # fmt: skip
@click.option(
    "--report",
    "directory",
    metavar="DIR",
    type=OutputFolder("report.md", "report.json", "index.html"),
    help="Write index.html, report.json and report.md to DIR.",
)
@PYODIDE_OPTION
@click.option("--verbose", is_flag=True, help="Print a line for each claim, as with KEYS.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def run(  # noqa: PLR0913 - one for each option
    keys: tuple[str, ...],
    paper: str | None,
    size: str,
    case: str | None,
    jobs: int,
    directory: Path | None,
    pyodide: Path | None,
    *,
    verbose: bool,
    as_json: bool,
) -> int:
    """Run claims and compare the verdicts with the recorded ones.

    Without KEYS, all claims are run. The output is one line for each paper, followed by the claims
    whose verdicts differ from the recorded ones.
    """
    from ccsim.report.html import write_pyodide
    from proofs_check.claims.claim import Size
    from proofs_check.outcome import exit_status
    from proofs_check.report import print_case, print_outcomes, print_papers, write_report
    from proofs_check.runner import choose_claims, run_case, run_claims

    if pyodide is not None and directory is None:
        raise click.UsageError("--pyodide requires --report")
    claims = choose_claims(keys, paper)
    if case is not None:
        if len(keys) != 1:
            raise click.UsageError("--case needs exactly one KEY")
        outcome = run_case(claims[0], case)
        if as_json:
            echo_json([outcome.to_json()])
        else:
            print_case(outcome)
        return int(exit_status([outcome]))
    with click.progressbar(  # it has no thread, into which held back signals could come
        run_claims(claims, Size[size.upper()], jobs, keep=directory is not None),
        length=len(claims),
        label="claims",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as bar:
        outcomes = list(bar)
    if directory is not None:
        write_report(directory, outcomes)
        if pyodide is not None:
            write_pyodide(directory, pyodide)
    if as_json:
        echo_json([outcome.to_json() for outcome in outcomes])
    else:
        (print_outcomes if verbose or keys else print_papers)(outcomes)
        click.echo(
            "" if directory is None else f"written to {directory / 'index.html'}\n", nl=False
        )
    return int(exit_status(outcomes))


@cli.command(cls=Command)
@click.argument("keys", nargs=-1)
@click.option(
    "--paper", metavar="KEY", help="Only claims from fx, bbkn, bns, pap, kn, ls, jk or ccsim."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def margins(keys: tuple[str, ...], paper: str | None, *, as_json: bool) -> int:
    """Measure the factor by which each claim can be strengthened.

    For each strengthened variant, bisection finds the least factor, to within a tenth, for which
    the statement fails on the small grid. The exit status is 5 if a recorded factor is loose: the
    statement also fails for a factor smaller by a tenth. All claims take about 10 minutes.
    """
    from proofs_check.margins import Measured, measured, print_measured, to_json
    from proofs_check.outcome import ExitStatus
    from proofs_check.runner import choose_claims

    claims = choose_claims(keys, paper)
    found: list[Measured] = []
    with click.progressbar(
        claims, label="claims", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        for claim in bar:
            found.extend(measured(claim))
    if as_json:
        echo_json([to_json(each) for each in found])
    else:
        print_measured(found)
    wrong = any(each.loose or not each.fails for each in found)
    return int(ExitStatus.UNEXPECTED if wrong else ExitStatus.OK)


for command in (verify, build, formalize):
    cli.add_command(command)
