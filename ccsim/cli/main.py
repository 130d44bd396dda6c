"""The ``ccsim`` command: its subcommands, and what errors look like to the caller.

Exit status: 0 done; 1 a crash; 2 usage, unreadable input or an instance above a limit; 3 not
decided; 4 a certificate was rejected; 130 interrupted; 141 the reader of the output went away.

Implementation notes: a subcommand's module, and with it numpy and the solvers, is imported when the
subcommand runs, so that ``ccsim --help`` is immediate.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType

import click

from ccsim.errors import CcsimError, CertificateError, NotDecidedError

__all__ = ["entry", "main", "run_group"]

EXIT_USAGE, EXIT_NOT_DECIDED, EXIT_REJECTED, EXIT_INTERRUPTED, EXIT_PIPE = 2, 3, 4, 130, 141

_STATUS: Mapping[type[CcsimError], int] = MappingProxyType(
    {NotDecidedError: EXIT_NOT_DECIDED, CertificateError: EXIT_REJECTED}
)
_COMMANDS = MappingProxyType(
    {
        "audit": "Is a mechanism private? Decided on all neighbouring databases.",
        "complexity": "How many messages does a one-way protocol with a given error need?",
        "dims": "VC, dual VC and Littlestone dimension of a class.",
        "error": "How small can the error of a one-way protocol with so many messages be?",
        "learn": "Run a private learner at the sample size of its theorem.",
        "protocol": "A family of protocols: cost, exact error, tables, simulation.",
        "sweep": "How many examples do private learners of points need? Measured.",
        "represent": "How few hypotheses represent a class, and do these?",
        "tree": "A deepest mistake tree of a class, drawn or written out.",
