"""Documents that prove values of the atlas: what they must state, and the bounds that they prove.

A document is the JSON value of a certificate. Values over all flips have a list of certificates,
one for each class that a flip yields. The errors with public coins have a list of certificates, one
for each number of messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from ccsim.certificates import verify
from ccsim.errors import CertificateError
from ccsim.kernel import Rejected
from ccsim.surveys.atlas.spans import Bounds
from ccsim.surveys.atlas.table import ERRORS, SAMPLES, Entry

Documents: TypeAlias = Mapping[str, Any]
"""JSON values of certificates, by the name of their document."""

OVER_FLIPS = ("dual_vc", "threshold")  # quantities with a least and a largest value over all flips
_BOUNDS = ("lower", "upper")


def _about_sets(error: Fraction, failure: Fraction | int) -> tuple[str, dict[str, str | None]]:
    return "representation_size", {"error": str(error), "pool": None, "failure": str(failure)}


STATED: Mapping[str, tuple[str, Mapping[str, str | None]]] = MappingProxyType(
    {
        "vc": ("vc_dimension", {}),
        "littlestone": ("littlestone_dimension", {}),
        "star": ("star_number", {}),
        "teaching": ("teaching_dimension", {}),
        "recursive_teaching": ("recursive_teaching_dimension", {}),
        "no_clash_teaching": ("no_clash_teaching_dimension", {}),
        "dual_vc": ("dual_vc_dimension", {}),
        "threshold": ("threshold_dimension", {}),
        "error": ("minimax_error", {"coins": "public"}),
        **{
            f"private_messages({e})": (
                "communication_complexity",
                {"error": str(e), "coins": "private"},
            )
            for e in ERRORS
        },
        **{f"drsize({e})": _about_sets(e, 0) for e in ERRORS},
        **{f"prsize({e})": _about_sets(e, e) for e in ERRORS},
        "samples": (
            "private_sample_complexity",
            {
                "hypotheses": None,
                "accuracy": str(SAMPLES[0]),
                "failure": str(SAMPLES[1]),
                "factor": SAMPLES[2].removeprefix("ln "),
            },
        ),
    }
)
"""The kind and the parameters of the certificates in a document; errors also have ``messages``."""


def document_of(quantity: str) -> str:
    """Return the name of the document that proves the bounds on a quantity."""
    head = quantity.partition("(")[0]
    if head in {"error", "messages"}:
        return "error"
    if head in {"drdim", "prdim"}:
        return quantity.replace("dim", "size")
    return quantity.removesuffix("_least").removesuffix("_most")


def proved(documents: Documents) -> dict[str, Bounds]:
    """Return the bounds that documents state, by quantity; `check_documents` checks them."""
    found: dict[str, Bounds] = {}
    for name, document in documents.items():
        parts = [part["statement"] for part in _parts(document)]
        spans = [bounds_of(statement) for statement in parts]
        if name in OVER_FLIPS:
            for side, best in (("least", min), ("most", max)):
                lower = best(low for low, _ in spans)
                uppers = [high for _, high in spans if high is not None]
                found[f"{name}_{side}"] = lower, best(uppers) if len(uppers) == len(spans) else None
        elif name == "error":
            found |= {f"error({part['messages']})": bounds_of(part) for part in parts}
        else:
            [found[name]] = spans
    return found


def check_documents(entry: Entry, documents: Documents) -> None:
    """Raise `CertificateError` unless all documents are proved and about the class."""
    for name, document in documents.items():
        place = f"{entry.identifier}/{name}"
        if name not in STATED:
            raise CertificateError(f"{place}: the atlas has no such quantity with a certificate")
        try:
            verify(document)
        except Rejected as error:
            raise CertificateError(f"{place}: rejected: {error}") from None
        if (wrong := next(_faults(entry, name, document), "")) != "":
            raise CertificateError(f"{place}: {wrong}")


def _faults(entry: Entry, name: str, document: Any) -> Iterator[str]:  # noqa: ANN401 - a JSON value
    """Yield what an accepted document states that the quantity of the class does not need."""
    kind, parameters = STATED[name]
    parts = _parts(document)
    for part in parts:
        if (part["kind"], _parameters(name, part)) != (kind, parameters):
            yield f"the certificate must state {kind} with {dict(parameters)}"
    classes = [_rows(part["instance"] or parts[0]["instance"]) for part in parts]
    n, own = entry.points, sorted(entry.concepts)
    if name in OVER_FLIPS:
        flips = {tuple(sorted(_flipped(row, flip) for row in own)) for flip in range(1 << n)}
        if {*classes} != flips:
            yield "the certificates must be about all flips of the class"
    elif {*classes} != {tuple(own)}:
        yield "the certificate must be about the class"
    elif name == "error":
        if [part["statement"]["messages"] for part in parts] != [*range(1, len(own) + 1)]:
            yield f"there must be a certificate for each number of messages up to {len(own)}"
    elif len(parts) != 1:
        yield "there must be one certificate"


def quantity_of(document: Any) -> str | None:  # noqa: ANN401 - a JSON value
    """Return the quantity of a class that one accepted certificate proves, or None."""
    for name, (kind, parameters) in STATED.items():
        is_stated = (document["kind"], _parameters(name, document)) == (kind, parameters)
        if is_stated and name not in OVER_FLIPS:
            return f"error({document['statement']['messages']})" if name == "error" else name
    return None


def _parameters(name: str, part: Any) -> dict[str, Any]:  # noqa: ANN401 - a JSON value
    return {
        key: value
        for key, value in part["statement"].items()
        if key not in _BOUNDS and (name, key) != ("error", "messages")
    }


def _parts(document: Any) -> list[Any]:  # noqa: ANN401 - a JSON value
    return document if isinstance(document, list) else [document]


def _rows(about: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(about["rows"]))


def _flipped(row: str, flip: int) -> str:
    return "".join(str(int(bit) ^ (flip >> x & 1)) for x, bit in enumerate(row))


def bounds_of(statement: Mapping[str, Any]) -> Bounds:
    """Return the bounds that a certificate states."""
    lower, upper = (statement[side] for side in _BOUNDS)
    return Fraction(lower or 0), None if upper is None else Fraction(upper)
