"""Exceptions of the package. All of them derive from `CcsimError`."""

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
    """Base class of the exceptions of this package. The message is one line."""


class DomainError(CcsimError, ValueError):
    """An argument is invalid. The message names the argument, the rule and the value."""


class UnreadableInputError(DomainError):
    """A file or an INSTANCE text cannot be read. The message names the file, row and column."""


class InstanceTooLargeError(CcsimError):
    """An instance exceeds the size limit of a method. The message states the size and the limit."""


class NotDecidedError(CcsimError):
    """A method ended without a proof, such as at a time limit. The message states the reason."""


class CertificateError(CcsimError):
    """A certificate does not prove its statement. The message names the first wrong step."""


class EngineError(CcsimError):
    """The native engine is missing or does not load. The message names the file and a remedy."""
