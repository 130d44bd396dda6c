"""Numbers in which powers of several bases meet, compared by rational enclosures."""
