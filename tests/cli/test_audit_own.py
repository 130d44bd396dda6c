"""``ccsim audit`` of the user's own mechanisms: tables of probabilities, and functions."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest

from ccsim.cli.main import main
from ccsim.privacy import (
    AddRemoveNeighbours,
    FunctionMechanism,
    KeyNeighbours,
    LabelNeighbours,
    OwnNeighbours,
    ReplaceNeighbours,
    audit,
)
from proofs_check.__main__ import main as proofs_check

VOTES = "vote,yes,no\n0,1/4,3/4\n1,3/4,1/4\n"
LN3 = "--epsilon=ln 3"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs an audit in a new folder; ``files`` maps names to contents."""
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments, status=0, files=None, certificate=True):
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text)
        end = ("--json", "--certificate=c.json") if certificate else ("--json",)
        assert main(("audit", *arguments, *end)) == status
        captured = capsys.readouterr()
        if certificate:
            assert proofs_check(["verify", "c.json"]) == 0
            assert "accepted" in capsys.readouterr().out
        return json.loads(captured.out) | {"stderr": captured.err}

    return run_it


@pytest.fixture
def refused(tmp_path, monkeypatch, capsys):
    """Return a function that runs an audit that must be refused, and returns the message."""
    monkeypatch.chdir(tmp_path)

    def refuse(*arguments, files=None):
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text)
        assert main(("audit", *arguments)) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        message = captured.err.splitlines()[-1]
        return message.removeprefix("ccsim: error: ")

    return refuse


def needed(rows, pairs, factor):
    """Return the least delta at e^epsilon and the least e^epsilon at delta 0, by definition."""
    both = [(rows[i], rows[j]) for pair in pairs for i, j in (pair, pair[::-1])]
    delta = max(sum(max(p - factor * q, 0) for p, q in zip(*pair, strict=True)) for pair in both)
    ratios = [(p / q if q else None) for pair in both for p, q in zip(*pair, strict=True) if p]
    return delta, None if None in ratios else max(ratios)


def test_randomized_response_as_a_table(run):
    data = run("@votes.csv", LN3, "--neighbours=all", files={"votes.csv": VOTES})
    assert (data["mechanism"], data["verdict"], data["pairs"]) == ("table", "holds", 1)
    assert (data["least_factor"], data["least_delta"]) == ("3", "0")
    assert data["tightest"] == {
        "database": ["0"],
        "neighbour": ["1"],
        "event": ["no"],
        "probability": "3/4",
        "neighbour_probability": "1/4",
    }
    assert json.loads(Path("c.json").read_text())[0]["instance"]["name"] == "votes.csv"
    fails = run("@votes.csv", "--epsilon=ln 2", "--neighbours=all", status=5)
    assert (fails["least_delta"], fails["witness"]["event"]) == ("1/4", ["no"])


def test_without_epsilon_the_least_one_is_found_and_proved(run, refused):
    data = run("@votes.csv", "--neighbours=all", files={"votes.csv": VOTES})
    assert (data["verdict"], data["epsilon"], data["least_delta"]) == ("holds", "ln 3", "0")
    data = run("@votes.csv", "--neighbours=all", "--delta=1/10")
    assert (data["epsilon"], data["least_delta"]) == ("ln(13/5)", "1/10")
    for option in ("--epsilon=ln 13/5", "--curve=0,1 + ln 13/5"):
        said = refused("@votes.csv", "--neighbours=all", option)
        assert "has two readings; write ln(13/5) or ln(13)/5" in said
    assert (
        run("@votes.csv", "--neighbours=all", "--epsilon=ln(13/5)", "--delta=1/10")["verdict"]
        == "holds"
    )
    none = {"none.csv": "a,b\n0,1\n1/2,1/2\n"}
    data = run("@none.csv", "--neighbours=all", status=5, files=none)
    assert (data["verdict"], data["epsilon"], data["least_factor"]) == ("fails", "0", None)
    message = refused("points:b=1", "--mechanism=a-dist", "--samples=1")
    assert message.startswith("give --epsilon, the parameter of the mechanism")


