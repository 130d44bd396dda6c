"""Claims of Beimel, Nissim and Stemmer, one module for each part of the paper.

`preliminaries` holds section 2, `choices` sections 2.5 and 4.1, `point_learners` section 3.1,
`good_lengths` section 3.2, `promise_problems`, `quasi_concave`, `figure_5` and
`recursion` section 3.3, `threshold_learners` section 3.4, `point_sanitizer`
section 4.2, `threshold_sanitizer` and `threshold_events` section 4.3,
`sanitization` section 4.4, `release` sections 2.4 and 5.
"""

from proofs_check.claims.beimel_nissim_stemmer import (
    choices,
    figure_5,
    good_lengths,
    point_learners,
    point_sanitizer,
    promise_problems,
    quasi_concave,
    recursion,
    sanitization,
    threshold_events,
    threshold_learners,
    threshold_sanitizer,
)
from proofs_check.claims.beimel_nissim_stemmer.preliminaries import CLAIMS as PRELIMINARIES
from proofs_check.claims.beimel_nissim_stemmer.release import CLAIMS as RELEASE
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = (
    *PRELIMINARIES,
    *claims_of(
        choices,
        figure_5,
        point_learners,
        good_lengths,
        promise_problems,
        point_sanitizer,
        quasi_concave,
        recursion,
        sanitization,
        threshold_events,
        threshold_learners,
        threshold_sanitizer,
    ),
    *RELEASE,
)
