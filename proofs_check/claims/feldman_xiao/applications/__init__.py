"""Section 3.1: consequences of the equivalence of representations and protocols.

`thresholds` has the separation of sample complexity and VC dimension, `newman` the consequences of
Newman's theorem, `simple_learners` points, boosting and the exponential mechanism over random sets.
"""
