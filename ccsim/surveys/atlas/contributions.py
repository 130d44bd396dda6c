"""Values that others have contributed to the atlas: for each, a certificate and five lines.

The five lines are the identifier, the class, the quantity with its bounds, the contributor and the
reference. They are read by the searches of the atlas; `ccsim.surveys.atlas.acceptance` checks the
certificates.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from ccsim.certificates.files import make_folder, read_limited, write_text_atomically
from ccsim.data import frozen
from ccsim.errors import UnreadableInputError
from ccsim.surveys.atlas.spans import Bounds, read_span, write_span

FOLDER = Path(__file__).with_name("contributed")
_LINES = ("identifier", "class", "quantity", "who", "reference")
_TEXT = re.compile(
    r"identifier: ccsim:C(?P<points>[0-9])\.(?P<chosen>[0-9]{1,10})/(?P<name>[a-z_0-9/()]+)\n"
    r"class: some_functions:n=(?P=points),chosen=(?P=chosen)\n"
    r"quantity: (?P=name) = (?P<bounds>[0-9/]{1,4000}(?:\.\.[0-9/]{0,4000})?)\n"
    r"who: (?P<who>[^\n]+)\n"
    r"reference: (?P<reference>[^\n]+)\n"
)


@frozen
class Contribution:
    """A value of a class, with the person to cite and the text of its certificate."""

    points: int
    chosen: int
    quantity: str
    bounds: Bounds
    who: str
    reference: str
    certificate: str  # one line of JSON

    @property
    def identifier(self) -> str:
        """The permanent name of the value, such as ``ccsim:C4.553/littlestone``."""
        return f"ccsim:C{self.points}.{self.chosen}/{self.quantity}"

    @property
    def stem(self) -> str:
        """The name of both files, which ends in a part of the certificate's SHA-256."""
        quantity = re.sub(r"[/(]", "-", self.quantity.removesuffix(")"))
        sha = hashlib.sha256(self.certificate.encode()).hexdigest()
        return f"C{self.points}.{self.chosen}-{quantity}-{sha[:16]}"

    @property
    def credit(self) -> str:
        """The line with which the value is cited."""
        shown = write_span(self.bounds)
        return f"{self.quantity} = {shown}: {self.who}, {self.reference} ({self.identifier})"

    def text(self) -> str:
        """Return the five lines."""
        texts = (
            self.identifier,
            f"some_functions:n={self.points},chosen={self.chosen}",
            f"{self.quantity} = {write_span(self.bounds)}",
            self.who,
            self.reference,
        )
        return "".join(f"{name}: {text}\n" for name, text in zip(_LINES, texts, strict=True))

    def write(self, folder: Path) -> Path:
        """Write the certificate and the five lines; return the file of the lines."""
        make_folder(folder)
        write_text_atomically(folder / f"{self.stem}.json", self.certificate)
        write_text_atomically(folder / f"{self.stem}.txt", self.text())
        contributions.cache_clear()
        return folder / f"{self.stem}.txt"


@lru_cache(maxsize=4)
def contributions(folder: Path = FOLDER) -> tuple[Contribution, ...]:
    """Return the contributed values of a folder, sorted by class, quantity and file."""
    try:
        files = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise UnreadableInputError(f"{folder}: cannot be read: {error.strerror}") from None
    found = [_read(path) for path in files if path.suffix == ".txt"]
    if alone := {p.stem for p in files if p.suffix == ".json"} - {each.stem for each in found}:
        raise UnreadableInputError(f"{folder / min(alone)}.json: its file .txt is missing")
    return tuple(sorted(found, key=lambda each: (each.points, each.chosen, each.quantity)))


def _read(path: Path) -> Contribution:
    try:
        text = read_limited(path).decode().replace("\r\n", "\n")
        certificate = read_limited(path.with_suffix(".json")).decode()
        given = _lines(text)
        points, chosen = int(given["points"]), int(given["chosen"])
        bounds = read_span(given["bounds"])
    except (ValueError, ZeroDivisionError) as error:
        raise UnreadableInputError(f"{path}: not a contributed value: {error}") from None
    who, reference = given["who"], given["reference"]
    found = Contribution(points, chosen, given["name"], bounds, who, reference, certificate)
    if (found.stem, found.text()) != (path.stem, text):
        raise UnreadableInputError(
            f"{path}: the files are not those that 'ccsim atlas add' wrote; add the value again"
        )
    return found


def _lines(text: str) -> Mapping[str, str]:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"it must contain the five lines {', '.join(_LINES)}")
    return match.groupdict()


def contributions_to(points: int, chosen: int) -> tuple[Contribution, ...]:
    """Return the contributed values of a first isomorphic class."""
    return tuple(c for c in contributions() if (c.points, c.chosen) == (points, chosen))


def with_contributions(
    points: int, chosen: int, values: Mapping[str, Bounds]
) -> Mapping[str, Bounds]:
    """Return the values of a class with the contributed bounds."""
    found = dict(values)
    for each in contributions_to(points, chosen):
        known = found.get(each.quantity, (each.bounds[0], None))
        found[each.quantity] = intersected(known, each.bounds)
    return MappingProxyType(found)


def intersected(known: Bounds, other: Bounds) -> Bounds:
    """Return the larger of two lower bounds and the smaller of two upper bounds."""
    uppers = [each for each in (known[1], other[1]) if each is not None]
    return max(known[0], other[0]), min(uppers, default=None)


def best_certificates(points: int, chosen: int) -> Iterator[Contribution]:
    """Yield for each contributed quantity of a class the value with the narrowest bounds."""
    best: dict[str, Contribution] = {}
    for each in contributions_to(points, chosen):
        if each.quantity not in best or _is_narrower(each.bounds, best[each.quantity].bounds):
            best[each.quantity] = each
    yield from best.values()


def _is_narrower(one: Bounds, other: Bounds) -> bool:
    return one != other and intersected(one, other) == one
