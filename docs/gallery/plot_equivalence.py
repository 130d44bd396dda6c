"""
Representations and communication
=================================

The equivalence theorem of Feldman and Xiao for a class over four points: inequalities between the
sizes of representations and numbers of messages. Each row is an inequality. The disc marks its left
side, and the square marks its right side. All values in this picture are exact.
"""

import matplotlib.pyplot as plt

from ccsim import equivalence_table, points
from ccsim.pictures import draw_equivalence

table = equivalence_table(points(2), "1/4", "1/16")
_, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
draw_equivalence(table, ax=ax)
plt.show()
