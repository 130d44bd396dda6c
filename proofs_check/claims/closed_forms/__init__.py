"""Statements of this project, with keys ``ccsim/...``; their proofs are in `docs/closed-forms.md`.

One module for each family of problems.
"""

from proofs_check.claims.claim import claims_of
from proofs_check.claims.closed_forms import (
    augmented_index,
    equality,
    greater_than,
    index,
    private_coins,
    sign_rank,
)

__all__ = ["CLAIMS"]

CLAIMS = claims_of(equality, index, augmented_index, greater_than, private_coins, sign_rank)
