"""The classes with a page of their own, and the file of the certificates of their values."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import Any

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, Certificates
from ccsim.certificates.files import MAX_FILE_BYTES, read_limited, write_bytes_atomically
from ccsim.data import frozen
from ccsim.errors import CertificateError, UnreadableInputError
from ccsim.instances import parse_class
from ccsim.surveys.atlas.contributions import best_certificates, contributions, intersected
from ccsim.surveys.atlas.counted_dimensions import COUNTED, profile_of
from ccsim.surveys.atlas.relations import family_names
from ccsim.surveys.atlas.spans import Bounds, write_span
from ccsim.surveys.atlas.statements import (
    PROOFS,
    Documents,
    check_documents,
    document_of,
    proved,
)
from ccsim.surveys.atlas.table import MOST_POINTS, Entry, atlas, improved

FILE = Path(__file__).with_name("certificates.json.xz")
DIGEST = "2cb4a7b0761306fcdb2f69bfe6ee1c8ce4d36352a7658f230c9e3207bbe4f6d9"
"""SHA-256 of the shipped file."""
_WRITTEN_EVERY = 60.0  # seconds
_NAMED = ((5, 131625),)  # classes that docs/frontier.md names, and no other rule selects


@lru_cache(maxsize=1)
def classes_with_pages() -> tuple[Entry, ...]:
    """Return the classes on at most 4 points, and the named and extremal ones on 5 points.

    Extremal are, for each dimension, the first class of each value and, for each two dimensions,
    the first class for which their difference is largest. Classes with a contributed value have a
    page as well.
    """
    entries = [e for e in atlas() if e.points < MOST_POINTS]
    profiles = [e for e in atlas() if e.points == MOST_POINTS]
    names = COUNTED[1:-1]
    chosen = {e.chosen for name in names for e in _first_of_each(name, profiles)}
    for one, other in permutations(names, 2):
        chosen.add(max(profiles, key=lambda e: _gap(e, one, other)).chosen)
    contributed = [(each.points, each.chosen) for each in contributions()]
    named = (*family_names(), *_NAMED, *contributed)
    chosen |= {c for n, c in named if n == MOST_POINTS}
    on_five = (entry_with_values(MOST_POINTS, each) for each in sorted(chosen))
    return (*entries, *sorted(on_five, key=lambda e: (e.values["concepts"], e.chosen)))


def _gap(entry: Entry, one: str, other: str) -> Fraction:
    (low, _), (_, high) = entry.values[one], entry.values[other]
    return low - (high or 0)


def _first_of_each(name: str, entries: list[Entry]) -> Iterator[Entry]:
    """Yield the first class of each value of a quantity; intervals are skipped."""
    seen = set()
    for entry in entries:
        low, high = entry.values[name]
        if low == high and low not in seen:
            seen.add(low)
            yield entry


def entry_with_values(n: int, chosen: int) -> Entry:
    """Return the entry of a first isomorphic class; on 5 points, with the values of its profile."""
    found = next((e for e in atlas() if (e.points, e.chosen) == (n, chosen)), None)
    return improved(found or replace(profile_of(n, chosen), chosen=chosen))


def prove(
    entry: Entry, time_limit: TimeLimit = None, known: Collection[str] = ()
) -> dict[str, Any]:
    """Return the documents of a class except the known ones, in up to a minute.

    `OutOfTimeError` is raised at the time limit, so that no bounds are weaker than without it.
    """
    budget = Budget.of(time_limit)
    C = parse_class(entry.instance)
    found = {}
    for name, proof in PROOFS.items():
        if name in known or entry.points > proof.most_points:
            continue
        budget.spend()
        parts: dict[str, Certificate] = {}
        for result in proof.ask(C, min(proof.seconds, budget.remaining)):
            certificate = result.certificate()
            own = certificate.parts if isinstance(certificate, Certificates) else (certificate,)
            parts.update((each.to_json(), each) for each in own)
        budget.spend()
        found[name] = _document(tuple(parts.values()))
    return found


def _document(parts: tuple[Certificate, ...]) -> Any:  # noqa: ANN401 - a JSON value
    return parts[0].to_dict() if len(parts) == 1 else Certificates(parts).to_dict()


def build_certificates(
    out: Path | str,
    *,
    points: int = MOST_POINTS,
    time_limit: TimeLimit = None,
    progress: Callable[[int, int], None] | None = None,
) -> bool:
    """Compute the certificates of all classes with pages, or resume; return whether all are there.

    A file of some of the documents is completed. From scratch this takes 40 minutes on one core.
    The file is written every minute.
    """
    budget = Budget.of(time_limit)
    found = dict(certificates(Path(out))) if Path(out).exists() else {}
    entries = [entry for entry in classes_with_pages() if entry.points <= points]
    done, written = 0, monotonic()
    with budget:
        for done, entry in enumerate(budget.each(entries), 1):
            known = found.get(entry.identifier, {})
            documents = prove(entry, budget, known)
            check_documents(entry, documents)
            found[entry.identifier] = {**known, **documents}
            if monotonic() - written > _WRITTEN_EVERY:
                write_bytes_atomically(out, pack(found))
                written = monotonic()
            if progress is not None:
                progress(done, len(entries))
    write_bytes_atomically(out, pack(found))
    return done == len(entries)


@frozen
class Checked:
    """Quantities of a class whose certificates the kernel accepted."""

    certified: tuple[str, ...]  # quantities with accepted bounds that are as good as the row's
    weaker: tuple[str, ...]  # quantities with accepted bounds that allow the row, but are wider


def check_entry(entry: Entry, time_limit: TimeLimit = None) -> Checked:
    """Recompute the values of a class, in up to a minute, and check every certificate.

    `OutOfTimeError` is raised at the time limit.
    """
    documents = prove(entry, time_limit)
    check_documents(entry, documents)
    certified: list[str] = []
    weaker: list[str] = []
    for quantity, found in proved(documents).items():
        if quantity in entry.values:
            stated = entry.values[quantity]
            check_agreement(entry, quantity, stated, found)
            as_good = intersected(stated, found) == found
            (certified if as_good else weaker).append(quantity)
    return Checked(tuple(certified), tuple(weaker))


def check_agreement(entry: Entry, quantity: str, stated: Bounds, computed: Bounds) -> Bounds:
    """Return the narrowest bounds of the atlas and of a computation, which must not contradict."""
    low, high = best = intersected(stated, computed)
    if high is not None and low > high:
        raise CertificateError(
            f"{entry.instance}: {quantity} is {write_span(stated)} in the atlas, but the computed "
            f"value is {write_span(computed)}"
        )
    return best


def with_contributed(entry: Entry, documents: Documents) -> Documents:
    """Return the documents of a class in which the contributed certificates replace others."""
    found = dict(documents)
    for each in best_certificates(entry.points, entry.chosen):
        certificate = json.loads(each.certificate)
        if document_of(each.quantity) != "error":
            found[each.quantity] = certificate
        elif "error" in found:
            k = certificate["statement"]["messages"] - 1
            found["error"] = [*found["error"][:k], certificate, *found["error"][k + 1 :]]
    return found


def pack(documents: Mapping[str, Documents]) -> bytes:
    """Return the content of a file of documents by class."""
    text = json.dumps(documents, separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def certificates(path: Path = FILE) -> Mapping[str, Documents]:
    """Return the documents of a file by class, such as ``C4.553``, in about a second."""
    content = read_limited(path)
    if Path(path) == FILE and hashlib.sha256(content).hexdigest() != DIGEST:
        raise UnreadableInputError(f"{path}: not the shipped certificates; install ccsim again")
    try:
        return _unpacked(content)
    except (lzma.LZMAError, EOFError, ValueError, RecursionError) as error:
        raise UnreadableInputError(f"{path}: not a file of certificates: {error}") from None


@lru_cache(maxsize=8)
def _unpacked(content: bytes) -> Mapping[str, Documents]:
    reader = lzma.LZMADecompressor()
    text = reader.decompress(content, MAX_FILE_BYTES)
    if not reader.eof:
        raise ValueError(f"its content must be complete and have at most {MAX_FILE_BYTES} bytes")
    found = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise ValueError("it must contain an object of objects")
    return MappingProxyType(found)
