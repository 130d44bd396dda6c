"""The mechanisms of the papers, each a map from databases to exact distributions."""
