"""Packings of targets, and the lower bounds on examples that they prove."""
