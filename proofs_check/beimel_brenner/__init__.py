"""Claims of Beimel, Brenner, Kasiviswanathan and Nissim, one module for each part of the paper.

`point_representations` holds Lemma 3.10 and section 4.1.
"""

from proofs_check.beimel_brenner.point_representations import CLAIMS as POINT_REPRESENTATIONS

__all__ = ["CLAIMS"]

CLAIMS = (*POINT_REPRESENTATIONS,)