def test_least_epsilons_that_are_no_logarithms_need_epsilon(refused):
    code = (
        "from ccsim.exact.exponentials import exponential as exp\n"
        "def f(votes):\n    p = 1 / (2 + exp(1))\n    return {votes[0]: 1 - p, 1 - votes[0]: p}\n"
    )
    message = refused("f.py:f", "--samples=1", "--domain=0,1", files={"f.py": code})
    assert message == (
        "give --epsilon; the least epsilon is about 1.31326, which is not the logarithm of a "
        "fraction"
    )


def test_a_rounded_least_epsilon_is_not_the_one_that_fails(run, capsys):
    text = (
        ",a,b\nx,0.7310585786300049,0.2689414213699951\ny,0.2689414213699951,0.7310585786300049\n"
    )
    run("@r.csv", "--epsilon=1", "--neighbours=all", status=5, files={"r.csv": text})
    assert main(["audit", "@r.csv", "--epsilon=1", "--neighbours=all"]) == 5
    assert "least epsilon at delta = 0  just above 1, the" in capsys.readouterr().out


def test_a_table_that_violates_by_a_hair_fails(run):
    hair = Fraction(1, 10**30)
    rows = f"{Fraction(1, 4) - hair},{Fraction(3, 4) + hair}\n3/4,1/4\n"
    data = run("@t.csv", LN3, "--neighbours=all", files={"t.csv": rows}, status=5)
    assert data["verdict"] == "fails"
    assert Fraction(data["least_delta"]) == max(hair, 3 * hair)
    held = ("@t.csv", LN3, "--neighbours=all", f"--delta={3 * hair}")
    assert run(*held)["verdict"] == "holds"


@pytest.mark.parametrize("seed", range(4))
def test_every_choice_of_neighbours_agrees_with_the_definition(run, seed):
    draw = np.random.default_rng(seed)
    databases = ["".join(bits) for bits in product("01", repeat=3)]
    rows = []
    for _ in databases:
        weights = draw.integers(1, 9, 3).tolist()
        rows.append([Fraction(w, sum(weights)) for w in weights])
    lines = [",".join([d, *map(str, row)]) for d, row in zip(databases, rows, strict=True)]
    files = {"t.csv": "database,x,y,z\n" + "\n".join(lines), "p.csv": "000,111\n010,011\n"}
    every = list(combinations(range(8), 2))
    choices = {
        "all": every,
        "consecutive": list(pairwise(range(8))),
        "records": [(i, j) for i, j in every if (i ^ j).bit_count() == 1],
        "@p.csv": [(0, 7), (2, 3)],
    }
    for text, pairs in choices.items():
        delta, factor = needed(rows, pairs, 2)
        data = run(
            "@t.csv",
            "--epsilon=ln 2",
            f"--neighbours={text}",
            files=files,
            status=5 if delta else 0,
        )
        assert (Fraction(data["least_delta"]), Fraction(data["least_factor"])) == (delta, factor)
        assert data["pairs"] == len(pairs)
        files = None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "1/4,3/4\n3/4,1/4\n"),
        ("t.tsv", "\tyes\tno\n0\t0.25\t0.75\n1\t75e-2\t0.25\n"),
        ("t.txt", "1/4 3/4\n3/4 1/4\n"),
        ("t.json", "[[0.25, 0.75], [0.75, 0.25]]"),
        ("t.json", '{"0": {"yes": 0.25, "no": "3/4"}, "1": {"yes": "3/4", "no": "1/4"}}'),
    ],
)
def test_the_same_table_in_other_forms(run, name, text):
    data = run(f"@{name}", LN3, "--neighbours=all", files={name: text})
    assert (data["verdict"], data["least_factor"]) == ("holds", "3")


