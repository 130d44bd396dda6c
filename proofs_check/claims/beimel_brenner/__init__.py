"""Claims of Beimel, Brenner, Kasiviswanathan and Nissim, one module for each part of the paper.

`private_learning` and `learning` hold section 2, `occam_learners` the upper bounds of sections 3
and 4.1, `proper_lower_bounds` the lower bounds of section 3, `point_representations` how few
hypotheses represent points, `subsampled_learner` and `constant_learner` section 4.2 and Table 1,
`light_hypotheses` section 4.3, `initial_segments` and `independent_noise` section 5,
`hidden_points` section 6 and `release` section 7.
"""

from proofs_check.claims.beimel_brenner.constant_learner import CLAIMS as CONSTANT_LEARNER
from proofs_check.claims.beimel_brenner.hidden_points import CLAIMS as HIDDEN_POINTS
from proofs_check.claims.beimel_brenner.independent_noise import CLAIMS as INDEPENDENT_NOISE
from proofs_check.claims.beimel_brenner.initial_segments import CLAIMS as INITIAL_SEGMENTS
from proofs_check.claims.beimel_brenner.learning import CLAIMS as LEARNING
from proofs_check.claims.beimel_brenner.light_hypotheses import CLAIMS as LIGHT_HYPOTHESES
from proofs_check.claims.beimel_brenner.occam_learners import CLAIMS as OCCAM_LEARNERS
from proofs_check.claims.beimel_brenner.point_representations import CLAIMS as POINT_REPRESENTATIONS
from proofs_check.claims.beimel_brenner.private_learning import CLAIMS as PRIVATE_LEARNING
from proofs_check.claims.beimel_brenner.proper_lower_bounds import CLAIMS as PROPER_LOWER_BOUNDS
from proofs_check.claims.beimel_brenner.release import CLAIMS as RELEASE
from proofs_check.claims.beimel_brenner.subsampled_learner import CLAIMS as SUBSAMPLED_LEARNER

__all__ = ["CLAIMS"]

CLAIMS = (
    *PRIVATE_LEARNING,
    *LEARNING,
    *OCCAM_LEARNERS,
    *PROPER_LOWER_BOUNDS,
    *POINT_REPRESENTATIONS,
    *SUBSAMPLED_LEARNER,
    *CONSTANT_LEARNER,
    *LIGHT_HYPOTHESES,
    *INITIAL_SEGMENTS,
    *INDEPENDENT_NOISE,
    *HIDDEN_POINTS,
    *RELEASE,
)
