"""``ccsim represent --curve``: the least failure probability for every number of hypotheses."""

from __future__ import annotations

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget
from ccsim.certificates import encode_fraction
from ccsim.classes.given import as_class
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    checked,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import INSTANCE, Command, Integer
from ccsim.cli.progress import closing_in
from ccsim.exact import as_fraction
from ccsim.representation.random_sets import FailureCurve, LeastFailureResult, failure_curve


@click.command(cls=Command, hidden=True)
@click.argument("instance", type=INSTANCE)
@click.option("--error", required=True, metavar="P/Q", help="Error that a hypothesis may have.")
@click.option(
    "--most",
    type=Integer(1),
    metavar="N",
    help="Stop at N hypotheses; without it, where random sets need not fail.",
)
@click.option("--proper", is_flag=True, help="Hypotheses are concepts of the class.")
@time_limit_option("Stop after S seconds with the bounds proved by then.", default=120)
@output_options
def failures(
    *,
    instance: str,
    error: str,
    most: int | None,
    proper: bool,
    time_limit: float,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Do the same as ``ccsim represent --curve``, under its former name."""
    return print_curve(
        instance, error, most, Budget(time_limit), proper=proper, as_json=as_json,
        certificate=certificate,
    )  # fmt: skip


def print_curve(
    instance: str,
    error: str,
    most: int | None,
    budget: Budget,
    *,
    proper: bool,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Print the least failure probability of random sets of 1, 2, ... hypotheses."""
    C = as_class(instance, budget)
    allowed = as_fraction(error, "--error", 0, 1)
    pool = C.rows if proper else None
    with closing_in("least failure") as progress:
        hunt = budget.share(SEARCHING)
        curve = failure_curve(C, allowed, most, pool, time_limit=hunt, progress=progress)
    left = time_to_check(budget)
    curve = FailureCurve(checked(each, left, LeastFailureResult.without_lower) for each in curve)
    if certificate is not None:
        curve.certificate().write(certificate)
    data = {
        "instance": C.name,
        "error": encode_fraction(allowed),
        "proper": proper,
        "failures": curve.to_dict(),
        "merged": C.merged,
    }
    lines = [("class", show_label(C)), ("error", show_fraction(allowed))] + [
        (
            counted(f"{each.size}", "hypothesis", "hypotheses"),
            " to ".join(show_fraction(bound) for bound in sorted({each.lower, each.upper})),
        )
        for each in curve
    ]
    report(data, lines, as_json=as_json)
    return 0 if all(each.exact for each in curve) else EXIT_NOT_DECIDED
