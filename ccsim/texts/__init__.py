"""What stands in texts and files: labels, entries, tables, and calls by name."""
