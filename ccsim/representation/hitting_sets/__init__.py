"""Hypotheses that hit every neighbourhood: smallest deterministic representations."""
