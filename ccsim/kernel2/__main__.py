"""``python -I -S ccsim/kernel FILE ...``: check certificates with this folder alone."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def _folder() -> str:
    """Load this folder as a package, so that nothing but its own files is found, and name it."""
    folder = Path(__file__).parent
    spec = spec_from_file_location(
        "kernel", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(str(folder))
    sys.modules["kernel"] = package = module_from_spec(spec)
    spec.loader.exec_module(package)
    return "kernel"


gc.disable()  # nothing here makes cycles, and the search for them takes a fifth of the time
raise SystemExit(import_module(__package__ or _folder()).main(sys.argv[1:]))
