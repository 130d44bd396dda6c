"""Searches for shattered sets of columns, and proofs that there are no larger ones."""
