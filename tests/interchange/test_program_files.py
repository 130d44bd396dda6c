"""Linear programs in MPS, LP and VIPR files: valid files, and errors with their position."""

from __future__ import annotations

import gzip
import random
import re
import time
from fractions import Fraction

import highspy
import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import CcsimError, DomainError, InstanceTooLargeError, UnreadableInputError
from ccsim.interchange import NamedProgram, from_lp, from_mps, from_vipr, read_program, to_vipr
from ccsim.programs import OptimalSolution, solve_linear_program
from ccsim.programs.highs import QuietHighs

MPS = """NAME          farm
* a comment
ROWS
 N  cost
 L  land
 G  corn
 E  even
COLUMNS
    x         cost      1.5          land      1
    x         even      1
    y         cost      1/3          land      2
    y         corn      1
    y         even      -1
RHS
    b         cost      -7           land      10
    b         corn      1e-1         even      0
RANGES
    r         land      4            corn      2
    r         even      -3
BOUNDS
 UP b         x         8
 MI b         y
 UP b         y         1e30
ENDATA
"""
FIXED = """NAME          two words
ROWS
 N  the cost
 G  the row
COLUMNS
    a b       the cost           1.0   the row            2.5
    c         the cost           1.0
RHS
              the row            5.0
BOUNDS
 UP           a b                1.0
ENDATA
"""
LP = """\\ a comment
Maximize
 profit: 3 chairs + 5/2 tables - 1e-1 bolts + 10 - 4
Subject To
 wood: 2 chairs + 3 tables
   + bolts <= 120.5 \\ goes on
 - chairs + tables =< 70
 span: -5 <= chairs - tables <= 30
 20 >= bolts
 same: 2 chairs + 0 bolts - chairs + 3 = 7
Bounds
 tables <= 40
 -inf <= chairs <= +Infinity
 2 <= bolts
 bolts <= 9
End
"""


def read_with_highs(text, ending, tmp_path):
    """Return the program as read by HiGHS: the direction, the matrix, and all bounds."""
    file = tmp_path / f"program{ending}"
    file.write_text(text)
    highs = QuietHighs()
    assert highs.readModel(str(file)) != highspy.HighsStatus.kError
    lp = highs.getLp()
    matrix = np.zeros((lp.num_row_, lp.num_col_))
    for j in range(lp.num_col_):
        for k in range(lp.a_matrix_.start_[j], lp.a_matrix_.start_[j + 1]):
            matrix[lp.a_matrix_.index_[k], j] = lp.a_matrix_.value_[k]
    highs.run()
    return lp, matrix, highs


def ends_of(program: NamedProgram):
    """Return, for each row, its coefficients and both of its bounds, as floats."""
    rows: dict[str, tuple[list[float], list[float]]] = {}
    for name, each in zip(program.rows, program.program.constraints, strict=True):
        terms = [0.0] * len(program.variables)
        for j, a in each.terms:
            terms[j] = float(a)
        _, ends = rows.setdefault(name, (terms, [-np.inf, np.inf]))
        if each.sense != "<=":
            ends[0] = float(each.bound)
        if each.sense != ">=":
            ends[1] = float(each.bound)
    return rows


def agrees(program, text, ending, tmp_path):
    """Return whether HiGHS reads the same program."""
    lp, matrix, _ = read_with_highs(text, ending, tmp_path)
    rows = ends_of(program)
    named = dict(zip(lp.row_names_, range(lp.num_row_), strict=True))
    order = [list(lp.col_names_).index(name) for name in program.variables]
    for number, (name, (terms, ends)) in enumerate(rows.items()):
        i = named.get(name, number)  # rows without a name are in order
        assert matrix[i, order].tolist() == pytest.approx(terms), name
        assert [lp.row_lower_[i], lp.row_upper_[i]] == pytest.approx(ends), name
    infinite = [(-np.inf if a is None else float(a)) for a in program.program.lower]
    assert [lp.col_lower_[j] for j in order] == pytest.approx(infinite)
    infinite = [(np.inf if a is None else float(a)) for a in program.program.upper]
    assert [lp.col_upper_[j] for j in order] == pytest.approx(infinite)
    cost = [program.sign * float(c) for c in program.program.objective]
    assert [lp.col_cost_[j] for j in order] == pytest.approx(cost)
    assert lp.offset_ == pytest.approx(float(program.constant))
    return (lp.sense_ == highspy.ObjSense.kMaximize) == (program.sense == "maximise")


