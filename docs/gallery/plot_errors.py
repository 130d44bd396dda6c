"""
Error against messages
======================

Alice holds three bits, Bob asks for one of them. With public coins the least error falls with every
message; without coins nothing helps until all eight strings have a message. The dotted line is what
information theory alone demands.
"""

import matplotlib.pyplot as plt

from ccsim import error_curve, index
from ccsim.pictures import draw_errors

problem = index(3)
curves = error_curve(problem) + error_curve(problem, coins="deterministic")
_, ax = plt.subplots(figsize=(6, 4), layout="constrained")
draw_errors(curves, ax=ax)
plt.show()
