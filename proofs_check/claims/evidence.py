"""Re-checking a result twice: by its own check, and by the kernel from its JSON alone."""

from __future__ import annotations

import json
from fractions import Fraction
from math import ceil
from typing import Protocol

from ccsim import kernel
from ccsim.certificates import Certificate

__all__ = ["Certified", "recheck", "rounded_up"]


class Certified(Protocol):
    """A result that can check itself and write a certificate."""

    def check(self) -> None:
        """Check both directions; raise `ccsim.CertificateError` otherwise."""
        ...

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        ...


def recheck(result: Certified) -> None:
    """Run the result's own check and the kernel on its certificate.

    Raises
    ------
    ccsim.CertificateError
        From the result's own check.
    ccsim.kernel.Rejected
        From the kernel.

    Examples
    --------
    >>> from ccsim import equality, minimax_error
    >>> recheck(minimax_error(equality(3), 2))
    """
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


def rounded_up(number: Fraction) -> Fraction:
    """Return a multiple of ``2**-64`` that is at least the number and prints briefly."""
    return Fraction(ceil(number * 2**64), 2**64)