def test_an_mps_file_is_read_exactly(tmp_path):
    found = from_mps(MPS)
    assert (found.title, found.sense, found.objective, found.constant) == (
        "farm", "minimise", "cost", 7
    )  # fmt: skip
    assert (found.variables, found.rows) == (("x", "y"), tuple(r for r in ("land", "corn", "even")
                                                               for _ in range(2)))  # fmt: skip
    assert list(map(str, found.program.constraints)) == [
        "1 x0 + 2 x1 >= 6", "1 x0 + 2 x1 <= 10", "1 x1 >= 1/10", "1 x1 <= 21/10",
        "1 x0 + -1 x1 >= -3", "1 x0 + -1 x1 <= 0",
    ]  # fmt: skip
    assert found.program.objective == (Fraction(3, 2), Fraction(1, 3))
    assert (found.program.lower, found.program.upper) == ((0, None), (8, None))
    assert found.notes == ("bounds of at least 1e20, such as that of 'y', are read as infinite",)
    assert agrees(found, MPS.replace("1/3", "0.3333333333333333"), ".mps", tmp_path)


def test_the_fixed_format_is_recognised_where_names_have_blanks(tmp_path):
    found = from_mps(FIXED)
    assert (found.title, found.objective, found.variables) == (
        "two words", "the cost", ("a b", "c")
    )  # fmt: skip
    assert str(found.program.constraints[0]) == "5/2 x0 >= 5"
    assert found.program.upper == (1, None)
    plain = from_mps(FIXED.replace("a b", "a_b").replace("the ", "the_"))
    assert plain.program == found.program
    assert agrees(plain, FIXED.replace("a b", "a_b").replace("the ", "the_"), ".mps", tmp_path)


@pytest.mark.parametrize(
    "text", ["c       x the cost", "c\t        the cost", "c" + " " * 60 + "1"]
)
def test_names_with_blanks_outside_their_fields_are_refused(text):
    with pytest.raises(UnreadableInputError, match="line 3: expected the type and the name of a"):
        from_mps(FIXED.replace("c         the cost", text))


def test_what_two_formats_read_in_two_ways_is_refused():
    rows = "ROWS\n N  z\n G  1\n G  c\n"
    line = "    x 1 2     c                  3.0"
    text = f"{rows}COLUMNS\n{line}\n    y         z                  1.0\nENDATA\n"
    assert from_mps(text.replace("x 1 2     c  ", "x         c  ")).variables == ("x", "y")
    with pytest.raises(
        UnreadableInputError, match="different meanings in the free and the fixed format"
    ):
        from_mps(text)


@pytest.mark.parametrize("words", ["OBJSENSE\n    MAX\n", "OBJSENSE MAXIMIZE\n", "objsense max\n"])
def test_the_direction_is_read(words):
    assert from_mps(words + MPS).sense == "maximise"
    assert from_mps(words + MPS).program.objective == (Fraction(-3, 2), Fraction(-1, 3))


def test_the_direction_in_a_comment_of_pulp_is_read():
    found = from_mps("*SENSE:Maximize\r\n" + MPS)
    assert (found.sense, found.program.objective) == (
        "maximise",
        (Fraction(-3, 2), -Fraction(1, 3)),
    )
    assert found.notes[-1] == "the direction is read from the comment *SENSE: of PuLP"
    for text in ("*SENSE:Minimize\n" + MPS, "*SENSE:Maximize\nOBJSENSE\n    MIN\n" + MPS):
        assert from_mps(text) == from_mps(MPS)
    both = from_mps("*SENSE:Minimize\nOBJSENSE\n    MAX\n" + MPS)
    assert (both.sense, both.notes) == ("maximise", from_mps(MPS).notes)


def test_comments_behind_data_and_points_without_digits_are_read():
    text = MPS.replace("cost      1.5 ", "cost      15.D-1 ").replace("RHS\n", "RHS $ right\n")
    text = text.replace("even      -1\n", "even      -1. $ remark 3\n").replace(" 8\n", " 8.\n")
    assert from_mps(text) == from_mps(MPS)
    assert from_lp(LP.replace("3 chairs +", "3. chairs +").replace("= 7", "= 7.")) == from_lp(LP)


