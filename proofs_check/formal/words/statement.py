"""The statement of a certificate as terms of Rocq."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ccsim.arguments.checked import checked_fields

__all__ = ["Statement"]


@checked_fields
@dataclass(frozen=True, slots=True)
class Statement:
    """The statement of a certificate, as terms of Rocq.

    Attributes
    ----------
    module : str
        Module of `proofs_check/rocq` that defines the kind.
    kind : str
        The constant of type ``kind`` in the module.
    data : tuple of (name, type, term)
        Definitions that the other terms refer to.
    question : str
        The question that the kind reads from the certificate.
    bound : callable
        Maps a bound of the statement, as JSON, to its term.
    at_least, at_most, exactly : str
        The statements, with ``{v}`` in the place of the bound; `exactly` is by definition the
        conjunction of the two others, in this order.
    """

    module: str
    kind: str
    data: tuple[tuple[str, str, str], ...]
    question: str
    bound: Callable[[Any], str]
    at_least: str
    at_most: str
    exactly: str | None = None
