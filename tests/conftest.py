"""Functions are compiled once for all workers; collection stops at a claim that does not exist."""

from __future__ import annotations

import fcntl
import gc
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = pytest.StashKey()
EXTRAS = {
    "atheris": "fuzz",
    "dp_accounting": "accounting",
    "opendp": "opendp",
    "pygambit": "gambit",
}
"""Modules that tests may need, and the extras that bring them; those of ``test`` are needed."""


def lock_in(folder):
    return Path(folder, "compiling")


def pytest_configure(config):
    """Begin to compile beside the workers, each of which would do so for half a minute.

    The child alone holds the lock, which it loses however it ends. Workers and the programs that
    they start keep modules compiled, which takes each program half of a second otherwise.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        return
    folder = config.stash[FOLDER] = tempfile.mkdtemp()
    config.add_cleanup(lambda: shutil.rmtree(folder))
    with lock_in(folder).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, "-m", "tests.compile_ahead"]
        child = subprocess.Popen(command, cwd=ROOT, pass_fds=[lock.fileno()])
    config.add_cleanup(child.wait)
    config.add_cleanup(child.terminate)


def pytest_runtest_setup(item):
    """Skip what needs a module that is not installed, or fail where all are to be installed."""
    for name in (name for mark in item.iter_markers("needs") for name in mark.args):
        if find_spec(name) is None:
            reason = f"needs {name}: pip install 'ccsim[{EXTRAS[name]}]'"
            (pytest.fail if os.environ.get("CCSIM_EXTRAS") == "installed" else pytest.skip)(reason)


def pytest_terminal_summary(terminalreporter):
    """Say in one line whether theorems were among what was tested."""
    from proofs_check.formal.rocq import missing_tools

    if missing := missing_tools():
        terminalreporter.write_line(
            f"theorems: none checked, for want of {', '.join(missing)}; see CONTRIBUTING.md"
        )


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    node.workerinput["compiling"] = node.config.stash[FOLDER]


@pytest.fixture(scope="session")
def compiled_functions(request):
    """Wait until the functions are compiled; a process without workers compiles by itself."""
    given = getattr(request.config, "workerinput", None)
    if given is not None:
        with lock_in(given["compiling"]).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)


def pytest_collection_finish():
    """Keep the collector of garbage from what lives until the end: sixteen thousand tests."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items):
    """Leave for the end what needs compiled functions, when they are there."""
    from proofs_check.claims.table import CLAIMS  # the controller of workers does without

    items.sort(key=lambda item: "compiled_functions" in getattr(item, "fixturenames", ()))
    for item in items:
        for mark in item.iter_markers("claim"):
            for key in mark.args:
                if key not in CLAIMS:
                    raise pytest.UsageError(f"{item.nodeid}: no claim {key!r} is registered")
