"""Commands of registered classes: names, options, help, messages, and entry points."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
from fractions import Fraction

import pytest

from ccsim import audit, thresholds
from ccsim.cli.main import main
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.privacy import Mechanism
from ccsim.texts.built_in import LEARNERS, MECHANISMS, SANITIZERS
from ccsim.texts.registry import LEARNER_CLASSES, MECHANISM_CLASSES, SANITIZER_CLASSES

CLASSES = MECHANISM_CLASSES.classes()
declared = MECHANISM_CLASSES.declared
SOURCE = """
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from ccsim.arguments.parameters import Parameter
from ccsim.data import validated
from ccsim.exact import Epsilon, Distribution
from ccsim.privacy import CanonicalMechanism


@validated
class Coin(CanonicalMechanism):
    \"\"\"Flip a coin that leans towards the first label.\"\"\"

    lean: Annotated[Fraction, Parameter("How far it leans", least=0, below="1/2")] = Fraction(1, 4)

    @property
    def records(self):
        return ((0, 0), (0, 1))

    @classmethod
    def on_class(cls, num_points, concepts, epsilon, delta, **settings):
        return cls(**settings)

    def distribution_of(self, database):
        half = Fraction(1, 2)
        lean = self.lean * database[0][1]
        return Distribution.of({0: half + lean, 1: half - lean})


