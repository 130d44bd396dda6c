"""Deciding whether a certificate adds a value to the atlas; the kernel checks the certificate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ccsim.certificates import verify
from ccsim.errors import CertificateError, DomainError
from ccsim.kernel import Rejected
from ccsim.surveys.atlas.certificates import certificates
from ccsim.surveys.atlas.contributions import Contribution, intersected
from ccsim.surveys.atlas.counted_dimensions import profile_of
from ccsim.surveys.atlas.spans import Bounds, write_span
from ccsim.surveys.atlas.statements import bounds_of, proved, quantity_of
from ccsim.surveys.atlas.table import (
    MOST_POINTS,
    QUANTITIES,
    first_isomorphic,
    stored_entries,
)

_LONGEST = 300  # characters of a name or a reference
_MOST_BYTES = 1 << 20  # of a certificate, which becomes a part of the package


def accepted(
    document: Any,  # noqa: ANN401 - a JSON value
    who: str,
    reference: str,
    others: Iterable[Contribution] = (),
) -> Contribution:
    """Return the value that a certificate adds to the atlas and to other contributed values.

    If it adds none, `CertificateError` is raised with the reason.
    """
    for name, text in (("who", who), ("reference", reference)):
        if not (text.isprintable() and text == text.strip() and 1 <= len(text) <= _LONGEST):
            raise DomainError(
                f"{name} must be one line of 1 to {_LONGEST} printable characters, "
                f"not {text[:40]!r}"
            )
    try:
        verify(document)
    except Rejected as error:
        raise CertificateError(f"the kernel rejects the certificate: {error}") from None
    if not isinstance(document, dict):
        raise CertificateError(f"there must be one certificate, not a list of {len(document)}")
    quantity = quantity_of(document)
    if quantity is None:
        about = json.dumps(document["statement"])[:200]
        raise CertificateError(
            f"no quantity of the atlas is proved by a certificate of {document['kind']} with the "
            f"statement {about}; see docs/atlas.md"
        )
    points, chosen = _class_of(document["instance"])
    _check_range(quantity, points, chosen)
    bounds = bounds_of(document["statement"])
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    if len(text.encode()) > _MOST_BYTES:
        raise CertificateError(
            f"the certificate must have at most {_MOST_BYTES} bytes, not {len(text.encode())}"
        )
    found = Contribution(points, chosen, quantity, bounds, who, reference, text)
    _check_improvement(found, known_bounds(points, chosen, quantity, others))
    return found


def known_bounds(
    points: int, chosen: int, quantity: str, others: Iterable[Contribution] = ()
) -> Bounds | None:
    """Return the bounds of the atlas, its certificates and contributed values; None if none."""
    stored = (e for e in stored_entries() if (e.points, e.chosen) == (points, chosen))
    entry = next(stored, None) or profile_of(points, chosen)
    shipped = proved(certificates().get(f"C{points}.{chosen}", {}))
    spans = [values[quantity] for values in (entry.values, shipped) if quantity in values]
    spans += [c.bounds for c in others
              if (c.points, c.chosen, c.quantity) == (points, chosen, quantity)]  # fmt: skip
    if not spans:
        return None
    known = spans[0]
    for span in spans[1:]:
        known = intersected(known, span)
    return known


def _class_of(about: Mapping[str, Any]) -> tuple[int, int]:
    """Return the points and the number of the class of a certificate, which must be the first."""
    texts = about.get("rows", [])
    n = len(texts[0]) if texts else 0
    if not 1 <= n <= MOST_POINTS or any({*row} - {*"01"} for row in texts):
        raise CertificateError(
            f"the certificate must be about a class of the atlas, with 1 to {MOST_POINTS} points "
            "and one concept or more"
        )
    rows = [sum(1 << x for x, value in enumerate(text) if value == "1") for text in texts]
    chosen = first_isomorphic(n, sorted({*rows}))
    if len({*rows}) < len(rows) or sum(1 << row for row in rows) != chosen:
        raise CertificateError(
            f"the certificate must be about some_functions:n={n},chosen={chosen}, the class of "
            "the atlas that is isomorphic to its class"
        )
    return n, chosen


def _check_range(quantity: str, points: int, chosen: int) -> None:
    name, _, argument = quantity.rstrip(")").partition("(")
    most = QUANTITIES[name].most_points
    if name != "error":
        return
    if points > most:
        raise CertificateError(
            f"{quantity}: the atlas contains minimax errors only for classes on at most {most} "
            "points, because it computes messages(e) from the errors with 1, 2, ... messages; "
            f"choose a class on at most {most} points, or contribute drsize or private_messages"
        )
    if int(argument) > chosen.bit_count():
        raise CertificateError(
            f"{quantity}: the class has {chosen.bit_count()} concepts; with as many messages, the "
            "error is 0; choose at most as many messages as concepts"
        )


def _trivial_bounds(quantity: str, concepts: int) -> Bounds:
    """Return the bounds that hold for all classes with so many concepts.

    One message or hypothesis for each concept suffices, and one does not suffice for two concepts.
    """
    if quantity == "samples":
        return Fraction(concepts > 1), None
    return Fraction(min(concepts, 2)), Fraction(concepts)


def _check_improvement(found: Contribution, known: Bounds | None) -> None:
    lower, upper = found.bounds
    least, most = (Fraction(0), None) if known is None else known
    place = f"{found.identifier}: the certificate proves {write_span(found.bounds)}"
    if known is None:
        trivial = _trivial_bounds(found.quantity, found.chosen.bit_count())
        if intersected(trivial, found.bounds) == trivial:
            raise CertificateError(
                f"{place}, which follows from the number of concepts: {write_span(trivial)}; raise "
                "the time limit until a bound is better"
            )
    if (most is not None and lower > most) or (upper is not None and upper < least):
        raise CertificateError(
            f"{place}, which contradicts {write_span((least, most))} in the atlas; both are "
            "proved, so report this as an error of ccsim"
        )
    best = intersected((least, most), found.bounds)
    if best != found.bounds or (best == (least, most) and known is not None):
        raise CertificateError(
            f"{place}, which does not improve {write_span((least, most))} in the atlas: no bound "
            "may be worse, and one must be better"
        )
