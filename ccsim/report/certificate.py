"""The page of a certificate: its statement, its instance, its proofs, and a checker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from xml.etree.ElementTree import Element

from ccsim.errors import CertificateError, UnreadableInputError
from ccsim.kernel import Rejected, Unreadable, check, read, shown_path
from ccsim.kernel.rules import Quantity
from ccsim.report.drawings import distribution, instance, labels, mistake_tree, protocol
from ccsim.report.html import checker, described, element, page, values
from ccsim.report.play import one_way_player, tree_player
from ccsim.texts.declared import summary

_MOST_TEXT = 1500  # characters of data that are printed as they stand
_MOST_SIDE = 20  # rows and columns of an instance that is drawn among others
_MOST_WORDS = 60
_MOST_PARTS = 40  # certificates of one file that are shown in full


def certificate_page(file: str) -> tuple[str, list[str]]:
    """Verify the certificates of a file; return their page and the proved statements."""
    try:
        document = read(file)
        lines = check(document).split("\n")
    except Rejected as error:
        raise CertificateError(f"{shown_path(file)}: rejected: {error}") from None
    except Unreadable as error:
        raise UnreadableInputError(f"{shown_path(file)}: {error}") from None
    text = Path(file).read_text(encoding="utf-8-sig")
    parts = document if isinstance(document, list) else [document]
    name = Path(file).stem
    body = [*_head(name, parts, lines)]
    for i, (part, line) in enumerate(zip(parts[:_MOST_PARTS], lines, strict=False)):
        body += _part(part, part["instance"] or parts[0]["instance"], line, i, len(parts))
    body += [checker(given=True), _foot(parts[0])]
    return page(f"{name}: a certificate", body, values(text)), lines


def _head(name: str, parts: list[Any], lines: list[str]) -> list[Element]:
    said = [
        element("p", element("b", "Proved: ", class_="good"), line) for line in lines[:_MOST_PARTS]
    ]
    if len(lines) > _MOST_PARTS:
        said.append(element("p", f"and {len(lines) - _MOST_PARTS} more, listed by the checker."))
    number = "A certificate" if len(parts) == 1 else f"{len(parts)} certificates in one file"
    about = element(
        "p",
        f"{number}: a statement with a proof that a short program verifies. The certificate was "
        "accepted when this page was written.",
    )
    link = element(
        "a", "Download the certificate", id="download", href="#checker",
        download=f"{name}.json", class_="button", hidden="", data_needs_program="",
    )  # fmt: skip
    return [
        element("h1", name),
        about,
        element("div", *said, class_="verdict good"),
        element("p", link, class_="screen"),
    ]


def _part(part: dict[str, Any], about: Any, line: str, i: int, number: int) -> list[Element]:  # noqa: ANN401
    """Return the sections of the page for one certificate."""
    title = part["kind"].replace("_", " ") + (f" ({i + 1} of {number})" if number > 1 else "")
    pairs: list[tuple[str, Element | str]] = [("Statement", _meaning(part["kind"]))]
    for key, value in part["statement"].items():
        if key not in {"lower", "upper"}:
            limit = "any number" if key == "rounds" and value is None else _value(value)
            pairs.append((key.replace("_", " "), limit))
    pairs.append(("Result", line.rpartition(": ")[2]))
    if isinstance(about, dict) and about.get("name"):
        pairs.append(
            ("Name of the instance", f"{about['name']} (stated by the file, not verified)")
        )
    sections = [element("h2", title), described(pairs)]
    if i == 0 or part["instance"] is not None:
        drawn = instance(about, f"A {about['type']}")
        sections += [element("h3", "The instance"), _fields(about) if drawn is None else drawn]
    if "protocol" in part["statement"]:
        sections += [element("h3", "The protocol"), *protocol(about, part["statement"]["protocol"])]
        sections += one_way_player(about, part["statement"]["protocol"])
    for side, words in (("lower", "Lower bound"), ("upper", "Upper bound")):
        if part[side] is not None:
            sections += _proof(part, about, side, words)
    return sections


def _meaning(kind: str) -> str:
    """Return the meaning of a certificate of a kind; the default is the kernel's statement."""
    return MEANINGS.get(kind) or summary(Quantity.kinds[kind])


def _proof(part: dict[str, Any], about: dict[str, Any], side: str, words: str) -> list[Element]:
    """Return the proof of one bound: a picture if its form has one, and the data."""
    [(form, fields)] = part[side].items()
    bound = part["statement"][side]
    title = f"{words} {bound} (form of proof: {form.replace('_', ' ')})"
    shown = _drawn(part["kind"], about, form, fields)
    if fields:
        inside = element("details", element("summary", "The proof's data"), _fields(fields))
        shown.append(inside)
    else:
        shown.append(
            element("p", "This form of proof has no data; the checker computes the bound.")
        )
    return [element("h3", title), *shown]