def test_another_objective_is_read():
    text = MPS.replace(" L  land", " N  land").replace("    r         land      4   ", "    r ")
    found = from_mps("OBJNAME\n land\n" + text)
    assert (found.objective, found.constant) == ("land", -10)
    assert found.program.objective == (1, 2)
    assert found.notes[-1] == "the row 'cost' of type N is not the objective and is ignored"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("ENDATA\n", "", "line 23: expected ENDATA, found the end"),
        ("ENDATA\n", "ENDATA\nROWS\n", "line 25: expected the end of the file after ENDATA"),
        (" N  cost", " E  cost", "line 24: expected a row of type N for the objective, found none"),
        (" N  cost", " X  cost", "line 4: the type of a row must be N, L, G or E, not 'X'"),
        (" L  land", " L  cost", "line 5: the row 'cost' occurs twice"),
        (" L  land", " L  land 3", "line 5: expected the type and the name of a row, found 3"),
        ("y         corn ", "y         rye  ", "line 12: unknown row 'rye'"),
        (
            "y         corn      1\n",
            "x         corn      1\n",
            "line 12: the column 'x' occurs twice",
        ),
        (
            "x         even      1",
            "x         land      1",
            "line 10: the row 'land' occurs twice in",
        ),
        ("corn      1\n", "corn      nan\n", "line 12: the number of 'corn' must be .*'nan'"),
        ("corn      1\n", "corn      inf\n", "line 12: the number of 'corn' must be .*'inf'"),
        ("corn      1\n", "corn      1e999999\n", "line 12: the number .* at most 4000 digits"),
        ("corn      1\n", "corn\n", "line 12: expected a column with one or two pairs"),
        ("1e-1         even", "1e20         even", "line 16: a right-hand side of at least 1e20"),
        (
            "    b         corn",
            "    d         corn",
            "line 16: RHS must contain only one vector, but 'd'",
        ),
        ("even      0", "land      0", "line 16: the right-hand side of 'land' occurs twice"),
        (
            "r         land      4",
            "r         cost      4",
            "line 18: the row 'cost' in RANGES is of type N",
        ),
        ("r         even", "r         land", "line 19: the row 'land' in RANGES occurs twice"),
        (" MI b         y", " MI b         z", "line 22: unknown variable 'z'|line 22"),
        (" UP b         x         8", " UP b         x", "line 21: unknown variable 'b'|line 21"),
        (
            " UP b         x         8",
            " BV b         x",
            "line 21: .* UP with the bound 1 instead of BV",
        ),
        (
            " UP b         x         8",
            " LI b         x 8",
            "line 21: integer .*write LO instead of",
        ),
        (" UP b         x         8", " XX b         x 8", "line 21: the type of a bound must be"),
        (
            " UP b         x         8",
            " UP b         x -8",
            "the variable 'x' has a negative upper",
        ),
        (
            " UP b         x         8",
            " LO b         x inf",
            "line 21: the bound LO of 'x' must be",
        ),
        (" MI b         y", " UP b         x 7", "line 22: the upper bound of 'x' occurs twice"),
        ("COLUMNS\n", "COLUMNS\n    M 'MARKER' 'INTORG'\n", "line 9: integer variables: .*relax"),
        (
            " MI b         y",
            " UP c         y 3",
            "line 22: BOUNDS must contain only one vector, but 'c'",
        ),
        (
            " MI b         y",
            " MI c         y",
            "line 22: BOUNDS must contain only one vector, but 'c'",
        ),
        ("RANGES", "QUADOBJ", "line 17: the section QUADOBJ is not linear"),
        ("RANGES", "RANGE", "line 17: unknown section 'RANGE'"),
        ("RANGES", "ROWS", "line 17: the section ROWS occurs twice"),
        ("NAME ", "OBJSENSE UP\nNAME ", "line 1: OBJSENSE must be MIN or MAX, not"),
        ("* a comment", " x", "line 2: expected a section, found a line of data"),
    ],
)
def test_what_is_no_mps_file_is_refused_with_its_line(old, new, reason):
    assert old in MPS
    with pytest.raises(CcsimError) as refused:
        from_mps(MPS.replace(old, new, 1))
    assert re.match(reason, str(refused.value)), refused.value


