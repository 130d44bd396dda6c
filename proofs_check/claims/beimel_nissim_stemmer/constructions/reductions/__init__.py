"""Reductions between sanitizers and learners, as maps of mechanisms (`bns` section 5)."""
