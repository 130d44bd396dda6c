"""Theorems on private releases: numbers of records, and release probabilities."""

import copy
import random
from fractions import Fraction

import pytest

from ccsim import points, release_lower_bound, thresholds
from ccsim.classes import ConceptClass
from ccsim.exact.epsilon import Epsilon
from ccsim.kernel import Rejected, check
from ccsim.privacy import release_bound
from tests.formal.proving import are_no_theorems, disagreements, is_theorem, verdicts


def by_chance(seed):
    """Return a bound on the records for a random class, some of whose points may be equal."""
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
    made = released(range(3))
    assert sum("points" in c["lower"] for c in made) >= len(made) / 2
    assert is_theorem(made, theory, tmp_path)


def test_one_more_record_or_point_is_no_theorem(theory, tmp_path):
    original = released(())[0]
    more, twice = copy.deepcopy(original), copy.deepcopy(original)
    more["statement"]["lower"] += 1
    twice["lower"]["points"]["points"].append(0)
    assert are_no_theorems([more, twice], theory, tmp_path)


def test_what_no_bound_follows_from_is_not_proved(theory):
    """Each alteration changes only a part that the proof needs."""
    original = released(())[1]
    changes = [
        ("statement", {"accuracy": "3/5"}),
        ("statement", {"accuracy": "1/12"}),
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
    """Return whether two points or concepts have the same name, which no theorem depends on."""
    labels = (certificate["instance"][key] for key in ("points", "concepts"))
    return any(len(set(map(str, each))) < len(each) for each in labels)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_kernel_and_the_proved_checker_agree_on_records(seed, theory):
    missed, laxer, both = disagreements(released(), theory, 250, seed)
    assert not missed
    assert all(map(has_twins, laxer))
    assert both


EPSILONS = ("ln 2", "ln 7/2", "1", "1/3", "ln 3/2")


def chains(leads=range(5)):
    """Return bounds on release probabilities by rational numbers, by powers of e and by roots."""
    made = [
        release_bound(lead, Epsilon.of(epsilon), delta)
        for lead, epsilon, delta in zip(
            leads, EPSILONS, ("1/8", "1/50", "1/9", "1/4", "1/7"), strict=False
        )
    ]
    return [found.certificate().to_dict() for found in made]


def of_a_root():
    """Return a chain for the factor sqrt(2), with least bounds in units of 1/1000."""
    made = chains((3,))[0]
    made["instance"]["t"] = {"root": 2, "base": "2", "bits": 60}
    made["statement"] |= {"factor": {"over": [0, 1], "under": 1}, "upper": "151/500"}
    made["upper"] = {"chain": {"unit": 1000, "bounds": [125, 302]}}
    check(copy.deepcopy(made))
    return made


def test_new_chains_are_theorems(theory, tmp_path):
    made = [*chains((9, 8, 7)), of_a_root()]
    assert {c["instance"]["t"] is None for c in made} == {True, False}
    assert is_theorem(made, theory, tmp_path)


def test_a_smaller_chance_is_no_theorem(theory, tmp_path):
    """The last bound of each chain, and its statement, are lowered by 1/1000."""
    listed = chains((3, 4, 5))
    for made in listed:
        chain = made["upper"]["chain"]
        unit, bounds = 1000 * int(chain["unit"]), [1000 * int(q) for q in chain["bounds"]]
        bounds[-1] -= unit // 1000
        chain |= {"unit": written(unit), "bounds": [written(q) for q in bounds]}
        made["statement"]["upper"] = str(Fraction(bounds[-1], unit))
        with pytest.raises(Rejected):
            check(copy.deepcopy(made))
    assert are_no_theorems(listed, theory, tmp_path)


def written(number):
    """Return an integer in the form of certificates."""
    return number if number < 1 << 53 else str(number)


def test_a_chain_that_lacks_something_is_not_proved(theory):
    original = chains((5, 5, 5, 5, 5))[1]
    changes = [
        {"lead": 7},
        {"factor": "0"},
        {"factor": "4"},
        {"delta": "1/40"},
        {"upper": "1/1000"},
    ]
    made = [copy.deepcopy(original) for _ in changes]
    for certificate, change in zip(made, changes, strict=True):
        certificate["statement"] |= change
    fewer = copy.deepcopy(original)
    fewer["upper"]["chain"]["bounds"].pop(0)
    less = copy.deepcopy(original)
    less["upper"]["chain"]["bounds"][0] = -1
    said = verdicts([original, *made, fewer, less], theory)
    assert said[0] == "proved"
    assert "proved" not in said[1:]


@pytest.mark.parametrize("seed", [1, 2])
def test_every_chain_that_the_kernel_accepts_is_proved(seed, theory):
    missed, _, both = disagreements([*chains((1, 2, 3, 4, 5)), of_a_root()], theory, 250, seed)
    assert not missed
    assert both
