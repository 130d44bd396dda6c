"""Claims of Bassily, Cheu, Moran, Nikolov, Ullman and Wu, one module for each part of the paper.

`domains`, `dual` and `covers` hold section 2.1, `releases` sections 2.1 to 2.3, `assisted` sections
2.3 and 3, `sizes`, `covers` and `nets` section 3, `stumps` section 4, `learners` section 5.
"""

from proofs_check.claims.claim import claims_of
from proofs_check.claims.public_data import (
    assisted,
    covers,
    domains,
    dual,
    learners,
    nets,
    releases,
    sizes,
    stumps,
)

__all__ = ["CLAIMS"]

CLAIMS = claims_of(covers, domains, dual, nets, releases, assisted, sizes, stumps, learners)