@pytest.mark.parametrize(
    ("kind", "number", "ends"),
    [("E", "3", (2, 5)), ("E", "-3", (-1, 2)), ("L", "-3", (-1, 2)), ("G", "-3", (2, 5))],
)
def test_a_range_goes_up_or_down(kind, number, ends, tmp_path):
    text = f"ROWS\n N z\n {kind} r\nCOLUMNS\n x r 1 z 1\nRHS\n b r 2\nRANGES\n b r {number}\nENDATA"
    found = from_mps(text)
    assert tuple(row.bound for row in found.program.constraints) == ends
    assert agrees(found, text, ".mps", tmp_path)


def test_a_second_free_row_is_named_in_a_note():
    text = "ROWS\n N a\n N b\n G r\nCOLUMNS\n x a 1 b 2\n x r 1\nENDATA"
    assert from_mps(text).notes == ("the row 'b' of type N is not the objective and is ignored",)


def test_an_empty_mps_text_is_refused():
    with pytest.raises(UnreadableInputError, match=r"^line 1: expected ENDATA, found the end"):
        from_mps("")


def test_ranges_before_right_sides_are_refused():
    text = MPS.replace("RHS\n", "RANGES\n    r         land      4\nRHS\n", 1)
    with pytest.raises(UnreadableInputError, match="line 17: RHS must come before RANGES"):
        from_mps(text)


def test_an_lp_file_is_read_exactly(tmp_path):
    found = from_lp(LP)
    assert (found.sense, found.objective, found.constant) == ("maximise", "profit", 6)
    assert found.variables == ("chairs", "tables", "bolts")
    assert found.rows == ("wood", "row 2", "span", "span", "row 4", "same")
    assert list(map(str, found.program.constraints)) == [
        "2 x0 + 3 x1 + 1 x2 <= 241/2", "-1 x0 + 1 x1 <= 70",
        "1 x0 + -1 x1 >= -5", "1 x0 + -1 x1 <= 30", "1 x2 <= 20", "1 x0 = 4",
    ]  # fmt: skip
    assert found.program.objective == (-3, Fraction(-5, 2), Fraction(1, 10))
    assert (found.program.lower, found.program.upper) == ((None, 0, 2), (None, 40, 9))
    theirs = LP.replace("5/2", "2.5").replace("- chairs + 3 = 7", "- chairs = 4")
    theirs = theirs.replace(" span: -5 <= chairs - tables <= 30\n", "").replace("+ 10 - 4", "+ 6")
    theirs = theirs.replace(" 20 >= bolts\n", "").replace("=<", "<=")
    assert agrees(from_lp(theirs), theirs, ".lp", tmp_path)


@pytest.mark.parametrize(
    ("text", "constraints"),
    [
        ("min\nx\nst\nx >= 1\n2 x <= 5\n- x >= -9\nend", ["1 x0 >= 1", "2 x0 <= 5", "-1 x0 >= -9"]),
        ("min\nx\nst\n5 <= x\ny >= 2\nend", ["1 x0 >= 5", "1 x1 >= 2"]),
        ("min\nx\nst\nc: 8 >= 2x >= - - 3\nend", ["2 x0 >= 3", "2 x0 <= 8"]),
        ("min\nx\nst\nc: 2e1x - 3x = 1.5e-1\nend", ["17 x0 = 3/20"]),
        ("min\nx\nst\nc: <= +7\nend", ["0 >= -7"]),
        ("min\nx\nst\nc: x - x >= 1\nend", ["0 >= 1"]),
        ("min\nx\nst\nx[1,2] + x(3) + x#4 + é >= 1\nend", ["1 x1 + 1 x2 + 1 x3 + 1 x4 >= 1"]),
        ("MINIMIZE\nx\nSUBJECT  TO\nc:x>1\nGENERALS\nEND", ["1 x0 >= 1"]),
        ("min\nobj:\nst\nc: x >= 1\nend", ["1 x0 >= 1"]),
    ],
)
def test_rows_are_read(text, constraints):
    assert list(map(str, from_lp(text).program.constraints)) == constraints


@pytest.mark.parametrize(
    ("bounds", "lower", "upper"),
    [
        ("x free", None, None),
        ("x = -3", -3, -3),
        ("x >= -2", -2, None),
        ("-inf <= x <= -2", None, -2),
        ("-1 <= x <= 1/2", -1, Fraction(1, 2)),
        ("5 >= x >= 1", 1, 5),
        ("x <= 1e20", 0, None),
        ("x >= -infinity", None, None),
        ("3 = x", 3, 3),
    ],
)
def test_bounds_are_read(bounds, lower, upper):
    found = from_lp(f"min\nx\nst\nx + y <= 9\nbounds\n{bounds}\nend").program
    assert (found.lower[0], found.upper[0]) == (lower, upper)


