"""The wheel contains all parts of the packages, and works outside the checkout."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

from ccsim.errors import DomainError
from ccsim.native import FOLDER
from ccsim.native import engine as native_engine
from ccsim.pictures import figures

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
    """Unpack the wheel into an empty folder, which is all that its installation does."""
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
    assert re.fullmatch(r"ccsim-.*-py3-none-(linux|macosx|win).*\.whl", wheel.name)


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


def _ran(folder, installed, *command):
    """Run Python in a folder with the unpacked wheel first on its path; return the output."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "PIP_CONFIG_FILE": os.devnull}
    environment.pop("PIP_ONLY_BINARY", None)
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def test_it_works_from_outside_the_checkout(installed, tmp_path):
    def ran(*command):
        return _ran(tmp_path, installed, "-P", *command)

    assert all(Path(place).is_relative_to(installed) for place in ran("-c", PLACES).split())
    said = {" ".join(command[:2]): ran("-m", *command) for command in COMMANDS}
    assert json.loads(said["ccsim dimensions"])["littlestone"] == 2
    assert "accepted" in said["proofs_check verify"]
    assert json.loads(said["ccsim survey"])["answered"] == 6
    found = json.loads(said["ccsim atlas"])["matches"][0]["instance"]
    assert found == "some_functions:n=3,chosen=39"


DRAW = """
import ccsim
from ccsim.pictures import draw_errors, save_figure
print(ccsim.__file__)
save_figure("errors.svg", draw_errors(ccsim.error_curve(ccsim.equality(4))))
"""


def test_the_message_on_missing_pictures_names_a_command_that_works(wheel, tmp_path, monkeypatch):
    """pip finds the wheel, its extra and all requirements in an index without a network.

    The requirements in the index have the metadata of the packages in this environment.
    """
    pytest.importorskip("pip")
    monkeypatch.setattr(figures, "_is_there", lambda _: False)
    with pytest.raises(DomainError) as refused:
        figures.check_matplotlib()
    command = shlex.split(str(refused.value).partition("install it with ")[2])
    assert command[:2] == ["pip", "install"]
    index, target = tmp_path / "index", tmp_path / "installed"
    index.mkdir()
    (index / wheel.name).symlink_to(wheel)
    for found in distributions():
        name = found.name.replace("-", "_")
        if found.read_text("METADATA") and name != "ccsim":
            folder = f"{name}-{found.version}.dist-info"
            with zipfile.ZipFile(index / f"{name}-{found.version}-py3-none-any.whl", "w") as made:
                made.writestr(f"{folder}/METADATA", found.read_text("METADATA"))
                made.writestr(f"{folder}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
                made.writestr(f"{folder}/RECORD", "")
    options = ["--quiet", "--no-index", "--find-links", str(index), "--target", str(target)]
    _ran(tmp_path, target, "-m", *command, *options)
    place = _ran(tmp_path, target, "-P", "-c", DRAW)
    assert Path(place.strip()).is_relative_to(target)
    assert (tmp_path / "errors.svg").read_text(encoding="utf-8").count("<svg") == 1
    there = {path.name.partition("-")[0] for path in target.glob("*.dist-info")}
    assert {"ccsim", "matplotlib", "numpy"} <= there
    assert "pandas" not in there
