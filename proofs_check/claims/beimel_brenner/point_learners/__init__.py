"""Claims of sections 4.2 and 4.3: improper learners of points with a constant number of examples.

`subsampled_learner` and `constant_learner` hold section 4.2 and Table 1, `light_hypotheses` and
`light_samples` section 4.3.
"""
