"""The scripts of the gallery run unchanged, and each writes a picture."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

mpl.use("agg")

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "docs" / "gallery").glob("plot_*.py"))


def test_there_is_a_script_for_every_drawing():
    text = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    import ccsim.pictures

    drawers = {name for name in ccsim.pictures.__all__ if name.startswith("draw_")}
    assert {name for name in drawers if name not in text} <= {"draw_curves"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_of_the_gallery_draws(path):
    title, rule, *_ = (ast.get_docstring(ast.parse(path.read_text())) or "").splitlines()
    assert rule == "=" * len(title)
    plt.close("all")
    runpy.run_path(str(path))
    drawn = [axes for number in plt.get_fignums() for axes in plt.figure(number).axes]
    assert drawn
    assert all(axes.has_data() or axes.texts for axes in drawn)
    plt.close("all")
