"""Input validation: arguments are converted to the annotated types of their parameters."""
