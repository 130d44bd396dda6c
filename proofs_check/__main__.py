"""The ``proofs-check`` command, also as ``python -m proofs_check``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ccsim.cli.main import run_group, run_program
from proofs_check.commands import cli

__all__ = ["entry", "main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    return run_group(cli, "proofs-check", argv)


def entry() -> None:
    """Console script ``proofs-check``."""
    sys.exit(run_program(main, "proofs-check"))


if __name__ == "__main__":
    entry()
