"""The version of this package, which the builder reads too."""

__version__ = "0.2.0"
