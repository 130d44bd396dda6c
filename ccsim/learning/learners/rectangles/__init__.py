"""A private learner of axis-parallel boxes over long axes."""
