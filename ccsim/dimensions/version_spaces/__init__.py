"""Searches over version spaces for the Littlestone dimension."""
