"""The classes with a page of their own, and the file of the certificates of their values."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Iterator, Mapping
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
from ccsim.errors import UnreadableInputError
from ccsim.surveys.atlas.build import GROUPS, measured
from ccsim.surveys.atlas.contributions import best_certificates, contributions
from ccsim.surveys.atlas.counted_dimensions import COUNTED, profile_of
from ccsim.surveys.atlas.relations import family_names
from ccsim.surveys.atlas.statements import Documents, check_documents, document_of
from ccsim.surveys.atlas.table import MOST_POINTS, Entry, atlas, improved

FILE = Path(__file__).with_name("certificates.json.xz")
DIGEST = "a645512ecb8862cf81ed2b238a80b8f10b20ef9789ebcc500a2d8d62c443fe42"
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


def prove(entry: Entry, time_limit: TimeLimit = None) -> dict[str, Any]:
    """Return documents that prove values of a class, in up to a minute.

    `OutOfTimeError` is raised at the time limit, so that no bounds are weaker than without it.
    """
    budget = Budget.of(time_limit)
    parts: dict[str, dict[str, Certificate]] = {}
    for name, group in GROUPS.items():
        if entry.points > group.most_points and name != "dimensions":
            continue
        seconds = min(group.seconds, budget.remaining)
        for quantity, found in measured(name, entry.instance, seconds).items():
            listed = parts.setdefault(document_of(quantity), {})
            for result in found.results:
                certificate = result.certificate()
                own = certificate.parts if isinstance(certificate, Certificates) else (certificate,)
                listed.update((each.to_json(), each) for each in own)
        budget.spend()
    return {name: _document(tuple(listed.values())) for name, listed in parts.items()}


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

    This takes half an hour on one core. The file is written every minute.
    """
    budget = Budget.of(time_limit)
    found = dict(certificates(Path(out))) if Path(out).exists() else {}
    entries = [entry for entry in classes_with_pages() if entry.points <= points]
    written = monotonic()
    with budget:
        for i, entry in enumerate(budget.each(entries), 1):
            if entry.identifier not in found:
                documents = prove(entry, budget)
                check_documents(entry, documents)
                found[entry.identifier] = documents
            if monotonic() - written > _WRITTEN_EVERY:
                write_bytes_atomically(out, pack(found))
                written = monotonic()
            if progress is not None:
                progress(i, len(entries))
    write_bytes_atomically(out, pack(found))
    return all(entry.identifier in found for entry in entries)


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


@lru_cache(maxsize=1)
def _unpacked(content: bytes) -> Mapping[str, Documents]:
    reader = lzma.LZMADecompressor()
    text = reader.decompress(content, MAX_FILE_BYTES)
    if not reader.eof:
        raise ValueError(f"its content must be complete and have at most {MAX_FILE_BYTES} bytes")
    found = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(each, dict) for each in found.values()):
        raise ValueError("it must contain an object of objects")
    return MappingProxyType(found)
