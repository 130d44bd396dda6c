"""Dask clusters of two worker processes, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = """
import sys
from dask.distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        print(cluster.scheduler_address, len(cluster.workers), flush=True)
        sys.stdin.read()
"""


@contextmanager
def local_cluster(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Yield the address of a cluster and the process of its scheduler."""
    script = folder / "cluster.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL, cwd=folder, env={**os.environ, "PYTHONPATH": path},
    ) as process:  # fmt: skip
        address, workers = process.stdout.readline().split()
        assert workers == "2"
        try:
            yield address, process
        finally:
            process.stdin.close()
