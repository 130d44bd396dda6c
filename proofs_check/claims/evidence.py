"""Results used by claims, re-checked by their own check and, from their JSON, by the kernel.

Results that many claims use are cached, because variants decide the same instances again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from math import ceil
from typing import Protocol, TypeVar

import ccsim
from ccsim import CommunicationProblem, ConceptClass
from ccsim.certificates import Certificate, Certificates, Certified, verify
from ccsim.communication.minimax import MinimaxResult
from ccsim.dimensions import LittlestoneResult
from ccsim.dimensions.vc import ShatteringResult

__all__ = [
    "Checked",
    "heard",
    "least_error",
    "littlestone_dimension",
    "recheck",
    "rounded_up",
    "vc_dimension",
]


class Checked(Protocol):
    """A result that can check itself; most can write a certificate too."""

    def check(self) -> None:
        """Check the proofs of both bounds; raise `ccsim.CertificateError` if one is wrong."""
        ...


R = TypeVar("R", bound=Checked)


def recheck(result: R) -> R:
    """Run the result's own check, and the kernel on its certificate if it has one.

    A result is checked once; it cannot change afterwards.

    Returns
    -------
    The result itself.

    Raises
    ------
    ccsim.CertificateError
        From the result's own check.
    ccsim.kernel.Rejected
        From the kernel.

    Examples
    --------
    >>> from ccsim import equality, minimax_error
    >>> recheck(minimax_error(equality(3), 2)).value
    Fraction(2, 9)
    """
    if _hearer:
        _hearer[-1].append(result)
    if _checked.get(id(result)) is result:
        return result
    result.check()
    write = getattr(result, "certificate", None)
    if write is not None:
        certificate: Certificate | Certificates = write()
        document = json.loads(certificate.to_json())
        if type(result).check is not Certified.check or document != certificate.to_dict():
            verify(document)  # which the check of the result has not done
    if len(_checked) >= _MANY:
        _checked.clear()
    _checked[id(result)] = result
    return result


@contextmanager
def heard() -> Iterator[list[object]]:
    """Yield a list to which every re-checked result is added.

    Examples
    --------
    >>> from ccsim import points
    >>> with heard() as results:
    ...     found = vc_dimension(points(1))
    ...     again = vc_dimension(points(1))
    >>> results[0] is found
    True
    """
    results: list[object] = []
    _hearer.append(results)
    try:
        yield results
    finally:
        _hearer.pop()


_hearer: list[list[object]] = []
_MANY = 1024
_checked: dict[int, object] = {}
"""Results that were checked, by identity; kept alive so that no other object takes their place."""


_littlestone_dimension = lru_cache(_MANY)(ccsim.littlestone_dimension)
_vc_dimension = lru_cache(_MANY)(ccsim.vc_dimension)
_minimax_error = lru_cache(_MANY)(ccsim.minimax_error)


def littlestone_dimension(C: ConceptClass) -> LittlestoneResult:
    """Return the Littlestone dimension, re-checked."""
    return recheck(_littlestone_dimension(C))


def vc_dimension(C: ConceptClass) -> ShatteringResult:
    """Return the VC dimension, re-checked."""
    return recheck(_vc_dimension(C))


def least_error(
    problem: CommunicationProblem, messages: int, coins: str = "public"
) -> MinimaxResult:
    """Return the minimax error with the given number of messages, re-checked."""
    return recheck(_minimax_error(problem, messages, coins))


def rounded_up(number: Fraction) -> Fraction:
    """Return the number, rounded up to a multiple of ``2**-64``."""
    return Fraction(ceil(number * 2**64), 2**64)
