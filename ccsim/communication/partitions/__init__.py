"""Cheapest partitions of Alice's inputs: best responses to a hard distribution."""
