"""What running claims gave, as a page: paper by paper, with instances, slack and errata."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from ccsim.report.checker import checker, values
from ccsim.report.html import described, element, page, table
from proofs_check.claims.claim import Instance, Verdict
from proofs_check.claims.table import CLAIMS, PAPERS
from proofs_check.outcome import Outcome

__all__ = ["claims_html"]

_MOST_INSTANCES = 100
"""Instances of a claim that are listed; report.json has all."""
_WIDTH, _HEIGHT, _EDGE = 300, 34, 10


def claims_html(outcomes: Sequence[Outcome], last_line: str) -> str:
    """Return the page of claims that were run.

    Parameters
    ----------
    outcomes : sequence of Outcome
    last_line : str
        How many came out as recorded.
    """
    body = [
        element("h1", "Report of proofs-check"),
        element(
            "p",
            "Statements of papers, decided exactly on finite instances. A verdict is computed; "
            "'fails' with a counterexample is about the statement as it is printed.",
        ),
        element("p", last_line, class_="verdict " + _colour(all(o.expected for o in outcomes))),
    ]
    for key in PAPERS:
        of_paper = [outcome for outcome in outcomes if outcome.claim.paper == key]
        if of_paper:
            body += _paper(key, of_paper)
    body.append(checker(given=False))
    return page("Report of proofs-check", body, values(None))


def _colour(good: bool) -> str:  # noqa: FBT001
    return "good" if good else "bad"


def _paper(key: str, outcomes: Sequence[Outcome]) -> list[Element]:
    """Return the section of a paper: a table of its claims, then each in full."""
    rows = [
        (
            element("a", outcome.key, href=f"#{outcome.key}"),
            outcome.claim.number,
            outcome.claim.title,
            _verdict(outcome),
            _slack(outcome),
        )
        for outcome in outcomes
    ]
    head = ("claim", "place", "title", "verdict", "least slack")
    return [
        element("h2", str(PAPERS[key])),
        table(f"The {len(outcomes)} claims of {key}/...", head, rows),
        *map(_claim, outcomes),
    ]


def _verdict(outcome: Outcome) -> Element:
    said = outcome.wording if outcome.expected else f"{outcome.wording}: not as recorded"
    return element("b", said, class_=_colour(outcome.expected))


def _slack(outcome: Outcome) -> str:
    tightest = outcome.tightest
    if tightest is None or tightest.slack is None:
        return ""
    return str(tightest.slack) if tightest.slack == 0 else f"{float(tightest.slack):.3g}"


def _claim(outcome: Outcome) -> Element:
    """Return a claim in full."""
    claim = outcome.claim
    failed = [i for i in outcome.instances if i.verdict is Verdict.FAILS]
    instead = [c for c in CLAIMS.values() if c.corrects == claim.key]
    tightest = outcome.tightest
    pairs: list[tuple[str, Element | str]] = [
        ("Statement", claim.statement),
        ("Verdict", _verdict(outcome)),
    ]
    pairs += [("Counterexample", f"{i.name}: {i.detail}") for i in failed[:1]]
    pairs += [("Holds instead", f"{c.key}: {c.statement}") for c in instead]
    texts = [
        ("Survives", claim.survives),
        ("Corrects", claim.corrects),
        ("Why not decided", claim.reason),
        ("Rejected", outcome.rejected),
        ("Stopped", outcome.undecided),
        ("Tightest", tightest and f"{tightest.name}: {tightest.detail}"),
    ]
    pairs += [(name, text) for name, text in texts if text]
    erratum = claim.recorded is Verdict.FAILS
    for miss in outcome.misses:
        fails, never = (
            ("Does not hold", "Holds on all instances.")
            if erratum
            else ("Fails", "Fails on no instance.")
        )
        on = miss.instance
        fate = never if on is None else f"{fails} on {on.name}: {on.detail}"
        name = "Repaired" if erratum else "Near miss"
        pairs.append((name, f"{miss.statement} [{miss.strength}] {fate}"))
    title = element("h3", f"{claim.title} ", element("small", f"{claim.number}, {claim.key}"))
    article = element("article", title, described(pairs), id=claim.key)
    slacks = [i.slack for i in outcome.at_risk if i.slack is not None]
    if len(set(slacks)) > 1:
        article.append(_strip(slacks))
    if outcome.instances:
        article.append(_instances(outcome.instances))
    return article


def _strip(slacks: Sequence[Fraction]) -> Element:
    """Return a strip with a dot for the slack of each instance, from the least to the largest."""
    low, high = min(slacks), max(slacks)
    words = f"Slack of {len(slacks)} instances, from {float(low):.3g} to {float(high):.3g}"
    svg = element(
        "svg", width=_WIDTH, height=_HEIGHT, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img",
        aria_label=words,
    )  # fmt: skip
    middle = _HEIGHT // 2
    axis = element("line", x1=_EDGE, y1=middle, x2=_WIDTH - _EDGE, y2=middle, class_="line")
    svg.append(axis)
    for slack in sorted(set(slacks)):
        x = _EDGE + (slack - low) / (high - low) * (_WIDTH - 2 * _EDGE)
        svg.append(element("circle", cx=f"{float(x):.1f}", cy=middle, r=5, class_="dot"))
    return element("figure", svg, element("figcaption", words))


def _instances(instances: Sequence[Instance]) -> Element:
    """Return the instances, folded up."""
    rows = [
        (
            i.name,
            i.verdict.value + ("" if i.at_risk else " (could not fail)"),
            i.detail,
            "" if i.slack is None else f"{float(i.slack):.3g}",
        )
        for i in instances[:_MOST_INSTANCES]
    ]
    more = len(instances) - len(rows)
    caption = f"Instances ({more} more are in report.json)" if more else "Instances"
    listed = table(caption, ("instance", "verdict", "detail", "slack"), rows)
    return element("details", element("summary", f"{len(instances)} instances"), listed)
