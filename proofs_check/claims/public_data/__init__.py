"""Claims of Bassily, Cheu, Moran, Nikolov, Ullman and Wu, one module for each part of the paper.

`domains` holds section 2.1.
"""

from proofs_check.claims.claim import claims_of
from proofs_check.claims.public_data import domains

__all__ = ["CLAIMS"]

CLAIMS = claims_of(domains)
