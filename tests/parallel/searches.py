"""A search whose cubes are recorded, for tests of processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from uuid import uuid4


class Squares:
    """Squares of numbers; each call leaves a file, and some calls wait or end their process."""

    def __init__(self, shared):
        self.folder = Path(shared["folder"])
        self.seconds = shared.get("seconds", 0)
        self.long = shared.get("long", 0)  # additional characters of a result
        self.killed = shared.get("killed")  # numbers whose processes end, and how often

    def __call__(self, cube, budget):
        """Return the square of the cube and the process."""
        calls = len(list(self.folder.glob(f"{cube}-*")))
        (self.folder / f"{cube}-{uuid4().hex}").touch()
        if self.killed is not None and cube in self.killed[0] and calls < self.killed[1]:
            os.kill(os.getpid(), signal.SIGKILL)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            budget.spend()
            time.sleep(0.005)
        return [cube * cube, os.getpid(), "x" * self.long][: 3 if self.long else 2]
