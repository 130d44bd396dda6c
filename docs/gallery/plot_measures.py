"""
A cover, a protocol and a hard distribution on one matrix
=========================================================

Three measures of equality of two numbers from 0 to 4. On the left, four rectangles cover the zeros;
the letters in a cell name the rectangles that contain it. In the middle, the leaves of an optimal
two-way protocol divide the matrix. On the right, darker cells have a larger probability in the
distribution with the smallest discrepancy.
"""

import matplotlib.pyplot as plt

from ccsim import cover_number, deterministic_cost, discrepancy
from ccsim.pictures import draw_measure

_, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
draw_measure(cover_number("equality:n=5", 0), ax=axes[0])
draw_measure(deterministic_cost("equality:n=5"), ax=axes[1])
draw_measure(discrepancy("equality:n=5"), ax=axes[2])
plt.show()
