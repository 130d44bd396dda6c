"""What certificates state, decided from the definitions by brute force.

`is_true` takes a certificate of format 2, or a list of them, on small instances, and decides
whether each stated bound is true. Proofs are not looked at. No code is shared with the kernel and
none of its shortcuts: every protocol is listed, every set of hypotheses, every event; games are
solved exactly, and where a supremum over infinitely many things is asked, it is enclosed between
what is found and what a subdivision bounds.
"""

from tests.truth import (
    dimensions,
    learning,
    measures,
    privacy,
    protocols,
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
    | learning.MEANINGS
    | teaching.MEANINGS
    | signs.MEANINGS
    | measures.MEANINGS
)
"""For each kind a function of instance and statement: whether the stated bounds are true."""

INTEGERS = {"lead", "messages", "root", "samples", "size"}
"""Fields that may be long, and then are texts."""


def with_integers(value):
    """The value with these fields as integers."""
    if isinstance(value, dict):
        return {
            key: int(each) if key in INTEGERS and isinstance(each, str) else with_integers(each)
            for key, each in value.items()
        }
    return [with_integers(each) for each in value] if isinstance(value, list) else value


def is_true(document):
    """Whether all statements are true; None if none is found false and some are not decided."""
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
