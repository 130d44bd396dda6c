"""
Learners of points, measured
============================

Examples that three learners of points need, measured with error bars of 95 %, the sizes of their
theorems dashed, and what every private learner with such answers needs dotted.
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
