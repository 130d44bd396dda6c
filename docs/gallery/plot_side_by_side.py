r"""
Pictures side by side, in a file
================================

Every function draws on the axes that it is given. ``save_figure`` writes the figure as SVG, PNG,
PDF or TikZ: a file that ends in ``.tikz`` goes into a paper with ``\input``, one that ends in
``.tex`` is a document of its own.
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
