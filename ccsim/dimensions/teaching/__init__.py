"""How many labelled points single a concept out: stars, teaching sets, plans, no-clash teachers."""
