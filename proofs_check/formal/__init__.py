"""Certificates as theorems of Rocq, and the checkers that are proved correct there."""

from proofs_check.formal.theorem import formalize
from proofs_check.formal.words import WORDS, form_without_theorem

__all__ = ["WORDS", "form_without_theorem", "formalize"]
