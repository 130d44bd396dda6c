"""The framework of proofs and the four rules, on quantities defined for these tests."""

# ruff: noqa: S311 - seeds, not secrets

import random
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Annotated

import pytest

from ccsim.kernel import KINDS, check, reader, rules
from ccsim.kernel.reader import Class, Matrix, Natural, Number, Rejected
from ccsim.kernel.rules import WORK, Quantity, Symmetry, Work
from tests.kernel.made import concept_class, problem, representation


@pytest.fixture(autouse=True)
def work():
    token = WORK.set(Work())
    yield
    WORK.reset(token)


@pytest.fixture
def kinds(monkeypatch):
    """Let a test define kinds, which the kernel forgets afterwards."""
    known = set(Quantity.kinds)
    for kind in ("sized", "points"):
        monkeypatch.setitem(KINDS, kind, "reader")
    yield Quantity.kinds
    for kind in set(Quantity.kinds) - known:
        del Quantity.kinds[kind]


def altered(**changes):
    return representation() | changes


def stating(**changes):
    return altered(statement=representation()["statement"] | changes)


# --- Envelope ----------------------------------------------------------------------------------


def test_bounds_are_said():
    assert check(representation()).endswith(": exactly 1/2")
    assert check(stating(lower=None) | {"lower": None}).endswith(": at most 1/2")
    assert check(stating(upper=None) | {"upper": None}).endswith(": at least 1/2")


@pytest.mark.parametrize("version", [1, 3, 2.0, "2", True, None, [2]])
def test_format_is_2(version):
    with pytest.raises(Rejected, match=r"^certificate: format must be 2"):
        check(altered(format=version))


@pytest.mark.parametrize("kind", ["", "vc", None, [], {}, 2])
def test_kind_is_known(kind):
    with pytest.raises(Rejected, match=r"^kind: must be "):
        check(altered(kind=kind))


@pytest.mark.parametrize("value", [None, True, 0, 0.5, "{}", [], [None], [[]], {}, float("nan")])
def test_what_is_no_certificate_is_rejected(value):
    with pytest.raises(Rejected):
        check(value)


@pytest.mark.parametrize("key", ["format", "kind", "instance", "statement", "lower", "upper"])
def test_no_key_is_missing_and_none_is_added(key):
    made = representation()
    del made[key]
    with pytest.raises(Rejected, match=f"^certificate: key '{key}' is missing"):
        check(made)
    with pytest.raises(Rejected, match=r"^certificate: unknown key 'format2'"):
        check(altered(format2=2))


def test_made_by_is_anything():
    for value in (None, [], {"a": [1]}, 3, "x"):
        assert check(altered(made_by=value)) == check(representation())


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_bound_is_null_exactly_when_its_proof_is(side):
    rule = f"^certificate: the {side} bound must be null exactly if its proof is null"
    with pytest.raises(Rejected, match=rule):
        check(altered(**{side: None}))
    with pytest.raises(Rejected, match=rule):
        check(stating(**{side: None}))


def test_some_bound_is_claimed():
    with pytest.raises(Rejected, match="the lower and the upper bound must not both be null"):
        check(stating(lower=None, upper=None) | {"lower": None, "upper": None})


@pytest.mark.parametrize("side", ["lower", "upper"])
@pytest.mark.parametrize("bound", ["1/3", "49/100", "51/100", "1", "0"])
def test_stated_bound_is_the_one_that_is_proved(side, bound):
    with pytest.raises(Rejected, match=f"^{side}: the bound that is proved is 1/2, not the stated"):
        check(stating(**{side: bound}))


@pytest.mark.parametrize("bound", [0, 1, 0.5, "2/4", "x", [], {}, True])
def test_stated_bound_is_a_fraction(bound):
    with pytest.raises(Rejected, match=r"^statement.lower: must be "):
        check(stating(lower=bound))


@pytest.mark.parametrize(
    "proof",
    [
        {},
        [],
        "mixtures",
        0,
        {"x": {}},
        {"mixtures": {}},
        {"hard_distribution": {}, "x": {}},
        {"": 0},
    ],
)
def test_proof_is_an_object_with_one_form_of_its_side(proof):
    with pytest.raises(
        Rejected, match=r"^lower: must be an object with one of the keys hard_distrib"
    ):
        check(altered(lower=proof))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"concept": 0}, "key 'distribution' is missing"),
        ({"concept": 0, "distribution": [1, 1, 1], "x": 0}, "unknown key 'x'"),
        ([0, [1, 1, 1]], "must be an object"),
        (None, "must be an object"),
    ],
)
def test_form_has_exactly_its_fields(data, reason):
    with pytest.raises(Rejected, match=f"^lower.hard_distribution: {reason}"):
        check(altered(lower={"hard_distribution": data}))


def test_fields_of_the_statement_are_exactly_those_of_the_kind():
    with pytest.raises(Rejected, match=r"^statement: unknown key 'error'"):
        check(stating(error="0"))
    made = representation()
    del made["statement"]["hypotheses"]
    with pytest.raises(Rejected, match=r"^statement: key 'hypotheses' is missing"):
        check(made)


