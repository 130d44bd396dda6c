"""``ccsim sample-complexity``: the number of examples of the best private learner of a class."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from ccsim.appearance import counted, show_label
from ccsim.budget import Budget, Workers
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.given import as_class
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import (
    SEARCHING,
    checked,
    closing_in,
    output_options,
    report,
    show_fraction,
    time_limit_option,
    time_to_check,
)
from ccsim.cli.parameters import EPSILON, INSTANCE, Command, Integer, Rational, picture_option
from ccsim.cli.workers import workers_options
from ccsim.exact import Epsilon, as_fraction
from ccsim.learning.least_failure import (
    LeastPrivateFailure,
    PrivateSampleComplexity,
    least_private_failure,
    private_sample_complexity,
)
from ccsim.learning.sample_size import check_parameters, occam_sample_size
from ccsim.pictures import draw_sample_complexity, save_figure
from ccsim.representation import ProbabilisticSizeResult, probabilistic_representation_size


@click.command(cls=Command)
@click.argument("instance", type=INSTANCE)
@click.option("--accuracy", required=True, metavar="A", help="Largest allowed error.")
@click.option("--failure", metavar="F",
              help="Allowed probability of a larger error; find the least N.")  # fmt: skip
@click.option(
    "--samples",
    "number",
    type=Integer(1),
    metavar="N",
    help="Number of examples; find the least failure probability.",
)
@click.option("--epsilon", required=True, type=EPSILON, metavar="E",
              help="Privacy parameter, e.g. 1/4 or 'ln 3'.")  # fmt: skip
@click.option(
    "--delta",
    type=Rational(0, 1),
    default="0",
    show_default=True,
    metavar="D",
    help="Privacy parameter delta.",
)
@click.option("--limit", type=Integer(1), default=3, show_default=True, metavar="N",
              help="Largest number of examples to try.")  # fmt: skip
@click.option("--gap", type=Rational(0, 1), default="1/1000", show_default=True, metavar="G",
              help="Stop when the bounds for --samples differ by at most G.")  # fmt: skip
@time_limit_option("Stop after S seconds with the bounds proved so far.", default=300)
@workers_options
@picture_option("Draw the bounds and the theorem")
@output_options
def sample_complexity(  # noqa: PLR0913 - one argument for each option
    *,
    instance: str,
    accuracy: str,
    failure: str | None,
    number: int | None,
    epsilon: str,
    delta: Fraction,
    limit: int,
    gap: Fraction,
    time_limit: float,
    workers: Workers,
    out: str | None,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Compute the number of examples that the best private learner of INSTANCE needs.

    The minimum is over all (epsilon, delta)-private learners, which may output any hypothesis. For
    each concept and each distribution, the error must be at most A except with probability F. The
    learners with N examples are the solutions of a linear program, which is practical for about 3
    points.

    With --failure F, the least N is computed, and the size of a probabilistic representation of
    the class for comparison. The exit status is 3 if the least N is above the limit. With
    --samples N, where E must be a logarithm, the least F is bounded. The exit status is 3 if the
    bounds are further apart than G.
    """
    if (failure is None) == (number is None):
        raise click.UsageError("give either --failure or --samples")
    if out is not None and failure is None:
        raise click.UsageError("--out needs --failure")
    budget = Budget.of(time_limit, jobs=workers)
    C, allowed = as_class(instance, budget), as_fraction(accuracy, "--accuracy", 0, 1)
    if number is not None:
        with closing_in("failure") as progress:
            found = least_private_failure(
                C,
                number,
                allowed,
                epsilon,
                time_limit=budget.share(SEARCHING),
                progress=progress,
                gap=gap,
                delta=delta,
            )
        found = checked(found, time_to_check(budget), LeastPrivateFailure.without_upper, _ABOVE)
        if certificate is not None:
            found.certificate().write(certificate)
        data, lines = _failure(found)
        status = 0 if found.upper - found.lower <= gap else EXIT_NOT_DECIDED
    else:
        least = _least_number(C, allowed, str(failure), (epsilon, delta), limit, budget)
        if certificate is not None:
            least.certificate().write(certificate)
        if out is not None:
            save_figure(out, draw_sample_complexity(least))
        data, lines, status = _complexity(least, limit, budget)
    common = {
        "instance": C.name,
        "accuracy": encode_fraction(allowed),
        "epsilon": epsilon,
        "delta": encode_fraction(delta),
    }
    report(
        {**common, **data, "merged": C.merged}, [("class", show_label(C)), *lines], as_json=as_json
    )
    return status


