"""One grammar of numbers for all inputs; invalid numbers are refused with one line."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy

from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.cli.main import main
from ccsim.errors import DomainError, UnreadableInputError
from ccsim.exact import Epsilon
from ccsim.exact.fractions import as_fraction, as_integer
from ccsim.exact.steps import StepFunction
from ccsim.instances import parse_call
from ccsim.kernel import reader
from ccsim.texts.files import read_table
from proofs_check.__main__ import main as check
from tests.cases import every

NO_NUMBERS = (
    "", " ", "1_0", "١٠", "１", "²", "Ⅷ", "1\u00a0", "1 0", "1e", "e1", "1e1.5", "1e+-1", "1 e3",
    "0x10", "1.", ".", "-", "+", "--1", "-+1", "- 1", "nan", "NaN", "inf", "-inf", "infinity",
    "1/0", "0/0", "1/", "/1", "1/-2", "1/+2", "1/2/3", "1.5/2", "1e2/3", "1,0", "1²", "2**3",
    "True", "None", "9" * 5000, "1e4000", "1e-4000", "1e99999", "1e" + "9" * 500,
    "0." + "1" * 5000, "1/" + "9" * 5000, "1" * 10**5, "a" * 300, "\0", "1\0", "1j",
)  # fmt: skip
"""Texts that no border reads as a number, though Python reads many of them."""

NO_INTEGERS = (*NO_NUMBERS, "1/2", "1.0", "0.5", "-.5", "4/2", "1e-1", "1.5e1")

OPTIONS = {
    "seed": ("protocol", "equality:bits=1,repetitions=1", "--seed={}"),
    "runs": ("learn", "points:b=1", "--learner=occam", "--accuracy=1", "--failure=1", "--runs={}"),
    "messages": ("error", "equality:n=1", "--messages={}"),
    "range": ("error", "equality:n=1", "--messages=1..{}"),
    "bits": ("sweep", "--bits={}"),
    "parameter": ("dimensions", "points:b={}"),
    "power": ("protocol", "equality_optimal:n=2^{},messages=4"),
}
"""Options that take an integer, with the command before them."""

FRACTIONS = {
    "error": ("complexity", "equality:n=1", "--error={}"),
    "setting": ("audit", "points:b=1", "--mechanism=exponential", "--samples=1", "--epsilon=1",
                "--set=scale={}"),
    "epsilon": ("packing", "points:b=3", "--accuracy=1/10", "--failure=1/4", "--epsilon={}"),
    "logarithm": ("packing", "points:b=3", "--accuracy=1/10", "--failure=1/4", "--epsilon=ln({})"),
}  # fmt: skip


@every("text", NO_INTEGERS)
def test_what_is_no_integer_is_refused_as_text(text):
    with pytest.raises(DomainError):
        as_integer(text, "runs")


@every("text", NO_INTEGERS)
def test_what_is_no_integer_is_no_parameter(text):
    with pytest.raises(UnreadableInputError):
        parse_call(f"points:b={_inside(text)}")


@every("text", NO_NUMBERS)
def test_what_is_no_number_is_refused_as_text(text):
    with pytest.raises(DomainError):
        as_fraction(text, "error")
    with pytest.raises(DomainError):
        Epsilon.of(f"ln({_inside(text)})")


@pytest.mark.parametrize(
    "value", [1.0, 0.5, float("nan"), True, None, b"1", 1j, [1], np.float64(1)]
)
def test_what_is_no_exact_number_is_refused_as_an_object(value):
    with pytest.raises(DomainError):
        as_integer(value, "runs")
    with pytest.raises(DomainError):
        as_fraction(value, "error")
    with pytest.raises(DomainError):
        Epsilon.of(value)


def test_exact_numbers_are_read_as_they_are_written():
    written = {
        "0": 0, "-0": 0, "007": 7, "-12": -12, "9" * MAX_DIGITS: 10**MAX_DIGITS - 1,
        "1/3": Fraction(1, 3), "-2/4": Fraction(-1, 2), "1/02": Fraction(1, 2),
        "0.25": Fraction(1, 4), ".5": Fraction(1, 2), "-1.50": Fraction(-3, 2),
        "+1/2": Fraction(1, 2), " 1/2 ": Fraction(1, 2), "1 / 2": Fraction(1, 2), "1\n": 1,
        "1e-3": Fraction(1, 1000), "1E+2": 100, "-2.5e01": -25, "+.5e0": Fraction(1, 2),
        "1e-0003": Fraction(1, 1000), "1e3998": 10**3998,
    }  # fmt: skip
    assert {text: as_fraction(text, "p") for text in written} == written
    assert [as_integer(text, "n") for text in ("0", "-0", "007", "-12")] == [0, 0, 7, -12]
    assert [as_integer(text, "n") for text in ("+3", " 3 ", "3\n", "1e3", "-2E+2")] == [
        3,
        3,
        3,
        1000,
        -200,
    ]
    assert as_integer(10**5000, "n") == 10**5000
    assert parse_call("random:m=1e3, n=+4") == ("random", {"m": 1000, "n": 4})
    assert parse_call("equality:n=2^256,m=-3") == ("equality", {"n": 2**256, "m": -3})


@pytest.mark.parametrize(
    "value",
    [np.int64(3), np.uint8(3), np.array(3), sympy.Integer(3), 3, "3"],
    ids=lambda value: type(value).__name__,
)
def test_integers_of_other_libraries_are_integers(value):
    assert as_integer(value, "n") == as_fraction(value, "p") == 3
    assert type(as_integer(value, "n")) is int
    assert Epsilon.of(value) == Epsilon.of(3)


@pytest.mark.parametrize("value", [Fraction(1, 8), Decimal("0.125"), sympy.Rational(1, 8), "1/8"])
def test_fractions_of_other_libraries_are_fractions(value):
    assert as_fraction(value, "p") == Fraction(1, 8)
    assert type(as_fraction(value, "p")) is Fraction
    assert Epsilon.of(value) == Epsilon.of("1/8")
    with pytest.raises(DomainError, match="n must be an integer, not "):
        as_integer(value, "n")


@pytest.mark.parametrize(
    ("value", "instead"),
    [
        (0.1, '0.1: write "1/10" or Fraction(0.1)'),
        (np.float64(0.1), '0.1: write "1/10" or Fraction(0.1)'),
        (np.float32(0.1), 'write "1/10" or Fraction(0.1'),
        (2.0, '2.0: write "2" or Fraction(2.0)'),
        (1e-30, '1e-30: write "1e-30" or Fraction(1e-30)'),
        (1 / 3, 'write "1/3" or '),
        (0.123456789, 'write "0.123456789" or '),
        (sympy.Float(0.25), '0.25: write "1/4" or Fraction(0.25)'),
    ],
)
def test_a_float_is_refused_with_the_fraction_to_write(value, instead):
    for read in (as_fraction, Epsilon.of):
        with pytest.raises(DomainError, match=re.escape(instead)) as caught:
            read(value, "error")
        message = str(caught.value)
        assert message.startswith("error must be an exact number, not the float ")
        text = re.search('write "(.*)" or', message)[1]
        assert float(as_fraction(text, "p")) == pytest.approx(float(value), rel=1e-6)


@pytest.mark.parametrize(
    "value",
    [
        Decimal("nan"),
        Decimal("inf"),
        Decimal("1e999999"),
        np.True_,
        math.nan,
        math.inf,
        -math.inf,
        np.array([1, 2]),
    ],
)
def test_what_is_no_number_of_other_libraries_is_refused(value):
    for read in (as_integer, as_fraction, Epsilon.of):
        with pytest.raises(DomainError, match=r"^error must be an? .*, not ") as caught:
            read(value, "error")
        assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("value", ["3", 3, "-1", -1, "9" * 30, 10**30])
def test_an_integer_out_of_range_is_named_with_the_range(value):
    with pytest.raises(DomainError, match="runs must be between 0 and 2, not"):
        as_integer(value, "runs", 0, 2)


@every("command, text", product(OPTIONS.values(), NO_INTEGERS))
def test_no_command_takes_it_for_an_integer(capsys, command, text):
    spaced = command[-1].endswith(("b={}", "n=2^{},messages=4"))
    _refused(capsys, main, [part.format(_inside(text) if spaced else text) for part in command])


@every("command, text", product(FRACTIONS.values(), NO_NUMBERS))
def test_no_command_takes_it_for_a_fraction(capsys, command, text):
    spaced = command[-1].endswith("ln({})")
    _refused(capsys, main, [part.format(_inside(text) if spaced else text) for part in command])


@every("text", NO_INTEGERS)
def test_proofs_check_takes_it_for_no_number_of_processes(capsys, text):
    _refused(capsys, check, ["run", "fx/lemma-9", f"--jobs={text}"])


def _inside(text):
    """Return the text, between digits if its spaces would otherwise be at the ends."""
    return f"1{text}1" if text.strip() == "1" else text


def _refused(capsys, program, arguments):
    assert program(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith(("ccsim: error: ", "proofs-check: error: "))
    assert len(err) < 500


@pytest.mark.parametrize("entry", ["1_0", "١", "１", "01", "1.5", "-1", "1e1", "1e-400", "²"])
def test_tables_hold_entries_of_ascii_digits(tmp_path, entry):
    csv = tmp_path / "t.csv"
    csv.write_text(f"0,1\n0,{entry}\n", encoding="utf-8")
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps([[0, 1], [0, entry]]), encoding="utf-8")
    row = tmp_path / "row.json"
    row.write_text(
        json.dumps(["0" * len(entry), entry if entry != "01" else "+1"]), encoding="utf-8"
    )
    array = tmp_path / "t.npy"
    np.save(array, np.array([["0", "1"], ["0", entry]]))
    for path in (csv, listed, row, array):
        with pytest.raises(UnreadableInputError, match="expected 0, 1 or"):
            read_table(path)


@pytest.mark.parametrize("entry", ["Infinity", "1e400", "1e-400", "0.5", "9" * 5000, "-1", "10"])
def test_json_tables_hold_no_other_numbers(tmp_path, entry):
    path = tmp_path / "t.json"
    path.write_text(f"[[0, 1], [0, {entry}]]", encoding="utf-8")
    with pytest.raises(UnreadableInputError):
        read_table(path)


@every("text", [t for t in NO_NUMBERS if len(t) < 5000])
def test_certificates_hold_no_other_fractions(text):
    assert not reader._FRACTION.fullmatch(text)


def test_long_places_of_steps_are_refused_in_one_line():
    long = 10**5000
    for make in (
        lambda: StepFunction.from_steps({0: 0, long: "x"}, long),
        lambda: StepFunction.from_steps({0: 0, long: 1}, long - 1),
        lambda: StepFunction.from_steps({0: 0, "1": 1}, 2),
        lambda: StepFunction.from_steps({0: 0}, long)(-1),
    ):
        with pytest.raises(DomainError):
            make()
    assert StepFunction.from_steps({0: 0, long: 1}, long).starts == (0, long)
