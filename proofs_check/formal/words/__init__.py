"""Statements of certificates of each kind, in terms of `proofs_check/rocq/Definitions.v`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from ccsim.arguments.checked import checked_types
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
    two_way,
)
from proofs_check.formal.words.statement import Statement

__all__ = ["WORDS", "Statement", "form_without_theorem"]

_WITHOUT_THEOREMS = frozenset({"sign_rank", "spectral"})

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
        **two_way.WORDS,
    }
)
"""By kind: a function of a certificate, as the kernel accepts it, to what it states."""


@checked_types
def form_without_theorem(certificate: Mapping[str, Any]) -> str | None:
    """Return a certificate's first form of proof without a verified checker, or None.

    For a mechanism that is given by a noise program, it is ``noise program``.

    Examples
    --------
    >>> form_without_theorem({"lower": {"spectral": {"squarings": 1}}, "upper": None})
    'spectral'
    >>> proof = {"hard_distribution": {"distribution": [], "proof": {"answers": {}}}}
    >>> form_without_theorem({"lower": proof, "upper": None})
    """
    instance = certificate.get("instance")
    if isinstance(instance, dict) and isinstance(instance.get("laws"), dict):
        return "noise program"
    for side in ("lower", "upper"):
        proof = certificate.get(side)
        while isinstance(proof, dict) and len(proof) == 1:
            [(form, data)] = proof.items()
            if form in _WITHOUT_THEOREMS:
                return str(form)
            proof = data.get("proof") if isinstance(data, dict) else None
    return None
