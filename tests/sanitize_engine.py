"""Run tests of the engine with a library compiled with AddressSanitizer and UBSan.

    python -m tests.sanitize_engine                      # some rounds of tests/fuzz_engine.py
    python -m tests.sanitize_engine -m pytest tests/dimensions/test_teaching.py

GCC compiles the library with the sanitizers into a temporary folder. `CCSIM_ENGINE` passes its name
to the Python process, into which both runtimes are preloaded. A detected error ends the process
with a report. Overflows of integers in C, which wrap in ordinary builds, are also reported. Memory
leaks are not reported, because Python itself does not free all memory.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_build import compile_engine

ROOT = Path(__file__).parents[1]
WATCHED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-wrapv")
OPTIONS = (*WATCHED, "-fno-omit-frame-pointer", "-g", "-O1")
MISSING = 77
"""Exit status where the sanitizers are not installed."""
FUZZ = ("-m", "tests.fuzz_engine", "--rounds", "100")


def runtimes():
    """Return the files of both runtimes of GCC; None if one is not installed."""
    if (gcc := shutil.which("gcc")) is None:
        return None
    names = ("libasan.so", "libubsan.so")
    said = [
        subprocess.run(
            [gcc, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        )
        for name in names
    ]
    files = [Path(done.stdout.strip()) for done in said]
    return files if all(file.is_absolute() and file.is_file() for file in files) else None


def run(arguments):
    """Run Python with the sanitized engine; return its exit status."""
    files = runtimes()
    if files is None:
        sys.stderr.write("sanitize_engine: GCC's libasan and libubsan are not installed here\n")
        return MISSING
    os.environ["CC"] = "gcc"
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "CCSIM_ENGINE": str(compile_engine(ROOT, Path(folder), OPTIONS)),
            "LD_PRELOAD": ":".join(map(str, files)),
            "ASAN_OPTIONS": "detect_leaks=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:] or FUZZ))
