"""``ccsim doctor``: a test of the installation, and its components."""

from __future__ import annotations

import platform
import shutil
import time
from importlib.metadata import PackageNotFoundError, requires, version

import click

from ccsim.cli.output import Column, echo_json, print_table
from ccsim.cli.parameters import Command
from ccsim.native import name_of_engine
from ccsim.version import __version__

_REJECTED = 4


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(*, as_json: bool) -> int:
    """Test this installation and list its components.

    The test computes a dimension, checks its certificate, and expects a false certificate to be
    rejected. The exit status is 4 if the test fails.
    """
    facts = {"ccsim": __version__, "Python": platform.python_version()}
    facts["system"] = f"{platform.system()} {platform.machine()}"
    facts["engine"] = name_of_engine()
    facts |= {name: _version(name) for name in _libraries()}
    facts["Rocq (coqc)"] = shutil.which("coqc") or "not installed"
    begun = time.perf_counter()
    checks = _checks()
    facts["seconds of the test"] = f"{time.perf_counter() - begun:.1f}"
    if as_json:
        echo_json({"facts": facts, "checks": checks, "works": all(checks.values())})
    else:
        print_table([Column(), Column(breaks=True)], facts.items())
        tried = ((("passed" if passed else "FAILED"), name) for name, passed in checks.items())
        print_table([Column(least=6), Column(breaks=True)], tried)
    return 0 if all(checks.values()) else _REJECTED


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _libraries() -> list[str]:
    """Return the names of the required libraries and of two optional ones."""
    try:
        listed = requires("ccsim") or []
    except PackageNotFoundError:
        listed = []
    names = [text.partition(";")[0].strip() for text in listed if "extra ==" not in text]
    plain = [name.rstrip("0123456789.,<>=!~ ") for name in names]
    return list(dict.fromkeys([*plain, "matplotlib", "opendp"]))


def _checks() -> dict[str, bool]:
    """Return the tests and their results."""
    from ccsim.classes import thresholds
    from ccsim.dimensions import littlestone_dimension
    from ccsim.kernel import Rejected, check

    document = littlestone_dimension(thresholds(2)).certificate().to_dict()
    lower, upper = document["statement"]["lower"], document["statement"]["upper"]
    found = {
        "computes the Littlestone dimension of thresholds on 4 points": lower == upper == 2,
        "accepts its certificate": False,
        "rejects a certificate of a larger value": False,
    }
    try:
        found["accepts its certificate"] = bool(check(document))
    except Rejected:
        return found
    try:
        check(document | {"statement": document["statement"] | {"lower": 3, "upper": 3}})
    except Rejected:
        found["rejects a certificate of a larger value"] = True
    return found
