"""Reductions between sanitizers and learners: distributions and privacy by enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, log

import pytest

from ccsim import (
    ConceptClass,
    DomainError,
    InstanceTooLargeError,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.learning.learners.occam import labelled_examples
from ccsim.privacy import RandomizedResponse, Verdict, audit
from ccsim.privacy.constructions import CanonicalMechanism, Deterministic, PostProcessed
from ccsim.privacy.mechanisms.noisy_answers import TruncatedGeometric
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.by_label import (
    DividedByLabel,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.learner import (
    SanitizingLearner,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.nearest import (
    made_proper,
    nearest_database,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.padding import PaddedByLabel
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.repetition import (
    RepeatedSanitizer,
    Shuffled,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.sizes import (
    blocks_needed,
    label_reduction,
    learning_size,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import (
    Estimates,
    estimates_of,
    release_failure,
    sanitizer_failure,
)

LN4 = Epsilon.of("ln 4")
TWO = parse_class("points:b=1")


def synthetic(text="points:b=1", size=1, *, labelled=False):
    C = parse_class(text)
    return SyntheticDatabase(labelled_class(C) if labelled else C, LN4, size)


def share(query, database):
    """Return the fraction of the records that lie in a set; 0 for no records."""
    return Fraction(sum(x in query for x in database), max(1, len(database)))


def queries(C):
    return [{p for x, p in enumerate(C.points) if row >> x & 1} for row in C.rows]


def least_ratio(distributions, changed):
    """Return the largest quotient of probabilities of one outcome over neighbours."""
    return max(
        p / distributions[other][outcome]
        for database in distributions
        for other in changed(database)
        for outcome, p in distributions[database].items()
    )


def one_entry_changed(points):
    def changed(database):
        for i, new in product(range(len(database)), points):
            yield (*database[:i], new, *database[i + 1 :])

    return changed


@pytest.mark.parametrize(
    "text",
    [
        "points:b=2",
        "thresholds:b=2",
        "intervals:n=4",
        "lines:p=2",
        "k_points:b=2,k=2",
        "boxes:b=1,d=2",
    ],
)
def test_dimensions_of_the_labelled_class_are_those_of_the_class(text):
    C = parse_class(text)
    L = labelled_class(C)
    assert all(
        L.value(c, 2 * x + y) == y ^ C.value(c, x)
        for c in range(len(C))
        for x in range(len(C.points))
        for y in (0, 1)
    )
    assert vc_dimension(L).value == vc_dimension(C).value
    assert littlestone_dimension(L).value == littlestone_dimension(C).value


def test_queries_of_the_labelled_class_are_empirical_errors():
    C = parse_class("thresholds:b=2")
    L = labelled_class(C)
    for sample in combinations_with_replacement(labelled_examples(4), 3):
        database = [f"{x}|{y}" for x, y in sample]
        for row, query in zip(C.rows, queries(L), strict=True):
            assert share(query, database) == Fraction(
                sum((row >> x & 1) != y for x, y in sample), 3
            )


@pytest.mark.parametrize(("text", "m"), [("points:b=1", 2), ("thresholds:b=1", 2)])
def test_learner_takes_the_concept_of_least_error_on_the_release(text, m):
    C, inner = parse_class(text), synthetic(text, 2, labelled=True)
    learner = SanitizingLearner(inner, C)
    distributions = {}
    for sample in product(learner.records, repeat=m):
        distribution = Counter()
        for release, p in inner.distribution([f"{x}|{y}" for x, y in sample]).items:
            errors = [
                sum((row >> int(point[0]) & 1) != int(point[2]) for point in release)
                for row in C.rows
            ]
            distribution[C.rows[errors.index(min(errors))]] += p
        distributions[sample] = distribution
        assert learner.distribution(sample).as_mapping() == distribution
    result = audit(learner, LN4, 0, m)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least_ratio(distributions, one_entry_changed(learner.records)) <= 4


def test_learner_of_other_records_is_refused():
    with pytest.raises(DomainError, match="points of the labelled class"):
        SanitizingLearner(synthetic(), TWO)


def test_repeated_sanitizer_is_the_product_of_its_blocks():
    single = synthetic(size=1)
    repeated = RepeatedSanitizer(single, 2)
    distributions = {}
    for database in product((0, 1), repeat=4):
        distribution = Counter()
        for (a, p), (b, q) in product(
            single.distribution(database[:2]).items, single.distribution(database[2:]).items
        ):
            distribution[tuple(sorted(a + b))] += p * q
        distributions[database] = distribution
        assert repeated.distribution(database).as_mapping() == distribution
    result = audit(repeated, LN4, 0, 4)
    assert result.factor == least_ratio(distributions, one_entry_changed((0, 1)))
    assert result.factor <= audit(single, LN4, 0, 2).factor
    with pytest.raises(DomainError, match="whole blocks of 2 records, not 3"):
        repeated.distribution((0, 0, 1))


def test_shuffled_mechanism_averages_over_orders():
    repeated = RepeatedSanitizer(synthetic(size=1), 2)
    shuffled = Shuffled(repeated)
    two, mixed = repeated.distribution((0, 0, 1, 1)), repeated.distribution((0, 1, 0, 1))
    distribution = shuffled.distribution((1, 0, 1, 0))
    assert all(distribution[o] == two[o] / 3 + 2 * mixed[o] / 3 for o in distribution)
    with pytest.raises(InstanceTooLargeError, match="orders of 8 records exceeds the limit"):
        shuffled.distribution((0, 1) * 4)


class Sorted(CanonicalMechanism):
    """A planted fault: blocks of the sorted database, so that one record moves all others."""

    records, symmetric = (0, 1, 2, 3), True

    def distribution_of(self, database):
        return RepeatedSanitizer(synthetic("points:b=2"), 2).distribution(database)


def test_blocks_of_a_sorted_database_are_less_private():
    inner = synthetic("points:b=2")
    repeated = RepeatedSanitizer(inner, 2)
    pair = [((0, 0, 1, 1, 2, 2), (0, 0, 1, 1, 2, 0))]
    least = audit(inner, LN4, 0, 2).factor
    assert audit(repeated, LN4, 0, pair).factor <= least
    assert audit(Shuffled(repeated), LN4, 0, pair).factor <= least
    assert audit(Sorted(), LN4, 0, pair).factor > least


def noise(count, total, block, epsilon):
    """Return the distribution of the rounded number of records, from the Laplace distribution."""
    r, distribution = 1 / epsilon.exp(), Counter()
    for moved in range(-total - 40, total + 41):
        p = (1 - r) / 2 * (r**moved if moved >= 0 else r ** (-1 - moved))
        m = min(max(0, count + moved), total)
        distribution[int(Fraction(m, block) + Fraction(1, 2)) * block] += p
    rest = r ** (total + 41) / 2, r ** (total + 40) / 2  # what is beyond on either side
    distribution[int(Fraction(total, block) + Fraction(1, 2)) * block] += rest[0]
    distribution[0] += rest[1]
    return distribution


def divided_by_hand(inner, database, block, epsilon):
    parts = []
    for y in "01":
        chosen = sorted(int(z[0]) for z in database if z[2] == y)
        part = Counter()
        for number, p in noise(len(chosen), len(database), block, epsilon).items():
            if number:
                for release, q in inner.distribution((chosen + [0] * number)[:number]).items:
                    part[number, release] += p * q
            else:
                part[0, ()] += p
        parts.append(part)
    return {(a, b): p * q for (a, p), (b, q) in product(*(part.items() for part in parts))}


@pytest.mark.parametrize(("t", "block"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_algorithm_b_by_enumeration(t, block):
    inner, epsilon = synthetic(size=1), Epsilon.of("ln 2")
    divided = DividedByLabel(SyntheticDatabase(TWO, epsilon, 1), TWO, block, epsilon)
    inner = divided.sanitizer
    distributions = {}
    for database in combinations_with_replacement(divided.records, t):
        distributions[database] = divided_by_hand(inner, database, block, epsilon)
        assert divided.distribution(database).as_mapping() == {
            o: p for o, p in distributions[database].items() if p
        }

    def changed(database):
        for other in one_entry_changed(divided.records)(database):
            yield tuple(sorted(other))

    result = audit(divided, "ln 16", 0, t)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least_ratio(distributions, changed) <= 16


def noisy_counts(epsilon, size):
    """Return a sanitizer of two points that attains its privacy: the noisy number of ones."""
    count = TruncatedGeometric((0, 1), sum, epsilon, 0, size)
    return PostProcessed(count, lambda ones: (0,) * (size - ones) + (1,) * ones)


def test_reductions_need_four_and_three_epsilon():
    """The paper counts 6 epsilon for the first reduction; both parameters are tight."""
    epsilon = Epsilon.of("ln 2")
    inner = noisy_counts(epsilon, 3)
    assert audit(inner, "ln 2", 0, 3).factor == 2
    assert audit(DividedByLabel(inner, TWO, 1, epsilon), "ln 16", 0, 3).factor == 16
    assert audit(PaddedByLabel(inner, TWO, epsilon), "ln 8", 0, 3).factor == 8


def test_algorithm_b_refuses_a_sanitizer_that_looks_at_the_order():
    inner = RepeatedSanitizer(synthetic(size=2), 2)
    with pytest.raises(DomainError, match="sanitizer must not depend on the order"):
        DividedByLabel(inner, TWO, 2, LN4)
    honest = DividedByLabel(Shuffled(inner), TWO, 2, LN4)
    assert audit(honest, LN4 * 4, 0, 2).verdict is Verdict.HOLDS


def test_database_of_algorithm_b_has_copies():
    divided = DividedByLabel(synthetic(size=2), TWO, 1, LN4)
    assert Counter(divided.database(((2, (0, 1)), (1, (1, 1))))) == {"0|0": 2, "1|0": 2, "1|1": 2}
    assert (
        divided.sanitizing.distribution(["0|0"]).mass([()])
        == divided.distribution(["0|0"])[(0, ()), (0, ())]
    )


@pytest.mark.parametrize(("text", "size", "m"), [("points:b=1", 2, 2), ("thresholds:b=1", 1, 3)])
def test_padding_by_enumeration(text, size, m):
    C, inner = parse_class(text), synthetic(text, size)
    padded = PaddedByLabel(inner, C, LN4)
    labelled = queries(labelled_class(C))
    for database in product(padded.records, repeat=m):
        parts = [[int(z[0]) if z[2] == y else 0 for z in database] for y in "01"]
        k, r, distribution = sum(z[2] == "1" for z in database), Fraction(1, 4), Counter()
        for (a, p), (b, q) in product(
            inner.distribution(parts[0]).items, inner.distribution(parts[1]).items
        ):
            for shown in range(m + 1):
                weight = (1 - r) * r ** abs(shown - k) / (1 + r)
                if shown in (0, m):
                    weight = r ** abs(shown - k) / (1 + r)
                values = []
                for query in queries(C):
                    zeros = share(query, a) - Fraction(shown, m) * (0 in query)
                    ones = Fraction(shown, m) - share(query, b)
                    ones += Fraction(m - shown, m) * (0 in query)
                    values.append(min(max(zeros + ones, Fraction(0)), Fraction(1)))
                distribution[Estimates(tuple(values))] += p * q * weight
        assert padded.sanitizing.distribution(database).as_mapping() == distribution
        true = [share(query, database) for query in labelled]
        far = sum(
            p
            for o, p in distribution.items()
            if any(abs(a - b) > Fraction(1, 4) for a, b in zip(true, o.values, strict=True))
        )
        assert release_failure(padded.sanitizing, labelled_class(C), database, "1/4") == far
    distributions = {
        D: padded.distribution(D).as_mapping() for D in product(padded.records, repeat=m)
    }
    result = audit(padded, "ln 64", 0, m)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least_ratio(distributions, one_entry_changed(padded.records))


def test_padding_with_right_answers_is_right():
    """With exact releases and counts, the estimates equal the answers to the queries."""
    C = parse_class("intervals:n=3")
    padded = PaddedByLabel(SyntheticDatabase(C, LN4, 1), C, LN4)
    labelled = queries(labelled_class(C))
    for database in combinations_with_replacement(padded.records, 3):
        parts = [tuple(int(z[0]) if z[2] == y else 0 for z in database) for y in "01"]
        ones = sum(z[2] == "1" for z in database)
        found = padded.estimates(((3 - ones, parts[0]), (ones, parts[1])))
        assert list(found.values) == [share(query, database) for query in labelled]


@pytest.mark.parametrize(
    "text", ["points:b=2", "thresholds:b=2", "all_functions:n=3", "random:m=3,n=6,seed=1"]
)
def test_nearest_database_against_all_databases(text):
    C = parse_class(text)
    for seed in range(12):
        values = tuple(Fraction((7 * seed + 5 * i * i) % 11, 10) for i in range(len(C)))
        for size in (1, 2, 3):
            errors = [
                max(abs(share(q, D) - v) for q, v in zip(queries(C), values, strict=True))
                for D in combinations_with_replacement(C.points, size)
            ]
            found = nearest_database(C, Estimates(values), size)
            assert found.error == min(errors)
            own = [
                abs(share(q, found.database) - v) for q, v in zip(queries(C), values, strict=True)
            ]
            assert len(found.database) == size
            assert max(own) == found.error


def test_nearest_database_where_all_are_as_far_as_can_be():
    C = parse_class("all_functions:n=2")
    found = nearest_database(C, Estimates((Fraction(0),) * len(C)), 3)
    assert found.error == 1
    assert found.database == (C.points[0],) * 3


def test_proper_sanitizer_is_at_most_twice_as_far():
    C = parse_class("thresholds:b=1")
    padded = PaddedByLabel(synthetic("thresholds:b=1"), C, LN4).sanitizing
    L = labelled_class(C)
    proper = made_proper(padded, L, 2)
    assert all(len(release) == 2 for release in proper.distribution(["0|0", "1|1"]))
    for alpha in (Fraction(0), Fraction(1, 8), Fraction(1, 4)):
        improper = sanitizer_failure(padded, L, 2, alpha).failure
        assert sanitizer_failure(proper, L, 2, 2 * alpha).failure <= improper


def test_failure_of_a_sanitizer_against_all_databases():
    inner, C = synthetic("thresholds:b=1", 2), parse_class("thresholds:b=1")
    worst = sanitizer_failure(inner, C, 3, "1/3")
    failures = {
        D: sum(
            p
            for release, p in inner.distribution(D).items
            if any(abs(share(q, D) - share(q, release)) > Fraction(1, 3) for q in queries(C))
        )
        for D in product(C.points, repeat=3)
    }
    assert worst.failure == max(failures.values()) == failures[worst.database]
    with pytest.raises(InstanceTooLargeError, match="the limit is 16384"):
        sanitizer_failure(RepeatedSanitizer(inner, 1), C, 15, 0)


def test_sizes_are_those_of_the_formulas():
    assert blocks_needed("1/50") == ceil(900 * log(50))
    assert learning_size(0, "1/4", "1/8") == learning_size(1, "1/4", "1/8") == ceil(800 * log(32))
    for alpha, beta, epsilon, m in [(0.1, 0.1, 0.125, 7), (0.02, 0.02, 1, 1), (0.5, 0.25, 3, 40)]:
        sizes = label_reduction(
            Fraction(str(alpha)), Fraction(str(beta)), Fraction(str(epsilon)), m
        )
        blocks = ceil(18 / beta * log(2 / (alpha * beta)) * (1 + 1 / (m * epsilon)))
        assert sizes.block == m * blocks
        assert sizes.size == ceil(6 / Fraction(str(alpha)) ** 2) * sizes.block
    assert label_reduction("1/2", "1/2", "ln 2", 3).block == 3 * ceil(
        36 * log(8) * (1 + 1 / (3 * log(2)))
    )
    with pytest.raises(DomainError, match="failure must be strictly between 0 and 1, not 1"):
        blocks_needed(1)


@pytest.mark.parametrize("reduction", [DividedByLabel, PaddedByLabel])
def test_learner_by_both_reductions(reduction):
    """From a sanitizer of points to a learner of points, as a composition of mechanisms."""
    epsilon = Epsilon.of("ln 2")
    if reduction is DividedByLabel:
        labelled, factor = DividedByLabel(noisy_counts(epsilon, 3), TWO, 1, epsilon), 16
    else:
        labelled, factor = PaddedByLabel(noisy_counts(epsilon, 3), TWO, epsilon), 8
    learner = SanitizingLearner(labelled.sanitizing, TWO)
    result = audit(learner, f"ln {factor}", 0, 3)
    assert result.verdict is Verdict.HOLDS
    sample, far = [(0, 1), (0, 1), (1, 0)], Fraction(1, 3)
    right = learner.distribution(sample)[TWO.rows[0]]
    database = [f"{x}|{y}" for x, y in sample]
    assert right > Fraction(1, 2)
    assert 1 - right <= release_failure(labelled.sanitizing, labelled_class(TWO), database, far)


def two_sizes(database):
    return (0,) * (1 + sum(database))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: estimates_of(TWO, Estimates((Fraction(1),))),
            "there must be one estimate for each of 2",
        ),
        (lambda: estimates_of(TWO, (2,)), "entry 1 of a database must be a record"),
        (lambda: sanitizer_failure(synthetic(), TWO, 0, 0), "records must be at least 1, not 0"),
        (lambda: DividedByLabel(synthetic(), TWO, 0, LN4), "block must be at least 1"),
        (lambda: DividedByLabel(synthetic(), TWO, 1, Epsilon.of(0)), "epsilon positive"),
        (lambda: DividedByLabel(synthetic("points:b=2"), TWO, 1, LN4), "points of the class"),
        (lambda: PaddedByLabel(synthetic("points:b=2"), TWO, LN4), "points of the class"),
        (lambda: PaddedByLabel(synthetic(), TWO, Epsilon.of(0)), "epsilon must be positive"),
        (
            lambda: PaddedByLabel(synthetic(), TWO, LN4).distribution(()),
            "database must have at least one record",
        ),
        (lambda: RepeatedSanitizer(synthetic(), 0), "block must be at least 1, not 0"),
        (
            lambda: RepeatedSanitizer(
                PostProcessed(RandomizedResponse((0, 1), LN4), two_sizes), 1
            ).distribution([0]),
            "releases of the sanitizer must have the same size|databases of one size",
        ),
        (lambda: nearest_database(TWO, (0,), 0), "size must be at least 1, not 0"),
        (lambda: label_reduction("1/2", "1/2", 1, 0), "records must be at least 1"),
        (lambda: label_reduction("1/2", "1/2", 0, 1), "epsilon positive"),
        (lambda: learning_size(1, 0, "1/2"), "accuracy must be strictly between 0 and 1, not 0"),
    ],
)
def test_wrong_parameters_are_refused_in_one_line(call, message):
    with pytest.raises(DomainError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_too_many_databases_are_refused():
    with pytest.raises(InstanceTooLargeError, match="the limit is 1048576"):
        nearest_database(parse_class("points:b=4"), (0,), 12)


def test_bare_estimates_of_the_empty_database_are_0():
    assert estimates_of(TWO, ()) == (0, 0)


def test_guarantees_of_the_reduction_are_those_of_the_paper():
    sizes = label_reduction("1/150", "1/100", "ln 2", 7)
    assert sizes.labelled_accuracy == Fraction(5, 150) + Fraction(4, 100)
    assert sizes.labelled_failure == Fraction(5, 100)
    assert sizes.learner_accuracy == Fraction(15, 150) + Fraction(12, 100)
    assert sizes.learner_failure == Fraction(10, 100)
    assert (sizes.printed_epsilon.exp(), sizes.counted_epsilon.exp()) == (64, 16)


def test_learner_needs_a_concept():
    empty = ConceptClass((0, 1), (), ())
    inner = Deterministic(labelled_class(empty).points, len)
    with pytest.raises(DomainError, match="class must have at least one concept"):
        SanitizingLearner(inner, empty)
