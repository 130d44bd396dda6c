"""Processes of one machine or of a cluster, and the database of their answers."""
