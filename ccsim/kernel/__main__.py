"""``python -I -S ccsim/kernel FILE ...``: check certificates with this folder alone."""

import gc
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

# As a package that is named, so that nothing but its own files is found.
folder = Path(__file__).parent
spec = spec_from_file_location("kernel", folder / "__init__.py")
if spec is None or spec.loader is None:
    raise ImportError(str(folder))
sys.modules["kernel"] = package = module_from_spec(spec)
spec.loader.exec_module(package)
gc.disable()  # nothing here makes cycles, and the search for them takes a fifth of the time
raise SystemExit(package.main(sys.argv[1:]))
