"""Claims of Beimel, Brenner, Kasiviswanathan and Nissim, one module for each part of the paper.

`private_learning` and `learning` hold section 2, `occam_learners` the upper bounds of section 3,
`proper_lower_bounds` and `proper_points` its lower bounds, `planes` and `random_sets`
section 4.1, the folder `point_learners` sections 4.2 and 4.3 and Table 1, `intervals` section 5,
`hidden_points` and `efficient_learners` section 6, and `release` section 7.
"""

from proofs_check.claims.beimel_brenner import (
    efficient_learners,
    hidden_points,
    learning,
    occam_learners,
    planes,
    private_learning,
    proper_lower_bounds,
    proper_points,
    random_sets,
    release,
)
from proofs_check.claims.beimel_brenner.intervals import (
    independent_noise,
    initial_segments,
    noisy_segments,
    switching_points,
)
from proofs_check.claims.beimel_brenner.point_learners import (
    biased_functions,
    constant_learner,
    light_hypotheses,
    noisy_learner,
    reconstruction,
    subsampled_learner,
)
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(
    private_learning,
    learning,
    occam_learners,
    proper_lower_bounds,
    proper_points,
    planes,
    random_sets,
    noisy_learner,
    subsampled_learner,
    constant_learner,
    biased_functions,
    light_hypotheses,
    reconstruction,
    initial_segments,
    switching_points,
    independent_noise,
    noisy_segments,
    hidden_points,
    efficient_learners,
    release,
)
