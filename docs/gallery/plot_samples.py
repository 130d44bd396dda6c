"""
Measured sample sizes of point learners
=======================================

The measured number of examples that three learners of points need, with 95 % error bars. Dashed
lines are the sample sizes that theorems guarantee for these learners. Dotted lines are lower bounds
for all private learners with the same type of output.
"""

from fractions import Fraction

import matplotlib.pyplot as plt

from ccsim.exact import Epsilon
from ccsim.pictures import draw_samples
from ccsim.surveys.point_learners import Experiment, measure

fifth = Fraction(1, 5)
learners = ("nonprivate", "proper", "improper-code")
asked = Experiment((2, 4, 8), learners, fifth, fifth, Epsilon.of(1), runs=20, seed=0)
cells, _ = measure(asked)
_, ax = plt.subplots(figsize=(7, 5), layout="constrained")
draw_samples(cells, ax=ax)
plt.show()
