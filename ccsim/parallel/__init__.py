"""Processes of one machine or of a cluster that work on one question.

Questions with long searches have a parameter ``jobs``: a number of processes, or `Workers`. A
search with ``Workers(sample=N)`` raises `CubesSampledError`, which estimates its time. If a
database or a cluster fails, the question returns its bounds and warns with `StoppedWarning`.
"""

from __future__ import annotations

from ccsim.budget import StoppedWarning, Workers
from ccsim.parallel.cubes import CubesSampledError

__all__ = ["CubesSampledError", "StoppedWarning", "Workers"]
