"""Searches for the dimensions of partial concept classes."""
