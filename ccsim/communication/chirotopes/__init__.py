"""Chirotopes: the signs of determinants of vectors, and searches that exclude them."""
