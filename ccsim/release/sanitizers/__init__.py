"""Mechanisms that release databases, or estimates, for all queries of a class."""
