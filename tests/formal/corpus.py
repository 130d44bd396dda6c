"""The stored certificates whose kinds have verified checkers."""

import json
from pathlib import Path

from proofs_check.formal import WORDS, form_without_theorem

_CORPUS = Path(__file__).parents[1] / "certificate_corpus" / "format_2"
ACCEPTED, REJECTED = _CORPUS / "accepted", _CORPUS / "rejected"


def kinds(document):
    """Return the kinds in a file, or the values in their place."""
    listed = document if isinstance(document, list) else [document]
    return [c.get("kind") if isinstance(c, dict) else None for c in listed]


def covered(folder):
    """Return the names of the files whose kinds all have verified checkers."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        if is_covered(document):
            found.append(path.name)
    return found


def is_covered(document):
    """Whether all kinds and forms of a file have verified checkers."""
    listed = document if isinstance(document, list) else [document]
    return all(
        isinstance(kind, str) and kind in WORDS and form_without_theorem(c) is None
        for c, kind in zip(listed, kinds(document), strict=True)
    )


LAXER = {
    "privacy_event_e_base_false.json": "a power of a root need not be reduced to be a number",
    "privacy_event_e_bits_false.json": "that a polynomial is 0 takes no bits of t to know",
}
"""Files that the kernel rejects for a reason that no theorem needs, each with the reason."""
