"""The subcommands of ``proofs-check`` about certificates: verify, build, formalize."""

from __future__ import annotations

from pathlib import Path
from textwrap import TextWrapper
from typing import Any

import click

from ccsim import kernel
from ccsim.certificates import verify as check
from ccsim.cli.output import echo_json
from ccsim.cli.parameters import INPUT, OUTPUT, Command

__all__ = ["build", "formalize", "verify"]


@click.command(cls=Command)
@click.argument("files", type=INPUT, nargs=-1, required=True, metavar="CERTIFICATE.json ...")
@click.option(
    "--proved",
    is_flag=True,
    help="Also run the verified checker of 'proofs-check build'.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def verify(files: tuple[str, ...], *, proved: bool, as_json: bool) -> int:
    """Check certificates with the independent checker.

    All files are checked. The exit status is 4 if a certificate was rejected; otherwise 2 if a file
    could not be read, or if --proved was given and the verified checker is not built or does not
    support a certificate.
    """
    from proofs_check.formal.rocq import built

    folder = built() if proved else None
    rows = [_verify(file, proved, folder) for file in files]
    if as_json:
        echo_json(rows)
    else:
        for row in rows:
            _print(row)
    verdicts = {row["verdict"] for row in rows}
    if proved and folder is None:
        click.echo(
            "the verified checker is not built; 'proofs-check build' builds it and needs Rocq",
            err=True,
        )
    said = [row["proved"] for row in rows if "proved" in row]
    if "rejected" in verdicts or any(text.startswith("rejects") for text in said):
        return 4
    incomplete = proved and not all(text.startswith("accepts") for text in said)
    return 2 if "unreadable" in verdicts or incomplete else 0


@click.command(cls=Command)
def build() -> int:
    """Build the checker that is formally verified in Rocq.

    This needs Rocq and takes about a minute. It is necessary once per version of ccsim.
    """
    from proofs_check.formal.rocq import PROGRAM
    from proofs_check.formal.rocq import build as build_theory

    click.echo(f"{build_theory() / PROGRAM}: verified checker")
    return 0


@click.command(cls=Command)
@click.argument("file", type=INPUT, metavar="CERTIFICATE.json")
@click.option(
    "--out", type=OUTPUT, required=True, metavar="FILE", help="File to write (.v, .lean)."
)
@click.option(
    "--by-definition",
    metavar="INSTANCE",
    help="State the theorem for a family instead of a table.",
)
@click.option(
    "--lean",
    is_flag=True,
    help="Write a Lean 4 theorem instead of a Rocq theorem.",
)
def formalize(file: str, *, out: str, by_definition: str | None, lean: bool) -> int:
    """Write the statement of a certificate as a Rocq theorem.

    The theorem is proved by computation. 'coqc -Q proofs_check/rocq CCSim FILE.v' checks it, after
    'proofs-check build'. INSTANCE is a family such as halfspaces:b=1,d=5. With --lean the theorem
    needs no Lean libraries; steps that are too large for Lean are hypotheses of the theorem.
    """
    from ccsim.certificates.files import write_text_atomically
    from ccsim.errors import UnreadableInputError
    from proofs_check.formal import formalize as write_theorem
    from proofs_check.formal.lean import formalize_in_lean

    if lean and by_definition is not None:
        raise click.UsageError("--by-definition must not be combined with --lean")

    try:
        document = kernel.read(file)
        message = kernel.check(document)
    except kernel.Rejected as error:
        click.echo(f"{kernel.shown_path(file)}: rejected: {error}")
        return 4
    except kernel.Unreadable as error:
        raise UnreadableInputError(f"{kernel.shown_path(file)}: {error}") from None
    text = formalize_in_lean(document) if lean else write_theorem(document, by_definition)
    write_text_atomically(out, text)
    click.echo(f"{out}: {message}")
    return 0


_STATEMENT = TextWrapper(
    80,
    initial_indent="  ",
    subsequent_indent="    ",
    break_long_words=False,
    break_on_hyphens=False,
)


def _print(row: dict[str, str]) -> None:
    """Print the verdict on a file: a rejection on one line, or the statements below each other."""
    file = kernel.shown_path(row["file"])
    if row["verdict"] != "accepted":
        text = f"{file}: {row['verdict']}: {row['message']}"
        click.echo(text, err=row["verdict"] == "unreadable")
        return
    click.echo(f"{file}: accepted")
    for statement in row["message"].split("\n"):
        click.echo(_STATEMENT.fill(statement))
    if "proved" in row:
        click.echo(f"{file}: verified checker: {row['proved']}")


def _verify(file: str, proved: bool, folder: Path | None) -> dict[str, str]:  # noqa: FBT001
    try:
        document = kernel.read(file)
        message = check(document)
    except kernel.Rejected as error:
        return {"file": file, "verdict": "rejected", "message": str(error)}
    except kernel.Unreadable as error:
        return {"file": file, "verdict": "unreadable", "message": str(error)}
    name = kernel.named(document)
    message = "\n".join(f"{line}{name}" for line in message.split("\n"))
    row = {"file": file, "verdict": "accepted", "message": message}
    if proved:
        row["proved"] = "not built" if folder is None else _prove(file, document, folder)
    return row


def _prove(file: str, document: Any, folder: Path) -> str:  # noqa: ANN401 - a JSON value
    """Return the verdict of the verified checker."""
    from proofs_check.formal import form_without_theorem
    from proofs_check.formal.proved import judge, same_instances

    judged = judge(Path(file).read_bytes(), folder)
    verdicts = {each.verdict for each in judged}
    if verdicts <= {"proved"}:
        if same_instances(judged, document):
            digests = dict.fromkeys(each.digest[:16] for each in judged)
            return f"accepts the certificate of the instance with sha256 {', '.join(digests)}"
        return "rejects the certificate: it has read a different instance"
    if "rejected" in verdicts:
        listed = document if isinstance(document, list) else [document]
        whole = ({**c, "instance": c["instance"] or listed[0]["instance"]} for c in listed)
        said = zip(whole, judged, strict=True)
        forms = {form_without_theorem(c) for c, each in said if each.verdict == "rejected"}
        return (
            "rejects"
            if None in forms
            else f"does not support the form {', '.join(map(str, forms))}"
        )
    if "unknown" in verdicts:
        unknown = sorted({each.kind for each in judged if each.verdict == "unknown"})
        return f"does not support {', '.join(unknown)}"
    return f"cannot read the certificate: {judged[0].kind}"
