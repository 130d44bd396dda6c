"""Input validation: arguments are converted by the annotations of functions and data classes."""
