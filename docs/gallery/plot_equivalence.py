"""
Representations and communication
=================================

The equivalence of Feldman and Xiao on one class: sizes of representations lie between numbers of
messages. Each row is one inequality, the disc its left side and the square its right side; all of
them are exact here.
"""

import matplotlib.pyplot as plt

from ccsim import equivalence_table, points
from ccsim.pictures import draw_equivalence

table = equivalence_table(points(2), "1/4", "1/16")
_, ax = plt.subplots(figsize=(9, 5.5), layout="constrained")
draw_equivalence(table, ax=ax)
plt.show()
