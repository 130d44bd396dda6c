"""
The proofs of a minimax error
=============================

Equality of two numbers from 0 to 4, with three messages. The minimax error is 3/20. Darker cells
have a larger probability in the hard input distribution, on which every protocol has at least this
error. The filled part of a circle is the probability with which the optimal protocol answers 1.
"""

import matplotlib.pyplot as plt

from ccsim import equality, minimax_error
from ccsim.pictures import draw_proofs

_, ax = plt.subplots(figsize=(4.5, 4.5), layout="constrained")
draw_proofs(minimax_error(equality(5), 3), ax=ax)
plt.show()
