"""Pairs of distributions that are screened in blocks, against the comparison of each pair."""

from fractions import Fraction
from itertools import combinations, count
from random import Random

import numpy as np
import pytest

from ccsim.budget import Budget
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.information import divergence, least_factor
from ccsim.privacy import FunctionMechanism, audit
from ccsim.privacy.blocks import Table
from ccsim.privacy.comparisons import AuditedDistributions, Comparisons
from ccsim.privacy.mechanisms.exponential import ExponentialMechanism

BITS = 96


def counted(values, epsilon):
    return ExponentialMechanism(values, values, lambda d, o: d.count(o), Epsilon.of(epsilon))


@pytest.mark.parametrize("delta", ["0", "1/7"])
@pytest.mark.parametrize(("base", "bound"), [("ln 2", "ln 2"), ("1/2", "1/2"), ("1/2", "3/2")])
def test_a_block_finds_the_pairs_that_the_definition_finds(base, bound, delta):
    rng = Random(f"{base} {delta} {bound}")  # noqa: S311
    weights = [Epsilon.of(base).exp(k) for k in range(4)]
    distributions = [
        Distribution.proportional({o: rng.choice(weights) for o in range(3)}) for _ in range(12)
    ]
    distributions.append(Distribution.proportional({0: weights[0], 1: weights[1]}))
    rng.shuffle(distributions)
    factor, allowed = Epsilon.of(bound).exp(), Fraction(delta)
    audited = AuditedDistributions(
        FunctionMechanism(range(len(distributions)), lambda d: distributions[d[0]])
    )
    found = Comparisons(audited, factor, allowed)
    every = list(combinations(range(len(distributions)), 2))
    pairs = [(((i,), (j,)), audited.number((i,)), audited.number((j,))) for i, j in every]
    ordered = [pair for i, j in every for pair in ((i, j), (j, i))]
    for start in range(0, len(pairs), 20):
        found.compare_all(pairs[start : start + 20])
        assert found.compared == len(pairs[start : start + 20])
    p = distributions
    excesses = [divergence(p[i], p[j], factor) for i, j in ordered]
    worst = max(range(len(ordered)), key=lambda k: (excesses[k], -k))
    assert found.worst == (excesses[worst], tuple((i,) for i in ordered[worst]))
    factors = [least_factor(p[i], p[j], allowed) for i, j in ordered]
    if None in factors:
        tightest = factors.index(None)
    else:
        tightest = max(range(len(ordered)), key=lambda k: (factors[k], -k))
    assert found.tightest == (factors[tightest], tuple((i,) for i in ordered[tightest]))


@pytest.mark.parametrize("excess", [-1, 0, 1])
def test_a_pair_that_exceeds_the_factor_by_one_unit_is_compared_exactly(excess):
    q = (1 << BITS - 3) + 12345
    ends = [(3 * q + excess,) * 2, (q, q)]
    table, asked = Table(BITS), []
    assert table.extend([{"a": 0}, {"a": 1}], ends)

    def below(a, b):
        asked.append((a, b))
        return ends[a][1] <= 3 * ends[b][0]

    passed = table.within(np.array([0, 1]), np.array([1, 0]), 3 << BITS, 0, below)
    assert passed.tolist() == [excess <= 0, True]
    assert asked == [(0, 1)]  # the floats do not separate them
    # with an excess allowed, such a pair is left to exact arithmetic
    most = 1 << BITS - 60
    assert not table.within(np.array([0]), np.array([1]), 2 << BITS, q - most, below)[0]
    assert table.within(np.array([0]), np.array([1]), 2 << BITS, 2 * q, below)[0]


def test_an_impossible_outcome_of_the_neighbour_is_within_no_factor():
    table = Table(BITS)
    assert table.extend([{"a": 0}, {"b": 0}], [(1 << BITS, 1 << BITS)])
    first, second = np.array([0]), np.array([1])
    assert not table.within(first, second, 1 << 1000 + BITS, 0, lambda _a, _b: True)[0]
    assert table.within(first, second, 1 << 1000 + BITS, 1 << BITS + 1, lambda _a, _b: True)[0]


def test_a_table_of_too_many_outcomes_is_refused():
    shares = [{(i, j): 0 for j in range(300)} for i in range(5)]
    table = Table(BITS)
    assert table.extend(shares[:2], [(1, 1)])
    assert not table.extend(shares, [(1, 1)])
    apart = FunctionMechanism(range(5), lambda d: dict.fromkeys(shares[d[0]], Fraction(1, 300)))
    assert audit(apart, 1, "1/2", 1).least_delta == 1


def test_a_fault_in_one_database_of_many_is_found():
    honest = counted("abcd", "ln 4")

    def distribution(database):
        if database == ("b",) * 3 + ("d",) * 3:
            return Distribution.certain("a")
        return honest.distribution(database)

    faulty = FunctionMechanism(tuple("abcd"), distribution, sorts=True)
    assert audit(honest, "ln 4", 0, 6).verdict == "holds"
    found = audit(faulty, "ln 4", 0, 6)
    assert found.verdict == "fails"
    witness = found.witness
    assert ("b",) * 3 + ("d",) * 3 in {
        tuple(sorted(witness.database)),
        tuple(sorted(witness.neighbour)),
    }
    found.check()


@pytest.mark.parametrize("ticks", [30, 100, 200])
def test_an_audit_that_is_stopped_within_a_block_names_compared_pairs(ticks):
    mechanism = counted("abcd", "ln 4")
    pairs = [
        (("a",) * k + rest, ("b",) + ("a",) * (k - 1) + rest)
        for k in range(1, 30)
        for rest in (tuple("bcd" * 20)[k:],)
    ]
    pairs = [(a, b) for a, b in pairs if len(a) == len(b)] * 10
    clock = count().__next__
    stopped = audit(mechanism, "ln 2", 0, pairs, time_limit=Budget(ticks, clock=clock))
    assert 0 < stopped.pairs < len(pairs)
    assert stopped.neighbours == tuple(pairs[: stopped.pairs])
    whole = audit(mechanism, "ln 2", 0, pairs[: stopped.pairs])
    assert (stopped.worst, stopped.verdict) == (whole.worst, "fails")
    stopped.check()


def test_progress_ends_with_all_pairs():
    seen = []
    result = audit(
        counted("abc", 1), 1, 0, 9, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (result.pairs, result.pairs)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
