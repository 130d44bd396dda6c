"""What a certificate of each kind states, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["MEANINGS"]

MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "vc_dimension": "The VC dimension: the largest number of points to which the concepts give "
        "all labellings.",
        "dual_vc_dimension": "The dual VC dimension: the largest number of concepts to which the "
        "points give all labellings.",
        "littlestone_dimension": "The Littlestone dimension: the largest depth of a complete "
        "mistake tree.",
        "randomized_littlestone_dimension": "The randomised Littlestone dimension: half of the "
        "largest mean length of a random branch of a shattered tree.",
        "threshold_dimension": "The threshold dimension: the largest number of thresholds inside "
        "the class.",
        "effective_domain": "The effective domain: the number of points that concepts tell apart.",
        "star_number": "The star number: the largest number of points on each of which alone some "
        "concept differs from one concept.",
        "teaching_dimension": "The teaching dimension: how many points single out any concept.",
        "recursive_teaching_dimension": "The recursive teaching dimension: how many points single "
        "out any concept among those that are taught after it.",
        "no_clash_teaching_dimension": "The no-clash teaching dimension: how many points teach any "
        "concept so that no two fit what is given for each other.",
        "sign_rank": "The sign rank: the least dimension of vectors of rows and of columns whose "
        "products have the signs of the matrix.",
        "matrix_game": "The value of a matrix game.",
        "linear_program": "The value of a linear program.",
        "protocol_error": "The error of a one-way protocol on its worst input.",
        "distributional_error": "The least expected error of one-way protocols with so many "
        "messages under a distribution.",
        "minimax_error": "The least error on the worst input of one-way protocols with so many "
        "messages.",
        "communication_complexity": "The least number of messages with which a one-way protocol "
        "reaches the error on every input.",
        "family_error": "The least error on the worst input of one-way protocols with so many "
        "messages, for a problem of a family.",
        "deterministic_representation": "The error with which a set of hypotheses represents a "
        "class.",
        "probabilistic_representation": "The probability with which a random set of hypotheses "
        "fails to represent a class.",
        "least_failure": "The least failure probability of a random set of so many hypotheses.",
        "representation_size": "The least number of hypotheses that represent a class.",
        "privacy": "The privacy of a mechanism whose laws are listed.",
        "release_probability": "How often a private mechanism can release a point.",
        "learner_failure": "How often a private learner, whose laws are listed, fails.",
        "private_failure": "How often any private learner fails at least, and the best one does.",
        "approximate_private_failure": "How often any learner that is private but for delta fails "
        "at least, and the best one does.",
        "approximate_sample_complexity": "The number of examples that learners need which are "
        "private but for delta.",
        "private_sample_complexity": "The number of examples that private learners need.",
        "release": "The number of records that a private release for all concepts needs.",
    }
)
"""A sentence for each kind of `docs/certificates.md`."""
