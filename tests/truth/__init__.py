"""The truth of certificates' statements on small instances, decided by brute force.

`is_true` takes a certificate of format 2, or a list of certificates, and decides from the
definitions whether each stated bound is true. It does not read proofs, and shares neither code nor
methods with the kernel: it lists every protocol, every set of hypotheses and every event, and
solves games exactly. A supremum over an infinite set is enclosed between the best value found and a
bound from a subdivision.
"""

from tests.truth import (
    compositions,
    compression,
    dimensions,
    divergences,
    learning,
    measures,
    mistakes,
    multiclass,
    partial_classes,
    privacy,
    protocols,
    queries,
    representations,
    signs,
    teaching,
)
from tests.truth.common import UndecidedError

__all__ = ["MEANINGS", "is_true"]

MEANINGS = (
    dimensions.MEANINGS
    | protocols.MEANINGS
    | representations.MEANINGS
    | privacy.MEANINGS
    | divergences.MEANINGS
    | compositions.MEANINGS
    | learning.MEANINGS
    | teaching.MEANINGS
    | multiclass.MEANINGS
    | queries.MEANINGS
    | compression.MEANINGS
    | mistakes.MEANINGS
    | signs.MEANINGS
    | measures.MEANINGS
    | partial_classes.MEANINGS
)
"""For each kind a function of instance and statement: whether the stated bounds are true."""

INTEGERS = {"bits", "lead", "messages", "root", "rounds", "samples", "size"}
"""Fields that may be long, and then are texts."""


def with_integers(value):
    """Return a value in which the fields `INTEGERS` are converted from texts to integers."""
    if isinstance(value, dict):
        return {
            key: int(each) if key in INTEGERS and isinstance(each, str) else with_integers(each)
            for key, each in value.items()
        }
    return [with_integers(each) for each in value] if isinstance(value, list) else value


def is_true(document):
    """Return whether all statements are true; None if none is false but some are undecided."""
    listed = document if isinstance(document, list) else [document]
    verdicts = []
    for each in listed:
        given = listed[0]["instance"] if each["instance"] is None else each["instance"]
        instance, statement = with_integers([given, each["statement"]])
        try:
            verdicts.append(bool(MEANINGS[each["kind"]](instance, statement)))
        except UndecidedError:
            verdicts.append(None)
    return False if False in verdicts else None if None in verdicts else True
