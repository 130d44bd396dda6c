"""Audits of noise programs: published verdicts, exact values, planted faults and messages."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.privacy import (
    AddRemoveNeighbours,
    ProgramAudit,
    QueryNeighbours,
    argmax,
    audit,
    mechanism,
    renyi_privacy,
)
from ccsim.privacy.noise_programs.paths import paths
from ccsim.privacy.noise_programs.program import tabulated
from ccsim.privacy.noise_programs.values import Value


def sparse_vector(threshold_ratio, query_ratio, most=None):
    """Return the sparse vector technique that stops after ``most`` positive answers."""

    @mechanism
    def program(queries, noise):
        threshold, found = 1 + noise.geometric(threshold_ratio), 0
        for q in queries:
            above = q + (noise.geometric(query_ratio) if query_ratio else 0) >= threshold
            if not above:
                yield False
                continue
            yield True
            found += 1
            if found == most:
                return

    return program


def within(queries, change="each"):
    return QueryNeighbours.within(queries, 0, 2, change)


def test_algorithm_1_of_lyu_su_and_li_is_private():
    # epsilon_1 = epsilon_2 = ln 4: noise of scale 1 / epsilon_1 and 2 / epsilon_2
    found = audit(sparse_vector("1/4", "1/2", 1), "ln 16", 0, within(3))
    assert found.verdict == "holds"
    found.check()


def test_algorithm_4_needs_seven_quarters_of_epsilon():
    # epsilon_1 = ln 2 and epsilon_2 = ln 8, but without the factor 2 in the scale
    program = sparse_vector("1/2", "1/8", 1)
    found = audit(program, "ln 16", 0, within(3))
    assert found.verdict == "fails"
    assert audit(program, "ln 128", 0, within(3)).verdict == "holds"
    found.check()


@pytest.mark.parametrize("queries", [2, 3])
def test_algorithm_5_is_not_private_for_any_epsilon(queries):
    assert audit(sparse_vector("1/4", None), "ln 16", 0, within(queries)).factor is None


def test_algorithm_6_fails_from_three_queries_on():
    # both scales 2 / epsilon, and any number of positive answers
    program = sparse_vector("1/4", "1/4")
    verdicts = [audit(program, "ln 16", 0, within(m)).verdict.value for m in (2, 3)]
    assert verdicts == ["holds", "fails"]


@pytest.mark.parametrize("queries", [1, 2, 3])
def test_the_largest_noisy_value_costs_the_ratio_of_every_query(queries):
    @mechanism
    def largest(values, noise):
        return max(q + noise.geometric("1/2") for q in values)

    found = audit(largest, "ln 8", 0, QueryNeighbours.within(queries, 0, 1))
    assert found.factor == 2**queries
    assert found.verdict == ("holds" if queries <= 3 else "fails")


def test_a_histogram_with_the_inverse_scale_costs_four():
    @mechanism
    def wrong(counts, noise):
        return [c + noise.discrete_laplace("1/4") for c in counts]

    found = audit(wrong, "1/4", 0, QueryNeighbours.within(3, 0, 1, "one query"))
    assert found.verdict == "fails"
    assert found.least_epsilon.lower <= 4 <= found.least_epsilon.upper


def test_a_stable_histogram_needs_exactly_its_delta():
    # epsilon = ln 4 and a replacement changes two bins: ratio 1/2 each
    @mechanism
    def stable(counts, noise):
        for c in counts:
            noisy = c + noise.geometric("1/2") if c else None
            yield noisy if noisy is not None and noisy >= 3 else None

    pair = [((1, 0), (0, 1))]
    found = audit(stable, "ln 4", "1/6", pair)
    assert (found.verdict, found.least_delta) == ("holds", Fraction(1, 6))


def test_a_key_count_needs_the_tail_beyond_its_threshold():
    @mechanism
    def count(queries, noise):
        noisy = queries[0] + noise.discrete_laplace(1)
        return noisy if queries[0] and noisy >= 5 else None

    found = audit(count, 1, 0, [((0,), (1,))])
    assert str(found.least_delta) == "(1)/(e^3 + e^4)"  # r^4 / (1 + r) for r = 1/e


def test_discrete_gaussian_noise_is_enclosed():
    @mechanism
    def noisy(queries, noise):
        return queries[0] + noise.discrete_gaussian(1)

    neighbours = QueryNeighbours.within(1, 0, 1)
    found = audit(noisy, 1, "1/5", neighbours)
    assert isinstance(found, ProgramAudit)
    assert found.verdict == "holds"
    assert found.least_delta.width < Fraction(1, 10**30)
    assert round(float(found.lower), 5) == 0.14135
    assert found.least_epsilon.width < Fraction(1, 10**15)
    assert audit(noisy, 1, 0, neighbours).verdict == "fails"
    between = (found.lower + found.upper) / 2
    assert audit(noisy, 1, between, neighbours).verdict == "not decided"


@pytest.mark.parametrize(
    ("fault", "factor"),
    [
        ("none", Fraction(4)),
        ("wrong scale", Fraction(16)),
        ("reused noise", None),
        ("comparison reversed", Fraction(16)),
    ],
)
def test_planted_faults_change_the_least_factor(fault, factor):
    @mechanism
    def two_counts(queries, noise):
        ratio = "1/4" if fault == "wrong scale" else "1/2"
        first = noise.geometric(ratio)
        second = first if fault == "reused noise" else noise.geometric(ratio)
        yield queries[0] + first
        if fault == "comparison reversed":  # the noisy count is compared with another exact count
            yield queries[0] + queries[1] + noise.geometric("1/4") <= 0
        else:
            yield queries[1] + second

    neighbours = QueryNeighbours.within(2, 0, 1)
    found = audit(two_counts, "ln 4", 0, neighbours)
    if fault == "comparison reversed":
        assert found.factor > 4
        assert found.verdict == "fails"
    else:
        assert found.factor == factor
        assert found.verdict == ("holds" if fault == "none" else "fails")


def test_a_query_of_sensitivity_two_with_noise_for_one_is_caught():
    @mechanism
    def count(queries, noise):
        return queries[0] + noise.geometric("1/4")

    expected = {1: ("holds", 4), 2: ("fails", 16)}
    for most, (verdict, factor) in expected.items():
        found = audit(count, "ln 4", 0, QueryNeighbours.within(1, 0, 4, most=most))
        assert (found.verdict, found.factor) == (verdict, factor)


def random_program(rng):
    """Return a program with up to 4 noise terms and 3 comparisons, one of them numeric at times."""
    number = rng.randint(1, 4)
    ratios = [rng.choice(("1/2", "1/4", "1/8")) for _ in range(number)]
    tests = []
    for _ in range(rng.randint(1, 3)):
        chosen = rng.sample(range(number), min(number, 2))
        tests.append(
            [(i, rng.choice((1, -1))) for i in chosen]
            + [("q", rng.choice((1, -1, 2))), rng.randint(-1, 2), rng.choice((">=", ">"))]
        )
    shown = rng.choice((None, None, rng.randrange(number)))
    stops = rng.random() < 0.5

    @mechanism
    def program(queries, noise):
        drawn = [noise.geometric(r) for r in ratios]
        for k, (*terms, (_, times), constant, sign) in enumerate(tests):
            left = sum(a * drawn[i] for i, a in terms) + times * queries[k % len(queries)]
            above = left >= constant if sign == ">=" else left > constant
            if stops and above:
                yield k
                return
            yield above
        if shown is not None:
            yield queries[0] + drawn[shown]

    return program, list(map(Fraction, ratios))


def enumerated(program, queries, ratios, most):
    """Return the probabilities of the outputs if no noise exceeds a bound in size."""

    class Fixed:
        def __init__(self, point):
            self.left = iter(point)

        def geometric(self, _):
            return next(self.left)

    found = {}
    for point in product(range(-most, most + 1), repeat=len(ratios)):
        share = Fraction(1)
        for r, z in zip(ratios, point, strict=True):
            share *= (1 - r) / (1 + r) * r ** abs(z)
        output = tuple(program.function(queries, Fixed(point)))
        key = tuple((type(v).__name__, v) for v in output)
        found[key] = found.get(key, Fraction(0)) + share
    return found


def hockey_stick(p, q, factor):
    return sum((max(m - factor * q.get(o, 0), Fraction(0)) for o, m in p.items()), Fraction(0))


@pytest.mark.parametrize(
    "seed", [*range(20), *(pytest.param(s, marks=pytest.mark.slow) for s in range(20, 500))]
)
def test_audits_of_random_programs_equal_truncated_enumerations(seed):
    rng = random.Random(seed)  # noqa: S311 - a test
    program, ratios = random_program(rng)
    pair = ((0, 1), (1, 1))
    most = {1: 40, 2: 14, 3: 6, 4: 3}[len(ratios)]
    p, q = (enumerated(program, queries, ratios, most) for queries in pair)
    beyond = 1 - min(sum(p.values()), sum(q.values()))
    for factor in (Fraction(1), Fraction(2)):
        found = audit(program, f"ln {factor}", 0, [pair])
        low = high = found.least_delta
        if isinstance(found, ProgramAudit):
            low, high = found.lower, found.upper
        least = max(hockey_stick(p, q, factor), hockey_stick(q, p, factor))
        assert least - factor * beyond <= high
        assert low <= least + beyond


def test_probabilities_of_each_input_sum_to_one():
    for seed in range(10):
        program, _ = random_program(random.Random(seed))  # noqa: S311 - a test
        table, _ = tabulated(program, ((0, 0), (1, 0), (2, 1)))
        assert [sum(row) for row in table.rows] == [1, 1, 1]


def test_argmax_equals_a_loop_of_comparisons():
    def loop(queries, noise):
        values = [q + noise.geometric("1/2") for q in queries]
        best = 0
        for i in range(1, len(values)):
            if values[i] > values[best]:
                best = i
        return best

    def direct(queries, noise):
        return argmax([q + noise.geometric("1/2") for q in queries])

    vector = (0, 1, 1)
    found = [mechanism(f).distribution(vector).as_mapping() for f in (loop, direct)]
    assert found[0] == found[1]
    assert len(paths(direct, vector)) == 3


def test_an_output_that_may_be_a_constant_or_noisy_is_one_number():
    @mechanism
    def clamped(queries, noise):
        return min(max(queries[0] + noise.geometric("1/2"), 0), 3)

    shares = clamped.distribution([0]).as_mapping()
    assert shares == {
        0: Fraction(2, 3),
        1: Fraction(1, 6),
        2: Fraction(1, 12),
        3: Fraction(1, 12),
    }
    assert audit(clamped, "ln 2", 0, QueryNeighbours.within(1, 0, 3)).factor == 2


def test_ranges_of_differences_of_outputs_contain_the_right_values():
    @mechanism
    def sums(queries, noise):
        total = 0
        for q in queries:
            total = total + q + noise.geometric("1/2")
            yield total

    pair = (("1/2", 0), ("1/2", 1))
    found = audit(sums, 0, 0, [pair])
    # the second output minus the first one is the second query plus noise
    assert [str(o[1]) for o in found.worst.event] in (["<= 0 + output 1"], [">= 1 + output 1"])


def test_too_many_pairs_are_refused_before_all_are_listed():
    with pytest.raises(InstanceTooLargeError, match="more than 262144 pairs"):
        QueryNeighbours.within(7, 0, 2)


def test_outputs_on_different_lattices_differ():
    @mechanism
    def doubled(queries, noise):
        return queries[0] + 2 * noise.geometric("1/2")

    assert audit(doubled, 1, 0, [((0,), (1,))]).factor is None
    assert audit(doubled, "ln 2", 0, [((0,), (2,))]).factor == 2


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda q, noise: int(q[0] + noise.geometric("1/2")), "cannot be rounded"),
        (lambda q, noise: (q[0] + noise.geometric("1/2")) * 0.5, "the float 0.5"),
        (lambda q, noise: noise.geometric("1/2") * noise.geometric("1/2"), "not linear"),
        (lambda q, noise: noise.geometric(2), "strictly between 0 and 1, not 2"),
        (lambda q, noise: [1.5], "must not be the float 1.5"),
        (lambda q, noise: noise.choice({"a": "1/2"}), "must sum to 1, not 1/2"),
        (lambda q, noise: {}, "hashable"),
        (lambda q, noise: object(), "does not define __eq__"),
        (lambda q, noise: f"{noise.geometric('1/2')}", "has no text"),
        (lambda q, noise: {noise.geometric("1/2"): 1}, "key of a mapping"),
        (lambda q, noise: noise.geometric("1/2") == 1.0, "the float 1.0"),
        (lambda q, noise: noise.geometric("1/2") >= 0.5, "combined by >= with the float 0.5"),
        (lambda q, noise: noise.choice([0, 1]), "mapping of values"),
        (lambda q, noise: noise.discrete_laplace(-1), "scale must be positive"),
    ],
)
def test_programs_with_mistakes_are_refused(function, message):
    with pytest.raises(DomainError, match=message):
        mechanism(function).distribution([0])


def test_endless_loops_are_refused():
    @mechanism
    def endless(queries, noise):
        while noise.geometric("1/2") > queries[0]:
            pass

    with pytest.raises(InstanceTooLargeError, match="fixed length"):
        endless.distribution([0])


@mechanism(records=("red", "blue"))
def more_frequent(database, noise):
    red = database.count("red") + noise.geometric("1/2")
    return "red" if red > database.count("blue") else "blue"


def test_programs_on_databases_are_audited_for_relations_of_databases():
    added = audit(more_frequent, "ln 2", 0, AddRemoveNeighbours(3))
    replaced = audit(more_frequent, "ln 2", 0, 3)
    assert (added.factor, replaced.factor) == (2, 4)
    assert (added.pairs, replaced.pairs) == (24, 12)
    assert (added.verdict, replaced.verdict) == ("holds", "fails")
    added.check()


@pytest.mark.parametrize(
    "change",
    [
        {"upper": Fraction(0), "lower": Fraction(0)},
        {"upper": Fraction(1, 8)},
        {"delta": Fraction(1, 10)},
        {"greatest_factor": Fraction(1)},
        {"program": mechanism(lambda queries, noise: noise.discrete_gaussian(1))},
    ],
    ids=lambda change: next(iter(change)),
)
def test_altered_enclosed_audits_are_rejected(change):
    @mechanism
    def noisy(queries, noise):
        return queries[0] + noise.discrete_gaussian(1)

    found = audit(noisy, 1, "1/5", [((0,), (1,))])
    found.check()
    with pytest.raises(CertificateError, match=r"must (be the audit|follow from)"):
        replace(found, **change).check()


def test_enclosed_audits_state_the_relation_of_databases():
    @mechanism(records=(0, 1))
    def noisy(database, noise):
        return sum(database) + noise.discrete_gaussian(1)

    found = audit(noisy, 1, "1/5", AddRemoveNeighbours(2))
    assert found.verdict == "holds"
    assert found.neighbours == AddRemoveNeighbours(2)


def test_programs_on_databases_need_neighbours_of_databases():
    with pytest.raises(DomainError, match="AddRemoveNeighbours"):
        audit(more_frequent, 1, 0, [((0,), (1,))])
    with pytest.raises(DomainError, match="a function, or records"):
        mechanism()


def test_neighbours_of_databases_are_refused():
    with pytest.raises(DomainError, match="QueryNeighbours"):
        audit(sparse_vector("1/4", "1/2"), 1, 0, 3)


def test_a_value_cannot_be_hashed():
    with pytest.raises(DomainError, match="key of a mapping"):
        hash(Value((), Fraction(0), bool))


@pytest.mark.parametrize(
    "decided",
    [
        lambda above: above == True,  # noqa: E712 - as users write
        lambda above: above is True,
        lambda above: above != False,  # noqa: E712
        lambda above: isinstance(above, bool) and above,
        lambda above: {True: True, False: False}[above],
        lambda above: sum([above]) == 1,
        lambda above: [above].count(True) == 1,
        lambda above: (above,) == (True,),
        lambda above: int(above) == 1,
    ],
)
def test_comparisons_are_decisions_in_every_use(decided):
    @mechanism
    def program(queries, noise):
        return "a" if decided(queries[0] + noise.geometric("1/2") >= 1) else "b"

    assert audit(program, "ln 2", 0, [((0,), (1,))]).factor == 2


def test_a_comparison_of_comparisons_is_exact():
    @mechanism
    def program(queries, noise):
        first = queries[0] + noise.geometric("1/2") >= 1
        return first == (noise.geometric("1/2") >= 1)

    assert audit(program, "ln 2", 0, [((0,), (1,))]).factor == Fraction(5, 4)


@pytest.mark.parametrize("variance", [2, 3, 50])
def test_gaussian_noise_can_be_compared(variance):
    @mechanism
    def program(queries, noise):
        return queries[0] + noise.discrete_gaussian(variance) >= 1

    assert audit(program, 1, 0, [((0,), (1,))]).lower == 0


def test_an_output_may_be_noisy_after_one_decision_only():
    @mechanism
    def program(queries, noise):
        x = noise.geometric("1/2")
        yield max(x + 1, 2 * x) >= 0
        yield min(max(queries[0] + x, 0), 2)

    table, _ = tabulated(program, ((0,), (1,)))
    assert [sum(row) for row in table.rows] == [1, 1]


def test_a_program_must_depend_only_on_its_arguments():
    numbers = iter(range(1000))

    @mechanism
    def program(queries, noise):
        return queries[0] + noise.geometric("1/2") + next(numbers) % 2

    with pytest.raises(DomainError, match="must depend only on its arguments"):
        audit(program, 1, 0, [((0,), (1,))])


def test_a_suppressed_refusal_is_repeated():
    @mechanism
    def program(queries, noise):
        noisy = queries[0] + noise.geometric("1/2")
        try:
            return noisy**2
        except DomainError:
            return "refused"

    with pytest.raises(DomainError, match="cannot be rounded"):
        audit(program, 1, 0, [((0,), (1,))])


def test_true_and_one_are_different_outputs():
    @mechanism
    def program(queries, noise):
        noisy = queries[0] + noise.geometric("1/2")
        return True if noisy < 0 else 1 if noisy == 0 else 0

    assert len(tabulated(program, ((0,), (1,)))[0].outcomes) == 3


def test_infinitely_many_values_have_no_listed_distribution():
    @mechanism
    def program(queries, noise):
        return queries[0] + noise.geometric("1/2")

    with pytest.raises(InstanceTooLargeError, match="infinitely many values"):
        program.distribution([0])


def test_finite_programs_have_all_measures_of_privacy():
    @mechanism
    def program(queries, noise):
        return queries[0] + noise.geometric("1/2")

    pair = [((0,), (1,))]
    found = program.on(pair)
    assert renyi_privacy(found[0], 2, found[1]).moment == Fraction(3, 2)
    with pytest.raises(DomainError, match="only enclosed"):
        mechanism(lambda queries, noise: noise.discrete_gaussian(1)).on(pair)
