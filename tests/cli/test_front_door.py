"""The first commands of a new user."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import ccsim
from ccsim import kernel
from ccsim.cli.group import Group
from ccsim.cli.main import _MODULES, cli, main, run_group
from ccsim.cli.surveys.atlas import atlas
from ccsim.instances import parse_instance
from ccsim.learning.rules import LEARNERS
from ccsim.texts import files, reading
from ccsim.texts.built_in import BUILT_IN
from ccsim.texts.declared import summary
from ccsim.texts.registry import LEARNER_CLASSES, MECHANISM_CLASSES, SANITIZER_CLASSES
from proofs_check.__main__ import main as proofs_check
from proofs_check.commands import cli as proofs_check_group


@pytest.mark.parametrize("run", [main, proofs_check])
def test_alone_the_command_shows_help(run, capsys):
    assert run([]) == 2
    said = capsys.readouterr()
    assert said.out.startswith("Usage: ")
    assert said.err == ""


@pytest.mark.parametrize(
    ("run", "wrong", "meant"),
    [
        (main, "dimensoins", "dimensions"),
        (main, "familys", "families"),
        (proofs_check, "verfy", "verify"),
    ],
)
def test_a_misspelt_command_gets_a_suggestion(run, wrong, meant, capsys):
    assert run([wrong]) == 2
    assert f"unknown command '{wrong}'; did you mean '{meant}'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "name"),
    [
        (main, "ccsim"),
        (main, "ccsim atlas"),
        (proofs_check, "proofs-check"),
    ],
)
@pytest.mark.parametrize("width", [80, 100])
def test_every_command_has_a_line_in_the_help(run, name, width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    assert run([*name.split()[1:], "--help"]) == 0
    said = capsys.readouterr().out
    assert run(["help", *name.split()[1:]]) == 0
    assert capsys.readouterr().out == said
    sections = re.split(r"\n\n(?=[A-Z][a-z ]+:\n)", said)[2:]
    rows = [row for section in sections for row in section.split("\n\n")[0].splitlines()[1:]]
    lines = [re.fullmatch(r"  ([a-z -]+?)  +([A-Z].*)", row) for row in rows]
    assert all(lines), "a line is wrapped"
    assert all(len(line[2]) <= 60 and "..." not in line[2] for line in lines)
    assert len(lines) >= 5


@pytest.mark.parametrize("command", [*_MODULES, *(f"atlas {name}" for name in atlas.commands)])
def test_many_options_are_under_headings(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command.split(), "--help"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80 or "|" in said  # choices are not broken
    sections = re.split(r"\n(?=[A-Z][a-z ]*ptions:\n)", said)[1:]
    options = [len(re.findall(r"^  -", section, re.MULTILINE)) for section in sections]
    assert sum(options) <= 7 or len(sections) > 1


def _options():
    """Yield the help text of every option of both programs."""
    groups = [(cli, _MODULES), (atlas, atlas.commands), (proofs_check_group, None)]
    for group, names in groups:
        for name in names or group.commands:
            command = group.get_command(click.Context(group), name)
            for option in command.params:
                if isinstance(option, click.Option):
                    yield f"{group.name} {name} {option.opts[0]}", option.help or ""


def test_the_help_of_an_option_is_one_short_line():
    wrong = {name: text for name, text in _options() if not 0 < len(text) <= 60}
    assert not wrong


@pytest.mark.parametrize(
    ("run", "words", "meant"),
    [
        (main, ["lines:p=3"], "write: ccsim dimensions lines:p=3"),
        (main, ["@m.csv"], "write: ccsim dimensions @m.csv"),
        (main, ["m"], "write: ccsim dimensions @m"),
        (main, ["dimensions", "m"], "'m' is the name of a file; write @m"),
        (main, ["atlas", "shwo"], "did you mean 'show'?"),
        (main, ["help", "eror"], "did you mean 'error'?"),
        (main, ["qqq"], "'ccsim help' lists the commands"),
        (proofs_check, ["fx/lemma-9"], "write: proofs-check show fx/lemma-9"),
        (proofs_check, ["m.json"], "write: proofs-check verify m.json"),
    ],
)
def test_an_argument_in_place_of_a_command_gets_a_suggestion(
    run, words, meant, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("m").write_text("0,1\n1,0\n")
    assert run(words) == 2
    said = capsys.readouterr()
    assert meant in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_family_is_no_file_of_the_same_name(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("points").write_text("0,1\n1,0\n")
    assert main(["dimensions", "points"]) == 2
    assert "points: parameter b is missing" in capsys.readouterr().err


@pytest.mark.parametrize("known", [LEARNER_CLASSES, MECHANISM_CLASSES, SANITIZER_CLASSES])
def test_registered_classes_are_listed_with_parameters_and_sources(known, capsys):
    assert main(["families", f"--{known.what}s", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in listed if row["for"] == known.what}
    if known is LEARNER_CLASSES:
        assert {row["name"] for row in listed if row["for"] == "rule learner"} == set(LEARNERS)
    assert list(rows) == known.names()
    for name, kind in known.classes().items():
        assert rows[name]["meaning"] == summary(kind)
        assert [p["name"] for p in rows[name]["parameters"]] == list(known.declared(kind))
    assert main(["families", f"--{known.what}s"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80
    assert all(f"\n  {name}\n" in said for name in rows)


def test_the_source_of_a_learner_is_its_theorem(capsys):
    assert main(["families", "--learners", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in listed if row["for"] == "learner"}
    assert rows["improper-code"]["source"] == "bbkn Theorem 4.2"
    assert rows["improper-code"]["class"] == "points"
    (samples,) = rows["rectangles"]["parameters"]
    assert (samples["name"], samples["default"]) == ("samples", "30000")


def test_no_color_is_respected(monkeypatch, capsys):
    @click.command()
    def shout():
        click.secho("loud", fg="red", bold=True)

    monkeypatch.setattr(click.utils, "should_strip_ansi", lambda _, color: color is False)
    for variable, expected in (("1", "loud\n"), ("", "\x1b[31m\x1b[1mloud\x1b[0m\n")):
        monkeypatch.setenv("NO_COLOR", variable)
        assert run_group(Group(commands={"shout": shout}), "ccsim", ["shout"]) == 0
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    "words", [["m.csv"], ["dimensions", "m.csv"], ["dimensions", "a/m.NPY:signs=yes"]]
)
def test_a_file_without_its_sign_gets_a_suggestion(words, capsys):
    assert main(words) == 2
    said = capsys.readouterr()
    assert f"@{words[-1]}" in said.err
    assert said.err.count("\n") == 1


def test_endings_of_tables_are_those_that_are_read():
    assert tuple(files._READERS) == reading.ENDINGS


def test_a_misspelt_claim_gets_suggestions(capsys):
    assert proofs_check(["show", "fx/lemma-99"]) == 2
    assert "fx/lemma-9" in capsys.readouterr().err


def test_package_is_a_program_and_tells_its_version():
    found = subprocess.run(
        [sys.executable, "-m", "ccsim", "--version"], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip().endswith(ccsim.__version__)


def test_every_family_is_listed_as_it_is_written(capsys):
    assert main(["families", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    texts = [row["text"] for row in rows if row["for"] == "INSTANCE"]
    assert [text.partition(":")[0] for text in texts] == list(BUILT_IN)
    smallest = {"p": 2, "b": 1, "d": 1, "g": 1, "n": 2, "k": 1, "m": 2, "seed": 0, "chosen": 9}
    for text in texts:
        name, _, keys = text.replace("=...", "").partition(":")
        values = ",".join(f"{key}={smallest[key]}" for key in keys.split(","))
        assert parse_instance(f"{name}:{values}") is not None
    assert main(["families"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_doctor_tries_a_proof_and_an_altered_one(capsys, monkeypatch):
    assert main(["doctor", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["works"]
    assert all(said["checks"].values())
    assert said["facts"]["numpy"] != "not installed"
    monkeypatch.setattr(kernel, "check", lambda _: "everything is right")
    assert main(["doctor"]) == 4
    assert "FAILED  rejects a certificate of a larger value" in capsys.readouterr().out


def test_every_limit_is_listed_with_its_meaning(capsys):
    """A constant named MAX_... without a docstring would not be listed."""
    assert main(["limits", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    listed = {(row["where"], row["name"]) for row in rows}
    root = Path(ccsim.__file__).parents[1]
    for path in sorted((root / "ccsim").rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        if module.startswith("ccsim.kernel"):
            continue  # its limits are in docs/certificates.md
        for name in re.findall(r"^(MAX_\w+) = ", path.read_text(encoding="utf-8"), re.MULTILINE):
            assert (module, name) in listed
    assert ["ccsim.learning.learning_program", "MAX_VARIABLES", 65536] in [
        [*row.values()][:3] for row in rows
    ]
    assert main(["limits", "spanning", "nothing"]) == 2
    assert "no limit contains all of these words: spanning, nothing" in capsys.readouterr().err
    assert main(["limits"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("module", "words", "expected"),
    [
        ("ccsim", "ccsim di", ["plain,dimensions"]),
        ("ccsim", "ccsim dimensions --cert", ["plain,--certificate"]),
        ("proofs_check", "proofs-check verify --pr", ["plain,--proved"]),
    ],
)
def test_shell_completion_completes(module, words, expected):
    name = words.split()[0]
    variables = {
        f"_{name.replace('-', '_').upper()}_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    found = subprocess.run(
        [sys.executable, "-m", module],
        capture_output=True,
        text=True,
        env=os.environ | variables,
        check=False,
    )
    assert found.stdout.split() == expected


@pytest.mark.parametrize(
    ("former", "now"),
    [
        (["dims", "thresholds:b=2"], ["dimensions", "thresholds:b=2"]),
        (
            ["samples", "points:b=1", "--accuracy=1/2", "--failure=1/2", "--epsilon=ln 3"],
            ["sample-complexity", "points:b=1", "--accuracy=1/2", "--failure=1/2",
             "--epsilon=ln 3"],
        ),
        (
            ["failures", "points:b=1", "--error=1/4", "--json"],
            ["represent", "points:b=1", "--error=1/4", "--curve", "--json"],
        ),
        (
            ["sweep", "--bits=2", "--learners=nonprivate", "--runs=1", "--accuracy=1/2"],
            ["survey", "learners", "--bits=2", "--learners=nonprivate", "--runs=1",
             "--accuracy=1/2"],
        ),
    ],
)  # fmt: skip
def test_a_former_name_is_accepted_and_not_listed(former, now, capsys):
    assert main(former) == main(now) == 0
    printed = capsys.readouterr().out
    assert printed[: len(printed) // 2] == printed[len(printed) // 2 :]
    assert main(["--help"]) == 0
    assert f"  {former[0]} " not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--curve", "--failure=1/4"], "--curve must not be combined with --failure"),
        (["--most=2"], "--most needs --curve"),
    ],
)
def test_options_of_represent_that_exclude_each_other(options, rule, capsys):
    assert main(["represent", "points:b=1", "--error=1/4", *options]) == 2
    assert rule in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        (("bounds", "equality:n=2", "--only", "fooling"), "'fooling_1' or 'fooling_0'"),
        (("dimensions", "points:b=1", "--only", "litlestone"), "'littlestone'"),
        (("audit", "points:b=1", "--mechanism", "exponentail"), "'exponential'"),
    ],
)
def test_an_unknown_name_is_answered_with_similar_names(asked, known, capsys):
    assert main(asked) == 2
    assert f"; did you mean {known}" in capsys.readouterr().err
