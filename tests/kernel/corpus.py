"""The stored certificates: of format 2, and of format 1, which are translated.

The folders `accepted` and `rejected` of `certificate_corpus/format_2` hold what their names say, as
``KIND_FORM*.json``; the other folders of the corpus hold format 1.
"""

from pathlib import Path

from ccsim.kernel import read

__all__ = ["ACCEPTED", "CORPUS", "OLD_ACCEPTED", "OLD_REJECTED", "REJECTED", "stored"]

CORPUS = Path(__file__).parents[1] / "certificate_corpus"


def _named(folder):
    return {path.stem: path for path in sorted((CORPUS / folder).glob("*.json"))}


ACCEPTED, REJECTED = _named("format_2/accepted"), _named("format_2/rejected")
OLD_ACCEPTED = _named("accepted") | _named("forms/accepted")
OLD_REJECTED = {name: path for name, path in _named("forms/rejected").items() if name != "reasons"}


def stored(name):
    """Read a certificate of format 2 anew, so that it may be altered."""
    return read(ACCEPTED[name] if name in ACCEPTED else REJECTED[name])
