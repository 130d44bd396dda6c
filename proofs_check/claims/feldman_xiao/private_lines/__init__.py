"""Section 6.1: learning lines with approximate privacy, at a cost that does not depend on p.

`basic_learner` has the non-private learner, `block_sizes` Claim 17 (=6.3) on the random number of
its examples, `release` the private step and Lemma 16 (=6.2).
"""
