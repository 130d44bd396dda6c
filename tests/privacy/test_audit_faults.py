"""Mechanisms that try to deceive the auditor, altered results, and invalid distributions."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import count, product

import numpy as np
import pytest

from ccsim import kernel, points
from ccsim.budget import Budget, OutOfTimeError
from ccsim.cli.main import main
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.exponentials import exponential
from ccsim.learning import (
    NoisyConsistentPoint,
    PrivateOccam,
    PublicCoinOccam,
    SubsampledPoint,
    worst_failure,
)
from ccsim.privacy import (
    CanonicalMechanism,
    Composed,
    ExponentialMechanism,
    FunctionMechanism,
    Mechanism,
    NoisyArgmax,
    NoisyThreshold,
    PostProcessed,
    RandomizedResponse,
    StableMode,
    Subsampled,
    TruncatedGeometric,
    audit,
    neighbouring_databases,
    privacy_curve,
)
from ccsim.privacy.constructions import is_symmetric
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation
from proofs_check.claims.beimel_brenner.constructions.biased_points import (
    BiasedConsistentPoint,
    SubsampledBiasedPoint,
)
from proofs_check.claims.beimel_brenner.constructions.independent_noise import IndependentNoise

F = Fraction
HALF = F(1, 2)
LN2, LN3, LN4 = (Epsilon.of(f"ln {k}") for k in (2, 3, 4))


class Told(Mechanism):
    """A mechanism that publishes a function of the sequence of records."""

    def __init__(self, told, records=(0, 1), *, symmetric=False):
        self._told, self._records, self._symmetric = told, records, symmetric

    @property
    def records(self):
        return self._records

    @property
    def symmetric(self):
        return self._symmetric

    def distribution(self, database):
        return Distribution.certain(self._told(tuple(database)))


def first_unless_sorted(database):
    return "sorted" if list(database) == sorted(database) else database[0]


# --- Order, multiplicity, one rare place -------------------------------------------------------


def test_a_mechanism_does_not_count_as_symmetric_unless_it_says_so():
    class Plain(Mechanism):
        records = (0, 1)

        def distribution(self, database):
            return Distribution.certain(first_unless_sorted(database))

    assert not Plain().symmetric
    result = audit(Plain(), 0, 0, 2)
    assert result.verdict == "fails"
    assert result.pairs == 4
    result.check()


def test_a_mechanism_that_calls_itself_symmetric_is_refused_where_two_orders_differ():
    mechanism = Told(first_unless_sorted, symmetric=True)
    message = r"is declared symmetric, but its distributions on \(0, 1\) and \(1, 0\) differ"
    with pytest.raises(DomainError, match=message) as caught:
        audit(mechanism, 0, 0, 2)
    assert "\n" not in str(caught.value)
    with pytest.raises(DomainError, match=message):
        audit(mechanism, 0, 0, [((0, 0), (1, 0))])


def test_an_order_that_matters_in_one_rare_place_is_found():
    rare = (2, 1, 0, 2)
    mechanism = Told(lambda database: database == rare, (0, 1, 2), symmetric=True)
    with pytest.raises(DomainError, match="is declared symmetric"):
        audit(mechanism, 0, 0, 4)
    result = audit(Told(lambda database: database == rare, (0, 1, 2)), 0, 0, 4)
    assert result.verdict == "fails"
    assert rare in (result.worst.database, result.worst.neighbour)
    assert result.least_delta == 1


def test_a_mechanism_that_is_symmetric_by_its_word_only_is_compared_on_all_sequences():
    honest = Told(sum, symmetric=True)
    result = audit(honest, 0, 0, 3)
    assert (result.verdict, result.pairs) == ("fails", 12)
    instance = result.certificate().to_dict()[0]["instance"]
    assert instance["symmetric"] is False
    assert len(instance["laws"]) == 8


def test_multiplicity_is_found():
    result = audit(Told(lambda database: len(set(database)), range(3)), 0, 0, 3)
    assert result.verdict == "fails"

    class Sorted(CanonicalMechanism):
        records, symmetric = (0, 1, 2), True

        def distribution_of(self, database):
            return Distribution.certain(database.count(2) == 3)

    result = audit(Sorted(), 5, "1/2", 3)
    assert result.verdict == "fails"
    assert (2, 2, 2) in (result.worst.database, result.worst.neighbour)


def test_one_record_in_one_place_is_found():
    result = audit(Told(lambda database: database[2] == 3, range(4)), 1, "1/2", 3)
    assert result.verdict == "fails"
    assert {result.worst.database[2], result.worst.neighbour[2]} > {3}


def test_a_mechanism_that_sorts_its_database_has_no_order():
    class First(CanonicalMechanism):
        records, symmetric = ("b", "a"), True

        def distribution_of(self, database):
            return Distribution.certain(database[0])

    assert First().distribution("ab") == First().distribution("ba") == Distribution.certain("b")
    assert audit(First(), 0, 0, 2).pairs == 2


@pytest.mark.parametrize("name", ["distribution", "canonical"])
def test_a_method_in_place_of_the_one_that_sorts_makes_a_mechanism_of_sequences(name):
    def distribution(_self, database):
        return Distribution.certain(first_unless_sorted(tuple(database)))

    def canonical(_self, database):
        return tuple(database)

    class Replaced(CanonicalMechanism):
        records, symmetric = (0, 1), True

        def distribution_of(self, database):
            return distribution(self, database)

    setattr(Replaced, name, {"distribution": distribution, "canonical": canonical}[name])
    assert not is_symmetric(Replaced())
    with pytest.raises(DomainError, match="is declared symmetric"):
        audit(Replaced(), 0, 0, 2)


def test_a_distribution_replaced_in_one_object_is_not_believed():
    class Sorts(CanonicalMechanism):
        records, symmetric = (0, 1), True

        def distribution_of(self, database):
            return Distribution.certain(len(database))

    faulty = Sorts()
    faulty.distribution = lambda database: Distribution.certain(
        first_unless_sorted(tuple(database))
    )
    with pytest.raises(DomainError, match="is declared symmetric"):
        audit(faulty, 0, 0, 2)


FAULTY = Told(first_unless_sorted, symmetric=True)


@pytest.mark.parametrize(
    "wrapped",
    [
        PostProcessed(FAULTY, str),
        Composed((FAULTY, Told(len, symmetric=True))),
        Subsampled(FAULTY, F(2, 3), 0),
        IndependentNoise(Told(lambda d: d == (1, 0), symmetric=True), 1, (0, 1), F(1, 8)),
    ],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_what_is_made_of_a_faulty_mechanism_is_no_more_symmetric_than_it(wrapped):
    assert not wrapped.symmetric
    result = audit(wrapped, 0, 0, 2)
    assert result.verdict == "fails"
    assert result.pairs == 4
    distributions = {
        database: wrapped.distribution(database) for database in product((0, 1), repeat=2)
    }
    assert distributions[0, 1].as_mapping() != distributions[1, 0].as_mapping()


def votes(database, candidate):
    return database.count(candidate)


def lopsided(database, candidate):
    return 5 * (database[0] == candidate)


SETS = ProbabilisticRepresentation.mixture([(1, HypothesisSet((0, 1), 2))])
SYMMETRIC = [
    PrivateOccam(2, (1, 2), LN4),
    PublicCoinOccam(SETS, LN4),
    NoisyConsistentPoint(2, F(1, 8)),
    SubsampledPoint(2, F(2, 5)),
    BiasedConsistentPoint(2, F(1, 8)),
    SubsampledBiasedPoint(2, F(2, 5)),
    StableMode(tuple("0ab"), "0", LN2, F(1, 10)),
    ExponentialMechanism("ab", "ab", votes, LN4),
    ExponentialMechanism("ab", "ab", lopsided, LN4),
    NoisyArgmax("ab", "ab", lopsided, LN4),
    NoisyThreshold((0, 1), lambda database: database[0], LN2, LN2),
    TruncatedGeometric((0, 1), lambda database: database[0], LN2, 0, 1),
    PostProcessed(SubsampledPoint(2, F(2, 5)), str),
    Composed((PrivateOccam(2, (1, 2), LN4), PrivateOccam(2, (0,), LN4))),
    Subsampled(SubsampledPoint(1, F(2, 5)), HALF, None),
    IndependentNoise(PrivateOccam(2, (1, 2), LN4), 2, (1, 2), F(1, 8)),
]


@pytest.mark.parametrize("mechanism", SYMMETRIC, ids=lambda m: type(m).__name__)
def test_a_mechanism_that_is_audited_on_multisets_has_one_distribution_on_all_orders(mechanism):
    assert is_symmetric(mechanism)
    place = {record: i for i, record in enumerate(mechanism.records)}
    for database in product(mechanism.records, repeat=2):
        ordered = sorted(database, key=place.__getitem__)
        assert (
            mechanism.distribution(database).as_mapping()
            == mechanism.distribution(ordered).as_mapping()
        )


def test_a_learner_that_calls_itself_symmetric_and_is_not_has_no_worst_failure():
    def told(sample):
        return 1 if sample[0] <= sample[1] else 2

    records = PrivateOccam(2, (1,), LN4).records
    with pytest.raises(DomainError, match=r"its distributions on .* and .* differ"):
        worst_failure(Told(told, records, symmetric=True), points(1), 2, "1/4")
    with pytest.raises(DomainError, match="must not depend on the order"):
        worst_failure(Told(lambda _: 1, records), points(1), 2, "1/4")
    constant = worst_failure(Told(lambda _: 1, records, symmetric=True), points(1), 2, "1/4")
    assert constant.upper == 1


# --- Records -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "records", [(0, 1, True), (1, 1.0), (F(1), 1), (0, 1, 0), ((0, 1), (0, True)), (0.0, -0.0)]
)
def test_equal_records_are_refused_whatever_their_type(records):
    with pytest.raises(DomainError, match=r"records must be distinct, but .* are equal"):
        audit(Told(lambda d: type(d[0]).__name__, records), 0, 0, 1)


@pytest.mark.parametrize("record", [True, 1.0, F(1), 2, "1", None, [1]])
def test_what_only_equals_a_record_is_none(record):
    response = RandomizedResponse((0, 1), LN3)
    with pytest.raises(DomainError, match="must be a record of the domain, not a different"):
        response.distribution((record,))
    with pytest.raises(DomainError, match="must be a record of the domain, not a different"):
        audit(Told(lambda d: type(d[0]).__name__), LN3, 0, [((0,), (record,))])


@pytest.mark.parametrize("mechanism", SYMMETRIC, ids=lambda m: type(m).__name__)
def test_records_outside_the_domain_have_no_distribution(mechanism):
    for foreign in ("z", (9, 9), (0, True), None.__class__):
        with pytest.raises(DomainError, match="entry 2 of a database must be a record"):
            mechanism.distribution((mechanism.records[0], foreign))
    with pytest.raises(DomainError, match="must be a sequence, not 3"):
        mechanism.distribution(3)


def test_equal_outcomes_of_different_types_tell_databases_apart():
    told = {0: 0, 1: False}
    with pytest.raises(
        DomainError, match="outcomes 0 and False are equal but have different types"
    ):
        audit(Told(lambda database: told[database[0]]), 0, 0, 1)


# --- Distributions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (0.5, "of 0 must be an exact number, not the float 0.5"),
        (np.float64(0.5), "of 0 must be an exact number, not the float 0.5"),
        (True, "of 0 must be an int, a Fraction or text such as '1/3', not True"),
        (None, "of 0 must be an int, a Fraction or text"),
        (1j, "of 0 must be an int, a Fraction or text"),
        ("1/0", "of 0 must be a fraction p/q or a decimal number"),
    ],
)
def test_probabilities_are_exact_numbers(number, message):
    for make in (
        lambda: Distribution.of({0: number, 1: HALF}),
        lambda: Distribution(((0, number), (1, HALF))),
        lambda: Distribution.proportional({0: number, 1: HALF}),
    ):
        with pytest.raises(DomainError, match=message):
            make()


@pytest.mark.parametrize("number", [Decimal("0.5"), "1/2", "5e-1", HALF])
def test_probabilities_are_read_as_all_numbers_are(number):
    fair = Distribution(((0, HALF), (1, HALF)))
    assert (
        Distribution.of({0: number, 1: HALF})
        == Distribution.proportional({0: number, 1: number})
        == fair
    )
    assert Distribution.of({0: np.int64(1)}) == Distribution.certain(0)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (((0, HALF),), "sum to 1, not 1/2"),
        ((), "sum to 1, not 0"),
        (((0, HALF), (0, HALF)), "distinct, but 0 occurs twice"),
        (((1, HALF), (True, HALF)), "distinct, but True occurs twice"),
        (((0, F(3, 2)), (1, -HALF)), "at least 0, not -1/2"),
        ((([], F(1)),), r"hashable, not \[\]"),
        ((0, 1), "pairs of an outcome and its probability"),
        ({0: F(1)}, "pairs of an outcome and its probability"),
        (((0, exponential(-1)), (1, HALF)), "sum to 1, not"),
    ],
)
def test_a_distribution_that_is_made_of_items_is_checked(items, message):
    with pytest.raises(DomainError, match=message):
        Distribution(items)


def test_impossible_outcomes_are_dropped_and_integers_are_fractions():
    distribution = Distribution(((0, 1), (1, 0)))
    assert distribution.items == ((0, F(1)),)
    assert type(distribution[0]) is F
    assert distribution == Distribution.certain(0)


def test_negative_weights_are_in_proportion_to_nothing():
    with pytest.raises(DomainError, match="weight of 0 must be at least 0, not -1"):
        Distribution.proportional({0: -1, 1: -1})


def test_the_auditor_checks_the_distributions_of_a_mechanism():
    class Tampered(Mechanism):
        records = (0, 1)

        def distribution(self, _database):
            distribution = Distribution.certain(0)
            object.__setattr__(distribution, "items", ((0, F(1, 3)),))
            return distribution

    with pytest.raises(DomainError, match="sum to 1, not 1/3"):
        audit(Tampered(), 0, 0, 1)

    class Untyped(Mechanism):
        records = (0, 1)

        def distribution(self, _database):
            return {0: 1}

    with pytest.raises(
        DomainError, match=r"the distribution of Untyped on \(0,\) must be a Distribution"
    ):
        audit(Untyped(), 0, 0, 1)


# --- Results -----------------------------------------------------------------------------------

RESPONSE = RandomizedResponse((0, 1), LN3)
HOLDS, FAILS = audit(RESPONSE, LN3, 0, 2), audit(RESPONSE, LN2, "1/8", 2)
GIVEN = audit(RESPONSE, LN2, 0, [((0,), (1,))])
NO_FACTOR = audit(SubsampledPoint(2, F(2, 5), flip=F(0)), "ln 4", 0, 1)


@pytest.mark.parametrize("result", [HOLDS, FAILS, GIVEN, NO_FACTOR])
def test_results_are_what_they_say(result):
    result.check()


@pytest.mark.parametrize(
    ("result", "changes", "reason"),
    [
        (HOLDS, {"factor": F(2)}, "the event E must prove the bound"),
        (HOLDS, {"factor": F(4)}, "the event E must prove the bound"),
        (HOLDS, {"factor": F(1, 2)}, "must be at least 1|the event E must prove the bound"),
        (HOLDS, {"factor": F(-1)}, "must be at least 0"),
        (HOLDS, {"factor": 3.0}, "factor of AuditResult must be"),
        (HOLDS, {"factor": None}, "the event E must prove the bound"),
        (
            NO_FACTOR,
            {"factor": F(100)},
            "the event E must prove the bound|violate the stated bound",
        ),
        (FAILS, {"factor": F(3)}, "the event E must prove the bound"),
        (FAILS, {"delta": F(1, 16)}, "the event E must prove the bound"),
        (FAILS, {"delta": F(1, 2)}, "the event E must prove the bound"),
        (FAILS, {"delta": 0.125}, "delta of AuditResult must be"),
        (FAILS, {"reason": "stopped"}, "tightest must be a pair if all pairs were compared"),
        (
            FAILS,
            {"reason": "stopped", "tightest": None},
            "factor must be None unless all pairs were compared",
        ),
        (HOLDS, {"pairs": 3}, "pairs must be 4, not 3"),
        (HOLDS, {"pairs": 4.0}, "pairs of AuditResult must be int"),
        (HOLDS, {"neighbours": 1}, "pairs must be 1, not 4"),
        (GIVEN, {"neighbours": ()}, "pairs must be 0"),
        (GIVEN, {"neighbours": (((1,), (0,)),) * 2}, "pairs must be 2, not 1"),
        (FAILS, {"epsilon": LN3}, "the event E must prove the bound"),
        (FAILS, {"epsilon": Epsilon.of("ln 5/2")}, "the event E must prove the bound"),
        (HOLDS, {"epsilon": 0.5}, "epsilon of AuditResult must be"),
        (HOLDS, {"epsilon": LN2}, "violate the stated bound"),
        (HOLDS, {"worst": None}, "worst must be a violation in a decided audit, not None"),
        (HOLDS, {"tightest": None}, "tightest must be a pair if all pairs"),
        (HOLDS, {"tightest": ((0, 0), (1, 1))}, "are not neighbours"),
        (HOLDS, {"tightest": ((0,), (1,))}, "must be pairs of compared neighbours"),
        (HOLDS, {"tightest": ((0, 7), (0, 1))}, "must be a record of the domain"),
        (HOLDS, {"mechanism": RandomizedResponse((0, 1), LN4)}, "violate the stated bound"),
        (
            FAILS,
            {"mechanism": RandomizedResponse((0, 1), LN4)},
            "the probabilities of the worst event",
        ),
        (HOLDS, {"mechanism": RandomizedResponse((0, 1, 2), LN3)}, "pairs must be 18"),
    ],
)
def test_altered_results_are_rejected(result, changes, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(result, **changes).check()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"event": ()}, "probabilities of the worst event must be 0 and 0"),
        ({"event": FAILS.worst.event * 2}, "probabilities of the worst event"),
        ({"event": FAILS.worst.event[:1]}, "probabilities of the worst event"),
        ({"probability": F(1)}, "the probabilities of the worst event must be 3/4 and 1/4"),
        (
            {"neighbour_probability": F(0)},
            "the probabilities of the worst event must be 3/4 and 1/4",
        ),
        ({"delta": F(1, 3)}, "the event E must prove the bound"),
        ({"delta": F(1, 5)}, "the event E must prove the bound"),
        ({"database": FAILS.worst.neighbour}, "the probabilities of the worst event must be"),
        ({"neighbour": (5, 5)}, "must be a record of the domain"),
    ],
)
def test_altered_witnesses_are_rejected(changes, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(FAILS, worst=replace(FAILS.worst, **changes)).check()


def test_a_result_of_an_audit_that_was_stopped_states_nothing_more_than_a_violation():
    stopped = audit(RESPONSE, "ln 2", 0, 3, time_limit=0)
    stopped.check()
    said = kernel.check(stopped.certificate().to_dict())
    assert "1 listed pairs of 2 databases" in said
    assert said.endswith("factor 2, least delta: at least 1/4")
    for changes in (
        {"factor": F(3)},
        {"tightest": ((0, 0), (0, 1))},
        {"worst": replace(stopped.worst, delta=F(1, 3))},
    ):
        with pytest.raises(CertificateError):
            replace(stopped, **changes).check()


# --- Arguments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "neighbours", ["3", 2.0, True, 0, -1, None, F(2), [3], ["ab"], [((0,),)], [(0, 1)]]
)
def test_what_is_no_size_and_no_pairs_is_refused_in_one_line(neighbours):
    for ask in (
        lambda: audit(RESPONSE, LN3, 0, neighbours),
        lambda: privacy_curve(RESPONSE, [LN3], neighbours),
    ):
        with pytest.raises(DomainError) as caught:
            ask()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [400, 10**9, 10**30])
@pytest.mark.parametrize(
    "mechanism",
    [RESPONSE, PrivateOccam(2, (1,), LN4), PrivateOccam(300, (1,), LN4), Told(len, range(10**4))],
    ids=["two", "four", "six hundred", "ten thousand"],
)
def test_too_many_databases_are_refused_before_work(mechanism, size):
    with pytest.raises(InstanceTooLargeError, match="limit"):
        audit(mechanism, LN3, 0, size)


def test_long_databases_are_refused_before_work():
    count = TruncatedGeometric((0, 1), sum, LN2, 0, 3)
    with pytest.raises(InstanceTooLargeError, match="of 100000 entries exceed"):
        audit(count, LN3, 0, 10**5)
    assert audit(Told(len, (0,)), LN3, 0, 10**9).reason == "there are no neighbouring databases"


def agreed(records):
    """Publish a value exactly if the first two records agree on it."""
    return {records[0] if len(set(records[:2])) < len(records[:2]) else "nothing": 1}


def test_the_size_of_databases_is_asked_for():
    """A mechanism that reveals only pairs of records is private on databases of one record."""
    mechanism = FunctionMechanism((0, 1), agreed)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'neighbours'"):
        audit(mechanism, 1, 0)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'neighbours'"):
        privacy_curve(mechanism, [1])
    assert [audit(mechanism, 1, 0, size).verdict for size in (1, 2, 3)] == [
        "holds",
        "fails",
        "fails",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mechanism", 1), "mechanism must be a Mechanism or a NoiseProgram, not 'mechanism'$"),
        (
            (RandomizedResponse, 1),
            "mechanism must be a Mechanism or a NoiseProgram, not the type RandomizedResponse$",
        ),
        (
            (len, 1),
            r"not a built.*; use FunctionMechanism\(records, function\) for a function",
        ),
        ((RESPONSE, 0.5), "epsilon must be"),
        ((RESPONSE, None), "epsilon must be"),
        ((RESPONSE, 1, 0.5), "delta must be"),
        ((RESPONSE, 1, True), "delta must be"),
        ((Told(len, ()), 1), "must have at least one record"),
        ((Told(len, ([],)), 1), "records must be hashable"),
        ((Told(len, 3), 1), "records must be a sequence"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(arguments, message):
    with pytest.raises(DomainError, match=message) as caught:
        audit(*arguments, *(0, 1)[len(arguments) - 2 :])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PrivateOccam(2, (1,), "ln"),
        lambda: PrivateOccam(2, (1,), 1.0),
        lambda: PrivateOccam(True, (1,), LN4),
        lambda: PrivateOccam(2, (1,), LN4, 0.5),
        lambda: SubsampledPoint(2, 0.25),
        lambda: SubsampledPoint(2.0, F(1, 4)),
        lambda: NoisyConsistentPoint(2, 0.5),
        lambda: StableMode(("a", "b"), "a", LN2, 0.25),
        lambda: StableMode(("a", "b", "a"), "a", LN2, F(1, 4)),
        lambda: StableMode((0, 1, True), 0, LN2, F(1, 4)),
        lambda: Subsampled(RESPONSE, 0.5, 0),
        lambda: IndependentNoise(RESPONSE, 2, (1,), 0.5),
        lambda: PostProcessed("mechanism", str),
        lambda: PostProcessed(RESPONSE, "str"),
        lambda: TruncatedGeometric((0, 1), sum, LN2, 0, 1.0),
        lambda: NoisyThreshold((0, 1), sum, LN2, 1.0),
        lambda: ExponentialMechanism((0, 1), (0, 1), votes, LN2, 1.0),
        lambda: ExponentialMechanism((0, 1), (0, 1), lambda *_: 0.5, LN2).distribution((0,)),
        lambda: NoisyArgmax((0, 1), (0, 1), lambda *_: 0.5, LN2).distribution((0,)),
        lambda: TruncatedGeometric((0, 1), lambda _: 0.5, LN2, 0, 1).distribution((0,)),
        lambda: TruncatedGeometric((0, 1), lambda _: F(1, 2), LN2, 0, 1).distribution((0,)),
        lambda: NoisyThreshold((0, 1), lambda _: 0.5, LN2, LN2).distribution((0,)),
        lambda: Epsilon(0.5),
        lambda: audit(RESPONSE, Epsilon(F(-1)), 0, 1),
        lambda: Composed((RESPONSE, "other")),
        lambda: Composed(
            (PrivateOccam(1, (1,), LN4), RandomizedResponse(((0, False), (0, 1)), LN4))
        ),
    ],
)
def test_parameters_of_mechanisms_are_exact_and_of_their_types(make):
    with pytest.raises(DomainError) as caught:
        make()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("limit", [-1, "1", float("nan"), True])
def test_a_time_limit_is_a_number_of_seconds(limit):
    with pytest.raises(DomainError, match=r"time limit must be a number of sec|time_limit must be"):
        audit(RESPONSE, 1, 0, 1, time_limit=limit)


# --- Certificates ------------------------------------------------------------------------------


def test_the_kernel_says_which_databases_were_compared():
    sequences = kernel.check(audit(RESPONSE, LN3, 0, 2).certificate().to_dict())
    assert "on all databases (sequences) of 2 records with 2 possible values" in sequences
    occam = PrivateOccam(2, (1, 2), LN4)
    multisets = kernel.check(audit(occam, LN4, 0, 3).certificate().to_dict())
    assert "privacy of a mechanism on multisets of 3 records with 4 possible values" in multisets
    irrational = PrivateOccam(2, (1, 2), Epsilon.of(1))
    assert "on multisets of 2 records with 4 possible values" in kernel.check(
        audit(irrational, 1, 0, 2).certificate().to_dict()
    )


@pytest.mark.parametrize("epsilon", ["ln 4", "1"])
def test_distributions_of_sorted_databases_prove_nothing_of_all_databases(epsilon):
    occam = PrivateOccam(2, (1, 2), Epsilon.of(epsilon))
    made = audit(occam, epsilon, 0, 2).certificate().to_dict()
    assert made[0]["instance"]["symmetric"] is True
    made[0]["instance"]["symmetric"] = False
    with pytest.raises(
        kernel.Rejected,
        match="must be one distribution for each database of 2 records with 4 values, not 10",
    ):
        kernel.check(made)


def test_the_kernel_accepts_powers_of_a_root():
    found = audit(PrivateOccam(2, (1, 2), LN3), 0, 0, 1).certificate().to_dict()
    first, second = kernel.check(found).split("\n")
    assert ", t = (3)^(1/2), " in first
    assert first.endswith("factor 1, least delta: exactly [2, -1] / 1")
    assert second.endswith("least factor, delta 0: exactly [0, 1] / 1")
    faulty = audit(PrivateOccam(2, (1, 2, 3), LN3, F(1, 3)), LN3, 0, 2)
    assert "exactly 40/87\n" in kernel.check(faulty.certificate().to_dict())


def test_labels_that_stand_for_two_records_make_no_certificate():
    result = audit(RandomizedResponse((1, "1"), LN3), LN3, 0, 1)
    with pytest.raises(
        DomainError,
        match="records must have different labels in a certificate, but two have the label '1'",
    ):
        result.certificate(str, repr)
    for labels in ((), (repr, repr)):
        assert "exactly 0\n" in kernel.check(result.certificate(*labels).to_dict())


def test_given_neighbours_are_what_the_certificate_is_about():
    said = kernel.check(GIVEN.certificate().to_dict())
    assert "privacy of a mechanism on 1 listed pairs of 2 databases" in said


# --- Logarithms whose roots are irrational -----------------------------------------------------


@pytest.mark.parametrize("epsilon", ["ln 3", "ln 2", "ln(9/4)", "ln(7/3)", "1/2", "0", "ln 12"])
def test_the_exponential_mechanism_is_private_at_its_epsilon_exactly(epsilon):
    learner = PrivateOccam(2, (1, 2, 3), Epsilon.of(epsilon))
    result = audit(learner, epsilon, 0, 3)
    assert result.verdict == "holds"
    result.check()
    shown = float(result.factor)
    ratios = [
        float(p[h]) / float(q[h])
        for first, second in neighbouring_databases(learner.records, 3)
        for p, q in [(learner.distribution(first), learner.distribution(second))]
        for h in learner.hypotheses
    ]
    assert shown == pytest.approx(max(*ratios, *(1 / r for r in ratios)))
    faulty = audit(replace(learner, sensitivity=F(1, 3)), epsilon, 0, 3)
    assert faulty.verdict == ("holds" if epsilon == "0" else "fails")
    faulty.check()


def test_noise_is_exact_at_irrational_scales():
    for mechanism in (
        NoisyArgmax("abc", "abc", votes, LN3),
        TruncatedGeometric((0, 2), sum, LN3, 0, 4, 2),
        StableMode(tuple("0ab"), "0", LN3, F(1, 6), scale=F(2)),
    ):
        result = audit(mechanism, LN3, "2/5", 3)
        assert result.verdict == "holds"
        result.check()
        claim = kernel.check(result.certificate().to_dict())
        assert "t = (3)^(1/" in claim
    tight = audit(TruncatedGeometric((0, 1), sum, LN3, 0, 2, 2), 0, 0, 2)
    assert tight.factor * tight.factor == 3


# --- The command -------------------------------------------------------------------------------


def run(capsys, *arguments):
    status = main(["audit", *arguments])
    return status, *capsys.readouterr()


SLOW = ("points:b=2", "--mechanism", "exponential", "--samples", "4", "--epsilon", "ln 4")


@pytest.mark.parametrize("epsilon", ["ln 3", "ln 2", "ln(9/4)", "1/2", "0"])
@pytest.mark.parametrize(
    "mechanism", ["exponential", "randomized-response", "stable-mode", "subsampled-point"]
)
def test_every_mechanism_is_audited_at_every_epsilon(capsys, tmp_path, mechanism, epsilon):
    path = tmp_path / "audit.json"
    status, out, err = run(
        capsys, "points:b=1", "--mechanism", mechanism, "--samples", "2", "--epsilon", epsilon,
        "--delta", "1/10", "--json", "--certificate", str(path),
    )  # fmt: skip
    data = json.loads(out)
    assert (status, err) == (0 if data["verdict"] == "holds" else 5, "")
    assert data["verdict"] == ("holds" if mechanism != "subsampled-point" else data["verdict"])
    assert kernel.check(kernel.read(path)).count("privacy of a mechanism on all databases") in (
        0,
        2,
    )


def test_an_audit_that_is_stopped_prints_its_result_and_says_that_there_is_no_certificate(
    capsys, tmp_path
):
    path = tmp_path / "audit.json"
    status, out, err = run(
        capsys, *SLOW, "--time-limit", "0", "--certificate", str(path), "--json", "--curve", "0,1"
    )
    data = json.loads(out)
    assert (status, data["verdict"], data["pairs"]) == (3, "not decided", 1)
    assert [point["least_delta"] for point in data["curve"]] == [None, None]
    reason = "stopped after 1 of 3360 pairs of databases"
    assert err.splitlines() == [
        f"no least delta at epsilon = 0: {reason}",
        f"no least delta at epsilon = 1: {reason}",
        f"no certificate was written: {reason}",
    ]
    assert not path.exists()


@pytest.mark.parametrize(
    ("scale", "status", "verdict"), [("1", 3, "not decided"), ("1/8", 5, "fails")]
)
@pytest.mark.parametrize("stop", [OutOfTimeError, KeyboardInterrupt])
def test_an_audit_whose_check_is_stopped_states_only_a_violation(
    capsys, monkeypatch, scale, status, verdict, stop
):
    def stopped(*_databases, **_order):
        raise stop

    monkeypatch.setattr("ccsim.privacy.audit_result.databases", stopped)
    arguments = ("points:b=1", "--mechanism", "exponential", "--samples", "2", "--epsilon", "ln 4")
    found, out, err = run(
        capsys, *arguments, "--set", f"scale={scale}", "--json", "--certificate", "unwritten.json"
    )
    data = json.loads(out)
    assert (found, data["verdict"], data["least_delta"]) == (status, verdict, None)
    assert err == "no certificate was written: the time limit stopped the check of the audit\n"


def test_the_distributions_of_an_audit_are_looked_at_under_a_limit():
    decided = audit(RESPONSE, "ln 3", 0, 3)
    with pytest.raises(OutOfTimeError):
        decided.check(0)
    with pytest.raises(OutOfTimeError):
        decided.certificate(time_limit=0)


def test_a_curve_that_cannot_be_decided_does_not_lose_the_result(capsys):
    arguments = ("points:b=1", "--mechanism", "exponential", "--samples", "1")
    status, out, err = run(
        capsys, *arguments, "--epsilon", "ln 3", "--curve", "ln 9,2097153", "--json"
    )
    data = json.loads(out)
    assert (status, data["verdict"]) == (0, "holds")
    assert [point["least_delta"] for point in data["curve"]] == ["0", None]
    assert err == (
        "no least delta at epsilon = 2097153: epsilon must be at most 2097152, not 2097153, if "
        "probabilities are irrational\n"
    )


def test_a_violation_found_before_the_limit_is_printed_though_no_certificate_is_written(
    capsys, tmp_path
):
    path = tmp_path / "audit.json"
    faulty = (*SLOW, "--set", "scale=1/8", "--time-limit", "0", "--certificate", str(path))
    status, out, err = run(capsys, *faulty)
    assert status == 5
    assert "fails at epsilon = ln 4" in out
    assert err.startswith("no certificate was written: stopped after 1 of")
    assert err.count("\n") == 1
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("points:b=2", "--mechanism", "exponential", "--samples", str(10**9)), "limit"),
        (("points:b=1", "--mechanism", "randomized-response", "--samples", str(10**9)), "limit"),
        (("points:b=1", "--mechanism", "stable-mode", "--samples", str(10**9)), "limit"),
        (
            ("points:b=5", "--mechanism", "subsampled-point", "--samples", "1"),
            "at most 20 points, not 32",
        ),
        (
            ("points:b=1", "--mechanism", "stable-mode", "--samples", "1", "--set", "scale=0"),
            "scal",
        ),
        (
            ("points:b=1", "--mechanism", "exponential", "--samples", "1", "--set", "scale=0"),
            "posi",
        ),
    ],
)
def test_the_command_refuses_what_is_too_large_before_work(capsys, arguments, message):
    status, out, err = run(capsys, *arguments, "--epsilon", "1", "--delta", "1/10")
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_reports_that_are_too_many_are_refused():
    with pytest.raises(InstanceTooLargeError, match=r"2\^21 lists of reports exceed"):
        RESPONSE.distribution((0,) * 21)


def test_the_limit_ends_an_audit_within_a_distribution_of_many_outcomes():
    many = ExponentialMechanism(
        (0, 1), range(9000), lambda d, o: d[0] * (o % 2), Epsilon.of("ln 4")
    )
    stopped = audit(many, "ln 4", 0, 1, time_limit=Budget(2, clock=count().__next__))
    assert stopped.verdict == "not decided"
    assert (stopped.pairs, stopped.worst) == (0, None)
    assert stopped.reason == "stopped after 0 of 1 pairs of databases"
    whole = audit(many, "ln 4", 0, 1)
    assert (whole.verdict, whole.least_delta) == ("holds", 0)
    whole.check()
    with pytest.raises(OutOfTimeError):
        whole.check(Budget(3, clock=count().__next__))
