"""Web pages that show certificates and the verdicts of claims."""
