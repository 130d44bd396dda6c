"""
A two-way protocol
==================

The tree of an optimal deterministic two-way protocol for greater-than of two numbers from 0 to 7.
Round boxes are turns of Alice and square boxes are turns of Bob. Above each subtree are the message
and the inputs for which it is sent. The leaves show the answers.
"""

import matplotlib.pyplot as plt

from ccsim import deterministic_cost
from ccsim.pictures import draw_protocol

_, ax = plt.subplots(figsize=(15, 4.5), layout="constrained")
draw_protocol(deterministic_cost("greater_than:n=8").protocol, ax=ax)
plt.show()
