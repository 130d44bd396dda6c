"""Executable checks of published statements, and the command that re-checks certificates.

A claim states a theorem of a paper and tests it on instances. Certificates are re-checked by
`ccsim.kernel`, which shares nothing with the rest and also goes by `proofs_check.kernel`.
"""

from ccsim import kernel

__all__ = ["kernel"]
