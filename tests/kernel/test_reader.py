"""Readers: each accepts exactly the values that the documentation specifies."""

import re
from fractions import Fraction

import pytest

from ccsim.kernel import reader
from ccsim.kernel.reader import LARGE, MAX_DIGITS, Matrix, Rejected
from tests.kernel.made import concept_class, problem

NINES = "9" * MAX_DIGITS
ODD = (None, True, False, 0.5, "", "x", [], {}, "0.5", "1e3", " 1", "1 ", "+1", "٣", "1\n", [1])


def rejects(read, *values):
    for value in values:
        with pytest.raises(Rejected):
            read(value)


# --- Numbers -----------------------------------------------------------------------------------


def test_integers_are_texts_from_2_to_the_53_on():
    for value in (0, 1, LARGE - 1):
        assert reader.integer(value) == value
    for value in (LARGE, 10**100, int(NINES)):
        assert reader.integer(str(value)) == value
        assert reader.integer(str(-value), None) == -value
        rejects(reader.integer, value, -value, f"0{value}", f"+{value}", f" {value}", f"{value}.0")
    assert reader.integer(1 - LARGE, None) == 1 - LARGE
    rejects(reader.integer, *ODD, -1, "7", str(LARGE - 1), f"-{LARGE}", "9" + NINES, 1.0)
    rejects(lambda value: reader.integer(value, 1), 0)
    rejects(lambda value: reader.integer(value, None), f"-{LARGE - 1}", "-9" + NINES)


def test_indices_lie_below_their_bound():
    assert [reader.index(i, 3) for i in range(3)] == [0, 1, 2]
    rejects(lambda value: reader.index(value, 3), *ODD, 3, -1, "0", 10**30)
    rejects(lambda value: reader.index(value, 0), 0)


def test_distinct_indices_with_a_length_are_a_permutation():
    assert reader.distinct([2, 0, 1], 3, 3) == [2, 0, 1]
    assert reader.distinct([2], 3) == [2]
    assert reader.distinct([], 3) == []
    rejects(lambda value: reader.distinct(value, 3, 3), *ODD, [0, 1], [0, 1, 1], [0, 1, 3])
    rejects(lambda value: reader.distinct(value, 3), [0, 0], [-1], [True])


def test_fractions_stand_in_lowest_terms():
    for text, value in (("0", 0), ("-3", -3), ("1/2", Fraction(1, 2)), ("-7/3", Fraction(-7, 3))):
        assert reader.fraction(text) == value
    assert reader.fraction(f"1/{NINES}") == Fraction(1, int(NINES))
    rejects(reader.fraction, *ODD, 1, 0, "2/4", "1/1", "0/1", "-0", "01", "1/02", "1/0", "1/-2")
    rejects(reader.fraction, "1/2/3", "/2", "1/", "1 / 2", f"1/{NINES}9", f"{NINES}9", "½")


def test_probabilities_lie_between_0_and_1():
    assert [reader.fraction(p, 1) for p in ("0", "1/3", "1")] == [0, Fraction(1, 3), 1]
    rejects(lambda value: reader.fraction(value, 1), "-1/3", "4/3", "2", 0, 1)


def test_laws_are_weights_that_are_not_all_0():
    assert reader.law([0, 2, str(LARGE)], 3) == [0, 2, LARGE]
    rejects(lambda value: reader.law(value, 2), *ODD, [0, 0], [1], [1, 2, 3], [1, -1], [1, True])
    rejects(lambda value: reader.law(value, 2), ["1", 1], ["1/2", "1/2"], [1, LARGE])
    rejects(lambda value: reader.law(value, None), [], [0])


# --- Texts, lists and objects --------------------------------------------------------------------


def test_text_rows_have_a_character_for_each_column():
    assert reader.text("0110", 4) == "0110"
    assert reader.text("0*10", 4, "01*") == "0*10"
    assert reader.subset("0110", 4) == 0b0110
    assert reader.subset("", 0) == 0
    assert list(reader.members(reader.subset("10110", 5))) == [0, 2, 3]
    rejects(lambda value: reader.text(value, 2), *ODD, "0", "011", "0*", "0２", 10, ["0", "1"])


def test_objects_have_exactly_their_keys():
    assert reader.fields({"b": 1, "a": 2}, "a", "b") == [2, 1]
    assert reader.fields({}) == []
    with pytest.raises(Rejected, match="key 'b' is missing"):
        reader.fields({"a": 1}, "a", "b")
    with pytest.raises(Rejected, match="unknown key 'c'"):
        reader.fields({"a": 1, "c": 2}, "a")
    rejects(lambda value: reader.fields(value, "a"), *ODD)


