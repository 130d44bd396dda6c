"""Every error that the package raises on purpose, as one tree under `CcsimError`."""

__all__ = [
    "CcsimError",
    "CertificateError",
    "DomainError",
    "EngineError",
    "InstanceTooLargeError",
    "NotDecidedError",
    "UnreadableInputError",
]


class CcsimError(Exception):
    """Base of all errors of this package; the message is one line for a person to read."""


class DomainError(CcsimError, ValueError):
    """An argument breaks a rule of the mathematics; the message names argument, rule and value."""


class UnreadableInputError(DomainError):
    """A file or an INSTANCE text cannot be read; the message names file, row and column."""


class InstanceTooLargeError(CcsimError):
    """The instance is above the stated limit of an exact method; the message gives both sizes."""


class NotDecidedError(CcsimError):
    """An exact method ended without a proof; the message says why. Never a guess instead."""


class CertificateError(CcsimError):
    """A certificate does not prove its statement; the message names the first failing step."""


class EngineError(CcsimError):
    """The engine in C is missing or does not load; the message names its file and what to do."""
