"""The reference states the meaning of every public member of every class."""

import sys
from inspect import getattr_static, getdoc
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
from reference_entries import (
    OBJECTS,
    field_text,
    inherited,
    is_data,
    is_ours,
    members,
    plain_type,
)

from tests.cases import every


def _unexplained(kind):
    """Return the members of a class without a description in the class or a base class."""
    own = [name for name in members(kind) if name not in inherited(kind)]
    return [
        name
        for name in own
        if not (
            field_text(kind, name) if is_data(kind, name) else getdoc(getattr_static(kind, name))
        )
    ]


CLASSES = {n: kind for n, kind in OBJECTS.items() if isinstance(kind, type) and is_ours(kind)}


@every("name", CLASSES)
def test_every_member_is_explained(name):
    assert _unexplained(CLASSES[name]) == []


class _Unexplained:
    """A class.

    Attributes
    ----------
    lower, upper : int
        Bounds.
    """

    lower: int
    upper: int
    left: int

    def right(self):
        pass


def test_a_member_without_explanation_is_seen():
    assert _unexplained(_Unexplained) == []  # not of this project
    made = type("Made", (_Unexplained,), {"__module__": "ccsim.errors"})
    made.__annotations__ = {"left": "int"}
    assert _unexplained(made) == ["left"]


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ("Annotated[Fraction | None, Parameter('x')]", "Fraction | None"),
        ("ClassVar[tuple[str, ...]]", "tuple[str, ...]"),
        (int, "int"),
    ],
)
def test_types_are_shown_as_the_source_states_them(hint, shown):
    assert plain_type(hint) == shown
