"""Outcomes of claims as an HTML page: by paper, with instances, slack and errata."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from ccsim.report.certificate import pictures
from ccsim.report.html import checker, described, element, page, table, values
from proofs_check.claims.catalogue import place_in_text
from proofs_check.claims.claim import Instance, Verdict
from proofs_check.claims.table import CLAIMS, PAPERS
from proofs_check.outcome import Outcome, fate

__all__ = ["claims_html"]

_MOST_INSTANCES = 100
"""Instances of a claim that are listed; report.json has all."""
_FEW = 8
"""Claims of a page whose certificates are unfolded."""
_WIDTH, _HEIGHT, _EDGE = 300, 34, 10


def claims_html(outcomes: Sequence[Outcome], *last_lines: str) -> str:
    """Return the page of claims that were run.

    Parameters
    ----------
    outcomes : sequence of Outcome
    *last_lines : str
        Summary lines.
    """
    good = _colour(all(outcome.expected for outcome in outcomes))
    body = [
        element("h1", "Report of proofs-check"),
        element(
            "p",
            "Statements of papers, decided exactly on finite instances. All verdicts are computed. "
            "'Fails' refers to the statement as printed. A variant is a strengthened statement "
            "that must fail, or, for an erratum, a corrected statement that must hold.",
        ),
        *(element("p", line, class_="verdict " + good) for line in last_lines),
    ]
    body += _errata(outcomes)
    for key in PAPERS:
        of_paper = [outcome for outcome in outcomes if outcome.claim.paper == key]
        of_paper.sort(key=lambda outcome: place_in_text(outcome.key, outcome.claim.number))
        if of_paper:
            body += _paper(key, of_paper, unfolded=len(outcomes) <= _FEW)
    body.append(checker(given=False))
    kept = {name: text for outcome in outcomes for name, text in _certificates(outcome)}
    return page("Report of proofs-check", body, values(None) | kept)


def _errata(outcomes: Sequence[Outcome]) -> list[Element]:
    """Return a table of the printed statements that fail, each with a counterexample."""
    rows = []
    for outcome in outcomes:
        failed = [i for i in outcome.instances if i.verdict is Verdict.FAILS]
        if failed and outcome.claim.recorded is Verdict.FAILS:
            link = element("a", outcome.key, href=f"#{outcome.key}")
            said = f"{failed[0].name}: {failed[0].detail}"
            rows.append((link, outcome.claim.number, outcome.claim.title, said))
    if not rows:
        return []
    head = ("claim", "place", "title", "counterexample")
    return [
        element("h2", "Errata"),
        table(f"Printed statements that fail on an instance: {len(rows)}", head, rows),
    ]


def _certificates(outcome: Outcome) -> list[tuple[str, str]]:
    """Return the certificates of a claim, by the names of their elements on the page."""
    texts = () if outcome.shown is None else outcome.shown.certificates
    return [(f"{outcome.key}.{number}", text) for number, text in enumerate(texts, 1)]


def _colour(good: bool) -> str:  # noqa: FBT001
    return "good" if good else "bad"


def _paper(key: str, outcomes: Sequence[Outcome], *, unfolded: bool) -> list[Element]:
    """Return the section of a paper: a table of its claims, then each in full."""
    rows = [
        (
            element("a", outcome.key, href=f"#{outcome.key}"),
            outcome.claim.number,
            outcome.claim.title,
            _verdict(outcome),
            str(outcome.claim.margin),
            _slack(outcome),
        )
        for outcome in outcomes
    ]
    head = ("claim", "place", "title", "verdict", "margin", "least slack")
    return [
        element("h2", str(PAPERS[key])),
        table(f"The {len(outcomes)} claims of {key}/...", head, rows),
        *(_claim(outcome, unfolded=unfolded) for outcome in outcomes),
    ]


def _verdict(outcome: Outcome) -> Element:
    said = outcome.wording if outcome.expected else f"{outcome.wording}: not as recorded"
    return element("b", said, class_=_colour(outcome.expected))


def _slack(outcome: Outcome) -> str:
    tightest = outcome.tightest
    if tightest is None or tightest.slack is None:
        return ""
    return str(tightest.slack) if tightest.slack == 0 else f"{float(tightest.slack):.3g}"


def _claim(outcome: Outcome, *, unfolded: bool) -> Element:
    """Return the full section of a claim."""
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
        ("Margin", claim.margin.in_words),
        ("Tightest", tightest and f"{tightest.name}: {tightest.detail}"),
    ]
    pairs += [(name, text) for name, text in texts if text]
    for variant in outcome.variants:
        on = variant.instance
        became = fate(claim.recorded, None if on is None else f"{on.name}: {on.detail}")
        pairs.append(("Variant", f"{variant.statement} [{variant.strength}] {became}"))
    title = element("h3", f"{claim.title} ", element("small", f"{claim.number}, {claim.key}"))
    article = element("article", title, described(pairs), id=claim.key)
    slacks = [i.slack for i in outcome.at_risk if i.slack is not None]
    if len(set(slacks)) > 1:
        article.append(_strip(slacks))
    if outcome.shown is not None:
        article.append(_shown(outcome, unfolded=unfolded))
    if outcome.instances:
        article.append(_instances(outcome.instances))
    return article


def _shown(outcome: Outcome, *, unfolded: bool) -> Element:
    """Return the certificates of one instance: drawings, downloads and buttons to check them."""
    name = "" if outcome.shown is None else outcome.shown.instance
    kept = _certificates(outcome)
    number = "The certificate" if len(kept) == 1 else f"{len(kept)} certificates"
    summary = element("summary", f"{number} for the verdict on {name or 'the statement'}")
    folded = element("details", summary, open="" if unfolded else None)
    for key, text in kept:
        file = f"{key.replace('/', '-')}.json"
        program = {"data_needs_program": "", "data_certificate": key, "hidden": ""}
        link = element(
            "a", "Download", href="#checker", download=file, class_="button",
            aria_label=f"Download {file}", **program,
        )  # fmt: skip
        check = element(
            "button", "Check it here", type="button", aria_label=f"Check {file} here", **program
        )
        folded.extend(pictures(json.loads(text)))
        folded.append(element("p", link, check, class_="screen"))
    return folded


def _strip(slacks: Sequence[Fraction]) -> Element:
    """Return a strip of dots for the slacks of the instances, from the least to the largest."""
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
    """Return the collapsed list of instances."""
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
