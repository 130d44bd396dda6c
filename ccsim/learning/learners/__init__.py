"""Learners from the papers."""
