"""Covers of classes over large grids, from public points: halfspaces, boxes, intervals."""
