"""The registered claims: a folder a paper, what a claim is, and the catalogue of statements."""
