"""Statements of this project, with keys ``ccsim/...``; their proofs are in `docs/closed-forms.md`.

One module for each family of problems.
"""

from proofs_check.claims.closed_forms.equality import CLAIMS as EQUALITY
from proofs_check.claims.closed_forms.greater_than import CLAIMS as GREATER_THAN
from proofs_check.claims.closed_forms.index import CLAIMS as INDEX
from proofs_check.claims.closed_forms.private_coins import CLAIMS as PRIVATE_COINS

__all__ = ["CLAIMS"]

CLAIMS = (*EQUALITY, *INDEX, *GREATER_THAN, *PRIVATE_COINS)
