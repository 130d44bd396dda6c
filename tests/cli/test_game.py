"""``ccsim game``: values, strategies and certificates of games in all file formats."""

from __future__ import annotations

import json
import random
import re
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas
import pytest
from scipy.optimize import linprog

from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.interchange import TwoPlayerGame, read_game, to_nfg
from ccsim.kernel import check as check_by_kernel
from ccsim.programs import MatrixGameBounds, MatrixGameSolution
from ccsim.programs.game import solve_game_in_time

pytestmark = pytest.mark.usefixtures("in_folder")

PAYOFFS = [["1/3", "0", "-1"], ["0", "0.5", "1e-1"]]
LABELS = ["up", "down"], ["left", "middle", "right"]
CSV = ",left,middle,right\nup,1/3,0,-1\ndown,0,0.5,1e-1\n"
VALUE = "1/43"


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def solved(capsys, text, *options):
    """Return the exit status, the JSON and the messages of a game."""
    status = main(["game", text, "--json", "--certificate", "c.json", *options])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else None, err


def refused(capsys, name, content):
    """Return the only line of a refusal, after a check that no certificate was written."""
    data = content if isinstance(content, bytes) else content.encode()
    Path(name).write_bytes(data)
    assert main(["game", f"@{name}", "--certificate", "none.json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), Path("none.json").exists()) == ("", 1, False)
    return err.removeprefix("ccsim: error: ").rstrip("\n")


def frame():
    return pandas.DataFrame(PAYOFFS, *LABELS)


WRITERS = {
    "labels.csv": lambda path: path.write_text(CSV),
    "labels.tsv": lambda path: frame().to_csv(path, sep="\t"),
    "labels.txt": lambda path: path.write_text(CSV.replace(",", " ").replace(" left", "x left")),
    "split.json": lambda path: frame().to_json(path, orient="split"),
    "game.nfg": lambda path: path.write_text(
        to_nfg(TwoPlayerGame.zero_sum(PAYOFFS, (LABELS[0], LABELS[1])))
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_labels_and_fractions_survive(capsys, name):
    WRITERS[name](Path(name))
    status, found, err = solved(capsys, f"@{name}")
    assert (status, err, found["instance"]) == (0, "", f"@{name}")
    assert (found["rows"], found["columns"]) == (list(LABELS[0]), list(LABELS[1]))
    assert (found["value"], found["lower"], found["upper"]) == (VALUE, VALUE, VALUE)
    assert found["row_strategy"] == ["3/43", "40/43"]
    assert found["column_strategy"] == ["33/43", "0", "10/43"]
    certificate = json.loads(Path("c.json").read_text())
    assert check_by_kernel(certificate).endswith(f"exactly {VALUE}")


@pytest.mark.parametrize("name", ["list.json", "plain.csv", "plain.npy"])
def test_strategies_without_names_are_numbered(capsys, name):
    payoffs = [[2, -1], [-1, 1]]
    {
        "list.json": lambda: Path(name).write_text(json.dumps(payoffs)),
        "plain.csv": lambda: Path(name).write_text("2,-1\n-1,1\n"),
        "plain.npy": lambda: np.save(name, np.array(payoffs)),
    }[name]()
    status, found, err = solved(capsys, f"@{name}")
    assert (status, err, found["value"]) == (0, "", "1/5")
    assert found["rows"] == found["columns"] == ["1", "2"]


def test_decimals_of_text_are_decimals_and_floats_are_binary(capsys):
    Path("a.json").write_text("[[0.1, 0.2]]")
    assert solved(capsys, "@a.json")[1]["value"] == "1/10"
    np.save("a.npy", np.array([[0.1, 0.2]]))
    status, found, err = solved(capsys, "@a.npy")
    assert (status, found["value"]) == (0, str(Fraction(0.1)))
    assert err.startswith(
        "note: a.npy: floating-point numbers are read as their exact binary values"
    )
    assert err.rstrip("\n").removeprefix("note: ") in found["reading"]["guesses"]
    np.save("b.npy", np.array([[1.0, 2.0]]))
    assert solved(capsys, "@b.npy")[2] == ""


def test_a_constant_sum_is_reported_and_a_game_without_is_refused(capsys):
    Path("a.nfg").write_text('NFG 1 D "t" { "a" "b" } { 2 2 } 3 1 1 3 1 3 3.5 1/2')
    status, found, _ = solved(capsys, "@a.nfg")
    assert (status, found["constant"], found["players"]) == (0, "4", ["a", "b"])
    assert Fraction(found["value"]) == Fraction(19, 9)
    assert main(["game", "@a.nfg"]) == 0
    lines = [line.split("  ", 1) for line in capsys.readouterr().out.splitlines()]
    assert [(key, value.strip()) for key, value in lines] == [
        ("game", "t: 2 x 2, payoffs sum to 4"),
        ("value for a", "19/9 (2.11111)"),
        ("value for b", "17/9 (1.88889)"),
        ("a", "1: 5/9 (0.555556), 2: 4/9 (0.444444)"),
        ("b", "1: 5/9 (0.555556), 2: 4/9 (0.444444)"),
    ]
    text = 'NFG 1 R "" { "a" "b" } { 2 2 } 2 2 3 0 0 3 1 1'
    assert refused(capsys, "b.nfg", text) == (
        "b.nfg: the sum of both payoffs must be constant; for equilibria of other games use "
        "pygambit.nash, for example enummixed_solve"
    )


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", "1,nan\n", "a.csv: row 1, column 2: expected a number .* found 'nan'"),
        ("a.csv", "1,inf\n", "a.csv: row 1, column 2: .*'inf'"),
        ("a.csv", "1,1e999999\n", "a.csv: row 1, column 2: .*'1e999999'"),
        ("a.csv", "1,2\n3\n", "a.csv: row 2 must have 2 numbers like row 1, not 1"),
        ("a.csv", ",x,x\nu,1,2\n", "a.csv: .*'x' occurs twice"),
        ("a.csv", ",x,y\nu,1,2\nu,1,2\n", "a.csv: .*'u' occurs twice"),
        ("a.csv", ",x,y\n", "a.csv: expected at least one row of numbers, found none"),
        ("a.csv", "", "a.csv: the file is empty"),
        ("a.json", "[]", "a.json: expected at least one row of numbers, found none"),
        ("a.json", "[[], []]", "a.json: expected at least one row of numbers, found none"),
        ("a.json", "[[1, NaN]]", "a.json: row 1, column 2: .*'NaN'"),
        ("a.json", "[[1, true]]", "a.json: row 1, column 2: .*true"),
        ("a.json", "[" * 100, "a.json: nested 100 levels deep"),
        ("a.nfg", b"\xff", "a.nfg: expected UTF-8 text, but byte 0 is invalid"),
        ("a.nfg", 'NFG 1 R "" { "a" "b" }\n{ 1 1 } 0 x', "a.nfg: line 2: a payoff must be"),
        (
            "a.nfg",
            'NFG 1 R "" { "a" "b" } { 2000 2000 }',
            "a.nfg: a game must have at most 1048576",
        ),
        (
            "a.nfg",
            'NFG 1 R "" { "a" "b" } { { "s" "s" } { "t" } } 0 0 0 0',
            "a.nfg: the strategies of 'a' must have distinct names, but 's' occurs twice",
        ),
        ("a.gam", "1", "a.gam: the file name must end in .csv"),
    ],
)
def test_what_is_no_game_is_refused_with_its_place(capsys, name, content, reason):
    assert re.match(reason, refused(capsys, name, content))


def test_arrays_without_a_finite_matrix_are_refused(capsys):
    for array in (np.zeros((0, 3)), np.zeros((3, 0)), np.array([[np.inf]]), np.zeros((2, 2, 2))):
        np.save("a.npy", array)
        refused(capsys, "a.npy", Path("a.npy").read_bytes())


def test_a_file_without_its_sign_is_refused_with_what_to_write(capsys):
    Path("a.csv").write_text("1\n")
    assert main(["game", "a.csv"]) == 2
    assert capsys.readouterr().err == "ccsim: error: PAYOFFS must be @FILE, such as @a.csv\n"


def random_payoffs(seed, rows, columns):
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    return tuple(
        tuple(Fraction(draw.randint(-9, 9), draw.randint(1, 9)) for _ in range(columns))
        for _ in range(rows)
    )


@pytest.mark.parametrize("seed", range(12))
def test_values_are_those_of_another_solver(seed):
    payoffs = random_payoffs(seed, 1 + seed % 5, 1 + seed // 3)
    found = solve_game_in_time(payoffs, Budget())
    assert isinstance(found, MatrixGameSolution)
    found.check()
    matrix = np.array(payoffs, float)
    m, n = matrix.shape
    other = linprog(
        [0] * m + [-1],
        A_ub=np.hstack([-matrix.T, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1] * m + [0]],
        b_eq=[1],
        bounds=[(0, None)] * m + [(None, None)],
    )
    assert float(found.value) == pytest.approx(-other.fun, abs=1e-9)


def test_without_time_bounds_are_proved(monkeypatch, capsys):
    payoffs = random_payoffs(1, 4, 5)
    found = solve_game_in_time(payoffs, Budget(0))
    assert isinstance(found, MatrixGameBounds)
    found.check()
    value = solve_game_in_time(payoffs, Budget()).value
    assert found.lower < value < found.upper
    monkeypatch.setattr("ccsim.cli.game.solve_game_in_time", lambda *_: found)
    Path("a.csv").write_text("1,2,3,4,5\n" * 4)
    status, told, _ = solved(capsys, "@a.csv")
    assert (status, told["value"]) == (3, None)
    assert (told["lower"], told["upper"]) == (str(found.lower), str(found.upper))
    assert "between" in check_by_kernel(json.loads(Path("c.json").read_text()))


def test_a_value_too_long_for_a_certificate_has_bounds(monkeypatch, capsys):
    monkeypatch.setattr("ccsim.programs.game.is_writable", lambda _: False)
    payoffs = tuple(tuple(map(Fraction, row)) for row in [[999983, 7], [11, 999979]])
    found = solve_game_in_time(payoffs, Budget())
    assert isinstance(found, MatrixGameBounds)
    assert found.lower <= Fraction(999983 * 999979 - 77, 999983 + 999979 - 18) <= found.upper
    Path("a.csv").write_text("999983,7\n11,999979\n")
    assert main(["game", "@a.csv"]) == 3
    assert "too long for a certificate; these bounds are proved" in capsys.readouterr().out


def test_payoffs_too_long_for_a_certificate_are_refused(capsys):
    for payoffs in (f"1/{10**3000 + 1},1/{10**3001 + 3}\n", f"{10**3999},1\n1,1/{10**3990}\n"):
        assert "ewer digits" in refused(capsys, "a.csv", payoffs)


def test_huge_values_are_printed(capsys):
    Path("a.csv").write_text("1e3999,1e3990\n")
    assert main(["game", "@a.csv"]) == 0
    assert "about 2^13254" in capsys.readouterr().out


def test_a_time_limit_ends_the_solution_of_a_large_game(capsys):
    draw = random.Random(2)  # noqa: S311 - not for secrets
    rows = [[draw.randint(-(10**12), 10**12) for _ in range(400)] for _ in range(400)]
    Path("a.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    start = time.process_time()
    status, _, err = solved(capsys, "@a.csv", "--time-limit", "1")
    assert (status, time.process_time() - start < 4) == (3, True), err


def test_the_table_says_how_to_read_it():
    Path("a.csv").write_text("0,1\n5,6\n")
    with pytest.warns(UserWarning, match="use a.csv:header=yes|no to decide"):
        assert read_game("a.csv").strategies == (("1", "2"), ("1", "2"))
    assert read_game("a.csv:header=yes").strategies == (("1",), ("0", "1"))
