"""Release of the answers to all queries of a class, and what public records add to it."""
