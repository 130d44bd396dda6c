"""Stars, teaching sets, plans and clash-free teachers: values, proofs, limits."""

from dataclasses import replace
from itertools import count, product

import pytest

from ccsim import (
    CertificateError,
    InstanceTooLargeError,
    all_functions,
    equality,
    intervals,
    no_clash_teaching_dimension,
    points,
    random_class,
    recursive_teaching_dimension,
    star_number,
    teaching_dimension,
    thresholds,
    vc_dimension,
)
from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes import ConceptClass
from ccsim.dimensions.teaching import singling, star
from ccsim.dimensions.teaching.no_clash import Assignments
from ccsim.dimensions.teaching.singling import (
    _NativeSingling,
    _PlainSingling,
    differences,
    first_hitting_set,
    hitting_set,
)
from ccsim.dimensions.teaching.star import _NativeStars, _PlainStars
from ccsim.native import engine
from tests.small_classes import (
    EMPTY,
    NO_POINTS,
    NOTHING,
    ONE,
    all_classes,
    bare,
    random_classes,
    rows_of,
)
from tests.truth.teaching import largest_star, least_no_clash, least_plan, least_teaching

QUESTIONS = {
    "star": (star_number, largest_star),
    "teaching": (teaching_dimension, least_teaching),
    "recursive": (recursive_teaching_dimension, least_plan),
    "no clash": (no_clash_teaching_dimension, least_no_clash),
}
WARMUTH = [0b00011, 0b00110, 0b01100, 0b11000, 0b10001, 0b01011, 0b10110, 0b01101, 0b11010, 0b10101]
"""The smallest class whose recursive teaching dimension, 3, is above its VC dimension, 2."""


def proved(question, C):
    result = question(C)
    result.check()
    return result.value


@pytest.mark.parametrize("name", QUESTIONS)
def test_all_classes_on_three_points(name):
    question, truth = QUESTIONS[name]
    for C in all_classes(3):
        assert proved(question, C) == truth(rows_of(C), 3), C.rows


@pytest.mark.parametrize("name", QUESTIONS)
def test_random_classes(name):
    question, truth = QUESTIONS[name]
    few = 5 if name == "no clash" else 8
    for C in random_classes(40, seed=7, most=few, max_points=4 if name == "no clash" else 6):
        assert proved(question, C) == truth(rows_of(C), len(C.points)), C.rows


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize(
    ("C", "value"), [(EMPTY, -1), (NOTHING, -1), (NO_POINTS, 0), (ONE, 0)], ids=str
)
def test_classes_with_nothing_to_teach(name, C, value):
    assert proved(QUESTIONS[name][0], C) == value


