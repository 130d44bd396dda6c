"""Section 3.1: what the equivalence of representations and protocols gives.

`thresholds` has the separation of sample complexity and VC dimension, `newman` what follows from
Newman's theorem, `simple_learners` points, boosting and the exponential mechanism over random sets.
"""