# --- Lists -------------------------------------------------------------------------------------


def test_all_certificates_of_a_list_are_checked():
    said = check([representation(), altered(instance=None)])
    assert said == "\n".join([check(representation())] * 2)
    bad = stating(lower="1/3")
    for i in range(3):
        listed = [representation() for _ in range(3)]
        listed[i] = bad
        with pytest.raises(Rejected, match=rf"^\[{i}\]\.lower: the bound"):
            check(listed)


def test_null_instance_is_the_first_one():
    weights = [[1, 1], [1, 1], [1, 0], [1, 1]]
    other = altered(
        instance=concept_class("100", "110", "111", "001"), upper={"mixtures": {"weights": weights}}
    )
    assert check(other) != check(representation())
    assert check([other, other | {"instance": None}]) == "\n".join([check(other)] * 2)
    with pytest.raises(Rejected, match=r"^\[1\]\.upper: the bound that is proved is 1,"):
        check([other, altered(instance=None)])
    with pytest.raises(Rejected, match=r"^\[0\]\.instance: must be an object, not null"):
        check([altered(instance=None), representation()])
    with pytest.raises(Rejected, match=r"^instance: must be an object, not null"):
        check(altered(instance=None))
    with pytest.raises(Rejected, match=r"^\[1\]: must be an object"):
        check([representation(), [representation()]])


# --- A kind ------------------------------------------------------------------------------------


def test_kind_is_a_class_and_a_form_a_method(kinds):
    class Points(Quantity, kind="points"):
        instance: Class
        more: Natural
        number = staticmethod(lambda value, it: reader.integer(value))

        @rules.least
        def counted(self, extra: Natural) -> int:
            return self.instance.width + self.more + extra

        @rules.most
        def trivial(self) -> int:
            return 10

        def helper(self) -> int:
            return 3

    made = altered(kind="points", statement={"more": 2, "lower": 6, "upper": 10})
    made |= {"lower": {"counted": {"extra": 1}}, "upper": {"trivial": {}}}
    assert Points.forms["lower"].keys() == {"counted"}
    assert check(made).endswith(", more 2: between 6 and 10")
    assert Points.of(instance=None).proved("upper", {"trivial": {}}) == 10
    for lower in ({"trivial": {}}, {"helper": {}}, {"counted": {"extra": -1}}, {"counted": {}}):
        with pytest.raises(Rejected, match=r"^lower"):
            check(made | {"lower": lower})
    with pytest.raises(Rejected, match=r"lower bound 12 is above upper bound 10"):
        check(
            made
            | {"statement": {"more": 2, "lower": 12, "upper": 10}}
            | {"lower": {"counted": {"extra": 7}}}
        )
    assert kinds["points"] is Points


def test_reader_knows_what_was_read_before(kinds):
    class Sized(Quantity, kind="sized"):
        instance: Class
        size: Natural
        entries: Annotated[list, lambda value, it: reader.entries(value, it.size)]

        @rules.most
        def sums(self, factor: Number) -> Fraction:
            return factor * sum(self.entries)

    made = altered(kind="sized", lower=None, upper={"sums": {"factor": "1/2"}})
    made["statement"] = {"size": 2, "entries": [3, 4], "lower": None, "upper": "7/2"}
    assert check(made).endswith("at most 7/2")
    made["statement"]["size"] = 3
    with pytest.raises(Rejected, match=r"^statement.entries: must have 3 entries, not 2"):
        check(made)
    assert kinds["sized"] is Sized


# --- Work --------------------------------------------------------------------------------------


def test_work_above_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr(rules, "MAX_WORK", 100)
    WORK.set(Work(left=100))
    rules.spend(60)
    rules.spend(40)
    with pytest.raises(Rejected, match="takes more than 100 steps to check"):
        rules.spend(1)


def test_work_of_all_certificates_of_a_file_is_added(monkeypatch):
    class Tight(Work):
        def __init__(self, tell=None):
            super().__init__(left=800, tell=tell)

    monkeypatch.setattr("ccsim.kernel.Work", Tight)
    assert check(representation())
    with pytest.raises(Rejected, match="steps to check"):
        check([representation()] * 50)


def test_caller_is_told_of_work_and_may_end_it():
    told = []
    check(representation(), lambda: told.append(1))
    assert told

    def stop():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        check(representation(), stop)
    assert check(representation())


# --- Rule 1: mixture ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_mixture_is_the_weight_of_the_sets_at_each_position(seed):
    rng = random.Random(seed)
    width, number = rng.randint(0, 9), rng.randint(0, 6)
    sets = [rng.getrandbits(width) if width else 0 for _ in range(number)]
    weights = [rng.choice((0, 1, 5, 10**30)) for _ in sets]
    expected = [
        sum(w for w, s in zip(weights, sets, strict=True) if s >> i & 1) for i in range(width)
    ]
    assert rules.mixture(weights, sets, width) == expected


