"""Standard output is for results: the solver prints nothing there, not even its name."""

import re
import subprocess
import sys
from pathlib import Path

import ccsim

SAID = """
from ccsim.programs.highs import QuietHighs
QuietHighs().run()
"""


def test_the_solver_prints_nothing():
    done = subprocess.run([sys.executable, "-c", SAID], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_no_other_solver_is_made():
    root = Path(ccsim.__file__).parent
    made = {p.name for p in root.rglob("*.py") if re.search(r"\bhighspy\.Highs\b", p.read_text())}
    assert made == {"highs.py"}
