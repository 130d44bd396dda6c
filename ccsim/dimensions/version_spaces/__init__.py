"""Searches over version spaces that determine the Littlestone dimension."""
