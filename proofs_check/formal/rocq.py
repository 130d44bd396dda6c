"""The theory of `proofs_check/rocq`, compiled, and the checkers that are extracted from it.

Main definitions: `build`, `built`, `compile_file`. Both are kept in a cache folder that is named
after the digest of the sources.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree, which
from tempfile import mkdtemp

from ccsim.errors import DomainError

__all__ = [
    "CUBE_PROGRAM",
    "PROGRAM",
    "SOURCES",
    "build",
    "build_cube_checker",
    "built",
    "compile_file",
    "missing_tools",
    "modules",
    "requirements",
    "with_deep_stack",
]

SOURCES = Path(__file__).parents[1] / "rocq"
"""The folder of the theory."""

PROGRAM = "native/ccsim-proved"
"""The checker inside a folder that is built."""

CUBE_PROGRAM = "native/ccsim-cube"
"""The checker of the dimension of halfspaces on the cube, of two files of its own."""

_REQUIRED = re.compile(r"From CCSim Require(?: Import| Export)?([^.]*)\.")
_KEPT = (".v", ".ml", "_CoqProject")


def modules() -> list[str]:
    """Return the modules of the theory, with their folders, in the order of compilation.

    Examples
    --------
    >>> modules()[:2]
    ['Definitions', 'rules/Sums']
    """
    lines = (SOURCES / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return [line.removesuffix(".v") for line in lines if line.endswith(".v")]


def missing_tools() -> list[str]:
    """Return those of the tools ``coqc``, ``ocamlfind`` and zarith that are missing.

    Examples
    --------
    >>> set(missing_tools()) <= {"coqc", "ocamlfind", "zarith"}
    True
    """
    missing = [tool for tool in ("coqc", "ocamlfind") if which(tool) is None]
    if "ocamlfind" not in missing:
        query = ["ocamlfind", "query", "-format", "%d/big_int_Z.cmi", "zarith"]
        found = _output(query, None)
        if found.returncode or not Path(found.stdout.strip()).exists():
            missing.append("zarith")
    return missing


def _folder() -> Path:
    """Return the folder for builds of the current sources."""
    digest = sha256()
    for path in sorted(p for p in SOURCES.rglob("*") if p.name.endswith(_KEPT)):
        digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes())
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "ccsim" / f"rocq-{digest.hexdigest()[:16]}"


def built() -> Path | None:
    """Return the folder of the built theory and checker; None if they are not built.

    Examples
    --------
    >>> folder = built()
    >>> folder is None or (folder / PROGRAM).exists()
    True
    """
    folder = _folder()
    return folder if (folder / PROGRAM).exists() else None


def build() -> Path:
    """Compile the theory and the extracted checkers, in about four minutes of processor time.

    Returns
    -------
    Path
        Folder with the compiled modules and the program `PROGRAM`.

    Raises
    ------
    DomainError
        If a tool is missing, or a step fails.
    """
    if (folder := built()) is not None:
        return folder
    if missing := missing_tools():
        raise DomainError(
            f"the theory cannot be built without {' and '.join(missing)}; on Debian: "
            "apt-get install coq ocaml-nox ocaml-findlib libzarith-ocaml-dev"
        )
    folder = _folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.parent / "rocq.lock"):
        if (done := built()) is not None:  # by another process, while this one waited
            return done
        rmtree(folder, ignore_errors=True)
        work = Path(mkdtemp(dir=folder.parent, prefix="rocq-unfinished-"))
        try:
            ignored = ignore_patterns("*.vo*", "*.glob", ".*", "*checker*.ml*", "*.cm*", "*.o")
            copytree(SOURCES, work, ignore=ignored, dirs_exist_ok=True)
            _compile(work)
            _run(["coqc", "-Q", "..", "CCSim", "Extract.v"], work / "native")
            options = ["-package", "zarith", "-linkpkg", "-w", "-a", "-O3"]
            sources = [
                "numbers.ml",
                "checkers.mli",
                "checkers.ml",
                "main.ml",
                "-o",
                Path(PROGRAM).name,
            ]
            _run(["ocamlfind", "ocamlopt", *options, *sources], work / "native")
            work.rename(folder)
        finally:
            rmtree(work, ignore_errors=True)
    return folder


def build_cube_checker() -> Path:
    """Return the checker of the dimension of halfspaces, built if it is missing.

    Raises
    ------
    DomainError
        As `build`.
    """
    folder = build()
    program, native = folder / CUBE_PROGRAM, folder / "native"
    with _locked(folder.parent / "rocq.lock"):
        if not program.exists():
            _run(["coqc", "-Q", "..", "CCSim", "ExtractCube.v"], native)
            sources = ["cube_checker.mli", "cube_checker.ml", "cube_main.ml"]
            options = ["-w", "-a", "-O3", "-inline", "200"]
            _run(["ocamlfind", "ocamlopt", *options, *sources, "-o", program.name], native)
    return program


def requirements() -> dict[str, set[str]]:
    """Return the required modules of every module of the theory.

    Examples
    --------
    >>> sorted(requirements()["rules/Mixture"])
    ['Definitions', 'rules/Sums']
    """
    named = {name.rpartition("/")[2]: name for name in modules()}
    found = {}
    for name in named.values():
        text = (SOURCES / f"{name}.v").read_text(encoding="utf-8")
        words = " ".join(_REQUIRED.findall(text)).split()
        found[name] = {named[word] for word in words if word in named}
    return found


def _compile(folder: Path) -> None:
    """Compile the theory in parallel on all cores."""
    waiting = TopologicalSorter(requirements())
    waiting.prepare()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        running: dict[Future[None], str] = {}
        while waiting.is_active():
            for name in waiting.get_ready():
                command = ["coqc", "-Q", ".", "CCSim", f"{name}.v"]
                running[pool.submit(_run, command, folder)] = name
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                future.result()
                waiting.done(running.pop(future))


def compile_file(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Compile a file that uses the theory built in a folder."""
    command = ["coqc", "-Q", str(folder), "CCSim", path.name]
    return _output(command, path.parent)


def with_deep_stack(command: Sequence[str]) -> list[str]:
    """Return a command that runs another one with the largest stack that the system allows.

    A shell sets the limit, because a Python function for it would have this process copied.
    """
    return ["/bin/sh", "-c", 'ulimit -s "$(ulimit -H -s)"; exec "$@"', "sh", *command]


def _output(command: Sequence[str], folder: Path | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - fixed programs on files of ours
        with_deep_stack(command), capture_output=True, text=True, check=False, cwd=folder
    )


def _run(command: Sequence[str], folder: Path) -> None:
    found = _output(command, folder)
    if found.returncode:
        raise DomainError(f"{' '.join(command)} failed: {found.stderr.strip()[:2000]}")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file; does nothing without `fcntl` (Windows)."""
    with path.open("w", encoding="utf-8") as stream:
        try:
            from fcntl import LOCK_EX, flock
        except ImportError:
            pass
        else:
            flock(stream, LOCK_EX)
        yield
