"""Tests of extras are skipped if these are missing; unknown claims are an error of collection."""

from __future__ import annotations

import gc
import os
from importlib.util import find_spec

import pytest

EXTRAS = {
    "atheris": "fuzz",
    "dp_accounting": "accounting",
    "opendp": "opendp",
    "pygambit": "gambit",
}
"""Modules that tests may need, and the extras that bring them; those of ``test`` are needed."""


def pytest_configure():
    """Let programs started by tests cache compiled modules, which saves half a second each."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


WIDTH = {"COLUMNS": "10000"}
"""Tests read results line by line, so commands must not break lines at 80 characters."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """Restore the width before pytest prints its own lines."""
    try:
        return (yield)
    finally:
        os.environ.pop("COLUMNS", None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """Restore the width if a test has changed it, or was not run."""
    try:
        return (yield)
    finally:
        os.environ.pop("COLUMNS", None)


def pytest_runtest_setup(item):
    """Skip tests whose module is not installed, or fail if all extras must be installed."""
    os.environ.update(WIDTH)
    for name in (name for mark in item.iter_markers("needs") for name in mark.args):
        if find_spec(name) is None:
            reason = f"needs {name}: pip install 'ccsim[{EXTRAS[name]}]'"
            (pytest.fail if os.environ.get("CCSIM_EXTRAS") == "installed" else pytest.skip)(reason)


def pytest_terminal_summary(terminalreporter):
    """Print one line that states whether theorems were tested."""
    from proofs_check.formal.rocq import missing_tools

    if missing := missing_tools():
        terminalreporter.write_line(
            f"theorems: none checked, for want of {', '.join(missing)}; see CONTRIBUTING.md"
        )


def pytest_collection_finish():
    """Exclude the collected tests, which live until the end, from garbage collection."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items):
    """Refuse tests of claims that are not registered."""
    from proofs_check.claims.table import CLAIMS  # the controller of workers does without

    for item in items:
        for mark in item.iter_markers("claim"):
            for key in mark.args:
                if key not in CLAIMS:
                    raise pytest.UsageError(f"{item.nodeid}: no claim {key!r} is registered")
