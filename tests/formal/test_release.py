"""Theorems on private releases: how many records they need."""

import copy
import random

import pytest

from ccsim import points, release_lower_bound, thresholds
from ccsim.classes import ConceptClass
from tests.formal.proving import disagreements, is_theorem, verdicts


def by_chance(seed):
    """A bound on the records for a random class, some of whose points may be alike."""
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    width = rng.randint(2, 6)
    rows = rng.sample(range(1 << width), rng.randint(2, min(6, (1 << width) - 1)))
    accuracy, failure = rng.choice(("1/8", "1/5", "1/3", "1/2")), rng.choice(("1/10", "1/4"))
    return release_lower_bound(
        ConceptClass.from_rows(rows, range(width)), accuracy, failure, rng.choice(("ln 2", "ln 3"))
    )


def released(seeds=range(8)):
    known = [
        release_lower_bound(thresholds(4), "1/10", "1/10", "ln 3"),
        release_lower_bound(points(3), "1/20", "1/100", "ln 2"),
        *map(by_chance, seeds),
    ]
    return [found.certificate().to_dict() for found in known]


def test_new_bounds_on_records_are_theorems(theory, tmp_path):
    made = released()
    assert sum("points" in c["lower"] for c in made) >= len(made) / 2
    assert is_theorem(made, theory, tmp_path)


def test_one_more_record_or_point_is_no_theorem(theory, tmp_path):
    original = released(())[0]
    more, twice = copy.deepcopy(original), copy.deepcopy(original)
    more["statement"]["lower"] += 1
    twice["lower"]["points"]["points"].append(0)
    assert not is_theorem(more, theory, tmp_path)
    assert not is_theorem(twice, theory, tmp_path)


def test_what_no_bound_follows_from_is_not_proved(theory):
    """Each change leaves the packing as it is, but for what the proof needs of it."""
    original = released(())[1]
    changes = [
        ("statement", {"accuracy": "3/5"}),
        ("statement", {"accuracy": "1/25"}),
        ("statement", {"factor": "7/3"}),
        ("lower", {"exchanged": 10**6}),
        ("lower", {"points": [0]}),
        ("lower", {"points": []}),
    ]
    made = [copy.deepcopy(original) for _ in changes]
    for certificate, (key, change) in zip(made, changes, strict=True):
        inner = certificate[key] if key == "statement" else certificate[key]["points"]
        inner |= change
    said = verdicts([original, *made], theory)
    assert said[0] == "proved"
    assert "proved" not in said[1:]


def has_twins(certificate):
    """Whether two points or concepts have one name, which matters to no theorem."""
    labels = (certificate["instance"][key] for key in ("points", "concepts"))
    return any(len(set(map(str, each))) < len(each) for each in labels)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_kernel_and_the_proved_checker_agree_on_records(seed, theory):
    missed, laxer, both = disagreements(released(), theory, 250, seed)
    assert not missed
    assert all(map(has_twins, laxer))
    assert both
