"""Dimensions of multiclass concept classes."""