NUMBER = 3
"""
POINTS = """
[ccsim.mechanisms]
coin = coins_for_tests:Coin
number = coins_for_tests:NUMBER
choosing = coins_for_tests:Coin
"""


@pytest.mark.parametrize(
    ("registry", "table"),
    [
        (MECHANISM_CLASSES, MECHANISMS),
        (LEARNER_CLASSES, LEARNERS),
        (SANITIZER_CLASSES, SANITIZERS),
    ],
)
def test_every_class_of_the_tables_can_be_loaded_and_is_public(registry, table):
    assert [*registry.classes()] == sorted(table)
    for kind in registry.classes().values():
        package = importlib.import_module(".".join(kind.__module__.split(".")[:2]))
        assert kind.__name__ in package.__all__
        text = inspect.getdoc(kind)
        assert ">>>" in text
        own = registry.declared(kind).values()
        fields = {field.name for field in dataclasses.fields(kind)}
        assert all(f"\n{p.field} : " in text for p in own if p.field in fields)


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "subsampled-point"])
def test_a_mechanism_is_made_with_its_defaults_and_as_private_as_it_says(name):
    C, epsilon, delta = thresholds(1), Epsilon.of("ln 3"), Fraction(1, 100)
    made = CLASSES[name].on_class(len(C.points), C.rows, epsilon, delta)
    for parameter in declared(CLASSES[name]).values():
        if parameter.default is not None and parameter.name != "growth":
            assert getattr(made, parameter.field, parameter.default) == parameter.default
    assert audit(made, epsilon, delta, made.neighbours(2)).verdict == "holds"


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, parameter) for name, kind in CLASSES.items() for parameter in declared(kind).values()],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_value_out_of_its_declared_range_is_refused(name, parameter, capsys):
    about = parameter.about
    if not about.rule:
        return
    wrong = "none of them" if about.choices else -1
    assert main(
        ["audit", "points:b=1", f"--mechanism={name}", "--epsilon=ln 3", "--delta=1/8",
         "--samples=2", "--set", f"{parameter.name}={wrong}"]
    ) == 2  # fmt: skip
    said = f"{parameter.name} must be {about.rule}, not {wrong!r}"
    assert said in capsys.readouterr().err
    with pytest.raises(DomainError, match=about.rule):
        about.check(wrong, parameter.name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "flip=1/8"], "stable-mode has no parameter flip; it has margin, scale"),
        (["--set", "scale"], "--set must be KEY=VALUE, not 'scale'"),
        (["--set", "scale=x"], "scale must be"),
        (
            ["--variant=optimal"],
            "--variant applies only to the mechanisms a-dist and rec-concave, not to stable-mode",
        ),
        (["--any-size"], "--any-size applies only to the mechanism choosing, not to stable-mode"),
        (["--growth=2"], "--growth applies only to the mechanism choosing, not to stable-mode"),
    ],
)
def test_parameters_of_others_are_refused_in_one_line(capsys, arguments, message):
    asked = ["audit", "points:b=1", "--mechanism=stable-mode", "--epsilon=1", "--delta=1/8"]
    assert main([*asked, "--samples=1", *arguments]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert message in shown


def test_a_choice_may_be_set_as_any_parameter(capsys):
    asked = ["audit", "points:b=1", "--mechanism=a-dist", "--epsilon=ln 3", "--delta=1/8"]
    asked += ["--samples=1", "--json"]
    found = []
    for more in (["--variant=printed"], ["--set", "variant=printed"]):
        main([*asked, *more])
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert found[0]["verdict"] == "fails"


@pytest.mark.parametrize(
    "name",
    ["audit", "learn", "packing", "predict", "release", "sample_complexity", "sanitize"],
)
def test_every_option_has_one_line_of_help(name):
    module = importlib.import_module(f"ccsim.cli.privacy.{name}")
    options = [p for p in getattr(module, name).params if p.param_type_name == "option"]
    for option in options:
        assert option.help, option.name
        assert option.help[0].isupper()
        if option.name not in {"certificate", "time_limit", "out", "as_json"}:  # shared
            assert len(option.help) <= 60, option.help


@pytest.fixture
def _registered(tmp_path, monkeypatch):
    info = tmp_path / "site" / "coins_for_tests-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coins_for_tests\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINTS)
    (info.parent / "coins_for_tests.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(info.parent)


@pytest.mark.usefixtures("_registered")
def test_another_distribution_may_register_a_mechanism():
    assert MECHANISM_CLASSES.names() == sorted([*MECHANISMS, "coin", "number"])
    coin = MECHANISM_CLASSES.load_class("coin")
    assert coin.on_class(1, (0, 1), Epsilon.of(1), Fraction(0), lean="1/8").lean == Fraction(1, 8)
    assert declared(coin)["lean"].in_words == (
        "How far it leans; at least 0 and below 1/2; default 1/4"
    )
    assert "number" not in MECHANISM_CLASSES.classes()
    assert MECHANISM_CLASSES.load_class("choosing") is CLASSES["choosing"]
    with pytest.raises(DomainError, match="Coin: lean must be at least 0 and below 1/2, not 1/2"):
        coin(lean="1/2")


@pytest.mark.usefixtures("_registered")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("number", "must be a data class with a method on_class"),
        ("coins", r"unknown mechanism 'coins' \(coin\?\)"),
    ],
)
def test_what_is_no_mechanism_is_refused(name, message):
    with pytest.raises(ValueError, match=message):
        MECHANISM_CLASSES.load_class(name)


NOT_ON_A_CLASS = {
    "CanonicalMechanism": "a base class",
    "Mechanism": "a base class",
    "ByQuality": "of another mechanism",
    "Composed": "of other mechanisms",
    "PostProcessed": "of another mechanism",
    "Subsampled": "of another mechanism; see subsampled-point",
    "Deterministic": "of a function",
    "DominantMechanism": "of parameters only: ccsim compose --parameters",
    "PoissonSampled": "of another mechanism",
    "SampledWithoutReplacement": "of another mechanism",
    "Shuffled": "of a local randomiser",
    "FunctionMechanism": "of a function: ccsim audit module.py:function",
    "ExponentialMechanism": "of a score; see exponential",
    "NoisyThreshold": "of a query",
    "TruncatedGeometric": "of a query",
    "NoisyConsistentPoint": "not private; see subsampled-point",
    "PublicCoinOccam": "of public coins; its choice is exponential",
    "PublicPointsOccam": "see label-private and semi-private",
    "RectangleLearner": "has no law",
}
"""Public mechanisms that ``ccsim audit --mechanism`` does not make, and why."""


def test_audit_has_every_public_mechanism_of_a_class():
    found = set()
    for package in ("privacy", "learning", "release"):
        module = importlib.import_module(f"ccsim.{package}")
        for name in module.__all__:
            kind = getattr(module, name)
            if isinstance(kind, type) and issubclass(kind, Mechanism):
                found.add(name)
    registered = {kind.__name__ for kind in CLASSES.values()}
    assert registered == found - NOT_ON_A_CLASS.keys()
    assert found >= NOT_ON_A_CLASS.keys()