def test_variables_in_bounds_only_are_reported_in_one_note():
    found = from_lp("min\nx\nst\nx <= 9\nbounds\ny <= 1e21\nz <= 1\nx <= 1e30\nend")
    assert found.notes == (
        "bounds of at least 1e20, such as that of 'y', are read as infinite",
        "2 variables occur in bounds only, such as 'y'",
    )


def test_a_variable_in_bounds_only_is_reported():
    found = from_lp("min\nx\nst\nx <= 9\nbounds\ny <= 3\nend")
    assert found.objective == "obj"  # without a name
    assert (found.variables, found.notes) == (
        ("x", "y"),
        ("1 variable occurs in bounds only, such as 'y'",),
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: expected maximize or minimize, found the end"),
        ("subject to\nx >= 1\nend", "line 1: expected maximize or minimize, found 'subject to'"),
        ("x + y", "line 1: expected maximize or minimize, found 'x'"),
        ("max: 3x + 2y;", "line 1: expected the LP format of CPLEX, found that of lp_solve"),
        ("min\nx\nst\nx >= 1\n", "line 4: expected the keyword end"),
        ("min\nx\nst\nx >= 1\nend\nx", "line 6: expected the end of the file after end"),
        ("min\nx\nst\nc: x >= 1\nc: x <= 2\nend", "line 5: the row 'c' occurs twice"),
        ("min\nx\nst\nx >= nan\nend", "line 4: expected a number; variables .* found 'nan'"),
        ("min\nx\nst\nx >= inf\nend", "line 4: expected a number; variables .* found 'inf'"),
        ("min\nx\nst\nx >= 1e999999\nend", "line 4: a number must be .* at most 4000 digits"),
        ("min\nx\nst\nx >= 1e21\nend", "line 4: a right-hand side of at least 1e20"),
        ("min\nx\nst\nx >= y\nend", "line 4: expected a number; variables must be on the left"),
        (
            "min\nx y\nst\nx >= 1\nend",
            r"line 2: expected \+, - or a line that begins with subject to, found 'y'",
        ),
        ("min\nx\nst\nx y >= 1\nend", "line 4: expected <=, = or >=, found 'y'"),
        ("min\nx\nst\nx\nend", "line 4: expected <=, = or >="),
        ("min\nx\nst\nx +\nend", "line 4: expected a variable or a number"),
        ("min\nx\nst\n1 <= x >= 2\nend", "line 4: a row with two ends must have"),
        ("min\n[ x^2 ]\nst\nx >= 1\nend", r"line 2: '\[' is not part of a linear program"),
        ("min\n3 x * y\nst\nx >= 1\nend", r"line 2: '\*' is not part of a linear program"),
        ("min\nx\nst\n3 (x + y) >= 1\nend", r"line 4: '\(' is not part of a linear program"),
        ("min\nx/2\nst\nx >= 1\nend", "line 2: '/' is not part of a linear program"),
        ("min\nx\nst\nb = 1 -> x <= 1\nend", "line 4: '->' is not part of a linear program"),
        (
            "min\nx\nst\nx >= 1\nintegers\nx\nend",
            "line 5: the section integers declares .* the section$",
        ),
        (
            "min\nx\nst\nx >= 1\nbinary\nx\nend",
            "line 5: the section binary declares .* by 0 and 1$",
        ),
        ("min\nx\nst\nx >= 1\nsos\ns: x:1\nend", "line 5: the section sos is not linear"),
        ("min\nx\nst\nx >= 1\nlazy constraints\nend", "line 5: the section lazy constraints"),
        ("min\nx\nst\nx >= 1\nst\nx <= 2\nend", "line 5: the section st occurs twice"),
        ("min\nx\nst\nx >= 1\nbounds\nx <= 3\nx <= 4\nend", "line 7: the upper bound of 'x'"),
        ("min\nx\nst\nx >= 1\nbounds\nx <= -3\nend", "the variable 'x' has a negative upper bound"),
        ("min\nx\nst\nx >= 1\nbounds\nx >= inf\nend", "line 6: the bound of 'x' must be finite"),
        ("min\nx\nst\nx >= 1\nbounds\nx = inf\nend", "line 6: expected a number, found 'inf'"),
        ("min\nx\nst\nx >= 1\nbounds\nx\nend", "line 6: expected <=, = or >="),
        (
            "min\n3\nst\n1 <= 2\nend",
            "expected a linear program with variables, but found no variables",
        ),
    ],
)
def test_what_is_no_lp_file_is_refused_with_its_line(text, reason):
    with pytest.raises(CcsimError) as refused:
        from_lp(text)
    assert re.match(reason, str(refused.value)), refused.value


