"""Claims of section 2, the preliminaries.

`privacy` and `composition` hold section 2.1, `learning` the definitions of learning, `shattering`
section 2.2.2, `generalization` section 2.2.3, `approximation` section 2.4, `noise` section 2.5
except for the claims in `..choices.stable`, and `tails` section 2.6.
"""

from proofs_check.claims.beimel_nissim_stemmer.preliminaries import (
    approximation,
    composition,
    generalization,
    learning,
    noise,
    privacy,
    shattering,
    tails,
)
from proofs_check.claims.claim import claims_of

__all__ = ["CLAIMS"]

CLAIMS = claims_of(
    privacy, composition, learning, shattering, generalization, approximation, noise, tails
)
