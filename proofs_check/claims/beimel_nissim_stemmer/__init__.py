"""Claims of Beimel, Nissim and Stemmer, one module for each part of the paper.

`sanitization` holds section 4.4.
"""

from proofs_check.claims.beimel_nissim_stemmer import sanitization
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(sanitization)