def test_floats_of_numpy_must_sum_to_exactly_1(run, refused, tmp_path):
    np.save(tmp_path / "exact.npy", np.array([[0.25, 0.75], [0.75, 0.25]]))
    assert run("@exact.npy", LN3, "--neighbours=all")["least_factor"] == "3"
    np.save(tmp_path / "tenths.npy", np.array([[0.1, 0.2, 0.7], [0.3, 0.6, 0.1]]))
    message = refused("@tenths.npy", LN3, "--neighbours=all")
    assert "row 1: probabilities must sum to exactly 1, not 1 - 2.78e-17" in message
    assert "binary floating-point numbers" in message
    assert (
        run("@tenths.npy:normalise=yes", "--epsilon=2", "--neighbours=all")["normalised_rows"] == 2
    )


@pytest.mark.parametrize("row", ["0.333,0.333,0.333", "0.5,0.25,0.250000001", "0,0,0.9999999999"])
def test_a_row_that_nearly_sums_to_1_is_refused_with_the_ways_out(run, refused, row):
    files = {"t.csv": f"database,x,y,z\na,1/3,1/3,1/3\nb,{row}\n"}
    message = refused("@t.csv", "--epsilon=1", "--neighbours=all", files=files)
    total = sum(map(Fraction, row.split(",")))
    assert message == (
        f"t.csv: row 3 (b): probabilities must sum to exactly 1, not {total}; write fractions such "
        "as 1/3 for rounded decimals, or @t.csv:normalise=yes divides each row by its sum"
    )
    scaled = [Fraction(p) / total for p in row.split(",")]
    factor = needed([[Fraction(1, 3)] * 3, scaled], [(0, 1)], 1)[1]
    status = 0 if factor is not None and factor < 2 else 5
    data = run("@t.csv:normalise=yes", "--epsilon=ln 2", "--neighbours=all", status=status)
    assert data["normalised_rows"] == 1
    assert Fraction(data["largest_change"]) == max(
        abs(a - Fraction(b)) for a, b in zip(scaled, row.split(","), strict=True)
    )
    assert data["least_factor"] == (None if factor is None else str(factor))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("25%,75%\n1/2,1/2\n", "row 1, column 1: .* write 1/4 instead of a percentage"),
        ("-1/4,5/4\n1,0\n", "row 1, column 1: a probability must be at least 0, not -1/4"),
        ("1/4,3/4\n", "expected at least two rows, one per database"),
        ("0,1\n1,1\n", "row 2: .* to audit a mechanism on a concept class, name it with --mech"),
        ("1/4,0\n3/4,1\n", "row 1: .* the columns do, so transpose the table"),
        ("0,0\n0,0\n", "row 1: probabilities must sum to exactly 1, not 0"),
    ],
)
def test_tables_that_are_refused(refused, text, message):
    found = refused("@t.csv", LN3, "--neighbours=all", files={"t.csv": text})
    assert re.match(rf"t\.csv: {message}", found)


def test_neighbours_are_never_guessed(refused):
    files = {"votes.csv": VOTES}
    message = refused("@votes.csv", LN3, files=files)
    for choice in ("all (", "consecutive (", "records (", "add-remove (", "@FILE ("):
        assert choice in message
    assert "--neighbours must be all (" in refused("@votes.csv", LN3, "--neighbours=some")
    pairs = {"p.csv": "0,2\n", "q.csv": "0,0\n", "r.csv": "0,1,1\n", "s.json": "[[0]]"}
    assert "p.csv: row 1: '2' is not a row label of the table; known: 0, 1" in refused(
        "@votes.csv", LN3, "--neighbours=@p.csv", files=pairs
    )
    assert "two different rows" in refused("@votes.csv", LN3, "--neighbours=@q.csv")
    assert "expected two row labels, found 3" in refused("@votes.csv", LN3, "--neighbours=@r.csv")
    assert "expected two row labels, found 1" in refused("@votes.csv", LN3, "--neighbours=@s.json")
    uneven = {"t.csv": "a b,1/2,1/2\na,1/2,1/2\n"}
    assert "must list the same number of records" in refused(
        "@t.csv", LN3, "--neighbours=records", files=uneven
    )


