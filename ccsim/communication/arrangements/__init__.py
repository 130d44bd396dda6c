"""Vectors on both sides of hyperplanes through the origin: which signs they can have."""
