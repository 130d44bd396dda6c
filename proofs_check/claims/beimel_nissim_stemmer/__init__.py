"""Claims of Beimel, Nissim and Stemmer, one module for each part of the paper.

`preliminaries` holds section 2, `choices` sections 2.5 and 4.1, `point_learners` section 3.1,
`good_lengths` section 3.2, `promise_problems` and `rec_concave` sections 3.3 and 3.4,
`rectangles` section 3.5, `point_sanitizer` section 4.2, `threshold_sanitizer` and
`threshold_events` section 4.3, `sanitization` section 4.4, `release` sections 2.4 and 5,
`label_privacy` and `label_privacy_sizes` section 6.
"""

from proofs_check.claims.beimel_nissim_stemmer import (
    good_lengths,
    label_privacy,
    label_privacy_sizes,
    point_learners,
    point_sanitizer,
    promise_problems,
    rectangles,
    sanitization,
    threshold_events,
    threshold_sanitizer,
)
from proofs_check.claims.beimel_nissim_stemmer.choices import CLAIMS as CHOICES
from proofs_check.claims.beimel_nissim_stemmer.preliminaries import CLAIMS as PRELIMINARIES
from proofs_check.claims.beimel_nissim_stemmer.rec_concave import CLAIMS as REC_CONCAVE
from proofs_check.claims.beimel_nissim_stemmer.release import CLAIMS as RELEASE
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = (
    *PRELIMINARIES,
    *CHOICES,
    *claims_of(
        point_learners,
        good_lengths,
        promise_problems,
        rectangles,
        point_sanitizer,
        sanitization,
        threshold_events,
        threshold_sanitizer,
    ),
    *REC_CONCAVE,
    *RELEASE,
    *claims_of(label_privacy, label_privacy_sizes),
)
