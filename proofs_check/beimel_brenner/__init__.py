"""Claims of Beimel, Brenner, Kasiviswanathan and Nissim, one module for each part of the paper.

`private_learning` and `learning` hold section 2, `occam_learners` the upper bounds of sections 3
and 4.1, `point_representations` how few hypotheses represent points, `subsampled_learner` and
`constant_learner` section 4.2 and Table 1.
"""

from proofs_check.beimel_brenner.constant_learner import CLAIMS as CONSTANT_LEARNER
from proofs_check.beimel_brenner.learning import CLAIMS as LEARNING
from proofs_check.beimel_brenner.occam_learners import CLAIMS as OCCAM_LEARNERS
from proofs_check.beimel_brenner.point_representations import CLAIMS as POINT_REPRESENTATIONS
from proofs_check.beimel_brenner.private_learning import CLAIMS as PRIVATE_LEARNING
from proofs_check.beimel_brenner.subsampled_learner import CLAIMS as SUBSAMPLED_LEARNER

__all__ = ["CLAIMS"]

CLAIMS = (
    *PRIVATE_LEARNING,
    *LEARNING,
    *OCCAM_LEARNERS,
    *POINT_REPRESENTATIONS,
    *SUBSAMPLED_LEARNER,
    *CONSTANT_LEARNER,
)
