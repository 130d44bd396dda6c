"""Bounds on the least error of protocols with private coins."""
