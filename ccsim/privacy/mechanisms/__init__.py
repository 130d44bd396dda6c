"""Mechanisms from the papers, with exact output distributions."""