def test_options_of_another_kind_of_mechanism_are_refused(refused):
    table = ("@votes.csv", LN3, "--neighbours=all")
    assert refused(*table, "--qualities=3", files={"votes.csv": VOTES}).startswith("--qualities")
    assert refused(*table, "--samples=3").startswith("--samples")
    assert refused(*table, "--key=0").startswith("--key")
    assert refused(*table, "--set", "scale=2").startswith("--set")
    named = ("points:b=1", LN3, "--mechanism=exponential", "--samples=1")
    assert refused(*named, "--neighbours=all").startswith("--neighbours")
    assert refused(*named, "--key=0").startswith("--key")
    ranged = ("points:b=1", LN3, "--mechanism=exponential", "--samples=0..1")
    assert refused(*ranged) == "--samples must be one number with --mechanism, not a range"
    assert refused("points:b=1", LN3, "--samples=1").startswith("give --mechanism NAME")
    assert refused("votes.csv", LN3).endswith("write @votes.csv")


FUNCTIONS = """
from fractions import Fraction

from ccsim.privacy import RandomizedResponse
from ccsim.exact import Epsilon
from nearby import QUARTER

response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))


def noisy(votes):
    print("looked at", votes)
    share = Fraction(sum(votes), 2 * len(votes)) + QUARTER
    return {"yes": share, "no": 1 - share}


noisy.domain = (0, 1)


class Keeper:
    records = ("a", "b")

    def distribution(self, database):
        return {database[0]: 1}


keeper = Keeper()


def broken(votes):
    if votes == (1,):
        raise ValueError("no votes")
    return {0: 1}


def floats(votes):
    return {0: 0.1, 1: 0.9}


def short(votes):
    return {0: "1/3", 1: "1/3"}


def sampler(votes):
    return 3
"""
RAISED = 1 + FUNCTIONS[: FUNCTIONS.index("raise ValueError")].count("\n")
OWN = {"own.py": FUNCTIONS, "nearby.py": "from fractions import Fraction\nQUARTER = Fraction(1, 4)"}


def test_a_function_of_the_users_file(run, tmp_path):
    data = run("own.py:noisy", "--epsilon=ln 2", "--samples=2", files=OWN)
    assert (data["mechanism"], data["domain"]) == ("function", ["0", "1"])
    assert (data["verdict"], data["pairs"], data["least_factor"]) == ("holds", 4, "2")
    assert "looked at (0, 1)" in data["stderr"]  # and not among the JSON
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "__pycache__") == [
        "c.json",
        "nearby.py",
        "own.py",
    ]
    wider = run("own.py:noisy", "--epsilon=ln 3", "--samples=1", "--domain=0..1", "--delta=0")
    assert wider["least_factor"] == "3"


def test_objects_with_records_and_a_distribution(run):
    data = run("own.py:keeper", "--epsilon=9", "--samples=1", status=5, files=OWN)
    assert (data["least_factor"], data["witness"]["database"]) == (None, ["a"])
    data = run("own.py:response", LN3, "--samples=2")
    assert (data["verdict"], data["least_factor"]) == ("holds", "3")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", f"own.py: broken((1,)): line {RAISED}: ValueError: no votes"),
        (
            "floats",
            "own.py: floats((0,)): probability of 0 must be an exact number, not the float ",
        ),
        ("short", "own.py: short((0,)): probabilities must sum to 1, not 2/3"),
        ("sampler", "own.py: sampler((0,)) must return a mapping of outputs to probabilities, "),
        ("Keeper", "own.py: Keeper is a class: "),
        ("absent", "own.py: it has no name 'absent'; it has own.py:noisy, own.py:Keeper, "),
        ("Fraction", "own.py: Fraction is a class: "),
    ],
)
def test_functions_that_are_refused_with_their_place(refused, name, message):
    found = refused(f"own.py:{name}", "--epsilon=1", "--samples=1", "--domain=0,1", files=OWN)
    assert found.startswith(message)


