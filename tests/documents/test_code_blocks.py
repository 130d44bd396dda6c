"""Every code block of the pages is tested.

pytest runs Python blocks as doctests; this module checks that none is missed. Commands are run
block by block, in a folder with the files that they name, or are listed below with a reason.
"""

import csv
import doctest
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
import yaml

import ccsim.cli.main
import proofs_check.__main__
from ccsim import lines, littlestone_dimension
from ccsim.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
BLOCKS = [
    (page.name, language, body)
    for page in PAGES
    for language, body in re.findall(
        r"^ *```([^\n]*)\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
]
ELSEWHERE = {
    "python3 -m venv": "both commands of the README are what .ci/run runs",
    "pip install": "the first of them installs; a test of the wheel tries it",
    "npm pack pyodide": "fetches a package; tests/report uses it where it is",
    "tar xzf pyodide": "the same",
    "ccsim report intervals.json --out page --pyodide": "the same",
    "dask ": "starts servers that do not end; tests/surveys starts a cluster of its own",
    "ccsim survey dimensions all:n=4 --out atlas.db --scheduler": "the same",
    "ccsim represent random:m=11,n=7,seed=2 --error 1/4 --scheduler": "tests/parallel starts one",
    "ccsim atlas build": "up to half an hour; tests/surveys builds a part",
    "ccsim complexity some_functions:n=3,chosen=103": "the next command would write to the package",
    "ccsim atlas add": "it would write to the package; tests/surveys adds a value to a copy",
    "ccsim atlas prove": "half an hour; tests/surveys proves a part",
    "ccsim atlas site": "a minute; tests/report writes a part",
    "sqlite3 ": "tests/surveys asks the same of the module sqlite3; the program may be missing",
    "for file in $(grep": "tests/formal compiles the theory where Rocq is",
    "coqc ": "the same",
    "python benchmarks/": "hours; what was measured is on the page",
}
"""Beginnings of commands that are not run here, with the reason."""
SLOW = (
    "ccsim represent random:m=11,n=7,seed=2",
    "ccsim atlas check",
    "ccsim learn boxes:",
    "ccsim learn points:b=64 --learner improper-constant",
    "ccsim survey learners",
    "ccsim survey",
    'python -c "from ccsim import halfspaces',
    "proofs-check verify h5.json",
)
"""Beginnings of commands that are run with ``-m slow`` alone; always their options are read."""
STATUS = {
    "ccsim audit points:b=1 --mechanism a-dist --variant printed": 5,  # not private
    "ccsim audit examples/noisy_votes.py:eager_count": 5,  # nor is this
    "ccsim audit examples/sparse_vector.py:careless": 5,  # nor are careless answers
    "ccsim audit examples/noisy_votes.py:noisy_count --samples 3 --measure gdp --bound 1": 5,
    "ccsim audit examples/visits.py:noisy_symptoms --neighbours key": 5,  # nor are persons
}
NOISY = {"learn-from-a-table.md"}  # the same words are printed, with other values


def commands_of(language, body):
    """Yield the commands of a block, each with the lines of output in the page."""
    commands = []
    script = language == "sh" and "$ " not in {line[:2] for line in body.splitlines()}
    for line in body.replace("\\\n", " ").splitlines():
        if line.startswith("$ ") or script:
            commands.append((line.removeprefix("$ "), []))
        elif commands:
            commands[-1][1].append(line)
    return commands


WITH_COMMANDS = [
    (page, commands)
    for page, language, body in BLOCKS
    if language in {"sh", "console", "text"} and (commands := commands_of(language, body))
]


def names(values):
    return [f"{page}-{number}" for number, (page, *_) in enumerate(values)]


def test_languages_are_known():
    """Directives would not be rendered by a code host."""
    assert {language for _, language, _ in BLOCKS} <= {
        "console", "json", "lean", "math", "python", "sh", "text", "toml", "yaml"
    }  # fmt: skip


def test_every_block_of_toml_is_read():
    blocks = [block for block in BLOCKS if block[1] == "toml"]
    assert blocks
    for *_, body in blocks:
        assert tomllib.loads(body)


def test_every_block_of_yaml_is_read():
    blocks = [block for block in BLOCKS if block[1] == "yaml"]
    assert blocks
    for *_, body in blocks:
        assert all(list(yaml.safe_load_all(body)))


def test_every_block_of_python_is_a_doctest_that_is_run():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pytest_settings = settings["tool"]["pytest"]["ini_options"]
    assert {"README.md", "docs"} <= set(pytest_settings["testpaths"])
    assert "--doctest-glob=*.md" in pytest_settings["addopts"]
    blocks = [block for block in BLOCKS if block[1] == "python"]
    assert len(blocks) > 20
    for page, _, body in blocks:
        if page == "CONTRIBUTING.md":  # a claim, quoted
            sources = (ROOT / "proofs_check" / "claims").rglob("*.py")
            assert any(body.strip() in path.read_text(encoding="utf-8") for path in sources)
            continue
        examples = doctest.DocTestParser().get_examples(body)
        assert not any(doctest.SKIP in example.options for example in examples), page
        paragraphs = [text for text in re.split(r"\n\s*\n", body) if text.strip()]
        assert all(text.startswith(">>> ") for text in paragraphs), f"{page}: {body}"
        assert body.endswith("\n\n"), f"{page}: the fence would be read as output: {body}"


def test_every_block_of_json_is_json():
    for page, language, body in BLOCKS:
        if language == "json":
            assert json.loads(body), page


def test_lean_is_quoted_where_a_test_compares_it():
    assert {page for page, language, _ in BLOCKS if language == "lean"} == {"theorems.md"}


def test_text_hides_no_commands():
    for page, language, body in BLOCKS:
        if language == "text":
            hidden = r"^(ccsim|proofs-check|python3?|pip|dask|coqc|for) .*"
            assert re.findall(hidden, body, re.MULTILINE) == [], page


def test_every_exception_is_needed():
    commands = [command for _, block in WITH_COMMANDS for command, _ in block]
    for beginning in (*ELSEWHERE, *SLOW, *STATUS):
        assert any(command.startswith(beginning) for command in commands), beginning


def write_inputs():
    """Write the files that pages name without creating them."""
    visits = ["place,name", *(f"{value},p{i}" for i, value in enumerate([3, 3, 3, 3, 3, 5] * 50))]
    Path("visits.csv").write_text("\n".join(visits), encoding="utf-8")
    Path("regions.csv").write_text("concept,Bern,Rome,Oslo\nnorth,0,0,1\nsouth,0,1,0\n", "utf-8")
    Path("towns.json").write_text(json.dumps(["Bern", "Rome", "Rome", "Oslo"] * 40), "utf-8")
    Path("cities.txt").write_text("Bern\nRome\nOslo\n", encoding="utf-8")
    Path("new.csv").write_text("name,age\nAnn,25\nBob,61\n", encoding="utf-8")
    Path("FILE").write_text("".join(f"{i},{int(i >= 3000)}\n" for i in range(6000)), "utf-8")
    with Path("people.csv").open("w", newline="", encoding="utf-8") as file:
        people = csv.writer(file)
        people.writerow(["age", "city", "smokes"])
        people.writerows((i % 100, "Rome", "no" if i % 100 < 40 else "yes") for i in range(1500))
    shutil.copytree(ROOT / "examples", "examples")
    littlestone_dimension(lines(5)).certificate().write(Path("CERTIFICATE.json"))


def run(command, capfd):
    """Run a command as a shell would, but commands of this project in this process."""
    words = shlex.split(command, comments=True)
    programs = {"ccsim": ccsim.cli.main.main, "proofs-check": proofs_check.__main__.main}
    if words[0] in programs and not set(words) & {"|", ">", "&", "&&"}:
        status = programs[words[0]](words[1:])
    else:
        status = subprocess.run(["bash", "-c", command], check=False).returncode  # noqa: S607
    said = capfd.readouterr()
    expected = [status for start, status in STATUS.items() if command.startswith(start)]
    assert [status] == (expected or [0]), f"{command}: {said.err}"
    return said.out


def compare(page, shown, out):
    """Compare the output in a page with the printed output; dots stand for any text."""
    said = [line.rstrip() for line in out.splitlines()]
    for line in (line for line in shown if line.strip() not in ("", "...")):
        if page in NOISY:
            assert any(other.split()[0] == line.split()[0] for other in said if other), line
        else:
            assert line.rstrip() in said


def run_block(page, commands, capfd, *, slow):
    write_inputs()
    for command, shown in commands:
        if command.startswith(tuple(ELSEWHERE)) or (command.startswith(SLOW) and not slow):
            if command.startswith(("ccsim learn", "ccsim survey")):
                words = shlex.split(command, comments=True)[1:]
                name, known, words = cli.resolve_command(click.Context(cli), words)
                known.make_context(name, words)
            continue
        compare(page, shown, run(command, capfd))


@pytest.mark.parametrize(("page", "commands"), WITH_COMMANDS, ids=names(WITH_COMMANDS))
def test_commands_run_as_printed(page, commands, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    run_block(page, commands, capfd, slow=False)


SLOW_BLOCKS = [
    (page, commands)
    for page, commands in WITH_COMMANDS
    if any(c.startswith(SLOW) and not c.startswith(tuple(ELSEWHERE)) for c, _ in commands)
]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("page", "commands"), SLOW_BLOCKS, ids=names(SLOW_BLOCKS))
def test_slow_commands_run_as_printed(page, commands, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    run_block(page, commands, capfd, slow=True)
