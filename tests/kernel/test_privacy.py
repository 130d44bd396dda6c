"""Certificates of privacy: random mechanisms against all events, and altered proofs."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from statistics import NormalDist

import pytest

from ccsim.kernel import Rejected, check
from ccsim.kernel.enclosures import Units
from ccsim.kernel.rules import WORK, Work
from tests.kernel.corpus import stored

F = Fraction
INFINITY = None


def certificate(instance, asked, lower, upper):
    """Return a certificate on the least delta or factor, with proofs of the given bounds."""
    bounds = {"lower": lower and lower["bound"], "upper": upper}
    return {
        "format": 2,
        "kind": "privacy",
        "instance": instance,
        "statement": {"factor": None, "delta": None} | asked | bounds,
        "lower": lower and {"event": lower},
        "upper": upper and {"all_neighbours": {"bound": upper}},
        "made_by": "a test",
    }


def by_chance(rng, *, symmetric):
    """Return a random mechanism with small integer weights, and its databases."""
    records, size, outcomes = rng.randint(2, 3), rng.randint(1, 2), rng.randint(1, 3)
    every = combinations_with_replacement(range(records), size)
    databases = list(every if symmetric else product(range(records), repeat=size))
    laws = [[rng.randint(0, 3) for _ in range(outcomes)] for _ in databases]
    for law in laws:
        law[rng.randrange(outcomes)] += 1
    instance = {
        "type": "mechanism",
        "name": "",
        "records": list(range(records)),
        "outcomes": list(range(outcomes)),
        "size": size,
        "symmetric": symmetric,
        "public": 0 if symmetric else rng.randrange(size),
        "groups": rng.choice([None, [rng.randrange(2) for _ in range(records)]]),
        "t": None,
        "laws": laws,
    }
    return instance, databases


def are_neighbours(instance, D, E):
    """Whether databases differ in one private record, within its group."""
    group = instance["groups"] or [0] * len(instance["records"])
    if instance["symmetric"]:
        left, right = list(D), list(E)
        for record in D:
            if record in right:
                left.remove(record)
                right.remove(record)
        return len(left) == 1 and group[left[0]] == group[right[0]]
    changed = [i for i, (a, b) in enumerate(zip(D, E, strict=True)) if a != b]
    return (
        len(changed) == 1
        and changed[0] >= instance["public"]
        and group[D[changed[0]]] == group[E[changed[0]]]
    )


def events(instance, databases):
    """Yield the probabilities of every event on all pairs of neighbours."""
    for i, D in enumerate(databases):
        for j, E in enumerate(databases):
            if are_neighbours(instance, D, E):
                p, q = instance["laws"][i], instance["laws"][j]
                for chosen in product([0, 1], repeat=len(p)):
                    event = [o for o, bit in enumerate(chosen) if bit]
                    mass = F(sum(p[o] for o in event), sum(p))
                    yield mass, F(sum(q[o] for o in event), sum(q)), (i, j, event)


def proof(place, bound):
    i, j, event = place
    return {"database": i, "neighbour": j, "outcomes": event, "bound": bound}


NOTHING = (0, 0, [])


@pytest.mark.parametrize("seed", range(120))
def test_least_delta_is_that_of_all_events(seed):
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    instance, databases = by_chance(rng, symmetric=bool(seed % 2))
    factor = F(rng.randint(3, 9), rng.randint(1, 3))
    asked = ((p - factor * q, place) for p, q, place in events(instance, databases))
    delta, place = max(asked, default=(F(0), NOTHING))
    delta, place = (delta, place) if delta > 0 else (F(0), NOTHING)
    given = {"factor": str(factor)}
    assert "exactly" in check(certificate(instance, given, proof(place, str(delta)), str(delta)))
    for wrong in (delta + F(1, 97), delta + 1):
        with pytest.raises(Rejected, match="the event E must prove the bound"):
            check(certificate(instance, given, proof(place, str(wrong)), None))
    if delta > 0:
        for wrong in (delta - F(1, 10**9), F(0)):
            if wrong >= 0:
                with pytest.raises(Rejected, match="violate the stated bound"):
                    check(certificate(instance, given, None, str(wrong)))


@pytest.mark.parametrize("seed", range(120))
def test_least_factor_is_that_of_all_events(seed):
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    instance, databases = by_chance(rng, symmetric=bool(seed % 2))
    delta = rng.choice([F(0), F(1, 10), F(1, 3)])
    factor, place = F(1), NOTHING
    for p, q, where in events(instance, databases):
        if p > delta and factor is not INFINITY and (q == 0 or (p - delta) / q > factor):
            factor, place = (p - delta) / q if q else INFINITY, where
    given, shown = {"delta": str(delta)}, "infinity" if factor is INFINITY else str(factor)
    claim = "infinite" if factor is INFINITY else f"exactly {factor}"
    assert f"least factor, delta {delta}: {claim}" in check(
        certificate(instance, given, proof(place, shown), shown)
    )
    if factor is INFINITY:
        with pytest.raises(Rejected, match="violate the stated bound"):
            check(certificate(instance, given, None, str(10**6)))
        return
    for wrong in (str(factor + F(1, 97)), "infinity"):
        with pytest.raises(Rejected, match="the event E must prove the bound"):
            check(certificate(instance, given, proof(place, wrong), None))
    if factor > 1:
        with pytest.raises(Rejected, match="violate the stated bound"):
            check(certificate(instance, given, None, str(factor - F(1, 10**9))))


def test_what_is_no_least_factor_is_not_taken_for_one():
    """An event with probability at most delta proves no factor, not even as a quotient 0/0."""
    instance = stored("privacy_event_pairs")[0]["instance"]
    for outcomes, bound in (([], "0"), ([], "5"), ([], "infinity"), ([0], "0")):
        made = certificate(instance, {"delta": "0"}, proof((0, 1, outcomes), bound), None)
        with pytest.raises(Rejected, match=r"the event E must prove the bound|must be at least 1"):
            check(made)
    for asked in ({}, {"factor": "2", "delta": "0"}):
        with pytest.raises(Rejected, match="exactly one of factor and delta must be null"):
            check(certificate(instance, asked, None, "1"))
    with pytest.raises(Rejected, match="must be a fraction"):
        check(certificate(instance, {"factor": "infinity"}, None, "0"))


def two_laws(first, second, t):
    return {
        "type": "mechanism on pairs",
        "name": "",
        "outcomes": list(range(len(first))),
        "pairs": [[0, 1]],
        "t": t,
        "laws": [first, second],
    }


def test_a_root_is_told_from_its_approximations():
    top, bottom = 1, 1
    for _ in range(40):
        top, bottom = top + 2 * bottom, top + bottom  # in turn above and below the root of 2
        laws = [[1], [[-top, bottom]]]  # a weight with the sign of bottom t - top
        made = certificate(
            two_laws(*laws, {"root": 2, "base": "2", "bits": 200}), {"factor": "1"}, None, "0"
        )
        if top**2 < 2 * bottom**2:
            assert check(made).endswith("at most 0")
        else:
            with pytest.raises(Rejected, match="weights must be at least 0, and t"):
                check(made)


def test_e_is_told_from_its_approximations():
    """Distributions with likelihood ratio e, at factors just above and just below e."""
    digits = 2718281828459045
    t = {"root": 1, "base": None, "bits": 200}
    for near, accepted in ((digits + 1, True), (digits, False)):
        q = [10**15, near]  # of the second law: 1 / (1 + near) and the rest
        made = certificate(two_laws([[0, 1], 1], q, t), {"factor": str(F(near, 10**15))}, None, "0")
        if accepted:
            assert check(made).endswith("at most 0")
        else:
            with pytest.raises(Rejected, match="violate the stated bound"):
                check(made)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"root": 0, "base": None, "bits": 99}, "at least 1"),
        ({"root": 2, "base": "0", "bits": 99}, "must be positive"),
        ({"root": 2, "base": "-3", "bits": 99}, "must be positive"),
        ({"root": 2, "base": None, "bits": 10**12}, "steps"),
        ({"root": 10**12, "base": "3", "bits": 99}, "steps"),
        ({"root": 2, "base": "3", "bits": 3}, "bits do not suffice to decide a sign"),
        ({"root": 2, "base": "3"}, "key 'bits' is missing"),
        (7, "must be an object"),
    ],
)
def test_what_t_may_be(given, reason):
    instance = two_laws([[0, 1], 1], [1, [0, 1]], given)
    bound = {"over": [0, 1], "under": 1}
    with pytest.raises(Rejected, match=reason):
        check(certificate(instance, {"delta": "0"}, proof((0, 1, [0]), bound), bound))


def test_a_number_that_is_a_fraction_after_all_is_known_to_be_0():
    """3 is the square of t; a product shows this only after reduction by the base."""
    t = {"root": 2, "base": "3", "bits": 99}
    made = certificate(two_laws([[0, 1], 1], [1, [0, 1]], t), {"factor": "3"}, None, "0")
    assert check(made).endswith("at most 0")
    bound = {"over": 3, "under": [0, 1]}  # t itself
    for root in (2, 4):
        t = {"root": root, "base": "3" if root == 2 else "9", "bits": 99}
        made = certificate(two_laws([3, [0, 1]], [[0, 1], 3], t), {"delta": "0"}, None, bound)
        assert check(made).endswith("at most 3 / [0, 1]")


@pytest.mark.parametrize(
    ("name", "path", "value", "reason"),
    [
        ("event_all_neighbours", ("laws",), [], "distributions are too few for"),
        ("event_all_neighbours", ("laws", 0), [0, 0, 0, 0], "must not all be 0"),
        ("event_all_neighbours", ("laws", 0, 0), -1, "weights must be at least 0, and t"),
        ("event_all_neighbours", ("laws", 0), [1], "must have 4 entries, not 1"),
        ("event_all_neighbours", ("size",), 10**15, "too few"),
        (
            "event_all_neighbours",
            ("records",),
            [0, 1, 2],
            "must be one distribution for each database",
        ),
        ("event_all_neighbours", ("symmetric",), 1, "must be true or false"),
        ("event_all_neighbours", ("type",), "lemma", "must be mechanism"),
        ("event_all_neighbours", ("outcomes",), [0, 0, 1, 2], "a label occurs twice"),
        ("event_qualities", ("unit",), 0, "must be at least 1"),
        ("event_qualities", ("growth",), 0, "must be at least 1"),
        (
            "event_qualities",
            ("qualities",),
            [],
            "functions must be distinct, with a distribution for each",
        ),
        (
            "event_qualities",
            ("qualities", 1),
            [0, 0],
            "functions must be distinct, with a distribution for each",
        ),
        (
            "event_qualities",
            ("qualities", 1),
            [0, 1, 1],
            "functions must have the same number of values",
        ),
        ("event_pairs", ("pairs",), [[0, 2]], "must be an index below 2"),
        ("event_pairs", ("pairs",), [], "are not neighbours"),
    ],
)
def test_broken_instances_are_rejected_with_the_place(name, path, value, reason):
    made = stored(f"privacy_{name}")
    part = made[0]["instance"]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(Rejected, match=rf"^\[0\]\.(instance|lower).*{reason}"):
        check(made)


def test_sentences_say_what_was_compared():
    for name, words in {
        "labels": "on all databases (sequences) of 2 records with 4 possible values, the first 1 "
        "public, neighbours with records of one of 2 groups, sha256",
        "multisets": "on multisets of 2 records with 4 possible values, sha256",
        "qualities": "on 9 quality functions of 2 solutions, all with values 0 .. 2, 20 neighbours:"
        " all pairs at distance at most 1, sha256",
        "growth": "2 neighbours: listed pairs at distance at most 1 and of growth at most 1",
        "pairs": "on 1 listed pairs of 2 databases, sha256",
        "e": "on all databases (sequences) of 1 record with 2 possible values, t = e^(1/2), sha256",
    }.items():
        assert words in check(stored(f"privacy_event_{name}"))


def test_a_factor_of_0_bounds_no_release():
    """Every mechanism is private with factor 0 and delta 1."""
    made = stored("release_probability_chain")
    made["statement"] |= {"factor": "0", "delta": "1", "lead": 1, "upper": "0"}
    made["upper"] = {"chain": {"unit": 1, "bounds": [0]}}
    with pytest.raises(Rejected, match="the factor must be above 0"):
        check(made)


@pytest.mark.parametrize("bits", range(1, 13))
def test_few_bits_enclose_the_normal_distribution_function(bits):
    token = WORK.set(Work())
    try:
        units = Units(bits)
        for x in range(-12, 13):
            low, high = units.normal(Fraction(x, 4))
            assert low / 2**bits <= NormalDist().cdf(x / 4) + 1e-12
            assert NormalDist().cdf(x / 4) - 1e-12 <= high / 2**bits
    finally:
        WORK.reset(token)
