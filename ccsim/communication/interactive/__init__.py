"""Minimax errors of two-way protocols and of simultaneous messages, for a number of bits."""
