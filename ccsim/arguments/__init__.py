"""Input validation: how arguments are read by the annotations of functions and data classes."""
