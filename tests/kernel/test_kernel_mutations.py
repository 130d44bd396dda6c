"""Whatever the kernel accepts is true: thousands of altered certificates against the definitions.

Each certificate of the corpus, and fresh ones of random instances, is altered anywhere in its
instance, statement or proofs. Where the kernel accepts all the same, the oracle of
`certificate_oracle` decides from the definitions whether every bound is true and every proof shows
what it says; where it does not, the alteration is counted as rejected.
"""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from ccsim import (
    communication_complexity,
    deterministic_representation_size,
    distributional_error,
    dual_vc_dimension,
    failure_probability,
    littlestone_dimension,
    minimax_error,
    representation_error,
    vc_dimension,
)
from ccsim.classes import ConceptClass
from ccsim.communication.problem import CommunicationProblem
from ccsim.kernel import KINDS, Rejected, check
from ccsim.representation import HypothesisSet, ProbabilisticRepresentation
from tests.certificate_oracle import MEANINGS, is_true

STORED = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(
        (Path(__file__).parents[1] / "certificate_corpus").glob("**/accepted/*.json")
    )
}
SEEDS = range(12)


@cache
def fresh(seed):
    """Certificates of random instances of three inputs or points."""
    rng = random.Random(seed)
    C = ConceptClass.from_rows(rng.sample(range(8), rng.randint(3, 6)), range(3))
    rows = [[rng.choice((0, 1, 1, 0, None)) for _ in range(3)] for _ in range(3)]
    F = CommunicationProblem.from_matrix([[0, 1, rng.choice((0, 1))], *rows[1:]])
    H = HypothesisSet.from_rows(rng.sample(range(8), 2), 3)
    G = HypothesisSet.from_rows(rng.sample(range(8), 1), 3)
    R = ProbabilisticRepresentation.mixture([("1/3", H), ("2/3", G)])
    law = {(0, y): Fraction(1, 3) for y in range(3)}
    results = (
        vc_dimension(C),
        dual_vc_dimension(C),
        littlestone_dimension(C, method="python"),
        *(minimax_error(F, 2, coins) for coins in ("public", "private", "deterministic")),
        *(communication_complexity(F, "1/4", coins) for coins in ("public", "deterministic")),
        distributional_error(F, law, 1),
        representation_error(H, C),
        failure_probability(R, C, "1/3"),
        deterministic_representation_size(C, "1/3"),
    )
    return {
        f"{seed}-{i}": json.loads(result.certificate().to_json())
        for i, result in enumerate(results)
    }


# --- Alterations ---------------------------------------------------------------------------------


def places(value):
    """Every list and object inside a value, with each key or index of it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def altered(certificate, rng):
    """Alter one place of the instance, the statement or a proof; labels and names stand apart."""
    made = copy.deepcopy(certificate)
    spots = [
        spot
        for side in ("instance", "statement", "lower", "upper")
        for spot in ((made, side), *places(made[side]))
    ]
    part, key = rng.choice(spots)
    other, place = rng.choice(spots)
    changes = {
        "replace": lambda: replaced(part, key, rng),
        "copy": lambda: part.__setitem__(key, copy.deepcopy(other[place])),
        "drop": lambda: part.__delitem__(key),
        "double": lambda: part.insert(key, copy.deepcopy(part[key])),
        "swap": lambda: swapped(part, key, rng),
        "rename": lambda: part.__setitem__(f"{key}s", part.pop(key)),
    }
    if isinstance(part, list):
        del changes["rename"]
    else:
        del changes["double"]
    name = rng.choice(["replace"] * 8 + list(changes))
    changes[name]()
    return name, made


def replaced(part, key, rng):
    """Put another number, index, text row or value in a place."""
    value = part[key]
    if isinstance(value, int):
        value += rng.choice((-2, -1, 1, 1, 2))
    elif isinstance(value, str) and "/" not in value and len(value) > 1:
        i = rng.randrange(len(value))
        value = value[:i] + rng.choice(("0", "1", "*", "")) + value[i + 1 :]
    elif isinstance(value, str):
        steps = (Fraction(1, 9), Fraction(-1, 4), Fraction(1, 2), Fraction(-1), Fraction(1))
        number = value.replace("/", "").isdigit()
        value = str(Fraction(value) + rng.choice(steps)) if number else ""
    else:
        value = rng.choice((None, 0, 1, "0", "1/2", [], {}))
    part[key] = value


def swapped(part, key, rng):
    """Exchange two entries."""
    other = rng.choice(list(part) if isinstance(part, dict) else range(len(part)))
    part[key], part[other] = part[other], part[key]


def assert_no_false_one_is_accepted(certificates, number, seed):
    """Alter certificates so often and return how many were rejected, and how many stayed true."""
    rng = random.Random(seed)
    names = sorted(certificates)
    verdicts = Counter()
    for i in range(number):
        original = certificates[names[i % len(names)]]
        change, made = altered(original, rng)
        if made == original:
            continue
        try:
            check(copy.deepcopy(made))
        except Rejected:
            verdicts[change, "rejected"] += 1
        else:
            verdicts[change, "true"] += 1
            assert is_true(made), json.dumps(made)
    return verdicts


def rejected(verdicts):
    return sum(count for (_, verdict), count in verdicts.items() if verdict == "rejected")


def test_oracle_has_a_meaning_for_every_kind_but_those_named_here():
    assert set(KINDS) - set(MEANINGS) <= {"exponential_privacy", "private_failure"}
    assert set(MEANINGS) == {c["kind"] for c in STORED.values()} & set(MEANINGS)


@pytest.mark.parametrize("name", [n for n, c in STORED.items() if c["kind"] in MEANINGS])
def test_stored_certificates_are_true(name):
    assert is_true(STORED[name])


@pytest.mark.parametrize("name", [n for n, c in STORED.items() if "lower" in c["statement"]])
@pytest.mark.parametrize(("side", "step"), [("lower", 1), ("upper", -1)])
def test_oracle_denies_bounds_that_are_moved_inwards(name, side, step):
    made = copy.deepcopy(STORED[name])
    bound = made["statement"][side]
    if made["kind"] in MEANINGS and bound is not None:
        moved = bound + step if isinstance(bound, int) else str(Fraction(bound) + step)
        made["statement"][side] = moved
        assert not is_true(made)


def test_altered_stored_certificates_are_rejected_unless_they_stay_true():
    known = {name: c for name, c in STORED.items() if c["kind"] in MEANINGS}
    verdicts = assert_no_false_one_is_accepted(known, 2400, seed=6)
    assert rejected(verdicts) > 1000
    changes = ("replace", "copy", "drop", "double", "swap", "rename")
    assert all(verdicts[change, "rejected"] for change in changes)


def test_altered_fresh_certificates_are_rejected_unless_they_stay_true():
    made = fresh(0)
    assert all(map(is_true, made.values()))
    assert rejected(assert_no_false_one_is_accepted(made, 400, seed=7)) > 200


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_many_altered_certificates_are_rejected_unless_they_stay_true(seed):
    made = fresh(seed) | {n: c for n, c in STORED.items() if c["kind"] in MEANINGS}
    assert rejected(assert_no_false_one_is_accepted(made, 6000, seed=seed)) > 3000
