"""Certificates of every kind for random instances with three inputs or points."""

# ruff: noqa: S311 - seeds, not secrets

import json
import random
from fractions import Fraction
from functools import cache

from ccsim import (
    PartialClass,
    audit,
    communication_complexity,
    compression_size,
    deterministic_representation_size,
    distributional_error,
    ds_dimension,
    dual_vc_dimension,
    failure_probability,
    graph_dimension,
    hollow_star_number,
    learning_lower_bound,
    least_failure,
    littlestone_dimension,
    minimax_error,
    multiclass_littlestone_dimension,
    natarajan_dimension,
    no_clash_teaching_dimension,
    offline_mistakes,
    private_sample_complexity,
    probabilistic_representation_size,
    query_complexity,
    randomized_littlestone_dimension,
    recursive_teaching_dimension,
    release_lower_bound,
    representation_error,
    representative_domain,
    self_directed_complexity,
    sign_rank,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.classes import ConceptClass
from ccsim.communication.problem import CommunicationProblem
from ccsim.dimensions.mistakes import ORDERS
from ccsim.dimensions.queries import QUERIES
from ccsim.exact.epsilon import Epsilon
from ccsim.learning import least_private_failure
from ccsim.learning.learners.noisy_points import SubsampledPoint
from ccsim.measures import bounds
from ccsim.privacy import (
    ExponentialMechanism,
    QualityNeighbours,
    RandomizedResponse,
    audit_by_qualities,
    composed_delta,
    composed_epsilon,
    release_bound,
)
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation
from tests.privacy.test_audit_by_qualities import a_dist

__all__ = ["fresh"]

OLDER = {"one_way", "one_way_back", "sign_rank", "vc", "littlestone", "public_coins",
         "private_coins"}  # fmt: skip # asked for above


@cache
def fresh(seed):
    """Return certificates of format 2, each with the name of its result."""
    rng = random.Random(seed)
    C = ConceptClass.from_rows(rng.sample(range(8), rng.randint(3, 6)), range(3))
    rows = [[rng.choice((0, 1, 1, 0, None)) for _ in range(3)] for _ in range(3)]
    labels = random.Random(seed).choices("0011*", k=18)
    partial = PartialClass.from_matrix(["01*", *("".join(labels[i::6]) for i in range(6))])
    F = CommunicationProblem.from_matrix([[0, 1, rng.choice((0, 1))], *rows[1:]])
    H = HypothesisSet.from_rows(rng.sample(range(8), 2), 3)
    G = HypothesisSet.from_rows(rng.sample(range(8), 1), 3)
    R = ProbabilisticRepresentation.mixture([("1/3", H), ("2/3", G)])
    law = {(0, y): Fraction(1, 3) for y in range(3)}
    results = {
        "vc": vc_dimension(C),
        "dual vc": dual_vc_dimension(C),
        "littlestone": littlestone_dimension(C),
        "thresholds": threshold_dimension(C),
        "mean depth": randomized_littlestone_dimension(C),
        "domain": representative_domain(C),
        "star": star_number(C),
        "hollow star": hollow_star_number(C),
        "teaching": teaching_dimension(C),
        "plan": recursive_teaching_dimension(C),
        "no clash": no_clash_teaching_dimension(C),
        "compression": compression_size(C),
        "unlabelled compression": compression_size(C, labelled=False, stable=True, proper=True),
        **labelled(rng),
        **{queries: query_complexity(C, queries) for queries in QUERIES},
        "self-directed": self_directed_complexity(C),
        **{f"{order} order": offline_mistakes(C, order) for order in ORDERS},
        "partial vc": vc_dimension(partial),
        "partial dual vc": dual_vc_dimension(partial),
        "partial littlestone": littlestone_dimension(partial),
        "partial thresholds": threshold_dimension(partial),
        "partial star": star_number(partial),
        "partial teaching": teaching_dimension(partial),
        "signs": sign_rank(C),
        "free signs": sign_rank(F),
        "public": minimax_error(F, 2, "public"),
        "private": minimax_error(F, 2, "private"),
        "deterministic": minimax_error(F, 2, "deterministic"),
        "two-way": minimax_error(F, bits=1, model="two-way"),
        "rounds": minimax_error(F, bits=2, model="two-way", rounds=1),
        "simultaneous": minimax_error(F, bits=2, model="simultaneous"),
        "messages": communication_complexity(F, "1/4", "public"),
        "classes": communication_complexity(F, "1/4", "deterministic"),
        "distribution": distributional_error(F, law, 1),
        "hypotheses": representation_error(H, C),
        "mixture": failure_probability(R, C, "1/3"),
        "size": deterministic_representation_size(C, "1/3"),
        "likely size": probabilistic_representation_size(C, "1/4", "1/4"),
        "failure": least_failure(C, "1/4", 2),
        **private(rng),
        **learned(rng),
        **{
            row.key: row.result
            for row in bounds(F, "1/4").rows
            if row.result and row.key not in OLDER
        },
    }
    made = {name: json.loads(result.certificate().to_json()) for name, result in results.items()}
    if made["failure of learners"]["kind"] == "private_failure":
        made["one learner"] = of_one_learner(made["failure of learners"])
    return {name: document for name, document in made.items() if is_new(document)}


def labelled(rng):
    """Return the dimensions of a class with three labels."""
    rows = ["".join(rng.choices("012", k=3)) for _ in range(rng.randint(4, 8))]
    return {
        "Natarajan": natarajan_dimension(rows),
        "graph": graph_dimension(rows),
        "DS": ds_dimension(rows),
        "tree of labels": multiclass_littlestone_dimension(rows),
    }


def of_one_learner(document):
    """Return the certificate of the learner that proves an upper bound, without its privacy."""
    statement, proof = document["statement"], document["upper"]["learner"]
    kept = {key: statement[key] for key in ("samples", "accuracy", "upper")}
    return document | {
        "kind": "learner_failure",
        "statement": kept | {"laws": proof["laws"], "lower": None},
        "lower": None,
        "upper": {"subdivisions": {"trees": proof["trees"]}},
    }


def private(rng):
    """Return audits and release bounds, with rational and with irrational probabilities."""
    response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    inner = SubsampledPoint(2, Fraction(2, 5))
    choosing = ExponentialMechanism("ab", "ab", votes, Epsilon.of(rng.choice((1, "1/2", "ln 2/2"))))
    by_votes = audit_by_qualities(a_dist(), "ln 4", "1/8", QualityNeighbours.all_functions(2, 2))
    delta, lead = Fraction(1, rng.randint(8, 20)), rng.randint(1, 5)
    return {
        "response": audit(response, "ln 2", 0, 2),
        "runs": composed_delta(response, rng.randint(1, 3), "ln 2", 1),
        "runs at delta": composed_epsilon(
            response, rng.randint(1, 3), "1/40", 1, adaptive=bool(rng.randint(0, 1))
        ),
        "subsample": audit(inner, 0, "1/20", 2),
        "choice": audit(choosing, "1/3", "1/40", 2),
        "votes": by_votes,
        "release": release_bound(lead, Epsilon.of("ln 2"), delta),
        "irrational release": release_bound(lead, Epsilon.of("1/2"), delta),
    }


def learned(rng):
    """Return results on private learners and releases for classes over two points."""
    C = ConceptClass.from_rows(rng.sample(range(4), rng.randint(2, 3)), range(2))
    accuracy, failure = rng.choice(("1/4", "2/5")), rng.choice(("1/4", "1/3"))
    return {
        "samples": private_sample_complexity(C, accuracy, failure, rng.choice(("ln 3", "1"))),
        "packing": learning_lower_bound(C, accuracy, failure, "ln 3"),
        "proper": learning_lower_bound(C, accuracy, failure, "ln 3", proper=True),
        "failure of learners": least_private_failure(C, rng.randint(0, 2), accuracy, "ln 3"),
        "few or likely": least_private_failure(
            C, rng.randint(1, 2), accuracy, "ln 3", delta=rng.choice(("1/10", "1/3"))
        ),
        "approximate samples": private_sample_complexity(
            C, accuracy, failure, rng.choice(("ln 3", "1")), delta="1/10"
        ),
        "records": release_lower_bound(C, accuracy, failure, "ln 3"),
    }


def votes(database, answer):
    return sum(record == answer for record in database)


def is_new(document):
    """Whether all certificates of a document have format 2."""
    listed = document if isinstance(document, list) else [document]
    return all(each["format"] == 2 for each in listed)
