"""The learners of the papers."""
