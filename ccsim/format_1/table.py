"""What a translator of one kind of certificates is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["SECONDS", "Translator"]

SECONDS = 60.0
"""Time limit for whatever a translator has the library search for."""

Translator = Callable[[dict[str, Any]], Any]
"""Takes a certificate of format 1 and returns one of format 2 of the same bounds, or a list."""
