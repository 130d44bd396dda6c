"""The mechanisms of the papers, with exact output distributions."""
