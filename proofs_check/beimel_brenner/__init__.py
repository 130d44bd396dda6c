"""Claims of Beimel, Brenner, Kasiviswanathan and Nissim, one module for each part of the paper.

`point_representations` holds what sections 3 and 4.1 say about points.
"""

from proofs_check.beimel_brenner.point_representations import CLAIMS as POINT_REPRESENTATIONS

__all__ = ["CLAIMS"]

CLAIMS = (*POINT_REPRESENTATIONS,)
