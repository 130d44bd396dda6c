"""What the claims of this paper build and ask, and nothing else uses."""