def test_lists_have_their_length():
    assert reader.entries([1, 2], 2) == [1, 2]
    assert reader.entries([]) == []
    rejects(lambda value: reader.entries(value, 2), None, {}, "01", [1], [1, 2, 3])


def test_choices_are_among_the_names():
    assert reader.choice("a", ("a", "b")) == "a"
    rejects(lambda value: reader.choice(value, ("a", "b")), None, [], {}, "", "c", "ab")


# --- Instances ---------------------------------------------------------------------------------


def test_matrix_knows_its_ones_by_row_and_column():
    F = Matrix.read(problem("01*", "110"), "communication problem")
    assert (F.rows, F.columns, F.defined) == ([0b010, 0b011], [0b10, 0b11, 0b00], [0b011, 0b111])
    assert F.cell([0, 1]) == (0, 1)
    rejects(F.cell, [0, 2], [2, 0], [0, 3], [0], 0, [0, 0, 0], [True, 0])
    assert F.title.startswith("a 2 x 3 communication problem, sha256 ")


def test_class_may_be_empty():
    for rows, width in (((), 0), ((), 2), (("",), 0)):
        C = Matrix.read(concept_class(*rows, width=width), "concept class")
        assert (len(C.rows), C.width, C.columns) == (len(rows), width, [0] * width)


C = concept_class("01", "11")
F = problem("0*", "*1")


@pytest.mark.parametrize(
    ("instance", "place"),
    [
        (C | {"rows": ["01", "01"]}, "certificate: a concept occurs twice"),
        (C | {"rows": ["01"]}, "rows: must have 2 entries"),
        (C | {"rows": ["01", "1"]}, r"rows\[1\]: .* text of 2 characters from '01', not '1'"),
        (C | {"rows": ["01", "1*"]}, r"rows\[1\]: .* text of 2 characters from '01', not '1\*'"),
        (C | {"rows": "0111"}, "rows: must be a list"),
        (C | {"points": [0, 0]}, "points: a label occurs twice"),
        (C | {"points": [0, None]}, "points: must be a text of at most 65536 characters, not null"),
        (C | {"points": [0, True]}, "points: must be a text of at most 65536 characters, not true"),
        (C | {"points": "01"}, "points: must be a list"),
        (C | {"name": None}, "name: must be a text of at most 65536 characters"),
        (C | {"type": "class"}, "certificate: key 'alice' is missing"),
        (C | {"alice": []}, "certificate: unknown key 'alice'"),
        (F, "type: must be concept class, not 'communication problem'"),
        ([], "certificate: must be an object, not a list"),
    ],
)
def test_class_that_is_none_is_rejected(instance, place):
    with pytest.raises(Rejected, match=f"^{place}"):
        Matrix.read(instance, "concept class")


@pytest.mark.parametrize(
    ("instance", "place"),
    [
        (F | {"rows": ["**", "**"]}, "certificate: at least one entry must lie inside"),
        (F | {"rows": ["0?", "*1"]}, r"rows\[0\]: must be a text of 2 characters from '01\*'"),
        (F | {"alice": [1]}, "rows: must have 1 entry, not 2"),
        (F | {"bob": [1]}, r"rows\[0\]: must be a text of 1 characters"),
        (C, "type: must be communication problem"),
    ],
)
def test_problem_that_is_none_is_rejected(instance, place):
    with pytest.raises(Rejected, match=f"^{place}"):
        Matrix.read(instance, "communication problem")


# --- Rejections --------------------------------------------------------------------------------


def test_rejection_names_place_rule_and_value():
    def deep(value):
        return reader.inside(
            "a", reader.each, lambda v: reader.inside("b", reader.index, v, 2), value
        )

    with pytest.raises(Rejected, match=r"^a\[1\]\.b: must be an index below 2, not 'x{1}'$"):
        deep([0, "x"])


def test_place_that_is_long_is_abridged():
    error = Rejected("is wrong")
    error.place = [i % 7 for i in range(2000)]
    assert re.fullmatch(r"[][0-6]{50}\.\.\.[][0-6]{50}: is wrong", str(error))


def test_values_are_shown_in_a_few_words():
    deep = []
    for _ in range(10**5):
        deep = [deep]
    shown = {reader.show(v) for v in (deep, {"a": deep}, None, True, False)}
    assert shown == {"a list", "an object", "null", "true", "false"}
    assert reader.show("\x1b") == "'\\x1b'"
    assert reader.show("n" * 61) == "'" + "n" * 60 + "'... of 61 characters"
    assert reader.show(10**4300) == "a number of 14285 bits"
    assert reader.show(Fraction(1, 3)) == "1/3"
    assert len(str(Rejected("is {}", 10**3999))) < 4100
