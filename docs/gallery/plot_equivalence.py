"""
Representations and communication
=================================

The equivalence theorem of Feldman and Xiao on one class: the sizes of representations are bounded
by numbers of messages. Each row is an inequality; the disc is its left side, and the square is its
right side. All values in this picture are exact.
"""

import matplotlib.pyplot as plt

from ccsim import equivalence_table, points
from ccsim.pictures import draw_equivalence

table = equivalence_table(points(2), "1/4", "1/16")
_, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
draw_equivalence(table, ax=ax)
plt.show()
