"""The fuzzer of the kernel runs, and finds nothing in a short time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.needs("atheris")
def test_a_short_run_of_the_fuzzer_finds_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "tests" / "fuzz_kernel.py", "-runs=300", "-seed=1"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    (executed,) = re.findall(r"stat::number_of_executed_units: +(\d+)", done.stderr)
    assert int(executed) >= 100
