"""``python -I -S ccsim/kernel FILE ...``: check certificates with the files of this folder only."""

import gc
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

spec = spec_from_file_location("kernel", Path(__file__).with_name("__init__.py"))
if spec is None or spec.loader is None:
    raise ImportError(__file__)
sys.modules["kernel"] = package = module_from_spec(spec)  # named, to find nothing but its own files
spec.loader.exec_module(package)
gc.disable()  # nothing here makes cycles, and the search for them takes a fifth of the time
if len(sys.argv) < 2:
    sys.stderr.write("usage: python -I -S ccsim/kernel CERTIFICATE.json ...\n")
raise SystemExit(package.main(sys.argv[1:]))
