"""``ccsim audit`` of noise programs: verdicts, enclosures, certificates and messages."""

from __future__ import annotations

import json

import pytest

from ccsim.cli.main import main
from proofs_check.__main__ import main as proofs_check

PROGRAMS = """
from ccsim.privacy import mechanism

@mechanism
def sparse_vector(queries, noise):
    threshold = noise.geometric("1/4")
    for q in queries:
        yield q + noise.geometric("1/2") >= threshold

@mechanism
def gaussian(queries, noise):
    return queries[0] + noise.discrete_gaussian(1)

@mechanism
def rounded(queries, noise):
    yield queries[0]
    yield int(queries[0] + noise.geometric("1/4"))
"""
RANGE = ("--queries=2", "--domain=0..2", "--neighbours=each")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that audits one of the programs in a new folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(PROGRAMS)

    def run_it(name, *arguments):
        status = main(("audit", f"own.py:{name}", *arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_it


def test_a_program_without_an_epsilon_is_audited_at_its_least_epsilon(run):
    status, out, _ = run("sparse_vector", *RANGE, "--json", "--certificate=c.json")
    data = json.loads(out)
    assert (status, data["verdict"], data["least_factor"]) == (0, "holds", "304/97")
    assert data["neighbours"] == "every query changes by at most 1"
    assert proofs_check(["verify", "c.json"]) == 0


def test_a_violation_shows_the_query_vectors_and_the_event(run):
    status, out, _ = run("sparse_vector", *RANGE, "--epsilon=1")
    assert status == 5
    assert "20 pairs of query vectors, in both orders" in out
    assert "(0, 0)" in out
    assert "(False, False)" in out


def test_gaussian_noise_is_enclosed(run):
    arguments = ("--queries=1", "--domain=0..2", "--neighbours=each", "--epsilon=1")
    status, out, _ = run("gaussian", *arguments, "--delta=1/5")
    assert status == 0
    assert "about 0.141351339" in out
    status, out, _ = run("gaussian", *arguments, "--delta=1/10", "--json")
    data = json.loads(out)
    low, high = data["least_delta"]
    assert (status, data["verdict"]) == (5, "fails")
    assert low <= 0.1413513394056219 <= high


def test_pairs_of_query_vectors_can_be_listed(run, tmp_path):
    (tmp_path / "pairs.json").write_text('[[[0, 0], [1, 1]], [[0, "1/2"], [1, "1/2"]]]')
    status, out, _ = run("sparse_vector", "--neighbours=@pairs.json", "--epsilon=ln 16")
    assert status == 0
    assert "2 pairs of query vectors" in out


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("rounded", RANGE, "own.py: rounded((0, 0)): line 17: a noisy value can be added"),
        ("sparse_vector", (), "give --neighbours for a noise program: each, one-direction"),
        ("sparse_vector", ("--neighbours=all",), "must be each, one-direction"),
        ("sparse_vector", ("--neighbours=each",), "give --queries M"),
        ("sparse_vector", ("--neighbours=each:0", *RANGE[:2]), "positive integer K, not 0"),
        ("sparse_vector", (RANGE[0], RANGE[2]), "give --domain LOW..HIGH"),
        ("sparse_vector", (RANGE[0], RANGE[2], "--domain=0,2"), "consecutive integers, not 0,2"),
        ("sparse_vector", ("--samples=3",), "--samples cannot be used for a noise program"),
        ("sparse_vector", ("--neighbours=@x.json", RANGE[0]), "--queries and --domain cannot"),
    ],
)
def test_messages(run, name, arguments, message):
    status, out, error = run(name, *arguments)
    assert (status, out) == (2, "")
    assert message in " ".join(error.split())


def test_programs_on_databases_take_relations_of_databases(tmp_path, capsys):
    (tmp_path / "d.py").write_text(
        "from ccsim.privacy import mechanism\n"
        "@mechanism(records=(0, 1))\n"
        "def count(database, noise):\n"
        "    return sum(database) + noise.geometric('1/2')\n"
    )
    name = f"{tmp_path}/d.py:count"
    given = ("--samples=2", "--neighbours=add-remove", "--epsilon=ln 2")
    assert main(("audit", name, *given, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["sizes"] == [0, 2]
    assert main(("audit", name, "--queries=2")) == 2
    assert "--queries cannot be used for a program on databases" in capsys.readouterr().err
    assert main(("audit", name)) == 2
    assert "give --samples M" in capsys.readouterr().err


def test_programs_have_measures_and_compositions(tmp_path, capsys):
    (tmp_path / "own.py").write_text(PROGRAMS)
    name = f"{tmp_path}/own.py:sparse_vector"
    assert main(("audit", name, *RANGE, "--measure=zcdp", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == 20
    assert main(("compose", name, *RANGE, "--times=10", "--epsilon=3")) == 0
    assert "10 runs of" in capsys.readouterr().out
    given = ("--queries=1", "--domain=0..1", "--neighbours=each")
    assert main(("audit", f"{tmp_path}/own.py:gaussian", *given, "--measure=zcdp")) == 2
    assert "only enclosed" in capsys.readouterr().err


def test_queries_are_refused_for_other_mechanisms(tmp_path, capsys):
    (tmp_path / "f.py").write_text("def f(database):\n    return {0: 1}\n")
    given = ("--samples=1", "--domain=0,1", "--queries=2")
    assert main(("audit", f"{tmp_path}/f.py:f", *given)) == 2
    assert "--queries cannot be used" in capsys.readouterr().err
