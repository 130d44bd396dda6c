"""Compile the engine, the searches in C, when the package is built.

The system's C compiler is used where one works, else `ziglang` from the package index, which is
then a requirement of the build. Environment variables:

* ``CCSIM_ENGINE=python`` builds a package without the engine, for any platform;
* ``CCSIM_TARGET`` names another platform of `TARGETS`, for which zig compiles;
* ``CC`` names the C compiler to try first.

``python hatch_build.py`` compiles into the checkout, for work without an installation;
``python hatch_build.py wheels FOLDER`` builds the wheels of all platforms, with `ziglang`
installed beside hatchling.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENGINE = Path("ccsim", "_engine")
OPTIONS = ("-std=c11", "-O3", "-fwrapv", "-ffp-contract=off", "-fvisibility=hidden", "-shared")
STRICT = ("-Wall", "-Wextra", "-Werror")
"""For developers and for the wheels of all platforms; other compilers may warn of other things."""
ZIG = "ziglang>=0.15,<0.18"
MARKER = "python_only"
_PROBE = "#include <stdint.h>\n#include <stdlib.h>\nint64_t probe(int64_t a) { return labs(a); }\n"


class BuildError(Exception):
    """The engine cannot be built; the message says why."""


class Target(NamedTuple):
    """A platform: its wheels' tag, its library's name, zig's name for it, and how to compile."""

    tag: str
    library: str
    zig: str
    zig_options: tuple[str, ...] = ()
    options: tuple[str, ...] = ("-fPIC",)


_ZIG_V2, _V2, _PIC = "-mcpu=x86_64_v2", "-march=x86-64-v2", "-fPIC"
_NAME = "-Wl,-install_name,@rpath/engine.dylib"  # not the temporary file of the build
_ARM_MAC = (_NAME, "-arch", "arm64", "-mmacosx-version-min=11.0")
_INTEL_MAC = (_NAME, "-arch", "x86_64", "-mmacosx-version-min=10.15", _V2)
TARGETS = {
    "linux-x86_64": Target(
        "manylinux_2_17_x86_64", "engine.so", "x86_64-linux-gnu.2.17", (_ZIG_V2, _PIC), (_V2, _PIC)
    ),
    "linux-aarch64": Target(
        "manylinux_2_17_aarch64", "engine.so", "aarch64-linux-gnu.2.17", (_PIC,)
    ),
    "musl-x86_64": Target(
        "musllinux_1_2_x86_64", "engine.so", "x86_64-linux-musl", (_ZIG_V2, _PIC), (_V2, _PIC)
    ),
    "musl-aarch64": Target("musllinux_1_2_aarch64", "engine.so", "aarch64-linux-musl", (_PIC,)),
    "macos-arm64": Target(
        "macosx_11_0_arm64", "engine.dylib", "aarch64-macos.11.0", (_PIC, _NAME), _ARM_MAC
    ),
    "macos-x86_64": Target(
        "macosx_10_15_x86_64",
        "engine.dylib",
        "x86_64-macos.10.15",
        (_ZIG_V2, _PIC, _NAME),
        _INTEL_MAC,
    ),
    "windows-x86_64": Target("win_amd64", "engine.dll", "x86_64-windows-gnu", (_ZIG_V2,), (_V2,)),
}
"""The platforms for which wheels are built; x86-64-v2 is what all their processors since 2009 do.

Tags of musl follow Python's own: `musllinux_1_2`.
"""


def target() -> Target:
    """Return the platform that `CCSIM_TARGET` names, or this one."""
    if named := os.environ.get("CCSIM_TARGET"):
        if named not in TARGETS:
            raise BuildError(f"CCSIM_TARGET must be one of {', '.join(TARGETS)}, not {named!r}")
        return TARGETS[named]
    platform = sysconfig.get_platform()
    machine = os.uname().machine if hasattr(os, "uname") else "x86_64"
    if sys.platform == "darwin":
        return TARGETS[f"macos-{machine}"]
    if sys.platform == "win32":
        if platform != "win-amd64":
            raise BuildError(f"the engine is not built for {platform}; CCSIM_ENGINE=python works")
        return TARGETS["windows-x86_64"]
    is_musl = "musl" in (sysconfig.get_config_var("SOABI") or "")
    known = TARGETS.get(f"{'musl' if is_musl else 'linux'}-{machine}")
    tag = platform.replace("-", "_").replace(".", "_")
    if known is None or not platform.endswith(machine):
        return Target(tag, "engine.so", "native", (_PIC,))
    return known._replace(tag=tag)


