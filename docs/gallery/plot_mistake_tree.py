"""
A mistake tree
==============

A complete mistake tree of depth 3 proves that thresholds on eight points have Littlestone dimension
at least 3. Each box contains a point. Whatever the learner predicts for this point, one branch has
the opposite label. The concept at a leaf is consistent with all labels on the path to the leaf.
"""

import matplotlib.pyplot as plt

from ccsim import littlestone_dimension, thresholds
from ccsim.pictures import draw_mistake_tree

C = thresholds(3)
_, ax = plt.subplots(figsize=(7, 4), layout="constrained")
draw_mistake_tree(C, littlestone_dimension(C).tree, ax=ax)
plt.show()