@pytest.mark.parametrize("n", range(1, 6))
def test_all_functions(n):
    C = all_functions(n)
    found = [proved(question, C) for question, _ in QUESTIONS.values()]
    assert found == [n, n, n, (n + 1) // 2]  # the last: Kirkpatrick, Simon, Zilles 2019


def test_one_plan_may_be_longer_than_the_vc_dimension():
    """The class is Warmuth's (in Doliwa, Fan, Simon, Zilles 2014)."""
    C = bare(WARMUTH, 5)
    assert vc_dimension(C).value == 2
    assert proved(recursive_teaching_dimension, C) == 3
    assert proved(no_clash_teaching_dimension, C) == 2


def test_larger_classes():
    assert proved(star_number, thresholds(5)) == 2
    assert proved(star_number, points(4)) == 15
    assert proved(teaching_dimension, intervals(12)) == 12
    assert proved(recursive_teaching_dimension, intervals(12)) == 2
    C = random_class(60, 12, seed=3)
    values = [proved(question, C) for question in (star_number, teaching_dimension)]
    assert values[0] >= values[1]  # a smallest teaching set is a star
    assert proved(recursive_teaching_dimension, C) <= values[1]


def test_orders_between_the_dimensions():
    for C in random_classes(30, seed=11, most=16, max_points=5):
        star, taught, plan, no_clash = (question(C).value for question, _ in QUESTIONS.values())
        assert no_clash <= plan <= taught <= star
        assert plan >= 1 or len(C) == 1


def test_a_teacher_for_a_class_teaches_its_subclasses():
    for C in random_classes(15, seed=5, most=16, max_points=5):
        whole = no_clash_teaching_dimension(C).value
        smaller = ConceptClass.from_rows(C.rows[1:], C.points)
        assert no_clash_teaching_dimension(smaller).value <= whole


@pytest.mark.parametrize("name", QUESTIONS)
def test_limits_and_forms(name):
    question, _ = QUESTIONS[name]
    assert question("thresholds:b=2") == question(thresholds(2))
    assert question(equality(3)).value == question([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).value
    told = []
    C = bare(WARMUTH, 5)
    value = question(C, progress=lambda *bounds: told.append(bounds)).value
    assert told
    assert all(lower <= value <= upper for lower, upper in told)
    for looks in range(0, 60, 3):
        result = question(C, time_limit=Budget(looks, clock=iter(range(10**6)).__next__))
        assert result.lower <= value <= result.upper
        result.check()


def test_too_large():
    with pytest.raises(InstanceTooLargeError, match="2048 points; the limit of the search is 600"):
        star_number(points(11))
    with pytest.raises(InstanceTooLargeError, match="sets of 6 of 30 points; the limit is 20000"):
        Assignments([], 30, 6)
    pairs = [3 << 2 * i for i in range(700)]
    assert hitting_set(pairs, 699, Budget()) is None
    with pytest.raises(InstanceTooLargeError, match="teaching sets may need 700 points"):
        hitting_set(pairs, 700, Budget())


def test_what_a_greedy_set_holds_is_needed():
    sets = differences(0, [0b011, 0b110, 0b101, 0b111])
    found = first_hitting_set(sets, Budget())
    assert all(each & found for each in sets)
    assert all(
        any(not each & (found ^ 1 << x) for each in sets) for x in range(3) if found >> x & 1
    )


@pytest.mark.skipif(engine() is None, reason="there is no engine in C")
def test_both_searches_single_out_alike(monkeypatch):
    monkeypatch.setattr(singling, "SLICE", 1)  # the search pauses at every step
    for C in (*random_classes(40, seed=3, most=20, max_points=9), random_class(40, 70, seed=1)):
        in_c, plain = _NativeSingling(C), _PlainSingling(C.rows)
        width, concepts = len(C.points), range(len(C))
        for c, some in product(concepts, (bytes([1]) * len(C), bytes(i % 2 for i in concepts))):
            others = [row for row, is_among in zip(C.rows, some, strict=True) if is_among]
            for size in range(min(width, 5) + 1):
                found = [search.within(c, some, size, Budget()) for search in (in_c, plain)]
                assert (found[0] is None) == (found[1] is None)
                for each in (*found, in_c.greedy(c, some, Budget())):
                    alike = [row for row in others if not (row ^ C.rows[c]) & (each or 0)]
                    assert each is None or set(alike) <= {C.rows[c]}
                assert found[0] is None or found[0].bit_count() <= size


@pytest.mark.skipif(engine() is None, reason="there is no engine in C")
def test_both_searches_find_stars_alike(monkeypatch):
    monkeypatch.setattr(star, "SLICE", 1)
    for C in (*random_classes(40, seed=5, most=30, max_points=8), random_class(70, 12, seed=1)):
        searches = _NativeStars(C), _PlainStars(C)
        for size in range(1, min(len(C.points), len(C)) + 1):
            found = [search.of_size(size, Budget()) for search in searches]
            assert (found[0] is None) == (found[1] is None)
            for centre, chosen in filter(None, found):
                apart = {(row ^ C.rows[centre]) & chosen for row in C.rows}
                assert len(apart & {1 << x for x in range(len(C.points))}) == size
                assert chosen.bit_count() == size
    with pytest.raises(OutOfWorkError):
        searches[0].of_size(12, Budget().share(work=1))


def test_stars_of_random_classes_are_bounded_from_above():
    assert proved(star_number, random_class(60, 20, seed=0)) == 8
    looks = 300 if engine() is not None else 100000  # one for many sets of points in C
    stopped = star_number(
        random_class(200, 40, seed=0), time_limit=Budget(looks, clock=count().__next__)
    )
    stopped.check()
    assert 9 <= stopped.lower <= 11 <= stopped.upper <= 25


def test_awkward_classes():
    C = random_class(200, 40, seed=0)
    assert proved(teaching_dimension, C) == 5
    assert proved(recursive_teaching_dimension, C) == 4
    stopped = no_clash_teaching_dimension(C, time_limit=Budget(900, clock=count().__next__))
    assert stopped.lower < stopped.upper
    stopped.check()


def refused(result, message, **altered):
    with pytest.raises(CertificateError, match=message):
        replace(result, **altered).check()


def test_altered_stars_are_refused():
    result = star_number(thresholds(2))
    refused(result, "there is a star of 2", upper=1, lower=1, points=(0,), neighbours=(0,))
    refused(result, "neighbour 3 must differ only on column 0", neighbours=(3, 2))
    refused(result, "the bound that is proved is 2, not the stated 3", lower=3, upper=3)


def test_altered_teaching_sets_are_refused():
    result = teaching_dimension(thresholds(2))
    refused(
        result,
        "the columns must single out the row; 2 rows have its labels",
        sets=((1,), *result.sets[1:]),
    )
    refused(result, "fewer than 2 columns single out the row", hardest=0)
    refused(result, "fewer than 3 columns single out the row", lower=3, upper=3)


def test_altered_plans_are_refused():
    result = recursive_teaching_dimension(thresholds(2))
    refused(
        result,
        "the columns must single out the row; 3 rows have its labels",
        order=result.order[::-1],
    )
    refused(result, "fewer than 1 columns single out the row", subclass=result.subclass[:1])
    refused(result, "every row must be given a set", order=result.order[1:])


def test_altered_teachers_are_refused():
    result = no_clash_teaching_dimension(bare([0b00, 0b01, 0b10, 0b11], 2))
    refused(result, "rows 0 and 2 must differ on a column of their sets", sets=((0,),) * 4)
    C = bare(WARMUTH, 5)
    result = no_clash_teaching_dimension(C)
    result.check()
    assert result.bound.form == "cases"
    cut = replace(result.bound, pairs=result.bound.pairs[:-1])
    refused(result, "1 cases have no node", bound=cut)
    more = replace(result.bound, pairs=(*result.bound.pairs, (0, 1)))
    refused(result, "is superfluous: all cases are closed", bound=more)
