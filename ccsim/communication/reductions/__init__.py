"""Reductions between communication problems and mistake trees."""
