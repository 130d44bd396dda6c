"""Certificates of format 1 about lower bounds without public coins, translated into format 2."""

from __future__ import annotations

from ccsim.format_1.table import Translator

__all__ = ["KINDS"]

KINDS: dict[str, Translator] = {}
