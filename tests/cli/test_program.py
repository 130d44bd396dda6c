"""``ccsim program``: optima, proofs and names of linear programs in files."""

from __future__ import annotations

import json
import random
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from ccsim import minimax_error
from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.kernel import check as check_by_kernel
from ccsim.programs import LinearProgram, OptimalSolution, ProgramBounds
from ccsim.programs.program import solve_for_certificate

pytestmark = pytest.mark.usefixtures("in_folder")

LP = """Maximize
 profit: 3 chairs + 5/2 tables + 10
Subject To
 wood: 2 chairs + 3 tables <= 120.5
 time: chairs + 2 tables <= 70
 span: -5 <= chairs - tables <= 30
End
"""


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def solved(capsys, text, *options, name="a.lp"):
    """Return the exit status, the JSON, and the result of the kernel's check of the certificate."""
    Path(name).write_text(text)
    status = main(["program", name, "--json", "--certificate", "c.json", *options])
    out, err = capsys.readouterr()
    assert status in {0, 3}, err
    return status, json.loads(out), check_by_kernel(json.loads(Path("c.json").read_text()))


def test_an_optimum_has_names_and_prices(capsys):
    status, found, said = solved(capsys, LP)
    assert (status, found["program"], found["sense"]) == (0, "a.lp", "maximise")
    assert (found["status"], found["value"], found["objective"]) == (
        "optimal", "3331/20", "profit"
    )  # fmt: skip
    assert dict(zip(found["variables"], found["primal"], strict=True)) == {
        "chairs": "421/10", "tables": "121/10"
    }  # fmt: skip
    prices = {"wood": "11/10", "time": "0", "span": "4/5"}  # for one unit more on the right side
    assert dict(zip(found["rows"], found["dual"], strict=True)) == prices
    assert (found["ray"], found["weights"], found["notes"]) == (None, None, [])
    assert said.endswith("exactly -3131/20")  # of minus the objective, without the constant


def test_prices_are_rates_of_the_optimum(capsys):
    for sense in ("Maximize", "Minimize"):
        _, found, _ = solved(capsys, LP.replace("Maximize", sense))
        for row, price in zip(found["rows"], found["dual"], strict=True):
            old, new = {"wood": ("120.5", "120.6"), "time": ("70", "70.1"),
                        "span": ("30", "30.1")}[row]  # fmt: skip
            _, moved, _ = solved(capsys, LP.replace("Maximize", sense).replace(old, new))
            rate = (Fraction(moved["value"]) - Fraction(found["value"])) * 10
            assert rate == Fraction(price) * (sense == "Maximize")


@pytest.mark.parametrize("sense", ["min", "max"])
def test_an_infeasible_program_has_weights_that_contradict_it(capsys, sense):
    text = f"{sense}\nx + y\nst\nlow: x + y <= 3\nother: y <= 9\nhigh: x >= 5\nend"
    status, found, said = solved(capsys, text)
    assert (status, found["status"], found["value"]) == (0, "infeasible", None)
    assert (found["lower"], found["upper"], found["primal"], found["dual"]) == (None,) * 4
    weights = dict(zip(found["rows"], map(Fraction, found["weights"]), strict=True))
    assert weights["low"] == -weights["high"] < 0 == weights["other"]
    assert said.endswith(": infinite")


@pytest.mark.parametrize(("sense", "sign"), [("min", "-"), ("max", "")])
def test_an_unbounded_program_has_a_point_and_a_direction(capsys, sense, sign):
    status, found, said = solved(capsys, f"{sense}\n{sign}x {sign or '+'}y\nst\nx - y <= 3\nend")
    assert (status, found["status"], found["value"]) == (0, "unbounded", None)
    x, y = map(Fraction, found["primal"])
    dx, dy = map(Fraction, found["ray"])
    assert (x - y <= 3, min(x, y) >= 0, dx <= dy, dx >= 0, dx + dy > 0) == (True,) * 5
    assert said.endswith("at most -inf")


