"""Searches for shattered sets and for thresholds, and proofs that there are no larger ones."""
