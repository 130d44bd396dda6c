"""Two-way communication: textbook values, and inequalities between the measures of a matrix."""

from proofs_check.claims.claim import claims_of
from proofs_check.claims.two_way import inequalities, interaction, norms, protocols, values

__all__ = ["CLAIMS"]

CLAIMS = claims_of(values, inequalities, norms, protocols, interaction)