def _failure(found: LeastPrivateFailure) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    lower, upper = encode_fraction(found.lower), encode_fraction(found.upper)
    data = {"samples": found.samples, "lower": lower, "upper": upper}
    lines = [("examples", str(found.samples)), ("least failure", _between(found))]
    return data, lines


def _between(found: LeastPrivateFailure) -> str:
    if found.exact:
        return show_fraction(found.lower)
    if not found.lower:
        return f"at most {float(found.upper):.6g}"
    return f"between {float(found.lower):.6g} and {float(found.upper):.6g}"


def _least_number(
    C: ConceptClass,
    accuracy: Fraction,
    failure: str,
    private: tuple[str, Fraction],
    limit: int,
    budget: Budget,
) -> PrivateSampleComplexity:
    missed, privacy = as_fraction(failure, "--failure", 0, 1), Epsilon.of(private[0])
    check_parameters(accuracy, missed, privacy)

    tried = [1]
    with closing_in(lambda: f"{tried[-1]} examples: failure") as progress:
        found = private_sample_complexity(
            C,
            accuracy,
            missed,
            privacy,
            time_limit=budget.share(SEARCHING),
            progress=progress,
            trying=tried.append,
            limit=limit,
            delta=private[1],
        )
    return checked(found, time_to_check(budget), PrivateSampleComplexity.without_upper, _ABOVE)


def _complexity(
    found: PrivateSampleComplexity, limit: int, budget: Budget
) -> tuple[dict[str, Any], list[tuple[str, str]], int]:
    C, privacy = found.concept_class, found.epsilon
    accuracy, missed = found.accuracy, found.failure
    left = min(_SEARCH, budget.remaining)
    sets = probabilistic_representation_size(C, accuracy, missed, time_limit=left)
    sets = checked(sets, time_to_check(budget), ProbabilisticSizeResult.without_lower)
    theorem = occam_sample_size(max(len(C), 1), privacy, accuracy, missed)
    data = {
        "failure": encode_fraction(missed),
        "lower": found.lower,
        "upper": found.upper,
        "theorem": theorem,
        "representation": {"lower": sets.lower, "upper": sets.upper},
    }
    if found.exact:
        examples = f"{found.upper}"
    elif found.upper is None:
        ended = f"; {found.reason}" if found.reason else f", possibly more than {limit}"
        examples = f"at least {found.lower}{ended}"
    else:
        examples = f"between {found.lower} and {found.upper}"
    lines = [("examples", examples)]
    for bounds, what in ((found.impossible, "too few"), (found.possible, "enough")):
        if bounds is not None:
            other = "" if bounds.epsilon == privacy else f" at epsilon = {bounds.epsilon}"
            lines.append((f"{bounds.samples} {what}", f"least failure {_between(bounds)}{other}"))
    size = f"{sets.lower}" if sets.exact else f"{sets.lower} to {sets.upper}"
    hypotheses = counted(size, "hypothesis", "hypotheses")
    of_theorem = counted(theorem, "example is enough", "examples are enough")
    lines += [
        ("by theorem", f"{of_theorem} for the exponential mechanism"),
        (
            "representation",
            f"random sets of {hypotheses}, for the same error and failure probability",
        ),
    ]
    return data, lines, 0 if found.exact else EXIT_NOT_DECIDED


_SEARCH = 20.0
"""Seconds for the smallest representation."""
_ABOVE = "the upper bound"
