"""Claims of Feldman and Xiao; numbers are those of the COLT version (=full version).

One module for each part of the paper: `introduction` (section 1), `learning`,
`representation_learners` (Theorem 6) and `models` (section 2), `communication` (sections 2.3 and
3.1), `equivalence` (section 3), `applications` (section 3.1), `littlestone` (section 4), `geometry`
(section 4.1 and appendix B), `information` (section 5.1, appendix A, section 7), `lines` and
`lines_bound` (sections 4.2 and 5), `basic_learner` and `private_lines` (section 6.1), `selection`
(section 6 and appendix C).
"""

from proofs_check.claims.feldman_xiao.applications import CLAIMS as APPLICATIONS
from proofs_check.claims.feldman_xiao.basic_learner import CLAIMS as BASIC_LEARNER
from proofs_check.claims.feldman_xiao.communication import CLAIMS as COMMUNICATION
from proofs_check.claims.feldman_xiao.equivalence import CLAIMS as EQUIVALENCE
from proofs_check.claims.feldman_xiao.geometry import CLAIMS as GEOMETRY
from proofs_check.claims.feldman_xiao.information import CLAIMS as INFORMATION
from proofs_check.claims.feldman_xiao.introduction import CLAIMS as INTRODUCTION
from proofs_check.claims.feldman_xiao.learning import CLAIMS as LEARNING
from proofs_check.claims.feldman_xiao.lines import CLAIMS as LINES
from proofs_check.claims.feldman_xiao.lines_bound import CLAIMS as LINES_BOUND
from proofs_check.claims.feldman_xiao.littlestone import CLAIMS as LITTLESTONE
from proofs_check.claims.feldman_xiao.models import CLAIMS as MODELS
from proofs_check.claims.feldman_xiao.private_lines import CLAIMS as PRIVATE_LINES
from proofs_check.claims.feldman_xiao.representation_learners import (
    CLAIMS as REPRESENTATION_LEARNERS,
)
from proofs_check.claims.feldman_xiao.selection import CLAIMS as SELECTION

__all__ = ["CLAIMS"]

CLAIMS = (
    *INTRODUCTION,
    *LEARNING,
    *REPRESENTATION_LEARNERS,
    *MODELS,
    *COMMUNICATION,
    *EQUIVALENCE,
    *APPLICATIONS,
    *LITTLESTONE,
    *GEOMETRY,
    *INFORMATION,
    *LINES,
    *LINES_BOUND,
    *BASIC_LEARNER,
    *PRIVATE_LINES,
    *SELECTION,
)
