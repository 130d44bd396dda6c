"""Statements of this project, with keys ``ccsim/...``; their proofs are in `docs/closed-forms.md`.

One module for each family of problems.
"""

from proofs_check.closed_forms.equality import CLAIMS as EQUALITY

__all__ = ["CLAIMS"]

CLAIMS = (*EQUALITY,)
