"""The registered claims (one folder for each paper), and the catalogue of statements."""
