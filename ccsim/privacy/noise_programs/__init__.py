"""Noise programs: mechanisms that are functions of exact query values and of noise."""