def random_model(seed):
    """Return a random model of HiGHS with every kind of row and bound."""
    draw = random.Random(seed)  # noqa: S311 - not for secrets
    highs, inf = QuietHighs(), highspy.kHighsInf
    n, m = draw.randint(1, 6), draw.randint(1, 6)
    number = lambda: draw.choice([0, 1, -1, 0.5, -2.25, 3, 10])  # noqa: E731
    for j in range(n):
        low, high = sorted([number(), number()])
        highs.addVar(*draw.choice([(0, inf), (-inf, inf), (low, high), (-inf, high), (low, low)]))
        highs.changeColCost(j, number())
    for _ in range(m):
        low, high = sorted([number(), number()])
        ends = draw.choice([(low, inf), (-inf, high), (low, high), (low, low)])
        terms = {j: number() for j in range(n)}
        terms = {j: a for j, a in terms.items() if a}
        index, values = np.array(list(terms), np.int32), np.array(list(terms.values()), float)
        highs.addRow(*ends, len(terms), index, values)
    highs.changeObjectiveOffset(number())
    if draw.random() < 0.5:
        highs.changeObjectiveSense(highspy.ObjSense.kMaximize)
    return highs


STATUS = {
    highspy.HighsModelStatus.kOptimal: "optimal",
    highspy.HighsModelStatus.kInfeasible: "infeasible",
    highspy.HighsModelStatus.kUnbounded: "unbounded",
}


@pytest.mark.parametrize("ending", [".mps", ".lp"])
@pytest.mark.parametrize("seed", range(40))
def test_files_of_another_program_have_its_optimum(seed, ending, tmp_path):
    highs = random_model(seed)
    highs.setOptionValue("presolve", "off")
    file = tmp_path / f"model{ending}"
    highs.writeModel(str(file))
    highs.run()
    found = read_program(file)
    outcome = solve_linear_program(found.program)
    outcome.check()
    assert outcome.status == STATUS[highs.getModelStatus()]
    if isinstance(outcome, OptimalSolution):
        value = highs.getInfo().objective_function_value
        assert float(found.value(outcome.value)) == pytest.approx(value, abs=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_the_files_of_this_program_come_back(seed, tmp_path):
    highs = random_model(seed)
    highs.writeModel(str(tmp_path / "model.mps"))
    program = read_program(tmp_path / "model.mps").program
    outcome = solve_linear_program(program)
    if outcome.status == "unbounded":
        return
    again = from_vipr(to_vipr(outcome))
    outcome_again = solve_linear_program(again.program)
    assert outcome_again.status == outcome.status
    assert getattr(outcome_again, "value", None) == getattr(outcome, "value", None)


VIPR = "VER 1.0\n% text\nVAR 1\nx\nINT 0\nOBJ max\n1 0 2\nCON 1 0\nc L 7/2 1 0 3\nRTP range 0 0\n"


def test_a_vipr_file_is_read():
    found = from_vipr(VIPR)
    assert (found.sense, found.variables, found.rows) == ("maximise", ("x",), ("c",))
    assert str(found.program.constraints[0]) == "3 x0 <= 7/2"
    assert (found.program.lower, found.program.upper) == ((None,), (None,))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("VER 1.0", "VER 2.0", "line 1: expected 1.0 or 1.1, found '2.0'"),
        ("INT 0", "INT 1 0", "line 5: expected a linear program, found integer variables"),
        ("OBJ max", "OBJ up", "line 6: expected min or max, found 'up'"),
        ("1 0 2", "1 1 2", "line 7: a number of entries must be between 0 and 0, not 1"),
        ("1 0 2", "1 0 x", "line 7: a number must be a fraction"),
        ("c L", "c X", "line 9: expected E or L or G, found 'X'"),
        ("CON 1 0", "CON 2 0", "line 10: expected E or L or G, found 'range'"),
        ("VAR 1", "VAR 99999999999", "line 3: a number of entries must be between"),
        ("RTP range 0 0\n", "", "line 9: expected RTP, found the end"),
        ("7/2 1 0 3", "1e20 1 0 3", "line 9: a right-hand side of at least 1e20"),
    ],
)
def test_what_is_no_vipr_file_is_refused_with_its_line(old, new, reason):
    assert old in VIPR
    with pytest.raises(CcsimError) as refused:
        from_vipr(VIPR.replace(old, new, 1))
    assert re.match(reason, str(refused.value)), refused.value


