"""Claims about RecConcave: sections 3.3 and 3.4.

`figure_5` has the algorithm, `recursion` its depth and privacy, `promises` the quality of its
answers, `threshold_learners` section 3.4.
"""

from proofs_check.claims.beimel_nissim_stemmer.rec_concave import (
    figure_5,
    promises,
    recursion,
    threshold_learners,
)
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(figure_5, recursion, promises, threshold_learners)
