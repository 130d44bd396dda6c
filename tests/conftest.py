"""Collection stops at a test that names a claim which does not exist."""

from __future__ import annotations

import pytest

from proofs_check.claims.table import CLAIMS


def pytest_collection_modifyitems(items):
    for item in items:
        for mark in item.iter_markers("claim"):
            for key in mark.args:
                if key not in CLAIMS:
                    raise pytest.UsageError(f"{item.nodeid}: no claim {key!r} is registered")
