"""Claims of Bassily, Cheu, Moran, Nikolov, Ullman and Wu, one module for each part of the paper.

`domains` holds section 2.1.
"""

from proofs_check.claims.public_data.domains import CLAIMS as DOMAINS

__all__ = ["CLAIMS"]

CLAIMS = (*DOMAINS,)
