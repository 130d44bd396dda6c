"""
The number of examples of private learners
==========================================

The number of examples that the best private learner of a class with two concepts needs, and the
number that suffices for the exponential mechanism by a theorem.
"""

import matplotlib.pyplot as plt

from ccsim import points, private_sample_complexity
from ccsim.pictures import draw_sample_complexity

found = [
    private_sample_complexity(points(1), "1/4", "1/4", epsilon, limit=2)
    for epsilon in ("1/4", 1, "ln 9")
]
_, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
draw_sample_complexity(found, ax=ax)
plt.show()
