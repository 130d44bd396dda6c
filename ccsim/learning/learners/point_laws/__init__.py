"""Exact laws of learners of points: on small domains as mechanisms, on large ones their failure."""
