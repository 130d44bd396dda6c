"""Executable checks of published statements, and re-checking of certificates.

Two halves that share nothing but this name: claims, which state a theorem of a paper and test it
on instances, and `proofs_check.kernel`, which re-checks a certificate with the Python standard
library alone. It and the files beside it can be read, copied and run without the rest.
"""
