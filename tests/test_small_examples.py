"""Small examples of functions of the top-level modules that no other test calls by name."""

from __future__ import annotations

import re

import pytest

from ccsim.arguments.checked import checked_fields, constructor
from ccsim.errors import DomainError
from ccsim.frames import opened_frame


def test_checked_fields():
    from dataclasses import dataclass

    @checked_fields
    @dataclass(frozen=True, slots=True)
    class Noise:
        flips: tuple[int, ...]

    assert Noise([1, 2]) == Noise(flips=(1, 2))
    with pytest.raises(DomainError, match=re.escape("Noise: flips[1] must be an integer, not 0.5")):
        Noise([1, 0.5])


def test_constructor():
    from dataclasses import dataclass

    @checked_fields
    @dataclass(frozen=True, slots=True)
    class Noise:
        flips: tuple[int, ...]

    assert constructor(Noise)((1, 2)) == Noise(flips=(1, 2))


def test_frames_opened_frame():
    import pandas

    assert ([list(row) for row in opened_frame(pandas.DataFrame({"a": [1, 2], "b": [3, 4]}))]) == [
        [1, 3],
        [2, 4],
    ]
