"""A user's own `protocols.py` and the families of protocols do not interfere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ccsim.texts.homes import stranger

ROOT = Path(__file__).resolve().parents[2]
OWN = {
    "protocols.py": "MINE = 1\n",
    "protocols/__init__.py": "MINE = 1\n",
    "protocols/equality.py": "MINE = 1\n",
    "broken.py": "",
}
NOTEBOOK = """
import sys
sys.path.insert(0, "")
import protocols
from ccsim.instances.protocols import build_protocol, describe_protocols
assert protocols.MINE == 1
one, two = (build_protocol("equality:bits=4,repetitions=1") for _ in range(2))
assert type(one) is type(two) and one == two
assert "cannot be loaded" not in str(describe_protocols())
print(one.num_alice, one.tabulate().messages)
import protocols as again
assert again is protocols and sys.modules["protocols"].MINE == 1
"""


@pytest.fixture
def site(tmp_path):
    """Return a search path with ccsim and its entry points, but without the user's files."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]["entry-points"]["ccsim.protocols"]
    info = tmp_path / "site" / "ccsim-0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ccsim\nVersion: 0\n")
    points = "\n".join(f"{name} = {value}" for name, value in declared.items())
    (info / "entry_points.txt").write_text(f"[ccsim.protocols]\n{points}\n")
    return os.pathsep.join([str(info.parent), str(ROOT)])


def run(folder, site, *given):
    return subprocess.run(
        [sys.executable, *given], cwd=folder, env=os.environ | {"PYTHONPATH": site},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture(params=["protocols.py", "protocols/__init__.py", "raises"])
def folder(tmp_path, request):
    """Return a folder that contains a user's file or folder with this name."""
    own = tmp_path / "own"
    (own / "protocols").mkdir(parents=True)
    if request.param == "protocols/__init__.py":
        (own / "protocols" / "equality.py").write_text("EqualityHashing = None\n")
        (own / request.param).write_text("MINE = 1\n")
    else:
        (own / "protocols").rmdir()
        (own / "protocols.py").write_text("MINE = 1\n" if request.param != "raises" else "1/0\n")
    return own


def test_commands_find_the_families(folder, site):
    done = run(folder, site, "-m", "ccsim", "protocol", "equality:bits=4,repetitions=1", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["error"] == "1/2"
    listed = run(folder, site, "-m", "ccsim", "families")
    assert listed.returncode == 0
    assert "cannot be loaded" not in listed.stdout


def test_the_users_own_stays_what_it_is(folder, site):
    if (folder / "protocols.py").exists() and "1/0" in (folder / "protocols.py").read_text():
        pytest.skip("it cannot be imported by the user either")
    done = run(folder, site, "-c", NOTEBOOK)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "16 2\n")


def test_claims_run_beside_it(folder, site):
    done = run(folder, site, "-m", "proofs_check", "show", "fx/lemma-9")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_package_whose_home_is_unknown_is_refused_with_the_file_of_its_name(tmp_path, site):
    info = tmp_path / "site" / "others-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[ccsim.protocols]\nodd = oddities.here:Odd\n")
    own = tmp_path / "own"
    own.mkdir()
    (own / "oddities.py").write_text("")
    done = run(own, site, "-m", "ccsim", "protocol", "odd:n=1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "oddities.here:Odd cannot be loaded: " in done.stderr


def test_nothing_is_strange_here():
    point = EntryPoint("equality", "protocols.equality:EqualityHashing", "ccsim.protocols")
    assert stranger(point) is None
