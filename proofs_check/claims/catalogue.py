"""The catalogue of all statements of the papers: keys and titles.

The data are in ``catalogue.tsv``. A claim has the key of its entry, or this key with
a suffix if an entry has several statements or an erratum and its correction.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from ccsim.errors import DomainError

__all__ = ["catalogue", "missing", "place_in_text"]


@cache
def catalogue() -> Mapping[str, str]:
    """Return the title of every entry by its key.

    Examples
    --------
    >>> catalogue()["fx/cor-11"]
    'Evaluation needs (1 - H(eps)) LDim bits'
    """
    text = files("proofs_check.claims").joinpath("catalogue.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return MappingProxyType({row["key"]: row["title"] for row in rows})


def place_in_text(key: str, number: str) -> tuple[bool, int]:
    """Return the place of a claim in its paper: introductions first, then in catalogue order.

    Parameters
    ----------
    key, number : str
        Key and number of the claim. A claim without an entry has the place of the longest entry
        that is a prefix of its key, or the last place if there is none.

    Examples
    --------
    >>> keys = ["fx/thm-7-ge-printed", "fx/thm-8-le", "fx/thm-7-ge"]
    >>> sorted(keys, key=lambda key: place_in_text(key, ""))
    ['fx/thm-7-ge-printed', 'fx/thm-7-ge', 'fx/thm-8-le']
    """
    places = {entry: place for place, entry in enumerate(catalogue())}
    known = [entry for entry in places if key == entry or key.startswith(f"{entry}-")]
    place = max(known, key=len, default=None)
    is_later = not number.startswith("section 1") and "/intro" not in key
    return is_later, len(places) if place is None else places[place]


def missing(registered: Iterable[str], paper: str | None = None) -> dict[str, str]:
    """Return the entries, of one paper or of all, that have no claim.

    Raises
    ------
    DomainError
        If the paper is unknown.

    Examples
    --------
    >>> "fx/cor-11" in missing(["fx/cor-11"], "fx")
    False
    """
    entries = catalogue()
    papers = dict.fromkeys(key.split("/", 1)[0] for key in entries)
    if paper is not None and paper not in papers:
        raise DomainError(f"unknown paper {paper!r}; known: {', '.join(papers)}")
    keys = set(registered)
    return {
        key: title
        for key, title in entries.items()
        if key not in keys and paper in (None, key.split("/", 1)[0])
    }
