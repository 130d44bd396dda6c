"""Bounds on the minimax error of protocols with private coins."""
