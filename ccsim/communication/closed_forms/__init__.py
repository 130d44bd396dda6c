"""Minimax errors of equality, greater-than and index problems in closed form."""
