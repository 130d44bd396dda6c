"""Audits on pairs of quality functions: the compared pairs, the results, and their checks."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim import kernel
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.privacy import (
    QualityNeighbours,
    audit,
    audit_by_qualities,
    privacy_curve,
)
from ccsim.privacy.mechanisms.choosing import ChoosingMechanism
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from ccsim.privacy.mechanisms.stable_choice import StableChoice
from proofs_check.claims.beimel_nissim_stemmer.constructions.joint_steps import joint_distribution

EIGHTH = Fraction(1, 8)


def a_dist(epsilon="ln 4", variant="corrected", solutions="ab"):
    epsilon = Epsilon.of(epsilon)
    return StableChoice((), solutions, max, epsilon, EIGHTH, variant).distribution_of_scores


def by_definition(distribution, factor, functions, near):
    """Return the least delta over all events and all ordered pairs of neighbouring functions."""
    worst = Fraction(0)
    for p, q in product(functions, repeat=2):
        if near(p, q):
            left, right = distribution(p).as_mapping(), distribution(q).as_mapping()
            worst = max(
                worst, sum(max(m - factor * right.get(o, 0), Fraction(0)) for o, m in left.items())
            )
    return worst


@pytest.mark.parametrize("variant", ["printed", "corrected", "optimal"])
def test_the_least_delta_is_that_of_the_definition(variant):
    distribution = a_dist("ln 3", variant, "abc")
    result = audit_by_qualities(distribution, "ln 3", EIGHTH, QualityNeighbours.all_functions(3, 2))
    functions = list(product(range(3), repeat=3))

    def near(p, q):
        return p != q and all(abs(a - b) <= 1 for a, b in zip(p, q, strict=True))

    assert result.least_delta == by_definition(distribution, 3, functions, near)
    assert result.pairs == sum(near(p, q) for p, q in product(functions, repeat=2)) // 2
    result.check()


def added(p, q, growth):
    """Return whether removing one record and adding another can change ``p`` into ``q``."""
    bases = product(*(range(min(a, b) + 1) for a, b in zip(p, q, strict=True)))
    return p != q and any(
        all(
            all(0 <= v - b <= 1 for v, b in zip(function, base, strict=True))
            and sum(v - b for v, b in zip(function, base, strict=True)) <= growth
            for function in (p, q)
        )
        for base in bases
    )


@pytest.mark.parametrize("growth", [1, 2])
def test_bounded_growth_is_that_of_a_replaced_record(growth):
    neighbours = QualityNeighbours.all_functions(3, 2, growth)
    functions = neighbours.functions
    found = {(functions[i], functions[j]) for i, j in neighbours}
    expected = {(p, q) for p, q in product(functions, repeat=2) if added(p, q, growth)}
    assert found | {(q, p) for p, q in found} == expected
    listed = QualityNeighbours.of_pairs(sorted(found), growth)
    assert len(list(listed)) == len(found) == len(expected) / 2


def test_audits_by_counts_are_among_those_by_qualities():
    """Counts are qualities: an audit on records needs at most the delta of one on qualities."""
    choosing = ChoosingMechanism(
        (0, 1), (0, 1), lambda d, s: d.count(s), Epsilon.of("ln 16"), EIGHTH
    )
    records = [audit(choosing, "ln 16", EIGHTH, size).least_delta for size in (1, 2, 3, 4)]
    qualities = audit_by_qualities(
        lambda q: choosing.distribution_of_scores(q, 0),
        "ln 16",
        EIGHTH,
        QualityNeighbours.all_functions(2, 4, growth=1),
    )
    assert max(records) == qualities.least_delta == EIGHTH


def test_certificates_say_which_functions_were_compared():
    every = QualityNeighbours.all_functions(2, 2)
    result = audit_by_qualities(a_dist(), "ln 4", EIGHTH, every)
    said = kernel.check(json.loads(result.certificate().to_json()))
    assert "on 9 quality functions of 2 solutions, all with values 0 .. 2, 20 neighbours" in said
    assert "20 neighbours: all pairs at distance at most 1, sha256" in said
    assert "factor 4, least delta: exactly 1/8\n" in said
    pairs = QualityNeighbours.of_pairs([[("1/2", 0), ("3/2", 0)], [(3, 0), (2, 1)]], 1)
    result = audit_by_qualities(a_dist("1"), 1, EIGHTH, pairs)
    said = kernel.check(json.loads(result.certificate().to_json()))
    assert "listed pairs at distance at most 1 and of growth at most 1" in said


def test_a_forged_relation_is_noticed():
    """Omitting the decisive pair, or adding a pair that are not neighbours, is refused."""
    every = QualityNeighbours.all_functions(2, 3)
    result = audit_by_qualities(a_dist("ln 3", "printed"), "ln 3", EIGHTH, every)
    result.check()
    fewer = replace(result, neighbours=QualityNeighbours(every.functions, None, ((0, 1),)))
    with pytest.raises(CertificateError, match="pairs must be 1, not 42"):
        fewer.check()
    grown = replace(result, neighbours=QualityNeighbours(every.functions, 1))
    with pytest.raises(CertificateError):
        grown.check()
    other = replace(result, neighbours=QualityNeighbours.all_functions(2, 2))
    with pytest.raises(CertificateError, match="records"):
        other.check()
    for field, value in (("factor", Fraction(9, 2)), ("pairs", 41)):
        with pytest.raises(CertificateError):
            replace(result, **{field: value}).check()


def test_pairs_of_qualities_forged_past_their_own_checks_are_noticed():
    neighbours = QualityNeighbours.of_pairs([[(3, 0), (2, 0)]])
    result = audit_by_qualities(a_dist(), "ln 4", EIGHTH, neighbours)
    object.__setattr__(neighbours, "functions", ((3, 0), (1, 0)))
    with pytest.raises(CertificateError):
        result.check()


@pytest.mark.parametrize(
    ("pairs", "growth", "message"),
    [
        ([[(3, 1), (1, 1)]], None, "quality of solution 0 must change by at most 1 between "
         "neighbours, not from 3 to 1"),
        ([[(3, 1), (3, "5/2")]], None, "not from 1 to 5/2"),
        ([[(0, 0), (1, 1)]], 1, "at most 1 qualities may increase"),
        ([[(0, 0), (0, 0)]], None, "must differ"),
        ([[(0, 0), (0,)]], None, "the same number of values, one for each solution"),
        ([[(0, 0)]], None, "must be a pair of quality functions"),
        ([["ab", (0, 0)]], None, "must be a list of values"),
        ([[(0, "x"), (0, 0)]], None, "quality"),
        ([], None, "must be between 1 and"),
        (7, None, "must be a list, not 7"),
        ("ab", None, "must be a list"),
        ([[(0,), (1,)]], 0, "growth must be at least 1"),
    ],
)  # fmt: skip
def test_pairs_that_are_none_are_refused(pairs, growth, message):
    with pytest.raises((DomainError, InstanceTooLargeError), match=message):
        QualityNeighbours.of_pairs(pairs, growth)


@pytest.mark.parametrize(
    ("solutions", "most", "message"),
    [
        (0, 1, "solutions"),
        (1, 0, "most"),
        (7, 3, "exceed the limit"),
        (10**9, 1, "exceed the limit"),
    ],
)
def test_ranges_that_are_not_tiny_are_refused(solutions, most, message):
    with pytest.raises((DomainError, InstanceTooLargeError), match=message):
        QualityNeighbours.all_functions(solutions, most)


def test_distributions_that_are_none_and_wrong_numbers_of_qualities_are_refused():
    every = QualityNeighbours.all_functions(2, 1)
    with pytest.raises(DomainError, match="must be a Distribution"):
        audit_by_qualities(lambda q: q, 1, 0, every)
    with pytest.raises(DomainError, match=r"two numbers below|must be an integer"):
        QualityNeighbours(every.functions, None, ((True, False),))
    with pytest.raises(
        DomainError, match="there must be 3 qualities, one for each solution, not 2"
    ):
        audit_by_qualities(a_dist(solutions="abc"), "ln 4", EIGHTH, every)


def test_a_time_limit_leaves_a_result_that_says_so():
    every = QualityNeighbours.all_functions(2, 9)
    result = audit_by_qualities(a_dist("ln 3"), "ln 3", EIGHTH, every, time_limit=1e-9)
    assert result.verdict == "not decided"
    assert result.pairs == 1
    assert f"of {len(list(every))} pairs" in result.reason


def test_the_curve_falls_with_epsilon():
    every = QualityNeighbours.all_functions(2, 3)
    result = audit_by_qualities(a_dist(), "ln 4", EIGHTH, every)
    curve = privacy_curve(result.mechanism, [0, "ln 2", "ln 4"], every)
    values = [value for _, value in curve]
    assert values == sorted(values, reverse=True)
    assert values[-1] == EIGHTH


def test_rec_concave_on_all_qualities_of_a_short_range():
    """Two calls on five points: all decisions satisfy the accounting; the output needs less."""
    algorithm = RecConcave(Fraction(2), Fraction(1, 2), Epsilon.of("ln 4"), EIGHTH, 2, 1)
    epsilon, delta = algorithm.privacy(3)
    every = QualityNeighbours.all_functions(4, 1)
    joint = audit_by_qualities(
        lambda q: joint_distribution(algorithm, StepFunction.of(q)), epsilon, delta, every
    )
    joint.check()
    assert joint.verdict == "holds"

    def output(q):
        distribution = algorithm.distribution(StepFunction.of(q))
        return Distribution.of({x: distribution.probability(x, x) for x in range(4)})

    published = audit_by_qualities(output, epsilon, delta, every)
    published.check()
    assert published.factor <= joint.factor


def test_arguments_of_other_types_are_refused():
    every = QualityNeighbours.all_functions(2, 1)
    for arguments in ((7, 1, 0, every), (a_dist(), 1, 0, 3)):
        with pytest.raises(DomainError, match="audit_by_qualities"):
            audit_by_qualities(*arguments)
    with pytest.raises(DomainError, match="audit_by_qualities: progress must be a function"):
        audit_by_qualities(a_dist(), 1, 0, every, progress=5)
