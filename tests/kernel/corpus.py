"""The stored certificates.

The folders `accepted` and `rejected` of `certificate_corpus/format_2` hold what their names say, as
``KIND_FORM*.json``.
"""

from pathlib import Path

from ccsim.kernel import read

__all__ = ["ACCEPTED", "CORPUS", "REJECTED", "stored"]

CORPUS = Path(__file__).parents[1] / "certificate_corpus"


def _named(folder):
    return {path.stem: path for path in sorted((CORPUS / folder).glob("*.json"))}


ACCEPTED, REJECTED = _named("format_2/accepted"), _named("format_2/rejected")


def stored(name):
    """Read a certificate anew, so that it may be altered."""
    return read(ACCEPTED[name] if name in ACCEPTED else REJECTED[name])
