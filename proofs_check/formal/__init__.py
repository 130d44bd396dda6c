"""Certificates as theorems of Rocq, and the checkers that are proved correct there."""

from proofs_check.formal.theorem import KINDS, formalize

__all__ = ["KINDS", "formalize"]
