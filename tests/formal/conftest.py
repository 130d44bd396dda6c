"""The theory, compiled once for all tests if Rocq is installed.

The assumptions of all theorems of a process are printed together at the end, because this takes
longer than most proofs.
"""

import pytest

from proofs_check.formal.rocq import build, missing_tools
from tests.formal import proving


@pytest.fixture(scope="session")
def theory(tmp_path_factory):
    if missing := missing_tools():
        pytest.skip(f"theorems are not checked here: {', '.join(missing)} not installed")
    folder = build()
    yield folder
    if proving.ACCEPTED:
        printed = proving.assumptions(folder, tmp_path_factory.mktemp("assumptions"))
        assert printed == "Closed under the global context\n"
