"""The engine is built with the package, loads or reports the reason, and exports its names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from numpy._core import _multiarray_umath

from ccsim import native
from ccsim.cli.main import main
from ccsim.errors import EngineError

ROOT = Path(__file__).parents[1]
SOURCES = sorted(native.FOLDER.glob("*.c"))
TEXT = "".join(file.read_text(encoding="utf-8") for file in SOURCES)
DEFINED = re.findall(r"^EXPORT [^(=]*?\b(\w+)\(", TEXT, re.MULTILINE)
QUESTION = "import ccsim; print(ccsim.littlestone_dimension(ccsim.lines(7)).method)"


@pytest.fixture(autouse=True)
def _anew():
    native.engine.cache_clear()
    yield
    native.engine.cache_clear()


def answer(**environment):
    """Answer a small question in a new process; return its output, with errors, and its status."""
    done = subprocess.run(
        [sys.executable, "-c", QUESTION], cwd=ROOT, env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr, done.returncode


def test_every_export_has_the_prefix_of_its_part_and_is_there():
    assert len(DEFINED) == TEXT.count("EXPORT ") > 30
    library = native.engine()
    for name in DEFINED:
        assert re.fullmatch(r"ccsim_[a-z]+_[a-z_]+", name)
        assert hasattr(library, name)


@pytest.mark.skipif(not shutil.which("nm"), reason="there is no nm")
@pytest.mark.skipif(sys.platform != "linux", reason="nm lists other formats otherwise")
def test_nothing_else_is_exported():
    listed = subprocess.run(
        [shutil.which("nm"), "--dynamic", "--defined-only", native.engine()._name],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = {line.split()[-1] for line in listed.stdout.splitlines()}
    assert names - {"_init", "_fini"} == set(DEFINED)


def test_parts_declare_functions_that_exist():
    using = [path for path in (ROOT / "ccsim").rglob("*.py") if "Library(" in path.read_text()]
    modules = [path.relative_to(ROOT).with_suffix("").parts for path in using]
    declared = {
        f"ccsim_{library._part}_{name}"
        for module in modules
        for library in vars(import_module(".".join(module))).values()
        if isinstance(library, native.Library)
        for name in library._functions
    }
    assert declared | {"ccsim_engine_sources"} == set(DEFINED)


def test_without_an_engine_python_searches(monkeypatch):
    assert answer() == ("compiled\n", 0)
    assert answer(CCSIM_ENGINE="python") == ("python\n", 0)
    monkeypatch.setenv(native.ENGINE, "python")
    assert native.engine() is None
    assert native.Library("trees", {"used": (None, ())}).found() is None
    assert native.name_of_engine() == "Python (CCSIM_ENGINE=python)"


def test_a_package_that_was_built_without_an_engine_searches_in_python(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    (tmp_path / "python_only").touch()
    assert native.engine() is None
    assert native.name_of_engine() == "Python (built without C)"


def test_a_missing_library_is_an_error_and_not_another_engine(monkeypatch, tmp_path):
    text, status = answer(CCSIM_ENGINE=str(tmp_path / "none.so"))
    assert status != 0
    assert "EngineError: the engine " in text
    assert "none.so is missing" in text
    monkeypatch.setattr(native, "FOLDER", tmp_path)
    with pytest.raises(EngineError, match=r"missing; run 'python hatch_build.py'"):
        native.engine()


@pytest.mark.parametrize("content", [b"", b"\x7fELF no library"])
def test_a_library_that_does_not_load_is_an_error(monkeypatch, tmp_path, capsys, content):
    broken = tmp_path / "engine.so"
    broken.write_bytes(content)
    monkeypatch.setenv(native.ENGINE, str(broken))
    with pytest.raises(EngineError, match=r"engine\.so cannot be loaded: "):
        native.engine()
    assert main(["dimensions", "lines:p=7"]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert "cannot be loaded" in printed.err


def test_another_library_is_no_engine(monkeypatch):
    monkeypatch.setenv(native.ENGINE, _multiarray_umath.__file__)
    with pytest.raises(EngineError, match="cannot be loaded"):
        native.engine()


def test_a_library_of_other_sources_is_an_error(monkeypatch, tmp_path):
    folder = tmp_path / "_engine"
    shutil.copytree(native.FOLDER, folder)
    monkeypatch.setattr(native, "FOLDER", folder)
    assert native.engine() is not None
    native.engine.cache_clear()
    with (folder / "engine.h").open("a", encoding="utf-8") as header:
        header.write("\n")
    with pytest.raises(EngineError, match="was built from other sources"):
        native.engine()


def test_doctor_names_the_engine(capsys, monkeypatch):
    assert main(["doctor"]) == 0
    assert str(native.FOLDER) in capsys.readouterr().out.replace("\n", "").replace(" ", "")
    native.engine.cache_clear()
    monkeypatch.setenv(native.ENGINE, "python")
    assert main(["doctor"]) == 0
    assert "Python (CCSIM_ENGINE=python)" in capsys.readouterr().out


def build(tmp_path, **environment):
    """Build a wheel from a copy of the sources; return the status, the output and the files."""
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("hatch_build.py", "pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    for package in ("ccsim", "protocols", "proofs_check"):
        (copy / package).mkdir()
        shutil.copy(ROOT / package / "__init__.py", copy / package)
    shutil.copy(ROOT / "ccsim" / "version.py", copy / "ccsim")
    shutil.copytree(native.FOLDER, copy / "ccsim" / "_engine")
    before = sorted((copy / "ccsim").rglob("*"))
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", "../made"],
        cwd=copy, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert sorted((copy / "ccsim").rglob("*")) == before, "a build leaves the sources as they are"
    return done, sorted((tmp_path / "made").glob("*.whl"))


def engine_files(wheel):
    with zipfile.ZipFile(wheel) as file:
        return [name for name in file.namelist() if name.startswith("ccsim/_engine/")]


def test_a_wheel_without_an_engine_is_for_all_platforms(tmp_path):
    done, (wheel,) = build(tmp_path, CCSIM_ENGINE="python")
    assert done.returncode == 0
    assert wheel.name.endswith("-py3-none-any.whl")
    assert engine_files(wheel) == ["ccsim/_engine/python_only"]


def test_an_unknown_platform_fails_the_build(tmp_path):
    done, wheels = build(tmp_path, CCSIM_TARGET="amiga")
    assert done.returncode != 0
    assert not wheels
    assert "CCSIM_TARGET must be one of linux-x86_64, " in done.stderr


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
def test_sources_that_do_not_compile_fail_the_build(tmp_path):
    """A compiler that works only on a small file also fails the build, without a slow fallback."""
    compiler = tmp_path / "cc"
    compiler.write_text('#!/bin/sh\ncase "$*" in *trees.c*) echo no room >&2; exit 1;; esac\n')
    with compiler.open("a", encoding="utf-8") as script:
        script.write('exec gcc "$@"\n')
    compiler.chmod(0o755)
    done, wheels = build(tmp_path, CC=str(compiler))
    assert done.returncode != 0
    assert not wheels
    assert "the engine of ccsim cannot be built: " in done.stderr
    assert "no room" in done.stderr


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no gcc")
def test_a_compiler_that_does_not_work_is_passed_over(tmp_path):
    done, (wheel,) = build(tmp_path, CC="false")
    assert done.returncode == 0
    (held,) = engine_files(wheel)
    assert Path(held).stem == "engine"
