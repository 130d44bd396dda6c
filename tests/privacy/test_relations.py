"""Relations of neighbouring databases: enumerated by definition, audited, and certified."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest

from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import Distribution
from ccsim.kernel import Rejected, check
from ccsim.privacy import (
    AddRemoveNeighbours,
    FunctionMechanism,
    GraphNeighbours,
    KeyNeighbours,
    LabelNeighbours,
    OwnNeighbours,
    ReplaceNeighbours,
    Verdict,
    audit,
    privacy_curve,
    renyi_privacy,
)
from ccsim.privacy.changes import MAX_PAIRS, Change, Rule
from tests.cases import every
from tests.truth import is_true

F = Fraction
POINTS = (("x", 0), ("x", 1), ("y", 0))
RELATIONS = [
    ReplaceNeighbours(2, least=0),
    ReplaceNeighbours(2),
    AddRemoveNeighbours(2),
    AddRemoveNeighbours(2, least=1),
    LabelNeighbours(2, least=0),
    LabelNeighbours(2),
    KeyNeighbours(2, key=0),
    KeyNeighbours(2, key=0, least=1),
    KeyNeighbours(2, key=lambda record: record[1], change="remove"),
    KeyNeighbours(2, key=0, least=2),
]


def sequences(values, least, most):
    """Return all sequences of records, given by their numbers."""
    return [D for m in range(least, most + 1) for D in product(range(values), repeat=m)]


def differ(D, E, change, groups):
    """Whether two sequences are neighbours, by definition and in this order."""
    if D == E:
        return False
    if change == "replace one":
        return len(D) == len(E) and any(
            D[:i] + D[i + 1 :] == E[:i] + E[i + 1 :] and groups[D[i]] == groups[E[i]]
            for i in range(len(D))
        )
    if change == "add or remove one":
        return any(E[:i] + E[i + 1 :] == D for i in range(len(E)))
    for key in set(groups):
        rests = [[r for r in database if groups[r] != key] for database in (D, E)]
        if rests[0] == rests[1] and (change == "replace key" or list(D) == rests[0]):
            return True
    return False


def by_definition(rule):
    """Return the pairs of neighbours, as sets of two databases; multisets by all their orders."""
    every = sequences(len(rule.groups), rule.least, rule.most)
    found = (
        (D, E) for D, E in product(every, repeat=2) if differ(D, E, str(rule.change), rule.groups)
    )
    if not rule.symmetric:
        return {frozenset(pair) for pair in found}
    sorted_pairs = {frozenset(tuple(sorted(D)) for D in pair) for pair in found}
    return {pair for pair in sorted_pairs if len(pair) == 2}


RULES = [
    Rule(change, least, most, groups, symmetric)
    for change in Change
    for least, most in ((0, 1), (0, 2), (1, 2), (2, 2), (0, 3), (3, 3), (1, 3))
    for groups in ((0,), (0, 0), (0, 1), (0, 1, 0), (0, 0, 0), (0, 1, 2))
    for symmetric in (False, True)
]


@every("rule", RULES)
def test_pairs_and_their_number_are_those_of_the_definition(rule):
    expected = by_definition(rule)
    found = [
        frozenset(tuple(sorted(D)) if rule.symmetric else D for D in pair) for pair in rule.pairs()
    ]
    assert len(found) == len(set(found)) == rule.count()
    assert set(found) == expected
    every = list(rule.databases())
    assert len(set(every)) == len(every)
    for D, E in combinations(every, 2):
        assert rule.are_neighbours(D, E) == rule.are_neighbours(E, D) == ({D, E} in expected)
    assert not any(rule.are_neighbours(D, D) for D in every)


@pytest.mark.parametrize("most", [4, 5])
def test_number_of_pairs_that_agree_outside_of_two_keys(most):
    for groups in ((0, 1), (0, 1, 1), (0, 1, 2)):
        rule = Rule(Change.REPLACE_KEY, 0, most, groups, symmetric=False)
        assert rule.count() == len({frozenset(pair) for pair in rule.pairs()})
        assert rule.count() == sum(1 for _ in rule.pairs())


# --- Random mechanisms -------------------------------------------------------------------------


def random_mechanism(rng, records, most, *, symmetric):
    """Return a mechanism with a random distribution on each database of at most some records."""
    table = {}
    for D in sequences(len(records), 0, most):
        database = tuple(records[i] for i in (sorted(D) if symmetric else D))
        if database not in table:
            weights = [rng.randint(0, 3) for _ in range(3)]
            weights[rng.randrange(3)] += 1
            table[database] = {o: F(w, sum(weights)) for o, w in enumerate(weights)}
    return FunctionMechanism(records, table.__getitem__, symmetric), table


def excesses(table, pairs, factor):
    """Yield the excess of every event over a factor, for each ordered pair of neighbours."""
    for D, E in pairs:
        for first, second in ((D, E), (E, D)):
            for chosen in product([0, 1], repeat=3):
                p, q = (
                    sum(F(table[database][o]) for o in range(3) if chosen[o])
                    for database in (first, second)
                )
                yield p - factor * q, p, q


def neighbours_of(relation, records, *, symmetric):
    """Return the pairs of a relation by its definition, as databases of records."""
    rule = relation.rule(records, symmetric=symmetric)
    return [tuple(tuple(records[i] for i in D) for D in pair) for pair in by_definition(rule)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: repr(r)[:60])
def test_audits_of_random_mechanisms_agree_with_an_enumeration(relation, symmetric, seed):
    rng = random.Random(seed)  # noqa: S311
    mechanism, table = random_mechanism(rng, POINTS, 2, symmetric=symmetric)
    pairs = neighbours_of(relation, POINTS, symmetric=symmetric)
    result = audit(mechanism, "ln 2", "1/3", relation)
    assert result.pairs == len(pairs) == relation.count(POINTS, symmetric=symmetric)
    assert result.least_delta == max(excess for excess, _, _ in excesses(table, pairs, 2))
    allowed = F(1, 3)
    needed = [(p - allowed, q) for _, p, q in excesses(table, pairs, 2) if p > allowed]
    if any(not q for _, q in needed):
        assert result.factor is None
    else:
        assert result.factor == max([F(1), *(p / q for p, q in needed)])
    assert result.verdict == (Verdict.FAILS if result.least_delta > allowed else Verdict.HOLDS)
    result.check()
    first, second = result.certificate().to_dict()
    for document in (first, second | {"instance": first["instance"]}):
        check(document)
        assert is_true(document)
    curve = privacy_curve(mechanism, [0, "ln 2"], relation)
    assert curve[1][1] == result.least_delta


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: repr(r)[:60])
def test_own_relations_and_graphs_agree_with_the_built_in_ones(relation, symmetric):
    mechanism, _ = random_mechanism(random.Random(7), POINTS, 2, symmetric=symmetric)  # noqa: S311
    result = audit(mechanism, "ln 2", 0, relation)
    rule = relation.rule(POINTS, symmetric=False)

    def related(D, E):
        numbers = [tuple(map(POINTS.index, database)) for database in (D, E)]
        return differ(*numbers, str(rule.change), rule.groups)

    own = OwnNeighbours(related, rule.most, rule.least)
    graph = GraphNeighbours(list(relation.pairs(POINTS, symmetric=symmetric)))
    for other in (own, graph):
        found = audit(mechanism, "ln 2", 0, other)
        assert (found.least_delta, found.factor) == (result.least_delta, result.factor)
        found.check()
        said = check(found.certificate().to_dict()).splitlines()[0]
        assert f"a mechanism on {found.pairs} listed pairs of " in said
    assert audit(mechanism, "ln 2", 0, graph).pairs == result.pairs
    for D, E in combinations([tuple(POINTS[i] for i in D) for D in sequences(3, 0, 2)], 2):
        if not symmetric:
            answers = [r.are_neighbours(D, E, POINTS) for r in (relation, own, graph)]
            assert len(set(answers)) == 1


@pytest.mark.parametrize("relation", [AddRemoveNeighbours(2), KeyNeighbours(2, key=0)], ids=repr)
def test_divergences_of_other_relations_agree_with_an_enumeration(relation):
    rng, table = random.Random(3), {}  # noqa: S311
    for D in sequences(3, 0, 2):
        p = F(rng.randint(1, 9), 10)
        table[tuple(POINTS[i] for i in D)] = {0: p, 1: 1 - p}
    mechanism = FunctionMechanism(POINTS, table.__getitem__)
    found = renyi_privacy(mechanism, 2, relation)
    found.check()
    assert found.moment == max(
        sum(table[first][o] ** 2 / table[second][o] for o in (0, 1))
        for D, E in neighbours_of(relation, POINTS, symmetric=False)
        for first, second in ((D, E), (E, D))
    )


# --- Planted faults ----------------------------------------------------------------------------


def noisy_size(database):
    """Return a number of records with noise, up to 3; the noise suffices for one record."""
    shares = {shown: F(1, 2 ** abs(shown - min(len(database), 3))) for shown in range(4)}
    return Distribution.proportional(shares)


def test_a_mechanism_that_fails_only_on_the_empty_database():
    assert audit(
        FunctionMechanism(("a", "b"), noisy_size), "ln 4", 0, AddRemoveNeighbours(3)
    ).verdict == (Verdict.HOLDS)

    def eager(database):
        return noisy_size(database) if database else {0: 1}

    mechanism = FunctionMechanism(("a", "b"), eager)
    for holds in (AddRemoveNeighbours(3, least=1), ReplaceNeighbours(3, least=0)):
        assert audit(mechanism, "ln 4", 0, holds).verdict is Verdict.HOLDS
    found = audit(mechanism, "ln 4", 0, AddRemoveNeighbours(3))
    assert found.verdict is Verdict.FAILS
    assert () in (found.witness.database, found.witness.neighbour)
    found.check()


def test_a_mechanism_that_fails_only_for_a_person_with_two_records():
    visits = (("a", 0), ("a", 1), ("b", 0))

    def frequent(database):
        twice = sum(person == "a" for person, _ in database) == 2
        return {"frequent": F(1, 2), "other": F(1, 2)} if twice else {"other": 1}

    mechanism = FunctionMechanism(visits, frequent)
    assert audit(mechanism, 1, 0, KeyNeighbours(1, key=0)).verdict is Verdict.HOLDS
    for change in ("replace", "remove"):
        found = audit(mechanism, 1, 0, KeyNeighbours(2, key=0, change=change))
        assert found.verdict is Verdict.FAILS
        assert len(found.witness.database) == 2
        assert {person for person, _ in found.witness.database} == {"a"}
        found.check()


def test_neighbours_by_removal_of_a_person_are_fewer_than_by_replacement():
    """A mechanism that reveals which record a person has is private if persons only disappear."""
    mechanism = FunctionMechanism(
        (("a", 0), ("a", 1)),
        lambda D: (
            {0: F(3, 4), 1: F(1, 4)}
            if D == (("a", 0),)
            else {0: F(1, 4), 1: F(3, 4)}
            if D == (("a", 1),)
            else {0: F(1, 2), 1: F(1, 2)}
        ),
    )
    removal = audit(mechanism, 0, 0, KeyNeighbours(1, key=0, change="remove"))
    replacement = audit(mechanism, 0, 0, KeyNeighbours(1, key=0))
    assert (removal.factor, replacement.factor) == (2, 3)


def test_records_with_a_single_value():
    for relation, pairs in ((AddRemoveNeighbours(4, least=3), 1), (AddRemoveNeighbours(60), 60)):
        found = audit(FunctionMechanism((0,), noisy_size, sorts=True), "ln 2", 0, relation)
        assert found.pairs == pairs
        found.check()


def test_only_labels_are_private():
    records = tuple(product("xy", (0, 1)))
    shown = FunctionMechanism(records, lambda D: {tuple(point for point, _ in D): 1})
    assert audit(shown, 0, 0, LabelNeighbours(2, least=0)).verdict is Verdict.HOLDS
    assert audit(shown, 0, 0, ReplaceNeighbours(2)).verdict is Verdict.FAILS


# --- Altered certificates ----------------------------------------------------------------------


def documents(relation, *, symmetric=False, delta=0):
    mechanism, _ = random_mechanism(random.Random(5), POINTS, 2, symmetric=symmetric)  # noqa: S311
    return audit(mechanism, "ln 2", delta, relation).certificate().to_dict()


@pytest.mark.parametrize(
    ("relation", "changes", "reason"),
    [
        (AddRemoveNeighbours(2), {"least": 1}, "one distribution for each database of 1 to 2"),
        (AddRemoveNeighbours(2), {"most": 3}, "one distribution for each database of 0 to 3"),
        (AddRemoveNeighbours(2), {"most": 10**9}, "are too few"),
        (AddRemoveNeighbours(2), {"least": 3}, "must be an index below 3"),
        (AddRemoveNeighbours(2), {"symmetric": True}, "one distribution for each database"),
        (AddRemoveNeighbours(2), {"groups": [0, 0, 1]}, "groups must be null"),
        (
            AddRemoveNeighbours(2),
            {"change": "replace one"},
            "violate|are not neighbours|must prove",
        ),
        (KeyNeighbours(2, key=0, least=2), {"groups": [0, 1, 2]}, "are not neighbours"),
        (KeyNeighbours(2, key=0), {"groups": None}, "violate the stated bound"),
        (KeyNeighbours(2, key=0), {"groups": [0, 0, 3]}, "must be an index below 3"),
        (KeyNeighbours(2, key=0), {"groups": [0, 0]}, "must have 3 entries"),
        (KeyNeighbours(2, key=0), {"change": "remove"}, "must be replace one or"),
        (ReplaceNeighbours(2, least=0), {"groups": [0, 1, 1]}, "are not neighbours"),
        (LabelNeighbours(2, least=0), {"groups": None}, "violate the stated bound"),
        (ReplaceNeighbours(2, least=0), {"records": [0, 1]}, "one distribution for each database"),
    ],
)
def test_altered_relations_are_rejected(relation, changes, reason):
    listed = documents(relation)
    check(listed)
    listed[0]["instance"] |= changes
    with pytest.raises(Rejected, match=reason):
        check(listed)


@pytest.mark.parametrize("relation", [r for r in RELATIONS if r.sizes[0] < r.sizes[1]], ids=repr)
@pytest.mark.parametrize("symmetric", [False, True])
def test_smaller_bounds_are_rejected(relation, symmetric):
    first = documents(relation, symmetric=symmetric)[0]
    less = str(F(first["statement"]["upper"]) - F(1, 10**9))
    first["statement"] |= {"lower": None, "upper": less}
    with pytest.raises(Rejected, match="violate the stated bound"):
        check(first | {"lower": None, "upper": {"all_neighbours": {"bound": less}}})


def test_missing_databases_and_pairs_are_rejected():
    listed = documents(AddRemoveNeighbours(2))
    listed[0]["instance"]["laws"].pop()
    with pytest.raises(Rejected, match="one distribution for each database of 0 to 2 records"):
        check(listed)
    mechanism, _ = random_mechanism(random.Random(5), POINTS, 2, symmetric=False)  # noqa: S311
    every = list(AddRemoveNeighbours(2).pairs(POINTS))
    result = audit(mechanism, "ln 2", 0, GraphNeighbours(every))
    listed = result.certificate().to_dict()
    worst = sorted(listed[0]["lower"]["event"][key] for key in ("database", "neighbour"))
    pairs = listed[0]["instance"]["pairs"]
    pairs.remove(next(pair for pair in pairs if sorted(pair) == worst))
    with pytest.raises(Rejected, match="are not neighbours"):
        check(listed)
    with pytest.raises(CertificateError, match=r"pairs must be \d+, not \d+"):
        replace(result, neighbours=GraphNeighbours(every[1:])).check()


@pytest.mark.parametrize("other", [AddRemoveNeighbours(1), KeyNeighbours(2, key=0)], ids=repr)
def test_results_for_other_relations_are_rejected(other):
    mechanism, _ = random_mechanism(random.Random(5), POINTS, 2, symmetric=False)  # noqa: S311
    result = audit(mechanism, "ln 2", 0, AddRemoveNeighbours(2))
    with pytest.raises(CertificateError):
        replace(result, neighbours=other).check()


def test_a_stopped_audit_proves_its_violation():
    mechanism = FunctionMechanism(("a", "b"), lambda D: {len(D): 1})
    for relation, others in (
        (AddRemoveNeighbours(2), ReplaceNeighbours(2)),
        (OwnNeighbours(lambda D, E: len(D) != len(E), 2), OwnNeighbours(lambda D, E: False, 2)),
        (GraphNeighbours([((), ("a",))]), GraphNeighbours([((), ("b",))])),
    ):
        result = audit(mechanism, 1, 0, relation).if_stopped("stopped")
        assert result.verdict is Verdict.FAILS
        assert "on 1 listed pairs of 2 databases" in check(result.certificate().to_dict())
        with pytest.raises(CertificateError, match="must be neighbours"):
            replace(result, neighbours=others).check()


# --- Invalid relations -------------------------------------------------------------------------


def test_errors_of_the_function_state_the_database():
    mechanism = FunctionMechanism((0, 1), lambda D: {F(sum(D), len(D)): 1})
    with pytest.raises(ZeroDivisionError) as caught:
        audit(mechanism, 1, 0, AddRemoveNeighbours(2))
    assert caught.value.__notes__ == ["in the distribution of FunctionMechanism on the database ()"]


@pytest.mark.parametrize(
    ("related", "reason"),
    [
        (lambda D, E: D == E, "must be irreflexive, but it returns True for the database"),
        (lambda D, E: None, r"must return True or False, but for \(\) and \(\) it returns None"),
        (lambda D, E: 1, "must return True or False, but for .* it returns 1"),
        (lambda D, E: D[0] != E[0], r"for \(\) and \(\) it raises IndexError"),
        (lambda D: True, "it raises TypeError"),
    ],
)
def test_invalid_own_relations_are_refused(related, reason):
    mechanism = FunctionMechanism(("a", "b"), lambda D: {0: 1})
    with pytest.raises(DomainError, match=reason):
        audit(mechanism, 1, 0, OwnNeighbours(related, 1))


def test_own_relations_are_closed_under_symmetry():
    mechanism = FunctionMechanism(("a", "b"), lambda D: {len(D): 1})
    for related in (
        lambda D, E: len(D) < len(E),
        lambda D, E: len(D) > len(E),
        lambda D, E: np.bool_(len(D) != len(E)),
    ):
        assert OwnNeighbours(related, 1).count("ab") == 2
        assert audit(mechanism, 1, 0, OwnNeighbours(related, 1)).verdict is Verdict.FAILS
    graph = nx.Graph([((), ("a",)), (("a",), ()), (("b",), ("a", "a"))])
    assert GraphNeighbours(list(graph.edges)).count("ab") == 2


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: ReplaceNeighbours(0), "most must be at least 1, not 0"),
        (lambda: AddRemoveNeighbours(2, least=3), "least must be between 0 and 2, not 3"),
        (lambda: AddRemoveNeighbours(2, least=-1), "least must be between 0 and 2, not -1"),
        (lambda: OwnNeighbours(len, 0), "most must be at least 1, not 0"),
        (lambda: KeyNeighbours(1, key=-1), "key must be an index of at least 0, not -1"),
        (lambda: KeyNeighbours(1, key=0, change="add"), "change must be replace or remove"),
        (
            lambda: KeyNeighbours(1, key=2).count([(0, 1)]),
            "must be tuples with more than 2 entries",
        ),
        (lambda: KeyNeighbours(1, key=0).count("ab"), "must be tuples with more than 0 entries"),
        (lambda: KeyNeighbours(1, key=lambda r: [r]).count("ab"), "maps each record to a hashable"),
        (lambda: KeyNeighbours(1, key=lambda r: 1 / 0).count("a"), "raises ZeroDivisionError"),
        (lambda: LabelNeighbours(1).count("ab"), r"must be pairs \(point, label\)"),
        (lambda: GraphNeighbours([((), ())]).count("ab"), "must join two different databases"),
        (
            lambda: GraphNeighbours([("ab", "ba")]),
            "databases must be sequences of records, not 'ab'",
        ),
        (lambda: GraphNeighbours([((), ("a",), ())]), "edges must be pairs of databases"),
        (
            lambda: GraphNeighbours([(("a", "b"), ("b", "a"))]).count("ab", symmetric=True),
            "are equal, up to the order of records",
        ),
        (lambda: GraphNeighbours([((), ("c",))]).count("ab"), "must be a record of the domain"),
    ],
)
def test_invalid_relations_are_refused(make, reason):
    with pytest.raises(DomainError, match=reason):
        make()


@pytest.mark.parametrize(
    ("relation", "reason"),
    [
        (AddRemoveNeighbours(10**6), r"at least 2\^1000000 databases of up to 1000000 records"),
        (ReplaceNeighbours(22, least=0), "databases of up to 22 records exceed the limit"),
        (AddRemoveNeighbours(18), r"\d+ pairs of neighbouring databases exceed the limit"),
        (KeyNeighbours(12, key=lambda r: 0), "pairs of neighbouring databases exceed the limit"),
        (
            OwnNeighbours(lambda D, E: False, 11),
            "or list the pairs of neighbours with GraphNeighbours",
        ),
    ],
)
def test_too_many_pairs_are_refused_in_advance(relation, reason):
    def never(_):
        raise AssertionError

    with pytest.raises(InstanceTooLargeError, match=reason):
        audit(FunctionMechanism((0, 1), never), 1, 0, relation)


def test_numbers_of_pairs_at_the_limit():
    assert ReplaceNeighbours(1).count(range(2896)) == 2896 * 2895 // 2 <= MAX_PAIRS
    with pytest.raises(InstanceTooLargeError, match=r"^4194856 pairs of neighbouring databases"):
        ReplaceNeighbours(1).count(range(2897))
    with pytest.raises(InstanceTooLargeError, match="databases of up to 2047 entries exceed"):
        AddRemoveNeighbours(2047).count("ab", symmetric=True)


def test_an_own_relation_is_stopped_by_the_time_limit():
    def slow(D, E):
        return all(D + E for _ in range(20000)) and D != E

    found = audit(
        FunctionMechanism((0, 1), lambda D: {0: 1}), 1, 0, OwnNeighbours(slow, 8), time_limit=0
    )
    assert found.verdict is Verdict.NOT_DECIDED
    assert found.reason == "stopped before the pairs of databases were listed"