def test_mixture_has_a_weight_for_each_set():
    with pytest.raises(ValueError, match="longer"):
        rules.mixture([1], [1, 1], 1)


# --- Rule 2: cases -----------------------------------------------------------------------------


def binary(depth):
    """Return a function that splits cases, words of bits, up to a given length."""

    def split(node, word):
        reader.require(node in ("split", "close"), "must be a node, not {}", node)
        if node == "close":
            reader.require(len(word) == depth, "word {} is open", word)
            return []
        return [word + "0", word + "1"]

    return split


def test_cases_are_taken_in_preorder():
    taken = []

    def split(node, word):
        taken.append((node, word))
        return [word + "0", word + "1"] if node == "s" else []

    rules.cases("scscc", "", split)
    assert taken == [("s", ""), ("c", "0"), ("s", "1"), ("c", "10"), ("c", "11")]


@pytest.mark.parametrize("length", range(8))
def test_exactly_the_full_tree_closes_all_words(length):
    full = ("split", "split", "close", "close", "split", "close", "close")
    for nodes in product(("split", "close"), repeat=length):
        if nodes == full:
            rules.cases(nodes, "", binary(2))
        else:
            with pytest.raises(Rejected):
                rules.cases(nodes, "", binary(2))


def test_faults_of_cases_have_their_place():
    with pytest.raises(Rejected, match=r"^certificate: the tree is incomplete: 1 cases"):
        rules.cases([], "", binary(0))
    with pytest.raises(Rejected, match=r"^certificate: node 1 is superfluous"):
        rules.cases(["close", "close"], "", binary(0))
    with pytest.raises(Rejected, match=r"^\[2\]: must be a node, not 'x'"):
        rules.cases(["split", "close", "x"], "", binary(1))


# --- Rule 3: table -----------------------------------------------------------------------------


def test_entries_know_the_earlier_ones_alone():
    def sums(entry, earlier):
        return 1 + sum(earlier[reader.index(i, len(earlier))] for i in entry)

    assert rules.table([[], [0], [0, 1]], sums) == [1, 2, 4]
    for entries in ([[0]], [[], [1]], [[], [2], []], [[], [-1]]):
        with pytest.raises(Rejected, match=r"must be an index below"):
            rules.table(entries, sums)


# --- Rule 4: symmetry --------------------------------------------------------------------------


def matrix(*rows):
    return Matrix.read(problem(*rows), "communication problem")


@pytest.mark.parametrize("rows", [("01", "10"), ("0*", "*1"), ("01", "11"), ("00", "11")])
def test_symmetry_is_accepted_iff_it_moves_every_entry_to_an_equal_one(rows):
    F = matrix(*rows)
    moved = {"0": "1", "1": "0", "*": "*"}
    accepted = 0
    for sigma, tau, flips in product(([0, 1], [1, 0]), ([0, 1], [1, 0]), ("00", "01", "10", "11")):
        value = {"rows": sigma, "columns": tau, "flips": flips}
        right = all(
            rows[sigma[x]][tau[y]] == (moved[rows[x][y]] if flips[y] == "1" else rows[x][y])
            for x in range(2)
            for y in range(2)
        )
        if right:
            found = Symmetry.read(value, F)
            assert found.cell((0, 1)) == (sigma[0], tau[1])
            assert found.flips == sum(1 << y for y in range(2) if flips[y] == "1")
            accepted += 1
        else:
            with pytest.raises(Rejected):
                Symmetry.read(value, F)
    assert accepted in range(1, 16)


GOOD = {"rows": [1, 0], "columns": [1, 0], "flips": "00"}


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [0, 0]},
        {"rows": [0]},
        {"rows": [0, 1, 2]},
        {"rows": [0, 2]},
        {"columns": [1, 1]},
        {"columns": "10"},
        {"flips": "0"},
        {"flips": "0*"},
        {"flips": [0, 0]},
        {"more": 0},
    ],
    ids=str,
)
def test_symmetry_of_another_shape_is_rejected(change):
    F = matrix("01", "10")
    assert Symmetry.read(GOOD, F)
    with pytest.raises(Rejected):
        Symmetry.read(GOOD | change, F)


def test_orbit_is_that_of_the_group():
    moves = [lambda t: (t[1], t[0], *t[2:]), lambda t: (*t[1:], t[0])]
    assert len(rules.orbit((0, 1, 2, 3), moves)) == factorial(4)
    assert rules.orbit((0, 0, 1, 1), moves)[0] == (0, 0, 1, 1)
    assert len(rules.orbit((0, 0, 1, 1), moves)) == 6
    assert rules.orbit(5, []) == [5]


def test_orbit_counts_its_work():
    WORK.set(Work(left=10**4))
    with pytest.raises(Rejected, match="steps"):
        rules.orbit(0, [lambda i: (i + 1) % 10**6])
