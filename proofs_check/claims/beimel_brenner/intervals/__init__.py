"""Claims of section 5, about private learners of intervals.

`initial_segments` holds the lower bound for proper learners and the switching points of hypotheses,
`switching_points` Theorem 5.4, `independent_noise` learners that add noise to a concept, and
`noisy_segments` Theorem 5.8.
"""
