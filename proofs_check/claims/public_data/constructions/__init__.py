"""Constructions and computations that only the claims of this paper use."""
