"""Packages import their names at first use, and commands load only the modules that they need."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
import types

import pytest

import ccsim
from ccsim.arguments.first_use import names_at_first_use
from tests.test_renamed import warned

PACKAGES = (
    "certificates",
    "classes",
    "communication",
    "dimensions",
    "exact",
    "measures",
    "pictures",
    "programs",
    "representation",
)


def loaded_by(code, *arguments):
    """Return the modules that are loaded after a new interpreter has run some code."""
    code += "\nimport sys; print('\\n'.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return run.stdout.split()


def shapes(**names):
    """Return a module that imports ``Fraction`` and the given names at their first use."""
    module = types.ModuleType("shapes")
    module.__all__ = ["Fraction"]
    vars(module)["at_first_use"] = names_at_first_use
    code = "if __name__ == '':\n    from math import tau\n    from fractions import Fraction"
    exec(f"{code}\n__getattr__, __dir__ = at_first_use(globals(), {names})", vars(module))  # noqa: S102 - our own text
    return module


def test_a_name_is_imported_when_it_is_first_used():
    module = shapes()
    assert "Fraction" not in vars(module)
    assert "Fraction" in dir(module)
    assert module.Fraction.__module__ == "fractions"
    assert "Fraction" in vars(module)
    with pytest.raises(AttributeError, match=r"^module 'shapes' has no attribute 'Square'$"):
        getattr(module, "Square")  # noqa: B009 - to look it up


def test_further_names_have_stated_homes_and_may_be_modules():
    assert shapes(dumps="json").dumps.__module__ == "json"
    assert shapes().Fraction is importlib.import_module("fractions").Fraction
    assert ccsim.families.__name__ == "ccsim.families"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_package_is_found_and_listed(package):
    code = f"import ccsim.{package} as p, types\nmissing = set(p.__all__) - set(dir(p))\n"
    code += "assert not missing, missing\n"
    code += "for name in p.__all__: assert not isinstance(getattr(p, name), types.ModuleType), name"
    assert f"ccsim.{package}" in loaded_by(code)
    assert set(loaded_by(f"import ccsim.{package}")).isdisjoint({"numpy", "flint", "highspy"})


def test_values_of_classes_imported_at_first_use_can_be_pickled():
    found = ccsim.vc_dimension(ccsim.lines(3))
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own value


COMMAND = """
import sys
from ccsim.cli.main import main
sys.stdout, out = open('/dev/null', 'w'), sys.stdout
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stdout = out
"""


@pytest.mark.parametrize(
    ("arguments", "most", "own", "without"),
    [
        (["--help"], 150, 14, {"numpy", "rich"}),
        (["dimensions", "lines:p=5"], 430, 110, {"highspy", "flint", "sympy", "scipy", "email"}),
        (["limits"], 200, 40, {"numpy", "highspy", "flint"}),
        (["atlas", "columns"], 200, 30, {"numpy", "rich", "highspy", "flint"}),
    ],
)
def test_a_command_loads_no_more_than_it_needs(arguments, most, own, without):
    loaded = loaded_by(COMMAND, *arguments)
    assert len(loaded) <= most
    assert len([name for name in loaded if name.startswith("ccsim")]) <= own
    assert without.isdisjoint(loaded)


def test_a_deprecated_name_of_a_package_warns_where_it_is_used():
    with warned("ccsim.fix_sets", "ccsim.derandomize") as record:
        assert ccsim.fix_sets is ccsim.derandomize
    assert record[0].filename == __file__
