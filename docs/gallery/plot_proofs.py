"""
A matrix with both proofs
=========================

The darker a cell, the more weight the hard distribution gives it: no protocol with two messages
errs less on it. The part of a circle that is coloured is the probability with which the best
protocol answers 1.
"""

import matplotlib.pyplot as plt

from ccsim import greater_than, minimax_error
from ccsim.pictures.proofs import draw_proofs

result = minimax_error(greater_than(6), messages=2)
_, ax = plt.subplots(figsize=(5, 4.5))
draw_proofs(result, ax=ax)
plt.show()
