"""Documents that prove values of the atlas: their computation, statements and bounds.

A document is the JSON value of a certificate. Values over all flips have a list of certificates,
one for each class that a flip yields. The errors with public coins have a list of certificates, one
for each number of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from ccsim.certificates import verify
from ccsim.certificates.answer import Certified
from ccsim.classes import ConceptClass
from ccsim.communication.minimax import communication_complexity, error_curve
from ccsim.communication.problem import evaluation_problem
from ccsim.communication.sign_ranks import sign_rank
from ccsim.data import frozen
from ccsim.dimensions import littlestone_dimension, vc_dimension
from ccsim.dimensions.compression import compression_size
from ccsim.dimensions.mistakes import ORDERS, offline_mistakes, self_directed_complexity
from ccsim.dimensions.queries import QUERIES, query_complexity
from ccsim.dimensions.teaching.hollow_star import hollow_star_number
from ccsim.dimensions.teaching.no_clash import no_clash_teaching_dimension
from ccsim.dimensions.teaching.sets import recursive_teaching_dimension, teaching_dimension
from ccsim.dimensions.teaching.star import star_number
from ccsim.dimensions.threshold import threshold_dimension
from ccsim.dimensions.vc import dual_vc_dimension
from ccsim.errors import CertificateError
from ccsim.instances import parse_class
from ccsim.kernel import Rejected
from ccsim.learning.least_failure import private_sample_complexity
from ccsim.representation.random_sets import probabilistic_representation_size
from ccsim.representation.size import deterministic_representation_size
from ccsim.surveys.atlas.spans import Bounds
from ccsim.surveys.atlas.table import ERRORS, MOST_POINTS, QUANTITIES, SAMPLES, Entry

Documents: TypeAlias = Mapping[str, Any]
"""JSON values of certificates, by the name of their document."""

OVER_FLIPS = ("dual_vc", "threshold")  # quantities with a least and a largest value over all flips
_BOUNDS = ("lower", "upper")


@frozen
class Proof:
    """How a document proves a quantity: what its certificates state, and who computes them."""

    kind: str
    parameters: Mapping[str, str | bool | None]  # errors also have ``messages``
    ask: Callable[[ConceptClass, float], Iterable[Certified]]  # within a number of seconds
    most_points: int = MOST_POINTS  # classes on more points have no such document
    seconds: float = 60  # time limit for a class, after which the document states an interval


def _once(question: Callable[..., Certified]) -> Callable[[ConceptClass, float], list[Certified]]:
    return lambda C, seconds: [question(C, time_limit=seconds)]


def _over_flips(
    question: Callable[..., Certified],
) -> Callable[[ConceptClass, float], list[Certified]]:
    return lambda C, seconds: [question(D, time_limit=seconds) for D in flipped(C)]


def flipped(C: ConceptClass) -> tuple[ConceptClass, ...]:
    """Return the images of a class under all exchanges of 0 and 1 on sets of points."""
    n = len(C.points)
    return tuple(
        parse_class(f"some_functions:n={n},chosen={sum(1 << (row ^ flip) for row in C.rows)}")
        for flip in range(1 << n)
    )


def _errors(C: ConceptClass, seconds: float) -> Iterable[Certified]:
    return error_curve(evaluation_problem(C), time_limit=seconds)


def _compression(name: str) -> Proof:
    """Return the proofs of the sizes of sample compression schemes with the named properties."""
    labelled, stable, proper = "unlabelled" not in name, "stable" in name, "proper" in name
    return Proof(
        "compression_size",
        {"labelled": labelled, "stable": stable, "proper": proper},
        _once(partial(compression_size, labelled=labelled, stable=stable, proper=proper)),
        4,
    )


def _at_error(error: Fraction) -> Mapping[str, Proof]:
    """Return the proofs of the quantities that depend on an error."""
    value = str(error)
    sets = {"error": value, "pool": None}
    return {
        f"private_messages({error})": Proof(
            "communication_complexity",
            {"error": value, "coins": "private"},
            _once(lambda C, **k: communication_complexity(
                evaluation_problem(C), error, "private", **k)),
            4, 1.5,
        ),
        f"drsize({error})": Proof(
            "representation_size",
            {**sets, "failure": "0"},
            _once(lambda C, **k: deterministic_representation_size(C, error, **k)),
            4, 10,
        ),
        f"prsize({error})": Proof(
            "representation_size",
            {**sets, "failure": value},
            _once(lambda C, **k: probabilistic_representation_size(C, error, error, **k)),
            4, 30,
        ),
    }  # fmt: skip


PROOFS: Mapping[str, Proof] = MappingProxyType(
    {
        "vc": Proof("vc_dimension", {}, _once(vc_dimension)),
        "littlestone": Proof("littlestone_dimension", {}, _once(littlestone_dimension)),
        "star": Proof("star_number", {}, _once(star_number)),
        "teaching": Proof("teaching_dimension", {}, _once(teaching_dimension)),
        "recursive_teaching": Proof(
            "recursive_teaching_dimension", {}, _once(recursive_teaching_dimension)
        ),
        "no_clash_teaching": Proof(
            "no_clash_teaching_dimension", {}, _once(no_clash_teaching_dimension)
        ),
        "hollow_star": Proof("hollow_star_number", {}, _once(hollow_star_number)),
        "sign_rank": Proof(
            "sign_rank", {}, _once(lambda C, **k: sign_rank(evaluation_problem(C), **k))
        ),
        "dual_vc": Proof("dual_vc_dimension", {}, _over_flips(dual_vc_dimension)),
        "threshold": Proof("threshold_dimension", {}, _over_flips(threshold_dimension)),
        **{
            f"{queries.replace(' ', '_')}_queries": Proof(
                "query_complexity",
                {"queries": queries},
                _once(partial(query_complexity, queries=queries)),
            )
            for queries in QUERIES
            if queries != "equivalence"  # this number is the Littlestone dimension
        },
        "self_directed": Proof("self_directed_complexity", {}, _once(self_directed_complexity)),
        **{
            f"{order}_mistakes": Proof(
                "offline_mistakes", {"order": order}, _once(partial(offline_mistakes, order=order))
            )
            for order in ORDERS
        },
        **{name: _compression(name) for name in QUANTITIES if name.endswith("compression")},
        "error": Proof("minimax_error", {"coins": "public"}, _errors, 4, 5),
        **{name: proof for error in ERRORS for name, proof in _at_error(error).items()},
        "samples": Proof(
            "private_sample_complexity",
            {
                "hypotheses": None,
                "accuracy": str(SAMPLES[0]),
                "failure": str(SAMPLES[1]),
                "factor": SAMPLES[2].removeprefix("ln "),
            },
            _once(lambda C, **k: private_sample_complexity(C, *SAMPLES, limit=8, **k)),
            3,
        ),
    }
)
"""How the documents of the atlas are computed, and what they state, by name."""


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
        if name not in PROOFS:
            raise CertificateError(f"{place}: the atlas has no such quantity with a certificate")
        try:
            verify(document)
        except Rejected as error:
            raise CertificateError(f"{place}: rejected: {error}") from None
        if (wrong := next(_faults(entry, name, document), "")) != "":
            raise CertificateError(f"{place}: {wrong}")


def _faults(entry: Entry, name: str, document: Any) -> Iterator[str]:  # noqa: ANN401 - a JSON value
    """Yield what an accepted document states that the quantity of the class does not need."""
    wanted = PROOFS[name].kind, PROOFS[name].parameters
    parts = _parts(document)
    for part in parts:
        if (part["kind"], _parameters(name, part)) != wanted:
            yield f"the certificate must state {wanted[0]} with {dict(wanted[1])}"
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
    for name, proof in PROOFS.items():
        is_stated = document["kind"] == proof.kind and (
            _parameters(name, document) == proof.parameters
        )
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
