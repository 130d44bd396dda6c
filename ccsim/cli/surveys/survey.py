"""``ccsim survey``: a question about many instances, kept in a database and resumable."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from ccsim.certificates.files import check_outputs, make_folder, write_bytes_atomically
from ccsim.cli.main import EXIT_INTERRUPTED, EXIT_NOT_DECIDED, EXIT_REJECTED
from ccsim.cli.output import report, told
from ccsim.cli.parameters import INSTANCE, OUTPUT, SECONDS, Command, Integer, OutputFolder
from ccsim.cli.surveys.asking import CommandQuestion
from ccsim.errors import DomainError
from ccsim.surveys.instances import instances_of
from ccsim.surveys.store import Row, Store, as_csv, as_parquet
from ccsim.surveys.survey import CRASHED, NOT_DECIDED, Survey
from ccsim.surveys.survey import survey as run_survey

_TITLES = {
    0: "answered",
    NOT_DECIDED: "not decided",
    2: "refused",
    CRASHED: "crashed",
    EXIT_REJECTED: "rejected",
}
_ADDRESS = re.compile(r"[a-z]+://[A-Za-z0-9.\-_\[\]:]{1,255}:[0-9]{1,5}")


@click.command(cls=Command)
@click.argument("question")
@click.argument("instances", type=INSTANCE)
@click.option("--out", type=OUTPUT, required=True, metavar="FILE.db",
              help="Database of the answers; an existing one is resumed.")  # fmt: skip
@click.option("--jobs", type=Integer(1, 256), default=1, show_default=True, metavar="N",
              help="Processes on this machine.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Ask on a Dask cluster: tcp://HOST:PORT.")
@click.option("--time-limit", type=SECONDS, metavar="S",
              help="Seconds for each answer, or none; default that of the command.")  # fmt: skip
@click.option("--csv", "csv_file", type=OUTPUT, metavar="FILE", help="Export the answers.")
@click.option("--parquet", type=OUTPUT, metavar="FILE", help="Export the answers; needs pyarrow.")
@click.option("--certificates", type=OutputFolder(), metavar="DIR", help="Keep certificates here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def survey(  # noqa: PLR0913 - one argument for each option
    *,
    question: str,
    instances: str,
    out: str,
    jobs: int,
    scheduler: str | None,
    time_limit: float | None,
    csv_file: str | None,
    parquet: str | None,
    certificates: Path | None,
    as_json: bool,
) -> int:
    """Ask QUESTION, a command and its options in quotes, about many INSTANCES.

    INSTANCES is an INSTANCE with ranges (random:m=12,n=8,seed=0..399), all:n=3 for every class over
    3 points up to isomorphism, or @FOLDER for its csv and json files. Each answer is a row of the
    database, with the JSON that the command prints. The same command resumes an unfinished survey:
    it asks for the missing answers, and with a larger time limit also for the undecided ones. The
    exit status is 3 if answers are missing or undecided, and 130 after an interrupt.
    """
    asking = CommandQuestion.of(question, time_limit, certified=certificates is not None)
    if scheduler is not None and not _ADDRESS.fullmatch(scheduler):
        raise DomainError(f"a scheduler is written tcp://HOST:PORT, not {scheduler[:40]!r}")
    asked = instances_of(instances)
    outputs = [name for name in (out, csv_file, parquet) if name is not None]
    check_outputs(outputs, [each.text[1:] for each in asked if each.content is not None])
    if parquet is not None:
        as_parquet([])
    if certificates is not None:
        make_folder(certificates)
    about = Survey(asking.text, _version(), asked, Store(out), asking.time_limit, certificates)
    with told(_progress) as shown:
        complete = run_survey(asking, about, jobs=jobs, scheduler=scheduler, progress=shown)
    rows = about.rows()
    if csv_file is not None:
        write_bytes_atomically(csv_file, as_csv(rows).encode())
    if parquet is not None:
        write_bytes_atomically(parquet, as_parquet(rows))
    statuses = Counter(row.status for row in rows)
    missing = len({(each.text, each.digest) for each in asked}) - len(rows)
    data = {
        "question": about.question,
        "version": about.version,
        "instances": len(rows) + missing,
        "missing": missing,
        **{title.replace(" ", "_"): statuses[status] for status, title in _TITLES.items()},
    }
    report(data, _lines(about, rows, statuses, missing), as_json=as_json)
    if not complete:
        return EXIT_INTERRUPTED
    return EXIT_NOT_DECIDED if missing or statuses[NOT_DECIDED] or statuses[CRASHED] else 0


def _version() -> str:
    try:
        return version("ccsim")
    except PackageNotFoundError:
        return "unknown"


def _progress(counts: Counter[int], number: int) -> str:
    kinds = ", ".join(f"{counts[status]} {_TITLES[status]}" for status in _TITLES if counts[status])
    return f"{counts.total()} of {number} answers: {kinds}"


def _lines(
    about: Survey, rows: Sequence[Row], statuses: Counter[int], missing: int
) -> list[tuple[str, str]]:
    """Return the lines for people: how many of each kind, and of what went wrong the first."""
    lines = [("question", about.question), ("instances", str(len(rows) + missing))]
    for status, title in _TITLES.items():
        if not (number := statuses[status]):
            continue
        first = next((row for row in rows if row.status == status and row.message), None)
        shown = "" if first is None or not status else f", as {first.instance}: {first.message}"
        lines.append((title, f"{number}{shown}"))
    if missing:
        lines.append(("missing", f"{missing}; the same command resumes"))
    return lines
