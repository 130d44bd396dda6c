"""``ccsim atlas``: all classes on few points, and searches among them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from ccsim.appearance import counted
from ccsim.cli.group import Group
from ccsim.errors import DomainError
from ccsim.surveys.atlas.contributions import FOLDER, contributions, contributions_to
from ccsim.surveys.atlas.query import query_atlas, shown_value
from ccsim.surveys.atlas.spans import write_span
from ccsim.surveys.atlas.table import MOST_POINTS, QUANTITIES, Entry, entry_of, improved
from ccsim.surveys.atlas.table import atlas as read_atlas

_LIMIT = 3
_WIDE = 78
_NAME = 20  # characters of a name that does not need a line of its own


@click.group(cls=Group)
def atlas() -> None:
    """Search the atlas of all classes on at most 5 points, up to isomorphism.

    The atlas lists every class on at most 4 points, and the dimensions of the classes on 5 points.
    Two classes are isomorphic if permuting points and exchanging 0 and 1 at some points maps one to
    the other. See docs/atlas.md.
    """


@atlas.command()
@click.argument("question")
@click.option("--points", metavar="N", help="Search only classes on at most N points.")
@click.option("--limit", metavar="K", default=str(_LIMIT), show_default=True,
              help="Print at most K classes.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def query(*, question: str, points: str | None, limit: str, as_json: bool) -> int:
    """Find the smallest classes for which QUESTION holds.

    QUESTION compares sums of quantities, such as "littlestone = 2 and messages(1/3) >= 5"; 'ccsim
    atlas columns' lists the quantities. Classes are ordered by number of points, then of concepts.
    The exit status is 3 if no class was found and the question is open for some classes.
    """
    shown = _integer("--limit", limit, 1, 10**6)
    most = None if points is None else _integer("--points", points, 1, MOST_POINTS)
    found = query_atlas(question, points=most)
    if as_json:
        click.echo(json.dumps(found.to_dict(shown)))
    else:
        on = "1 point" if found.most_points == 1 else f"1 to {found.most_points} points"
        click.echo(f"searched    {found.looked_at} classes on {on}")
        if found.not_known:
            click.echo(f"            ({found.not_known} is unknown on more points)")
        click.echo(f"holds for   {found.count}")
        _show(found.matches[:shown], found.asked)
        if found.undecided:
            number = sum(entry.classes for entry in found.undecided)
            click.echo(f"open for    {number}, where bounds do not coincide")
            _show(found.undecided[:shown], found.asked)
    return 3 if found.undecided and not found.matches else 0


@atlas.command()
@click.argument("instance")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(*, instance: str, as_json: bool) -> int:
    """Print the entry of the class INSTANCE.

    INSTANCE may be the identifier of a class in the atlas, such as ccsim:C4.553.
    """
    from ccsim.classes.given import as_class
    from ccsim.surveys.atlas.counted_dimensions import profile_of

    C = as_class(_named(instance))
    entry, chosen = entry_of(len(C.points), sorted(C.rows))
    text = f"some_functions:n={len(C.points)},chosen={chosen}"
    if entry is None:
        entry = profile_of(len(C.points), chosen)
    own = improved(replace(entry, chosen=chosen))
    values = {name: shown_value(name, own) for name in own.values}
    credited = [each.credit for each in contributions_to(own.points, chosen)]
    if as_json:
        data = {
            "instance": C.name,
            "isomorphic": text,
            "identifier": f"ccsim:C{len(C.points)}.{chosen}",
            "classes": entry.classes,
            "values": values,
            "contributed": credited,
        }
        click.echo(json.dumps(data))
        return 0
    click.echo(f"isomorphic to  {text}")
    click.echo(f"identifier     ccsim:C{len(C.points)}.{chosen}")
    if entry.points == MOST_POINTS:
        click.echo(f"same values    {entry.classes} classes, first {entry.instance}")
    width = max(map(len, values))
    for name, value in values.items():
        click.echo(f"{name:<{width}} {value}")
    for credit in credited:
        click.echo(f"contributed: {credit}")
    return 0


@atlas.command()
@click.argument("certificate")
@click.option("--who", required=True, metavar="NAME", help="Name of the contributor.")
@click.option("--reference", required=True, metavar="TEXT",
              help="Paper or method to cite.")  # fmt: skip
@click.option("--to", "folder", metavar="FOLDER",
              help="Folder of contributed values; by default that of ccsim.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add(*, certificate: str, who: str, reference: str, folder: str | None, as_json: bool) -> int:
    """Add the value that CERTIFICATE proves to the atlas.

    The certificate must be about a class of the atlas and improve the known bounds on a quantity.
    The kernel checks it. CONTRIBUTING.md describes the steps.
    """
    from ccsim.certificates.files import read_json
    from ccsim.cli.output import report as printed
    from ccsim.cli.parameters import OutputFolder
    from ccsim.surveys.atlas.acceptance import accepted

    place = FOLDER if folder is None else OutputFolder().convert(folder, None, None)
    found = accepted(read_json(certificate), who, reference, contributions(place))
    file = str(found.write(place))
    data = {"identifier": found.identifier, "value": write_span(found.bounds), "file": file}
    printed(data, [*data.items()], as_json=as_json)
    return 0


@atlas.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def columns(*, as_json: bool) -> int:
    """List the quantities of the atlas."""
    signs = {"": "", "k": "(k)", "e": "(e)", "e1": "(e)"}
    if as_json:
        data = {
            f"{name}{signs[each.arguments]}": {
                "meaning": each.meaning,
                "points": each.most_points,
            }
            for name, each in QUANTITIES.items()
        }
        click.echo(json.dumps(data))
        return 0
    click.echo("quantity             n  meaning (for classes on at most n points)")
    for name, each in QUANTITIES.items():
        shown = name + signs[each.arguments]
        if len(shown) > _NAME:
            click.echo(shown)
            shown = ""
        click.echo(f"{shown:<{_NAME}} {each.most_points}  {each.meaning}")
    return 0


@atlas.command()
@click.option(
    "--sample", metavar="N", default="5", show_default=True, help="Number of random rows."
)
@click.option("--seed", metavar="N", default="0", show_default=True, help="Seed of the sample.")
@click.option("--time-limit", metavar="S", help="Stop after S seconds in all.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(*, sample: str, seed: str, time_limit: str | None, as_json: bool) -> int:
    """Recompute random rows and check their certificates.

    The exit status is 3 if rows were not checked within the time limit.
    """
    import random

    from ccsim.budget import Budget
    from ccsim.cli.parameters import SECONDS
    from ccsim.surveys.atlas.certificates import check_entry

    entries = read_atlas()
    number = _integer("--sample", sample, 1, 10**6)
    chance = random.Random(_integer("--seed", seed, 0, 2**63))  # noqa: S311 - a sample, no secret
    drawn = chance.sample(entries, min(number, len(entries)))
    seconds = None if time_limit is None else float(SECONDS.convert(time_limit, None, None))
    rows = []
    with Budget(seconds) as budget:
        for entry in drawn:
            found = check_entry(entry, budget)
            rows.append((entry, found))
            if not as_json:
                wider = f", wider bounds on {', '.join(found.weaker)}" if found.weaker else ""
                click.echo(f"{entry.instance}: {len(found.certified)} certified{wider}")
    late = len(drawn) - len(rows)
    if as_json:
        data = [
            {
                "instance": entry.instance,
                "certified": list(found.certified),
                "weaker": list(found.weaker),
            }
            for entry, found in rows
        ]
        click.echo(json.dumps({"rows": data, "unchecked": late}))
    elif late:
        click.echo(f"not checked within the time limit: {counted(late, 'row', 'rows')}")
    return 3 if late else 0


@atlas.command()
@click.option(
    "--out", metavar="FILE.db", required=True, help="Atlas to write; an existing file is replaced."
)
@click.option("--certificates", metavar="FILE.json.xz",
              help="File of certificates; by default that in the package.")  # fmt: skip
@click.option("--answers", metavar="FILE.db",
              help="Count classes on 5 points again, in this database.")  # fmt: skip
@click.option("--points", metavar="N", default=str(MOST_POINTS), show_default=True,
              help="Largest number of points.")  # fmt: skip
@click.option("--jobs", metavar="N", default="1", show_default=True,
              help="Number of processes that count.")  # fmt: skip
def build(
    *, out: str, certificates: str | None, answers: str | None, points: str, jobs: str
) -> int:
    """Build the atlas from the values that certificates prove.

    The kernel checks every certificate, which takes two minutes. The rows on 5 points are those of
    the atlas in the package. With --answers, their classes are counted again in half an hour;
    repeat the command to resume.
    """
    from ccsim.certificates.files import check_outputs
    from ccsim.cli.output import progress_line
    from ccsim.surveys.atlas.build import build_atlas
    from ccsim.surveys.atlas.certificates import FILE

    most, processes = _integer("--points", points, 1, MOST_POINTS), _integer("--jobs", jobs, 1, 256)
    file = FILE if certificates is None else Path(certificates)
    check_outputs([each for each in (out, answers) if each is not None], [])

    with progress_line() as line:

        def told(done: int, number: int) -> None:
            if line is not None:
                line(f"counted {done} of {number} parts")

        made = build_atlas(
            out, file=file, answers=answers, points=most, jobs=processes, progress=told
        )
    if made:
        click.echo(f"{out}: {Path(out).stat().st_size} bytes")
    return 0 if made else 130


@atlas.command()
@click.option("--out", metavar="FILE.json.xz", required=True,
              help="File to write, or to complete if it exists.")  # fmt: skip
@click.option("--points", metavar="N", default=str(MOST_POINTS), show_default=True,
              help="Largest number of points.")  # fmt: skip
@click.option("--time-limit", metavar="S", help="Stop after S seconds in all.")
def prove(*, out: str, points: str, time_limit: str | None) -> int:
    """Compute the certificates of all classes with pages.

    Certificates that the file contains are kept, and only the missing ones are computed. The exit
    status is 3 if classes are left at the time limit; repeat the command to resume.
    """
    from ccsim.certificates.files import check_outputs
    from ccsim.cli.output import progress_line
    from ccsim.cli.parameters import SECONDS
    from ccsim.surveys.atlas.certificates import build_certificates

    seconds = None if time_limit is None else float(SECONDS.convert(time_limit, None, None))
    most = _integer("--points", points, 1, MOST_POINTS)
    check_outputs([out], [])
    with progress_line() as line:

        def told(done: int, number: int) -> None:
            if line is not None:
                line(f"certificates of {done} of {number} classes")

        made = build_certificates(out, points=most, time_limit=seconds, progress=told)
    click.echo(f"{out}: {Path(out).stat().st_size} bytes")
    return 0 if made else 3


@atlas.command()
@click.option("--out", metavar="FOLDER", required=True, help="Folder of the pages.")
@click.option("--certificates", metavar="FILE.json.xz",
              help="File of certificates; by default that in the package.")  # fmt: skip
@click.option("--pyodide", metavar="FOLDER", help="Folder of the unpacked npm package pyodide.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def site(*, out: str, certificates: str | None, pyodide: str | None, as_json: bool) -> int:
    """Write the atlas as web pages.

    The pages need neither a network nor a server. The first one, index.html, searches all classes.
    Classes on at most 4 points and extremal ones on 5 points have pages with certificates. Checking
    them in the browser needs --pyodide.
    """
    from ccsim.cli.output import progress_line
    from ccsim.cli.output import report as printed
    from ccsim.cli.parameters import INPUT_FOLDER
    from ccsim.report.atlas.site import write_site
    from ccsim.surveys.atlas.certificates import FILE

    file = FILE if certificates is None else Path(certificates)
    package = None if pyodide is None else INPUT_FOLDER.convert(pyodide, None, None)
    with progress_line() as line:

        def told(done: int, number: int) -> None:
            if line is not None:
                line(f"checked the certificates of {done} of {number} classes")

        accepted = write_site(out, file=file, pyodide=package, progress=told)
    first = str(Path(out, "index.html"))
    data = {"file": first, "accepted": accepted}
    printed(data, [("accepted", f"{accepted} certificates or lists of certificates"),
                   ("file", first)], as_json=as_json)  # fmt: skip
    return 0


def _named(text: str) -> str:
    """Return the INSTANCE text of an identifier such as ``ccsim:C4.553``; other texts unchanged."""
    match = re.fullmatch(r"(?:ccsim:)?C([0-9]+)\.([0-9]+)", text, re.ASCII)
    return text if match is None else f"some_functions:n={match[1]},chosen={match[2]}"


def _integer(name: str, text: str, least: int, most: int) -> int:
    """Read an integer in a range, without importing modules that only other commands need."""
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most):
        raise DomainError(f"{name} must be an integer from {least} to {most}, not {text[:40]!r}")
    return int(text)


def _show(entries: Sequence[Entry], asked: Sequence[str]) -> None:
    for entry in entries:
        many = f"  (first of {entry.classes})" if entry.classes > 1 else ""
        click.echo(f"\n  {entry.instance}{many}")
        line = "   "
        for row in entry.concepts:
            if len(line) + len(row) >= _WIDE:
                click.echo(line)
                line = "   "
            line += f" {row}"
        click.echo(line)
        click.echo("    " + ", ".join(f"{name} = {shown_value(name, entry)}" for name in asked))
    if entries:
        click.echo()
