"""Claims of Feldman and Xiao; numbers are those of the COLT version (=full version).

One module for each part of the paper: the folder `introduction` (section 1), `learning`,
`representation_learners` and `learner_draws` (Theorem 6), `models` and `mistake_bound` (section 2),
`communication` (sections 2.3 and 3.1), the folders `equivalence` (section 3) and `applications`
(section 3.1), `littlestone` (section 4), `geometry` (section 4.1 and appendix B), `information`
(section 5.1, appendix A, section 7), `lines` and `lines_bound` (sections 4.2 and 5),
the folder `private_lines` (section 6.1), `selection` (section 6 and appendix C).
"""

from proofs_check.claims.claim import claims_of
from proofs_check.claims.feldman_xiao import (
    communication,
    geometry,
    information,
    learner_draws,
    learning,
    lines,
    littlestone,
    mistake_bound,
    models,
    representation_learners,
    selection,
)
from proofs_check.claims.feldman_xiao.applications import newman, simple_learners, thresholds
from proofs_check.claims.feldman_xiao.equivalence import (
    default_parameters,
    private_coins,
    public_coins,
)
from proofs_check.claims.feldman_xiao.introduction import metric_entropy, sample_sizes
from proofs_check.claims.feldman_xiao.lines_bound import bounds
from proofs_check.claims.feldman_xiao.private_lines import basic_learner, block_sizes, release

__all__ = ["CLAIMS"]

CLAIMS = claims_of(
    sample_sizes,
    metric_entropy,
    learning,
    representation_learners,
    learner_draws,
    models,
    mistake_bound,
    communication,
    public_coins,
    private_coins,
    default_parameters,
    thresholds,
    newman,
    simple_learners,
    littlestone,
    geometry,
    information,
    lines,
    bounds,
    basic_learner,
    block_sizes,
    release,
    selection,
)
