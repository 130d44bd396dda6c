"""
The error as a function of the number of messages
=================================================

Alice holds three bits, and Bob must output one of them. With public coins, each additional message
reduces the minimax error. Without coins, the error does not decrease until there are eight
messages, one for each string. The dotted line is the information-theoretic lower bound.
"""

import matplotlib.pyplot as plt

from ccsim import error_curve, index
from ccsim.pictures import draw_errors

problem = index(3)
curves = error_curve(problem) + error_curve(problem, coins="deterministic")
_, ax = plt.subplots(figsize=(6, 4), layout="constrained")
draw_errors(curves, ax=ax)
plt.show()
