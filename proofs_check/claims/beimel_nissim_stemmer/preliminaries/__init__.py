"""Claims of section 2, the preliminaries.

`privacy` and `composition` hold section 2.1.
"""

from proofs_check.claims.beimel_nissim_stemmer.preliminaries import composition, privacy
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(privacy, composition)
