"""
A mistake tree
==============

Each path of a complete mistake tree is followed by a concept, so an adversary who walks down it
forces as many mistakes as it is deep: the Littlestone dimension.
"""

import matplotlib.pyplot as plt

from ccsim import littlestone_dimension, thresholds
from ccsim.pictures.mistake_tree import draw_mistake_tree

C = thresholds(2)
result = littlestone_dimension(C)
_, ax = plt.subplots(figsize=(6.5, 3.5))
draw_mistake_tree(C, result.tree.root, ax=ax)
plt.show()
