"""The search over version spaces, compiled."""
