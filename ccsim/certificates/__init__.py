"""Certificates: JSON documents that prove the bounds of a result."""

from ccsim.certificates.answer import Answer, Certified, verify
from ccsim.certificates.envelope import Certificate, Certificates

__all__ = [
    "Answer",
    "Certificate",
    "Certificates",
    "Certified",
    "verify",
]
