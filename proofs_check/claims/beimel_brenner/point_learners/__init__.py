"""Claims of sections 4.2 and 4.3: improper learners of points with a constant number of examples.

`noisy_learner`, `subsampled_learner` and `constant_learner` hold section 4.2, `biased_functions`
section 4.2.1 and Table 1, `light_hypotheses` and `reconstruction` section 4.3.
"""
