"""
Error against messages
======================

The least error of public-coin protocols for the index problem, and the bound that information
theory gives: where both meet, the code is perfect.
"""

import matplotlib.pyplot as plt

from ccsim import error_curve, index
from ccsim.pictures.errors import draw_errors

_, ax = plt.subplots(figsize=(6, 4))
draw_errors(error_curve(index(3)), ax=ax)
plt.show()