def test_what_a_function_needs(refused):
    assert refused("own.py:noisy", LN3, files=OWN).startswith("give --samples M")
    assert refused("own.py:short", LN3, "--samples=1").startswith("give --domain, ")
    assert refused("own.py:", LN3, "--samples=1").startswith("own.py: write own.py:function; ")
    assert refused("own.py", LN3, "--samples=1").startswith("own.py: write own.py:function; ")
    said = refused("own.py:noisy", LN3, "--samples=1", "--neighbours=all")
    assert said.startswith("--neighbours of a function must be replace, labels, add-remove, key, ")
    for text in ("", "1..0", "0..99999999999999999", "a,,b"):
        assert "--domain must" in refused("own.py:noisy", LN3, "--samples=1", f"--domain={text}")
    bad = {"bad.py": "x = 1\ny = = 2\n", "boom.py": "import sys\nsys.exit(3)\n"}
    assert refused("bad.py:f", LN3, "--samples=1", files=bad).startswith(
        "bad.py: line 2: SyntaxError: "
    )
    assert refused("boom.py:f", LN3, "--samples=1") == "boom.py: line 2: SystemExit: 3"
    assert "no such file" in refused("none.py:f", LN3, "--samples=1")


def test_the_users_file_is_not_overwritten(refused, tmp_path):
    message = refused("own.py:noisy", LN3, "--samples=1", "--certificate=own.py", files=OWN)
    assert message == "own.py: cannot be written: it is the input"
    assert (tmp_path / "own.py").read_text() == FUNCTIONS
    assert "has no name 'noisy.x'" in refused("own.py:noisy.x", LN3, "--samples=1")


def test_outputs_that_look_alike_are_told_apart(run):
    text = 'def f(d):\n    return {1: "1/2", "1": "1/2"} if d[0] else {1: 1}\n'
    asked = ("own.py:f", LN3, "--samples=1", "--domain=0,1")
    data = run(*asked, files={"own.py": text}, status=5)
    assert data["witness"]["event"] == ["'1'"]


RELATED = """
from fractions import Fraction


def noisy(votes):
    weights = [Fraction(1, 2 ** abs(k - min(3, sum(votes)))) for k in range(4)]
    return {k: weight / sum(weights) for k, weight in enumerate(weights)}


noisy.domain = (0, 1)
noisy.related = lambda D, E: len(D) < len(E)


def visits(records):
    return noisy([shown for _, shown in records])


visits.domain = (("a", 0), ("a", 1), ("b", 1))


def keyed(records):
    return visits(records)


keyed.domain = visits.domain
keyed.key = lambda record: record[0]


def mean(votes):
    return {1: Fraction(sum(votes), len(votes)), 0: 1 - Fraction(sum(votes), len(votes))}


mean.domain = (0, 1)


def wrong(votes):
    return {0: 1}


wrong.domain = (0, 1)
wrong.related = lambda D, E: D[0]
wrong.key = lambda record: 1 // record
"""
MINE = {"mine.py": RELATED}


@pytest.mark.parametrize(
    ("name", "options", "relation", "sizes"),
    [
        ("noisy", ("--neighbours=add-remove", "--samples=3"), AddRemoveNeighbours(3), [0, 3]),
        ("noisy", ("--neighbours=add-remove", "--samples=1..3"), AddRemoveNeighbours(3, 1), [1, 3]),
        ("noisy", ("--neighbours=replace", "--samples=3"), ReplaceNeighbours(3), [3, 3]),
        ("noisy", ("--samples=0..3",), ReplaceNeighbours(3, 0), [0, 3]),
        ("visits", ("--neighbours=labels", "--samples=2"), LabelNeighbours(2), [2, 2]),
        ("visits", ("--neighbours=key", "--key=0", "--samples=2"), KeyNeighbours(2, 0), [0, 2]),
        ("keyed", ("--neighbours=key", "--samples=2"), KeyNeighbours(2, 0), [0, 2]),
        (
            "keyed",
            ("--neighbours=remove-key", "--key=1", "--samples=1..2"),
            KeyNeighbours(2, 1, 1, "remove"),
            [1, 2],
        ),
        (
            "noisy",
            ("--neighbours=own", "--samples=2"),
            OwnNeighbours(lambda D, E: len(D) != len(E), 2),
            [0, 2],
        ),
    ],
)
def test_every_relation_of_a_function_agrees_with_the_library(run, name, options, relation, sizes):
    namespace = {}
    exec(RELATED, namespace)  # noqa: S102
    function = namespace[name]
    expected = audit(FunctionMechanism(function.domain, function), "ln 4", 0, relation)
    status = 5 if expected.verdict == "fails" else 0
    data = run(f"mine.py:{name}", "--epsilon=ln 4", *options, status=status, files=MINE)
    assert (data["pairs"], data["sizes"]) == (expected.pairs, sizes)
    assert data["least_factor"] == str(expected.factor)
    assert data["least_delta"] == str(expected.least_delta)


