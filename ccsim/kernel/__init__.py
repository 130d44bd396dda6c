"""The trusted base: re-check a certificate with the Python standard library alone.

`docs/certificates.md` says what a certificate of each kind looks like and why it is a proof; this
folder is that page as a program. It finds nothing and trusts nothing: it reads the instance,
recomputes what the proof says, and compares with the statement in integers and fractions. It runs
on its own, ``python -I -S ccsim/kernel FILE ...``, also as a copy under another name: its files
import the standard library and each other alone. Read `parts` and `instances` first, then the file
of the subject of a certificate; `kinds` names it.

A set of concepts, points or inputs is an integer whose bit ``i`` says whether ``i`` belongs.
Nothing recurses as deeply as a file pleases: mistake trees and shattered sets have depth at most
``log2`` of the number of concepts, and branching trees are walked with a list.
"""

from .files import Unreadable, read, shown_path
from .kinds import KINDS, check, main, named
from .parts import Rejected, digest

__all__ = [
    "KINDS",
    "Rejected",
    "Unreadable",
    "check",
    "digest",
    "main",
    "named",
    "read",
    "shown_path",
]
