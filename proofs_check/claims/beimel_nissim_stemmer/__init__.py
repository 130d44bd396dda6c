"""Claims of Beimel, Nissim and Stemmer, one module for each part of the paper.

`sanitization` holds section 4.4.
"""

from proofs_check.claims.beimel_nissim_stemmer.sanitization import CLAIMS as SANITIZATION

__all__ = ["CLAIMS"]

CLAIMS = (*SANITIZATION,)
