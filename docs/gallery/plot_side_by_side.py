r"""
Two pictures side by side, written to a file
============================================

Every function draws on the axes passed to it. ``save_figure`` writes the figure as SVG, PNG, PDF or
TikZ. A ``.tikz`` file can be included in a paper with ``\input``; a ``.tex`` file is a standalone
document.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

from ccsim import equality, error_curve, minimax_error
from ccsim.pictures import draw_errors, draw_proofs, save_figure

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
problem = equality(4)
draw_proofs(minimax_error(problem, 2), ax=left)
draw_errors(error_curve(problem), ax=right)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "equality.tikz"
    save_figure(path, left)
    print(path.read_text().splitlines()[1])
plt.show()