def test_contradictory_bounds_are_infeasible_with_a_proof():
    outcome = solve_linear_program(from_lp("min\nx\nst\nx <= 9\nbounds\n3 <= x <= 2\nend").program)
    assert outcome.status == "infeasible"
    outcome.check()


def test_a_packed_file_is_read_and_a_bomb_is_not(tmp_path, monkeypatch):
    file = tmp_path / "farm.MPS.gz"
    file.write_bytes(gzip.compress(MPS.encode()))
    assert read_program(file) == from_mps(MPS)
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(UnreadableInputError, match="cannot be unpacked"):
        read_program(file)
    monkeypatch.setattr("ccsim.interchange.programs.MAX_TEXT", 1000)
    file.write_bytes(gzip.compress(b" " * 1001))
    with pytest.raises(
        InstanceTooLargeError, match="the unpacked file must have at most 1000 bytes"
    ):
        read_program(file)


def test_a_large_program_is_refused_before_it_is_held(monkeypatch):
    monkeypatch.setattr("ccsim.interchange.named.MAX_COEFFICIENTS", 10)
    for read, text in ((from_mps, MPS), (from_lp, LP)):
        with pytest.raises(InstanceTooLargeError, match="at most 10 variables, rows and coeff"):
            read(text)


def test_long_files_are_refused_before_they_are_held(monkeypatch):
    with pytest.raises(InstanceTooLargeError, match="at most 4194304 lines"):
        from_mps("\n" * (1 << 23))
    with pytest.raises(InstanceTooLargeError, match="at most 67108864 characters"):
        from_mps(" " * ((1 << 26) + 1))
    monkeypatch.setattr("ccsim.interchange.lp.MAX_LINES", 10)
    with pytest.raises(InstanceTooLargeError, match="at most 10 words"):
        from_lp("min\n" + "+" * 11)


def test_one_long_line_is_refused_in_time():
    for read, text in ((from_mps, "ROWS\n" + " x" * (1 << 23)), (from_vipr, "VER " * (1 << 23))):
        start = time.process_time()
        with pytest.raises(UnreadableInputError, match=r"line [12]: expected"):
            read(text)
        assert time.process_time() - start < 2


@pytest.mark.parametrize(("read", "text"), [(from_mps, MPS), (from_lp, LP), (from_vipr, VIPR)])
def test_reading_respects_a_time_limit(read, text, tmp_path):
    text = text.replace("\n", "\n" * 5000, 1)
    with pytest.raises(OutOfTimeError), Budget(0).heard():
        read(text)


@pytest.mark.parametrize(("read", "text"), [(from_mps, MPS), (from_lp, LP), (from_vipr, VIPR)])
def test_damaged_files_are_read_or_refused_in_one_line(read, text):
    draw = random.Random(1)  # noqa: S311 - not for secrets
    refusals = []
    for _ in range(400):
        damaged = list(text)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(damaged))
            damaged[place : place + draw.randint(0, 2)] = draw.choice(
                [*"\n -1:<x[/e", "end", "inf"]
            )
        try:
            read("".join(damaged))
        except CcsimError as error:
            refusals.append(str(error))
    assert len(refusals) > 50
    assert "\n" not in "".join(refusals)


def test_a_program_must_have_as_many_names_as_variables_and_rows():
    program = from_lp(LP).program
    with pytest.raises(DomainError, match="variables must have 3 names"):
        NamedProgram("", "minimise", "obj", 0, ("x",), from_lp(LP).rows, program)
    with pytest.raises(DomainError, match="rows must have 6 names"):
        NamedProgram("", "minimise", "obj", 0, from_lp(LP).variables, ("r",), program)
    with pytest.raises(DomainError, match="sense must be minimise or maximise, not 'up'"):
        NamedProgram("", "up", "obj", 0, from_lp(LP).variables, from_lp(LP).rows, program)
