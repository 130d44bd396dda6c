"""The commands for many instances, and their questions."""
