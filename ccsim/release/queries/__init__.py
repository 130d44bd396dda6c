"""Release of the answers to all queries of a class, with and without public records."""
