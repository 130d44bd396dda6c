"""Cheapest partitions of Alice's inputs: the best answers to a hard distribution."""
