"""Claims about sanitizers of arbitrary classes, lower bounds for them, and applications.

`approximations` holds section 2.4, `lower_bounds` Theorem 2.20 and section 4.4,
`labelled` and `division` section 5.1, `k_points` section 5.2.
"""

from proofs_check.claims.beimel_nissim_stemmer.release import (
    approximations,
    division,
    k_points,
    labelled,
    lower_bounds,
)
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(approximations, lower_bounds, labelled, division, k_points)
