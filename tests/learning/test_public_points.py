"""Label-private and semi-private learners: audits by enumeration, sizes, planted faults."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import ConceptClass, kernel, points, thresholds
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.learning import LabelPrivateLearner, SemiPrivateLearner, worst_failure
from ccsim.learning.learner import TabledSample
from ccsim.learning.learners.occam import PrivateOccam
from ccsim.learning.learners.public_points import (
    PublicPointsOccam,
    label_neighbours,
    realized,
    semi_private_neighbours,
)
from ccsim.learning.sample_size import (
    consistent_sample_size,
    public_points_sizes,
)
from ccsim.privacy import audit
from ccsim.privacy.neighbours import RestrictedNeighbours

F = Fraction
CLASSES = {
    "points": (2, (0b01, 0b10)),
    "thresholds": (2, (0b00, 0b01, 0b11)),
    "all functions": (2, (0b00, 0b01, 0b10, 0b11)),
    "three points": (3, (0b001, 0b010, 0b100)),
}


# --- An enumeration that shares no code with the mechanism or the auditor -------------------------


def enumerated_distribution(concepts, sample, public, root):
    """Return the probabilities of all concepts at ``e^(epsilon / 2) = root``."""
    seen = [x for x, _ in sample[:public]]
    chosen, labellings = [], []
    for concept in concepts:
        labelling = [concept >> x & 1 for x in seen]
        if labelling not in labellings:
            labellings.append(labelling)
            chosen.append(concept)
    right = {c: sum(c >> x & 1 == y for x, y in sample[public:]) for c in chosen}
    total = sum(F(root) ** q for q in right.values())
    return [F(root) ** right[c] / total if c in right else F(0) for c in concepts]


def least(num_points, concepts, size, public, root, related, nominal=1):
    """Return the least factor at delta 0, and the least delta at ``nominal``."""
    examples = [(x, y) for x in range(num_points) for y in (0, 1)]
    distributions = {
        sample: enumerated_distribution(concepts, sample, public, root)
        for sample in product(examples, repeat=size)
    }
    factor, delta = F(1), F(0)
    for sample, distribution in distributions.items():
        for place in range(size):
            for example in examples:
                if example == sample[place] or not related(place, sample[place], example):
                    continue
                other = distributions[(*sample[:place], example, *sample[place + 1 :])]
                for p, q in zip(distribution, other, strict=True):
                    assert q or not p
                    factor = max(factor, p / q) if p else factor
                excess = (
                    max(p - nominal * q, F(0)) for p, q in zip(distribution, other, strict=True)
                )
                delta = max(delta, sum(excess, F(0)))
    return factor, delta


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize(("size", "public", "root"), [(2, 1, F(2)), (3, 1, F(3, 2)), (3, 2, F(2))])
def test_audits_agree_with_an_enumeration(name, size, public, root):
    num_points, concepts = CLASSES[name]
    learner = PublicPointsOccam(num_points, concepts, public, Epsilon.of(f"ln({root**2})"))
    relations = {
        label_neighbours(num_points, size): lambda _, a, b: a[0] == b[0],
        semi_private_neighbours(size, public): lambda place, _, __: place >= public,
    }
    for neighbours, related in relations.items():
        nominal = (1 + root) / 2
        factor, delta = least(num_points, concepts, size, public, root, related, nominal)
        result = audit(learner, learner.epsilon, 0, neighbours)
        assert (result.verdict, result.factor, result.least_delta) == ("holds", factor, 0)
        assert 1 < factor <= root**2
        less = audit(learner, Epsilon.of(f"ln({nominal})"), 0, neighbours)
        assert (less.verdict, less.factor, less.least_delta) == ("fails", factor, delta)
        assert delta > 0
        result.check()
        less.check()


def test_four_examples_need_less_than_is_promised():
    num_points, concepts = CLASSES["points"]
    learner = PublicPointsOccam(num_points, concepts, 1, Epsilon.of("ln 4"))
    for neighbours, related in (
        (label_neighbours(2, 4), lambda _, a, b: a[0] == b[0]),
        (semi_private_neighbours(4, 1), lambda place, _, __: place >= 1),
    ):
        result = audit(learner, "ln 4", 0, neighbours)
        assert result.factor == least(2, concepts, 4, 1, F(2), related)[0] == 3


def test_points_of_the_first_examples_are_not_private():
    learner = PublicPointsOccam(3, CLASSES["three points"][1], 1, Epsilon.of("ln 4"))
    result = audit(learner, "ln 4", 0, 3)
    assert (result.verdict, result.factor) == ("fails", None)
    first, second = result.witness.database, result.witness.neighbour
    assert first[0][0] != second[0][0]


def test_too_little_noise_is_found():
    learner = PublicPointsOccam(2, CLASSES["points"][1], 1, Epsilon.of("ln 4"), F(1, 2))
    for neighbours in (label_neighbours(2, 3), semi_private_neighbours(3, 1)):
        result = audit(learner, "ln 4", 0, neighbours)
        assert result.verdict == "fails"
        result.check()
        kernel.check(json.loads(result.certificate().to_json()))


class LabelsFirst(PublicPointsOccam):
    """A faulty learner that keeps only the concepts consistent with the first examples."""

    def distribution_of(self, database):
        first = database[: self.public]
        agree = [c for c in self.concepts if all(c >> x & 1 == y for x, y in first)]
        faulty = replace(self, concepts=tuple(agree) or self.concepts)
        return PublicPointsOccam.distribution_of(faulty, database)


def test_a_learner_that_reads_the_first_labels_is_not_label_private():
    concepts = CLASSES["all functions"][1]
    faulty = LabelsFirst(2, concepts, 1, Epsilon.of("ln 4"))
    assert audit(faulty, "ln 4", 0, label_neighbours(2, 2)).verdict == "fails"
    honest = PublicPointsOccam(2, concepts, 1, Epsilon.of("ln 4"))
    assert audit(honest, "ln 4", 0, label_neighbours(2, 2)).verdict == "holds"


def test_given_the_public_points_it_is_the_private_learner_over_what_they_tell_apart():
    num_points, concepts = CLASSES["three points"]
    learner = PublicPointsOccam(num_points, concepts, 2, Epsilon.of("ln 4"))
    sample = [(0, 1), (2, 0), (1, 1), (0, 0)]
    alone = PrivateOccam(num_points, realized(concepts, [0, 2]), Epsilon.of("ln 4"))
    assert learner.distribution(sample) == alone.distribution(sample[2:])


# --- The rule that tells neighbours ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 0}, "size must be at least 1, not 0"),
        ({"size": 2, "public": 2}, "public entries must be between 0 and 1, not 2"),
        ({"size": 2, "public": -1}, "public entries must be between 0 and 1, not -1"),
    ],
)
def test_senseless_rules_are_refused(given, message):
    with pytest.raises(DomainError, match=message):
        RestrictedNeighbours(**given)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((((0, 0), (0, 1)),), r"record \(1, 0\) must be in one group, not in none"),
        (
            (((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0),)),
            r"record \(0, 0\) must be in one group, not in two",
        ),
        ((((0, 0), (2, 1)),), "must be a record of the domain"),
    ],
)
def test_groups_are_of_the_records(groups, message):
    learner = PublicPointsOccam(2, (1, 2), 1, Epsilon.of("ln 4"))
    with pytest.raises(DomainError, match=message):
        audit(learner, "ln 4", 0, RestrictedNeighbours(2, groups=groups))


def test_multisets_have_no_first_entries():
    learner = PrivateOccam(2, (1, 2), Epsilon.of("ln 4"))
    with pytest.raises(DomainError, match="PrivateOccam sorts its database"):
        audit(learner, "ln 4", 0, RestrictedNeighbours(2, 1))
    labels = audit(learner, "ln 4", 0, label_neighbours(2, 3))
    everything = audit(learner, "ln 4", 0, 3)
    assert labels.pairs < everything.pairs
    assert labels.factor == everything.factor
    kernel.check(json.loads(labels.certificate().to_json()))


@pytest.mark.parametrize("epsilon", ["ln 4", "1"])
@pytest.mark.parametrize("rule", ["labels", "half"])
def test_the_kernel_reads_which_neighbours_were_compared(epsilon, rule):
    learner = PublicPointsOccam(2, (0b00, 0b01, 0b11), 1, Epsilon.of(epsilon))
    neighbours = label_neighbours(2, 3) if rule == "labels" else semi_private_neighbours(3, 1)
    certificate = json.loads(audit(learner, epsilon, 0, neighbours).certificate().to_json())
    said = kernel.check(certificate)
    stated = {"labels": "neighbours with records of one of 2 groups", "half": "the first 1 public"}
    assert stated[rule] in said
    # without the rule the same laws are those of a mechanism that is not private
    certificate[0]["instance"] |= {"public": 0, "groups": None}
    with pytest.raises(kernel.Rejected):
        kernel.check(certificate)


@pytest.mark.parametrize(
    ("neighbours", "message"),
    [
        ({"public": 3}, "must be an index below 3, not 3"),
        ({"groups": [0, 0, 1]}, "must have 4 entries, not 3"),
        ({"groups": [0, 0, 1, 4]}, "must be an index below 4, not 4"),
        ({"more": 0}, "unknown key 'more'"),
        ({"groups": {}}, "must be a list"),
    ],
)
def test_the_kernel_refuses_rules_that_are_none(neighbours, message):
    learner = PublicPointsOccam(2, (1, 2), 1, Epsilon.of("ln 4"))
    found = audit(learner, "ln 4", 0, label_neighbours(2, 3))
    certificate = json.loads(found.certificate().to_json())
    certificate[0]["instance"] |= neighbours
    with pytest.raises(kernel.Rejected, match=message):
        kernel.check(certificate)


def test_the_kernel_knows_no_first_entries_of_multisets():
    found = audit(PrivateOccam(2, (1, 2), Epsilon.of("ln 4")), "ln 4", 0, label_neighbours(2, 3))
    certificate = json.loads(found.certificate().to_json())
    certificate[0]["instance"]["public"] = 1
    with pytest.raises(kernel.Rejected, match="public: must be an index below 1"):
        kernel.check(certificate)


def test_an_altered_audit_is_refused():
    learner = PublicPointsOccam(2, (0b00, 0b01, 0b11), 1, Epsilon.of("ln 4"))
    found = audit(learner, "ln 4", 0, label_neighbours(2, 3))
    found.check()
    for altered in (
        replace(found, neighbours=semi_private_neighbours(3, 1)),
        replace(found, neighbours=RestrictedNeighbours(3)),
        replace(found, neighbours=3),
        replace(found, neighbours=label_neighbours(2, 4)),
        replace(found, pairs=found.pairs - 1),
        replace(found, factor=found.factor - F(1, 9)),
    ):
        with pytest.raises(CertificateError):
            altered.check()
    symmetric = audit(
        PrivateOccam(2, (1, 2), Epsilon.of("ln 4")), "ln 4", 0, label_neighbours(2, 3)
    )
    with pytest.raises(CertificateError, match="sorts its database"):
        replace(symmetric, neighbours=RestrictedNeighbours(3, 1)).check()


# --- Numbers of examples, and the learners --------------------------------------------------------


def test_sizes_meet_the_three_events_of_the_proof():
    for accuracy, failure, vc, epsilon in product(
        (F(99, 100), F(1, 10)), (F(1, 2), F(1, 10**6)), (1, 5), (F(1, 100), F(1), F(2))
    ):
        asked = Epsilon(epsilon), accuracy, failure
        sizes = public_points_sizes(vc, 2**90, *asked, "corrected")
        n, more = sizes.public, sizes.total - sizes.public
        a, b = float(accuracy), float(failure)
        assert n >= 8 / (a / 8) * (vc * math.log(16 / (a / 8)) + math.log(2 / (b / 4)))
        assert more >= 24 / a * math.log(4 / b)
        assert more >= 8 / a * (n * math.log(2) + math.log(4 / b))
        assert more >= 8 / (a * float(epsilon)) * (n * math.log(2) + math.log(4 / b))
        counted = public_points_sizes(vc, 2**90, *asked)
        assert (counted.public, counted.total < sizes.total) == (n, True)
        labellings = sum(math.comb(n, i) for i in range(vc + 1))
        needed = 8 / (a * min(float(epsilon), 1)) * (math.log(labellings) + math.log(4 / b))
        assert n + max(needed, 24 / a * math.log(4 / b)) <= counted.total
        assert public_points_sizes(vc, 2, *asked).total <= counted.total


def test_printed_sizes_are_too_small_for_what_they_are_used_for():
    tenth = F(1, 10)
    printed = public_points_sizes(1, 9, Epsilon.of(1), tenth, tenth, "printed")
    assert printed.public == consistent_sample_size(1, tenth / 4, tenth / 4)
    assert printed.public < consistent_sample_size(1, tenth / 8, tenth / 4)
    large = public_points_sizes(1, 9, Epsilon.of(400), tenth, tenth, "printed")
    assert large.total < large.public


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"variant": "best"}, DomainError, "variant must be one of corrected, counted, printed"),
        ({"concepts": 0}, DomainError, "concepts must be at least 1, not 0"),
        ({"accuracy": F(0)}, DomainError, "accuracy must be strictly between 0 and 1, not 0"),
        ({"vc": 10**7}, InstanceTooLargeError, "numbers of .* bits exceed the limit"),
        (
            {"accuracy": F(1, 10**6), "variant": "corrected"},
            InstanceTooLargeError,
            "hypotheses exceed the limit",
        ),
    ],
)
def test_sizes_refuse_what_makes_no_sense(changed, error, message):
    given = {"vc": 1, "concepts": 4, "epsilon": Epsilon.of(1), "accuracy": F(1, 4)}
    with pytest.raises(error, match=message):
        public_points_sizes(**{**given, "failure": F(1, 10), **changed})


def test_the_learner_answers_the_concept_that_agrees():
    tenth, C = F(1, 10), thresholds(3)
    for kind in (LabelPrivateLearner, SemiPrivateLearner):
        learner = kind(tenth, tenth, Epsilon.of(1), C)
        size = learner.sample_size
        sample = TabledSample.of([(x % 8, int(x % 8 >= 5)) for x in range(size)])
        found = learner.fit(sample, np.random.default_rng(0))
        assert found.row == C.rows[5]
        assert learner.privacy == (Epsilon.of(1), 0)
    assert "labels" in LabelPrivateLearner(tenth, tenth, Epsilon.of(1), C).protected


def test_labels_of_the_first_examples_are_not_read():
    tenth, C = F(1, 10), points(3)
    learner = LabelPrivateLearner(tenth, tenth, Epsilon.of(1), C)
    n = learner.sizes.public
    rest = [(x % 8, int(x % 8 == 2)) for x in range(learner.sample_size - n)]
    answers = {
        learner.fit(TabledSample.of([(x % 8, y) for x in range(n)] + rest), rng).row
        for y in (0, 1)
        for rng in [np.random.default_rng(3)]
    }
    assert answers == {C.rows[2]}


def test_what_the_public_points_do_not_tell_apart_is_not_chosen():
    learner = LabelPrivateLearner(F(1, 2), F(1, 2), Epsilon.of(1), points(2))
    size = learner.sample_size
    sample = TabledSample.of([(0, 0)] * learner.sizes.public + [(3, 1)] * size)
    rows = {learner.fit(sample, np.random.default_rng(seed)).row for seed in range(20)}
    assert rows == {1, 2}  # of those that are 0 on the point 0 the first stands for all


def test_the_draw_has_the_distribution_of_the_mechanism():
    learner = LabelPrivateLearner(F(99, 100), F(9, 10), Epsilon(F(0), F(21, 20)), points(1))
    size, n = learner.sample_size, learner.sizes.public
    examples = [(0, 0)] * n + [(0, 1), (1, 1)] * ((size - n) // 2) + [(1, 1)] * ((size - n) % 2 + 9)
    distribution = learner.mechanism.distribution(examples[:size])
    sample = TabledSample.of(examples)
    rng = np.random.default_rng(5)
    hits = sum(learner.fit(sample, rng).row == 1 for _ in range(1500))
    assert abs(hits / 1500 - float(distribution[1])) < 0.04


def test_a_class_without_concepts_is_refused():
    empty = ConceptClass.from_rows([], range(2))
    with pytest.raises(DomainError, match="must have at least one concept"):
        LabelPrivateLearner(F(1, 10), F(1, 10), Epsilon.of(1), empty)
    with pytest.raises(DomainError, match="the printed formula gives"):
        LabelPrivateLearner(F(1, 10), F(1, 10), Epsilon.of(400), points(2), "printed")


def test_too_few_public_points_cost_accuracy():
    """With one public point of three, the learner cannot distinguish two point functions."""
    num_points, concepts = CLASSES["three points"]
    few = PrivateOccam(num_points, realized(concepts, [0]), Epsilon.of("ln 4"))
    every = PrivateOccam(num_points, realized(concepts, [0, 1]), Epsilon.of("ln 4"))
    C = ConceptClass.from_rows(concepts, range(3))
    assert worst_failure(few, C, 2, "1/2", gap="1/20").lower > F(11, 20)
    assert worst_failure(every, C, 2, "1/2", gap="1/100").upper < F(11, 20)
