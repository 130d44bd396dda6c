"""Contents of texts and files: labels, entries, tables, and calls by name."""