def test_people_read_names_and_what_the_certificate_states(capsys):
    Path("a.lp").write_text(LP)
    assert main(["program", "a.lp", "--certificate", "c.json"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "program      a.lp: 2 variables, 3 rows, maximise profit",
        "status       optimal",
        "optimum      3331/20 (166.55)",
        "variables    chairs: 421/10 (42.1), tables: 121/10 (12.1)",
        "dual prices  wood: 11/10 (1.1), span: 4/5 (0.8)",
        "certificate  states the least value of minus the objective, without the constant 10",
    ]


def test_what_reading_assumed_is_reported(capsys):
    text = LP.replace("End", "Bounds\n beds <= 3\nEnd")
    Path("a.lp").write_text(text)
    assert main(["program", "a.lp", "--json"]) == 0
    out, err = capsys.readouterr()
    note = "a.lp: 1 variable occurs in bounds only, such as 'beds'"
    assert (json.loads(out)["notes"], err) == ([note], f"note: {note}\n")


def test_exported_programs_have_the_least_error(capsys):
    assert main(["export", "equality:n=3", "--messages", "2", "--out", "a.vipr"]) == 0
    capsys.readouterr()
    assert main(["program", "a.vipr", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == str(minimax_error("equality:n=3", 2).value)
    assert main(["export", "equality:n=3", "--messages", "2", "--out", "a.nfg"]) == 0
    capsys.readouterr()
    assert main(["game", "@a.nfg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == found["value"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.lp", b"", "a.lp: the file is empty"),
        ("a.lp", b"\xff", "a.lp: expected UTF-8 text, but byte 0 is invalid"),
        ("a.lp", b"min\nx\nst\nx >= nan\nend", "a.lp: line 4: expected a number; variables must"),
        ("a.mps", b"ROWS\nENDATA\n", "a.mps: line 2: expected a row of type N for the objective"),
        ("a.mps", b"ROWS\n N z\nENDATA\n", "a.mps: expected a linear program with variables"),
        ("a.sif", b"x", "a.sif: the file name must end in .mps, .lp, .vipr"),
        ("none.lp", None, "none.lp: no such file"),
        ("@none.lp", None, "FILE must be written without @; write none.lp"),
        ("a.lp", b"min\nx\nst\nx >= 1/%d\nx <= 1/%d\nend" % (10**3000 + 1, 10**3001 + 3), "bounds"),
    ],
)
def test_what_is_no_program_is_refused_in_one_line(capsys, name, content, reason):
    if content is not None:
        Path(name).write_bytes(content)
    assert main(["program", name, "--certificate", "c.json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), Path("c.json").exists()) == ("", 1, False)
    assert err.startswith(f"ccsim: error: {reason}")


def test_the_certificate_does_not_replace_the_program(capsys):
    Path("a.lp").write_text(LP)
    assert main(["program", "a.lp", "--certificate", "a.lp"]) == 2
    assert "it is the input" in capsys.readouterr().err
    assert Path("a.lp").read_text() == LP


def random_program(seed, rows, columns):
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    number = lambda: Fraction(draw.randint(-9, 9), draw.randint(1, 4))  # noqa: E731
    constraints = [
        ([number() for _ in range(columns)], draw.choice(["<=", ">=", "="]), number())
        for _ in range(rows)
    ]
    upper = [draw.choice([None, 5]) for _ in range(columns)]
    return LinearProgram.minimise([number() for _ in range(columns)], constraints, 0, upper)


@pytest.mark.parametrize("seed", range(30))
def test_answers_are_those_of_another_solver(seed):
    program = random_program(seed, 1 + seed % 4, 2 + seed % 5)
    found = solve_for_certificate(program, Budget())
    found.check()
    matrix = np.zeros((len(program.constraints), program.num_variables))
    for k, row in enumerate(program.constraints):
        for j, a in row.terms:
            matrix[k, j] = float(a)
    sides = np.array([float(row.bound) for row in program.constraints])
    signs = np.array([{"<=": 1, ">=": -1, "=": 0}[row.sense] for row in program.constraints])
    above, equal = signs != 0, signs == 0
    other = linprog(
        [float(c) for c in program.objective],
        A_ub=(matrix * signs[:, None])[above] if above.any() else None,
        b_ub=(sides * signs)[above] if above.any() else None,
        A_eq=matrix[equal] if equal.any() else None,
        b_eq=sides[equal] if equal.any() else None,
        bounds=[(0, None if end is None else float(end)) for end in program.upper],
    )
    assert {0: "optimal", 2: "infeasible", 3: "unbounded"}[other.status] == found.status
    if isinstance(found, OptimalSolution):
        assert float(found.value) == pytest.approx(other.fun, abs=1e-8)


def test_without_time_bounds_are_proved(capsys, monkeypatch):
    program = random_program(3, 3, 5)
    exact = solve_for_certificate(program, Budget())
    monkeypatch.setattr("ccsim.programs.program.is_writable", lambda _: False)
    found = solve_for_certificate(program, Budget())
    assert isinstance(found, ProgramBounds)
    found.check()
    assert found.lower <= exact.value <= found.upper
    status, told, said = solved(capsys, LP)
    assert (status, told["status"], told["value"]) == (3, "not decided", None)
    ends = [(side, Fraction(told[side])) for side in ("lower", "upper") if told[side]]
    assert ends  # floats prove one of them at least
    assert all((end <= Fraction(3331, 20)) == (side == "lower") for side, end in ends)
    assert said.startswith("linear_program")
    assert main(["program", "a.lp"]) == 3
    assert "too long for a certificate; these bounds are proved" in capsys.readouterr().out
    assert main(["program", "a.lp", "--time-limit", "0", "--certificate", "d.json"]) == 3
    assert not Path("d.json").exists()


def test_a_time_limit_ends_the_solution_of_a_large_program(capsys):
    draw = random.Random(2)  # noqa: S311 - not for secrets
    n = 300
    rows = [
        " + ".join(f"{draw.randint(1, 10**12)} x{j}" for j in range(n)) + f" <= {10**15 + i}"
        for i in range(n)
    ]
    cost = " + ".join(f"{draw.randint(1, 10**12)} x{j}" for j in range(n))
    Path("a.lp").write_text("\n".join(["max", cost, "st", *rows, "end"]))
    start = time.process_time()
    status = main(["program", "a.lp", "--time-limit", "1"])
    assert (status in {0, 3}, time.process_time() - start < 4) == (True, True)
    capsys.readouterr()
