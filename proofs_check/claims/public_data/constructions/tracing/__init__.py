"""Tracing: membership tests for records from the released answers."""
