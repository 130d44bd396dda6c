"""Symmetries of matrices and classes, and what groups do to sets."""
