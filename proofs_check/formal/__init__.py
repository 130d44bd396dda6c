"""Certificates as Rocq theorems, and the checkers that are proved correct in Rocq."""

from proofs_check.formal.theorem import formalize
from proofs_check.formal.words import WORDS, form_without_theorem

__all__ = ["WORDS", "form_without_theorem", "formalize"]
