"""The theory, compiled once for all tests, where Rocq is installed."""

import pytest

from proofs_check.formal.rocq import build, missing_tools


@pytest.fixture(scope="session")
def theory():
    if missing := missing_tools():
        pytest.skip(f"theorems are not checked here: {', '.join(missing)} not installed")
    return build()
