"""Pictures of sample sizes against numbers of bits."""

from __future__ import annotations

import pytest

from ccsim.errors import DomainError
from ccsim.pictures import Curve, draw_curves, save_figure


def test_the_same_curves_give_the_same_file(tmp_path):
    shown = [
        Curve("exact", (8, 16), (30, 40)),
        Curve("formula", (8, 16), (300, 300), "--"),
    ]
    texts = []
    for name in ("a.svg", "b.svg"):
        save_figure(tmp_path / name, draw_curves(shown, "examples"))
        texts.append((tmp_path / name).read_text())
    assert texts[0] == texts[1]
    assert "exact" in texts[0]


@pytest.mark.parametrize("bits", [(), (8,)])
def test_curves_have_as_many_numbers_as_bits(bits):
    with pytest.raises(DomainError, match="equally many numbers and bits"):
        draw_curves([Curve("x", bits, (1, 2)[: len(bits) * 2])], "")
