"""The search over version spaces in C."""