def _drawn(kind: str, about: dict[str, Any], form: str, fields: dict[str, Any]) -> list[Element]:
    """Return the pictures of a proof, if its form, or that of a proof inside it, has pictures."""
    is_problem = about["type"] == "communication problem"
    drawn: list[Element | None] = []
    if form == "mistake_tree" and about["type"] == "concept class":
        drawn += mistake_tree(about, fields["tree"])
    elif form == "protocol" and isinstance(fields.get("tables"), dict):
        drawn += protocol(about, fields["tables"])
        drawn += one_way_player(about, fields["tables"])
    elif form == "tree" and kind in {"deterministic_cost", "protocol_size"}:
        drawn += tree_player(about, fields["nodes"])
    elif form == "hard_distribution" and is_problem:
        drawn.append(distribution(about, fields["distribution"]))
    elif form == "too_few" and is_problem:
        [(inner, data)] = fields["proof"].items()
        drawn += _drawn(kind, about, inner, data)
    elif form == "shattered" and about["type"] == "concept class":
        drawn.append(_shattered(kind, about, fields))
    return [each for each in drawn if each is not None]


def _shattered(kind: str, about: dict[str, Any], fields: dict[str, Any]) -> Element | None:
    """Return the table of a class with marks on shattered points and a row for each labelling."""
    dual = kind == "dual_vc_dimension"
    columns, rows = set(fields["columns"]), set(fields["rows"])

    def cell(x: int, y: int, entry: str) -> tuple[str, str]:
        row, column = (y, x) if dual else (x, y)
        marked = row in rows and column in columns
        kinds = [*(["one"] if entry == "1" else []), *(["marked"] if marked else [])]
        return f"[{entry}]" if marked else entry, " ".join(kinds)

    what = "concepts" if dual else "points"
    return instance(about, f"The entries in brackets are all labellings of the {what}", cell)


def pictures(document: Any) -> list[Element]:  # noqa: ANN401 - a JSON value
    """Return the statement of each certificate of a file, with a drawing of the proof."""
    parts = document if isinstance(document, list) else [document]
    shown: list[Element] = []
    for part in parts[:_MOST_PARTS]:
        about = part["instance"] or parts[0]["instance"]
        words = ", ".join(
            f"{key} {_short(value)}"
            for key, value in part["statement"].items()
            if key != "protocol" and value is not None
        )
        shown.append(element("p", element("b", part["kind"].replace("_", " ")), f": {words}"))
        if (sides := labels(about)) is not None and max(map(len, sides)) > _MOST_SIDE:
            size = " x ".join(str(len(side)) for side in sides)
            shown.append(element("p", f"For a {size} {about['type']}; the download contains it."))
            shown += _trees_of(part, about)
        else:
            shown += _pictures_of(part, about)
    return shown


def _trees_of(part: dict[str, Any], about: dict[str, Any]) -> list[Element]:
    """Return the mistake trees of a certificate, cut at the depth that can be drawn."""
    proofs = (part[side] for side in ("lower", "upper") if part[side] is not None)
    trees = (proof["mistake_tree"]["tree"] for proof in proofs if "mistake_tree" in proof)
    return [drawn for tree in trees for drawn in mistake_tree(about, tree)]


def _pictures_of(part: dict[str, Any], about: dict[str, Any]) -> list[Element]:
    """Return the pictures of the proofs of both bounds or, if there are none, the instance."""
    drawn: list[Element] = []
    if "protocol" in part["statement"]:
        drawn += protocol(about, part["statement"]["protocol"])
    for side in ("lower", "upper"):
        if part[side] is not None:
            [(form, fields)] = part[side].items()
            drawn += _drawn(part["kind"], about, form, fields)
    if not drawn and (table := instance(about, f"The {about['type']}")) is not None:
        drawn.append(table)
    return drawn


def _short(value: Any) -> str:  # noqa: ANN401 - a JSON value
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}..."


def _fields(fields: dict[str, Any]) -> Element:
    return described((key.replace("_", " "), _value(value)) for key, value in fields.items())


def _value(value: Any) -> Element | str:  # noqa: ANN401 - a JSON value
    """Return a number or a short text unchanged, and the beginning of longer data."""
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value)
    if len(text) > _MOST_TEXT:
        text = f"{text[:_MOST_TEXT]}... of {len(text)} characters; see the download for all"
    return element("pre", text) if len(text) > 60 else text


def _foot(part: dict[str, Any]) -> Element:
    made = part["made_by"] if isinstance(part["made_by"], str) else json.dumps(part["made_by"])
    return element(
        "footer",
        element("h2", "Without this page"),
        element(
            "p",
            "The same check, with only Python:  ",
            element("code", "python -I -S ccsim/kernel FILE"),
            f". The format is described in docs/certificates.md. Made by: {made[:200]}.",
        ),
    )


MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "vc_dimension": "The VC dimension: the largest number of points to which the concepts give "
        "all labellings.",
        "dual_vc_dimension": "The dual VC dimension: the largest number of concepts to which the "
        "points give all labellings.",
        "littlestone_dimension": "The Littlestone dimension: the largest depth of a complete "
        "mistake tree.",
        "randomized_littlestone_dimension": "The randomised Littlestone dimension: half of the "
        "largest mean length of a random branch of a shattered tree.",
        "threshold_dimension": "The threshold dimension: the largest number of thresholds inside "
        "the class.",
        "effective_domain": "The effective domain: the number of points that concepts distinguish.",
        "natarajan_dimension": "The Natarajan dimension: the largest number of points with two "
        "labels each, such that the concepts choose one of the two in all ways.",
        "graph_dimension": "The graph dimension: the largest number of points with one label each, "
        "such that the sets of points with this label are all sets.",
        "ds_dimension": "The DS dimension: the largest number of points on which some labellings "
        "have neighbours that differ from them on any one point only.",
        "multiclass_littlestone_dimension": "The multiclass Littlestone dimension: the largest "
        "depth of a complete mistake tree with two different labels at each node.",
        "star_number": "The star number: the largest number of points such that, for one fixed "
        "concept and each of the points, some concept differs from it among these points only "
        "there.",
        "hollow_star_number": "The hollow star number: the largest number of labelled points such "
        "that no concept has all the labels, but for each point some concept has all other labels.",
        "teaching_dimension": "The teaching dimension: the number of points that suffices to "
        "single out any concept.",
        "recursive_teaching_dimension": "The recursive teaching dimension: the number of points "
        "that suffices to single out any concept among the concepts taught after it, in the best "
        "order.",
        "no_clash_teaching_dimension": "The no-clash teaching dimension: the least size of "
        "teaching sets such that no two concepts are both consistent with each other's set.",
        "query_complexity": "The query complexity: the least number of queries after which a "
        "learner has identified every concept, in the worst case.",
        "compression_size": "The compression size: the least size of a sample compression scheme, "
        "which maps the labels that a concept gives to some points to a few of these points, and "
        "those to a function with all the labels.",
        "self_directed_complexity": "The self-directed learning complexity: the least number of "
        "mistakes of a learner that chooses the points, for the worst concept.",
        "offline_mistakes": "The offline mistake bound: the least number of mistakes of a learner "
        "that knows the order of the points, for the worst concept and an extreme order.",
        "partial_vc_dimension": "The VC dimension of a partial class: the largest number of points "
        "to which the concepts that are defined on all of them give all labellings.",
        "partial_dual_vc_dimension": "The dual VC dimension of a partial class: the largest number "
        "of concepts to which the points where all of them are defined give all labellings.",
        "partial_littlestone_dimension": "The Littlestone dimension of a partial class: the "
        "largest depth of a complete mistake tree each of whose branches has the labels of some "
        "concept that is defined on all its points.",
        "partial_threshold_dimension": "The threshold dimension of a partial class: the largest "
        "number of thresholds whose labels are all defined.",
        "partial_star_number": "The star number of a partial class: the size of the largest star "
        "whose labels are all defined.",
        "partial_teaching_dimension": "The teaching dimension of a partial class: the number of "
        "labelled points of any concept that suffices to exclude all concepts that do not extend "
        "it.",
        "sign_rank": "The sign rank: the least dimension of vectors for rows and columns whose "
        "inner products have the signs of the matrix.",
        "matrix_game": "The value of a matrix game.",
        "linear_program": "The value of a linear program.",
        "protocol_error": "The error of a one-way protocol on its worst input.",
        "distributional_error": "The minimum expected error of one-way protocols under a "
        "distribution, for a number of messages.",
        "minimax_error": "The minimax error of protocols for a number of messages.",
        "two_way_error": "The minimax error of two-way protocols with public coins, for a number "
        "of bits and of rounds.",
        "simultaneous_error": "The minimax error of simultaneous messages to a referee, with "
        "public coins, for a total number of bits.",
        "communication_complexity": "The least number of messages of a one-way protocol "
        "whose error on every input is at most the given error.",
        "family_error": "The minimax error of one-way protocols for a number of messages and a "
        "problem of a family.",
        "deterministic_representation": "The error with which a set of hypotheses represents a "
        "class.",
        "probabilistic_representation": "The probability that a random set of hypotheses fails to "
        "represent a class.",
        "least_failure": "The minimum failure probability of a random set with a given number of "
        "hypotheses.",
        "representation_size": "The least number of hypotheses that represent a class.",
        "privacy": "Privacy of a mechanism: Pr[E on D] <= factor Pr[E on D'] + delta for all "
        "neighbouring databases D, D' and all events E, where factor is e^epsilon. The result is "
        "the least value of the parameter that is none below.",
        "release_probability": "The largest probability with which a private mechanism releases a "
        "point.",
        "learner_failure": "The failure probability of a private learner, given by its output "
        "distributions.",
        "private_failure": "The minimum failure probability of private learners.",
        "approximate_private_failure": "The minimum failure probability of learners with "
        "approximate privacy.",
        "approximate_sample_complexity": "The sample complexity of learning with approximate "
        "privacy.",
        "private_sample_complexity": "The sample complexity of private learning.",
        "release": "The number of records that a private release for all concepts requires.",
    }
)
"""A description of each kind of certificate."""
