"""Tracing: telling from released answers whose records they were computed from."""
