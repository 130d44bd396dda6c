"""Surveys: one question about many instances, which can be interrupted and resumed."""