def test_the_empty_database_is_printed(capsys, run):
    run("mine.py:noisy", "--neighbours=add-remove", "--samples=1", files=MINE)
    assert main(["audit", "mine.py:noisy", "--neighbours=add-remove", "--samples=1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert ["neighbours", "one database has one record more"] in [
        line.split(maxsplit=1) for line in lines
    ]
    assert any(line.endswith("  no records") for line in lines)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mean", ("--neighbours=add-remove",), "mine.py: mean(()): line 30: ZeroDivisionError"),
        ("noisy", ("--neighbours=labels",), "records must be pairs (point, label)"),
        ("noisy", ("--neighbours=key",), "give --key INDEX, the index of the key in a record, or"),
        ("noisy", ("--neighbours=key", "--key=0"), "records must be tuples with more than 0"),
        ("noisy", ("--neighbours=replace", "--key=0"), "--key is for --neighbours key or remove-"),
        ("visits", ("--neighbours=own",), "visits has no relation; set visits.related to a "),
        ("wrong", ("--neighbours=own",), "mine.py: wrong.related((), ()): line 41: IndexError"),
        ("wrong", ("--neighbours=key",), "mine.py: wrong.key(0): line 42: ZeroDivisionError"),
        ("noisy", ("--samples=3..2",), "Invalid value for '--samples': a range L..M must have"),
        ("noisy", ("--samples=0",), "Invalid value for '--samples': it must be at least 1, not 0"),
    ],
)
def test_relations_of_functions_that_are_refused(refused, name, options, message):
    found = refused(f"mine.py:{name}", LN3, "--samples=1", *options, files=MINE)
    assert found.startswith(message)


@pytest.mark.parametrize("empty", ["()", "-", ""])
def test_a_table_with_an_empty_database(run, empty):
    """The pairs are those of databases over 0 and 1 of which one has one record more."""
    rows = [f"{empty},1/2,1/2", "0,1/3,2/3", "1,2/3,1/3", "0 1,3/4,1/4"]
    files = {"t.csv": "\n".join(["database,yes,no", *rows])}
    data = run("@t.csv", "--epsilon=ln 2", "--neighbours=add-remove", files=files, status=5)
    half, third = Fraction(1, 2), Fraction(1, 3)
    laws = [(half, half), (third, 1 - third), (1 - third, third), (1 - half / 2, half / 2)]
    delta, factor = needed(laws, [(0, 1), (0, 2), (1, 3), (2, 3)], 2)
    assert (data["pairs"], data["least_delta"]) == (4, str(delta))
    assert data["least_factor"] == str(factor)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-,1/2,1/2\n+,1/2,1/2\n-+,1/2,1/2\n", "t.csv: the row label '-' must be either a record"),
        ("a,1/2,1/2\nb,1/2,1/2\n", "t.csv: no row label results from another one by the removal"),
        ('a b,1/2,1/2\n"a,b",1/2,1/2\n', "t.csv: row labels must be different lists of records"),
    ],
)
def test_tables_without_databases_of_several_sizes_are_refused(refused, text, message):
    files = {"t.csv": text}
    assert refused("@t.csv", LN3, "--neighbours=add-remove", files=files).startswith(message)
