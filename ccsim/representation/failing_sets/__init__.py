"""Sets of hypotheses that fail a concept, for the failure of random representations."""
