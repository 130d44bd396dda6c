"""Claims of sections 2.5 and 4.1 about mechanisms that choose a solution by its quality.

`stable` holds the exponential mechanism and A_dist, `bounded_growth` and `choosing` section 4.1.
"""

from proofs_check.claims.beimel_nissim_stemmer.choices import bounded_growth, choosing, stable
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(stable, bounded_growth, choosing)