def system_compiler(options: tuple[str, ...]) -> list[str] | None:
    """Return the first of the system's compilers that makes a library, `CC` before the others."""
    asked = shlex.split(os.environ.get("CC", ""))
    found = [[path] for name in ("cc", "gcc", "clang") if (path := shutil.which(name))]
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder, "probe.c")
        probe.write_text(_PROBE, encoding="utf-8")
        for command in [asked, *found] if asked else found:
            made = [*command, *OPTIONS, *options, "-o", f"{folder}/probe", str(probe)]
            try:
                subprocess.run(made, check=True, capture_output=True)  # noqa: S603
            except (OSError, subprocess.CalledProcessError):
                continue
            return command
    return None


def digest(folder: Path) -> str:
    """Return what tells the sources apart; `ccsim.native` compares it."""
    found = hashlib.sha256()
    for file in sorted(folder.glob("*.[ch]")):
        found.update(file.read_bytes())
    return found.hexdigest()[:24]


def compile_engine(root: Path, into: Path, extra: tuple[str, ...] = ()) -> Path:
    """Compile the sources of a checkout into one library in a folder, and return its file.

    Raises
    ------
    BuildError
        With what the compiler says.
    """
    platform, sources = target(), root / ENGINE
    compiler = None if os.environ.get("CCSIM_TARGET") else system_compiler(platform.options)
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        if compiler:
            command = [*compiler, *platform.options]
        elif importlib.util.find_spec("ziglang"):
            environment |= dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), folder)
            command = [sys.executable, "-m", "ziglang", "cc", "-target", platform.zig]
            command += [*platform.zig_options, "-s"]
        else:
            raise BuildError(f"no C compiler works here, and there is no zig: pip install '{ZIG}'")
        made = Path(folder, platform.library)
        command += [*OPTIONS, *extra, f'-DCCSIM_SOURCES="{digest(sources)}"', "-o", str(made)]
        command += [*map(str, sorted(sources.glob("*.c"))), "-lm"]
        done = subprocess.run(  # noqa: S603
            command, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BuildError(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        into.mkdir(parents=True, exist_ok=True)
        part = into / f"{platform.library}.part"  # the library of a running process stays as it is
        shutil.copyfile(made, part)
        return part.replace(into / platform.library)


class EngineHook(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the engine into a wheel, or into the checkout if the installation is editable."""

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling: zig where no compiler of the system works.

        hatchling asks all hooks of a wheel, and no hook of an sdist.
        """
        if _without_engine():
            return []
        if os.environ.get("CCSIM_TARGET") or system_compiler(target().options) is None:
            return [ZIG]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have hatchling put the library into the wheel."""
        root = Path(self.root)
        self._folder = tempfile.TemporaryDirectory()  # until the wheel is written
        into = root / ENGINE if version == "editable" else Path(self._folder.name)
        for old in (root / ENGINE).glob("engine.[ds]*") if version == "editable" else ():
            old.unlink()
        (into / MARKER).unlink(missing_ok=True)
        try:
            if _without_engine():
                made = into / MARKER
                made.write_text("built without the engine in C\n", encoding="utf-8")
            else:
                is_ours = version == "editable" or os.environ.get("CCSIM_TARGET")
                made = compile_engine(root, into, STRICT if is_ours else ())
                build_data |= {"pure_python": False, "tag": f"py3-none-{target().tag}"}
        except BuildError as error:
            self.app.abort(f"the engine of ccsim cannot be built: {error}")
        if version != "editable":
            build_data["force_include"][str(made)] = (ENGINE / made.name).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._folder.cleanup()


def _without_engine() -> bool:
    return os.environ.get("CCSIM_ENGINE") == "python"


def build_wheels(root: Path, folder: Path) -> None:
    """Build the wheel of each platform with the hatchling and the zig of this environment."""
    for name in TARGETS:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
        environment = {**os.environ, "CCSIM_TARGET": name}
        command.append(str(folder.absolute()))
        subprocess.run(command, cwd=root, env=environment, check=True)  # noqa: S603


def main(arguments: list[str]) -> int:
    """Compile into the checkout, or build all wheels."""
    root = Path(__file__).parent
    if arguments[:1] == ["wheels"] and len(arguments) == 2:
        build_wheels(root, Path(arguments[1]))
    elif arguments:
        sys.stderr.write("usage: python hatch_build.py [wheels FOLDER]\n")
        return 2
    else:
        try:
            sys.stdout.write(f"{compile_engine(root, root / ENGINE, STRICT)}\n")
            (root / ENGINE / MARKER).unlink(missing_ok=True)
        except BuildError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
