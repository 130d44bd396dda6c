"""What a certificate of each kind states, in the words of `proofs_check/rocq/Definitions.v`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from proofs_check.formal.words import (
    communication,
    dimensions,
    families,
    games,
    learning,
    littlestone,
    privacy,
    programs,
    representations,
)
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS", "Statement"]

WORDS: Mapping[str, Callable[[Mapping[str, Any]], Statement]] = MappingProxyType(
    {
        **communication.WORDS,
        **dimensions.WORDS,
        **families.WORDS,
        **games.WORDS,
        **learning.WORDS,
        **littlestone.WORDS,
        **privacy.WORDS,
        **programs.WORDS,
        **representations.WORDS,
    }
)
"""By kind: a function of a certificate, as the kernel accepts it, to what it states."""
