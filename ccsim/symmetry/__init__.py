"""Symmetries of matrices and classes, and orbits of sets under groups."""
