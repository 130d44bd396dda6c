"""The stored certificates.

The folders `accepted` and `rejected` of `certificate_corpus/format_2` contain accepted and rejected
certificates, named ``KIND_FORM*.json``. The command

    python -m tests.kernel.corpus FILE...

stores certificates that are accepted, each with a false certificate whose bounds are larger by 1.
"""

import json
import sys
from fractions import Fraction
from pathlib import Path

from ccsim.kernel import Rejected, check, read

__all__ = ["ACCEPTED", "CORPUS", "REJECTED", "store", "stored"]

CORPUS = Path(__file__).parents[1] / "certificate_corpus"


def _named(folder):
    return {path.stem: path for path in sorted((CORPUS / folder).glob("*.json"))}


ACCEPTED, REJECTED = _named("format_2/accepted"), _named("format_2/rejected")


def stored(name):
    """Return a new copy of a stored certificate, which may be altered."""
    return read(ACCEPTED[name] if name in ACCEPTED else REJECTED[name])


def larger(bound):
    """Return a bound plus one, in the format of the bound."""
    return bound + 1 if isinstance(bound, int) else str(Fraction(bound) + 1)


def store(path, corpus=CORPUS / "format_2"):
    """Store a certificate and a false variant, named after its kind and forms of proof."""
    document = read(path)
    check(document)
    statement = dict(document["statement"])
    for side in ("lower", "upper"):
        if statement.get(side) is not None:
            statement[side] = larger(statement[side])
    false = document | {"statement": statement}
    try:
        check(false)
    except Rejected:
        forms = [form for side in ("lower", "upper") for form in document[side] or ()]
        name = "_".join([document["kind"], *dict.fromkeys(forms)])
    else:
        raise ValueError(f"{path}: its bounds may be larger by one; store a false one by hand")
    stored_as = (("accepted", name, document), ("rejected", f"{name}_false", false))
    for folder, stem, made in stored_as:
        text = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in made.items())
        (corpus / folder / f"{stem}.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        store(path)
