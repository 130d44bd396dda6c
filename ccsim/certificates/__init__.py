"""Certificates: JSON documents that prove the bounds of a result."""

from typing import TYPE_CHECKING

from ccsim.arguments.first_use import names_at_first_use

if TYPE_CHECKING:
    from ccsim.certificates.answer import Answer, Certified, verify
    from ccsim.certificates.envelope import Certificate, Certificates

__all__ = [
    "Answer",
    "Certificate",
    "Certificates",
    "Certified",
    "verify",
]

if not TYPE_CHECKING:  # so that a name that does not exist remains an error to mypy
    __getattr__, __dir__ = names_at_first_use(globals())
