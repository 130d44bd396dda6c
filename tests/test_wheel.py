"""The wheel holds all that the packages are made of, and works from outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from ccsim.native import FOLDER
from ccsim.native import engine as native_engine

ROOT = Path(__file__).parents[1]
PACKAGES = ("ccsim", "protocols", "proofs_check")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*command, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel):
    """Unpack the wheel where nothing else is, which is all that its installation does."""
    folder = wheel.parent / "installed"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    there = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("[!.]*")
        if path.is_file() and "__pycache__" not in path.parts and path.parent != FOLDER
    }
    with zipfile.ZipFile(wheel) as file:
        held = {name for name in file.namelist() if name.split("/")[0] in PACKAGES}
    built = {".vo", ".vok", ".vos", ".glob"}  # by Rocq, for who works on a theory in its folder
    engine = {f"ccsim/_engine/{Path(native_engine()._name).name}"}
    assert {name for name in there if Path(name).suffix not in built} | engine == held


PLACES = """
import ccsim, protocols, proofs_check
print(*(module.__file__ for module in (ccsim, protocols, proofs_check)), sep="\\n")
"""
COMMANDS = [
    ["ccsim", "--version"],
    ["ccsim", "families"],
    ["ccsim", "dimensions", "thresholds:b=2", "--json"],
    ["ccsim", "error", "equality:n=4", "--messages", "2", "--certificate", "error.json"],
    ["proofs_check", "verify", "error.json"],
    ["ccsim", "protocol", "lines:p=3"],
    ["ccsim", "survey", "dimensions", "all:n=2", "--out", "small.db", "--json"],
    ["ccsim", "atlas", "query", "vc < littlestone", "--json"],
    ["proofs_check", "show", "fx/intro-hs-count"],
]


def test_it_works_from_outside_the_checkout(installed, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    python = [sys.executable, "-P"]

    def ran(*command):
        done = subprocess.run(
            [*python, *command], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    assert all(Path(place).is_relative_to(installed) for place in ran("-c", PLACES).split())
    said = {" ".join(command[:2]): ran("-m", *command) for command in COMMANDS}
    assert json.loads(said["ccsim dimensions"])["littlestone"] == 2
    assert "accepted" in said["proofs_check verify"]
    assert json.loads(said["ccsim survey"])["answered"] == 6
    found = json.loads(said["ccsim atlas"])["matches"][0]["instance"]
    assert found == "some_functions:n=3,chosen=39"
