"""Executable checks of published statements, and the command that re-checks certificates.

A claim states a theorem of a paper and tests it on instances. Certificates are re-checked by
`ccsim.kernel`, which is independent of the rest and is also available as `proofs_check.kernel`.
"""

from ccsim import kernel

__all__ = ["kernel"]

import sys
from importlib.util import find_spec
from pathlib import Path

_HOME = Path(__file__).resolve().parents[1]
if "protocols" not in sys.modules:
    # the claims are about the protocols beside them, not about a file of that name in the folder
    # from which they are run
    _spec = find_spec("protocols")
    if _spec is None or not Path(_spec.origin or "").resolve().is_relative_to(_HOME / "protocols"):
        sys.path.insert(0, str(_HOME))
