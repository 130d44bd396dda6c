"""The files that describe a release agree with each other and with the package."""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import ccsim

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CODEMETA = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))


def test_all_files_name_the_version_of_the_package():
    assert PROJECT["dynamic"] == ["version"]  # the builder reads it from `ccsim`
    preferred = CITATION["preferred-citation"]["version"]
    latest = re.search(r"^## \[(\d.*?)\]", CHANGELOG, re.MULTILINE)[1]
    stated = {CITATION["version"], preferred, CODEMETA["version"], latest}
    assert stated == {ccsim.__version__}


def test_the_citation_is_complete():
    wanted = {"cff-version", "title", "message", "authors", "abstract", "date-released", "license"}
    assert wanted | {"preferred-citation", "references"} <= CITATION.keys()
    preferred = CITATION["preferred-citation"]
    assert {"type", "title", "authors", "version", "year", "month", "license"} <= preferred.keys()
    shared = ("title", "authors", "version", "date-released", "license")
    assert [preferred[key] for key in shared] == [CITATION[key] for key in shared]
    assert len(CITATION["references"]) == 4
    assert str(CITATION["date-released"]) == CODEMETA["datePublished"]


def test_the_requirements_are_those_of_the_package():
    names = [line.split(">")[0].split("[")[0].strip() for line in PROJECT["dependencies"]]
    assert CODEMETA["softwareRequirements"] == names


@pytest.mark.parametrize("name", ["tests", "wheels"])
def test_workflows_run_commands_that_exist(name):
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    commands = " && ".join(
        step["run"] for job in jobs.values() for step in job["steps"] if "run" in step
    )
    programs = {command.split()[0] for command in commands.split(" && ")}
    known = {"ccsim", "docker", "mypy", "pip", "proofs-check", "pytest", "python", "ruff"}
    assert programs <= known
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    assert used == [action for action in used if re.fullmatch(r"actions/[\w-]+@v\d+", action)]
    assert "://" not in text


def test_every_wheel_is_built_and_tried():
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    build = " && ".join(step.get("run", "") for step in jobs["build"]["steps"])
    assert "python hatch_build.py wheels dist" in build
    source = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    assert re.search(r'^ZIG = "(.+)"$', source, re.MULTILINE)[1] in build
    tried = [
        each["target"]
        for job in list(jobs.values())[1:]
        for each in job["strategy"]["matrix"]["include"]
    ]
    targets = re.findall(r'^    "(\w+-\w+)": Target\(', source, re.MULTILINE)
    assert sorted(tried) == sorted(targets)
    assert len(targets) == 7
