"""``ccsim represent --hypotheses``: whether given hypotheses represent a class."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import click

from ccsim.appearance import show_label
from ccsim.budget import Budget
from ccsim.certificates import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.cli.main import EXIT_NOT_DECIDED
from ccsim.cli.output import SEARCHING, checked, report, show_fraction, time_to_check
from ccsim.cli.progress import closing_in
from ccsim.representation.error import RepresentationResult, representation_error
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

_VERDICTS = {True: "yes", False: "no", None: "not decided"}

_Given = RepresentationResult | FailureResult


def print_given(
    C: ConceptClass,
    allowed: Fraction,
    risk: Fraction | None,
    H: HypothesisSet | ProbabilisticRepresentation,
    budget: Budget,
    *,
    as_json: bool,
    certificate: str | None,
) -> int:
    """Check given hypotheses, print the verdict, and return the exit status."""
    result: _Given
    with closing_in("error" if risk is None else "failure probability") as progress:
        hunt = budget.share(SEARCHING, progress=progress)
        if risk is not None:
            result = failure_probability(_as_mixture(H), C, allowed, time_limit=hunt, target=risk)
            verdict = result.represents(risk)
        elif isinstance(H, HypothesisSet):
            result = representation_error(H, C, time_limit=hunt)
            verdict = result.represents(allowed)
        else:
            raise click.UsageError("a distribution over sets of hypotheses needs --failure")
    lower, upper = result.lower, result.upper
    certified = checked(result, time_to_check(budget), _without_upper, "the upper bound")
    if certificate is not None:
        certified.certificate().write(certificate)
    data = {
        "instance": C.name,
        "kind": "deterministic" if risk is None else "probabilistic",
        "size": H.size,
        "represents": verdict,
        "error": encode_fraction(allowed),
        "failure": None if risk is None else encode_fraction(risk),
        "lower": encode_fraction(lower),
        "upper": encode_fraction(upper),
        "unchecked": [] if certified is result else ["error" if risk is None else "failure"],
        "merged": C.merged,
    }
    lines = [
        ("class", show_label(C)),
        ("hypotheses", f"{H.size}{'' if risk is None else ' in the largest set'}"),
        ("error" if risk is None else "failure probability", _bounds(lower, upper)),
        ("represents", _VERDICTS[verdict]),
    ]
    if verdict is False:
        lines += _refutation(C, result.concept, result.distribution)
    report(data, lines, as_json=as_json)
    return EXIT_NOT_DECIDED if verdict is None else 0


def _without_upper(result: _Given) -> _Given:
    return result.without_upper()


def _as_mixture(
    hypotheses: HypothesisSet | ProbabilisticRepresentation,
) -> ProbabilisticRepresentation:
    """Return a set as the distribution that always draws it."""
    if isinstance(hypotheses, ProbabilisticRepresentation):
        return hypotheses
    return ProbabilisticRepresentation.mixture([(1, hypotheses)])


def _bounds(lower: Fraction, upper: Fraction) -> str:
    return show_fraction(lower) if lower == upper else f"between {lower} and {upper}"


def _refutation(
    C: ConceptClass, concept: int, distribution: Sequence[Fraction]
) -> list[tuple[str, str]]:
    law = [f"Pr({show_label(x)}) = {p}" for x, p in zip(C.points, distribution, strict=True) if p]
    return [
        ("not represented", show_label(C.concepts[concept])),
        ("under the distribution", ", ".join(law)),
    ]
