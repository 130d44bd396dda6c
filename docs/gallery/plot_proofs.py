"""
A matrix with both proofs
=========================

Equality of two numbers out of five, with three messages: no protocol errs less than 3/20 on its
worst input. The darker a cell, the more weight the hard distribution gives it, on which every
protocol errs that much. The filled part of a circle is how often the best protocol answers 1.
"""

import matplotlib.pyplot as plt

from ccsim import equality, minimax_error
from ccsim.pictures import draw_proofs

_, ax = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
draw_proofs(minimax_error(equality(5), 3), ax=ax)
plt.show()
