"""Complexity measures of a two-party function: rectangles, ranks, trees of protocols, norms."""
