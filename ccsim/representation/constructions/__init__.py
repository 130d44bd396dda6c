"""Representations by construction: points, random sets, codes, planes."""
