"""Theorems on privacy of random mechanisms, with the least delta and factor over all events."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from ccsim.exact.epsilon import Epsilon
from ccsim.kernel import Rejected, check
from ccsim.learning.learners.noisy_points import SubsampledPoint
from ccsim.privacy import ExponentialMechanism, RandomizedResponse, audit
from proofs_check.formal import formalize
from tests.formal.proving import are_no_theorems, compiled, disagreements, is_theorem, verdicts
from tests.kernel.corpus import stored
from tests.kernel.test_privacy import (
    INFINITY,
    NOTHING,
    by_chance,
    certificate,
    events,
    proof,
    two_laws,
)
from tests.truth.privacy import near_sizes

F = Fraction


def least_delta(seed):
    """Return a certificate of a mechanism with its least delta, by enumeration."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    instance, databases = by_chance(rng, symmetric=bool(seed % 2))
    factor = F(rng.randint(3, 9), rng.randint(1, 3))
    asked = ((p - factor * q, place) for p, q, place in events(instance, databases))
    delta, place = max(asked, default=(F(0), NOTHING))
    delta, place = (delta, place) if delta > 0 else (F(0), NOTHING)
    return certificate(instance, {"factor": str(factor)}, proof(place, str(delta)), str(delta))


def least_factor(seed):
    """Return a certificate of a mechanism with its least factor (or infinity), by enumeration."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    instance, databases = by_chance(rng, symmetric=bool(seed % 2))
    delta = rng.choice([F(0), F(1, 10), F(1, 3)])
    factor, place = F(1), NOTHING
    for p, q, where in events(instance, databases):
        if p > delta and factor is not INFINITY and (q == 0 or (p - delta) / q > factor):
            factor, place = (p - delta) / q if q else INFINITY, where
    shown = "infinity" if factor is INFINITY else str(factor)
    return certificate(instance, {"delta": str(delta)}, proof(place, shown), shown)


def of_qualities(seed):
    """Return a certificate on random quality functions, all of whose neighbours are compared."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    width, unit, growth = rng.randint(1, 3), rng.randint(1, 2), rng.choice([None, 1])
    functions = [[rng.randint(0, 3) for _ in range(width)] for _ in range(5)]
    functions = [list(q) for q in sorted({tuple(q) for q in functions})]
    laws = [[rng.randint(0, 3), rng.randint(1, 3)] for _ in functions]
    instance = {"type": "mechanism of qualities", "name": "", "outcomes": [0, 1], "t": None}
    instance |= {"laws": laws, "qualities": functions, "unit": unit, "growth": growth}
    delta, place = F(0), NOTHING
    for i, q in enumerate(functions):
        for j, r in enumerate(functions):
            up, down = (sum(f[s] > g[s] for s in range(width)) for f, g in ((q, r), (r, q)))
            far = max(abs(a - b) for a, b in zip(q, r, strict=True)) > unit
            if far or (growth is not None and max(up, down) > growth):
                continue
            for event in ([0], [1]):
                mass, other = (F(sum(laws[d][o] for o in event), sum(laws[d])) for d in (i, j))
                if mass - 2 * other > delta:
                    delta, place = mass - 2 * other, (i, j, event)
    document = certificate(
        instance | {"pairs": None}, {"factor": "2"}, proof(place, str(delta)), str(delta)
    )
    if seed % 3 == 0 and place is not NOTHING:
        document["instance"]["pairs"] = [[place[1], place[0]]]
        document["instance"]["unit"] = unit
    return document


def of_sizes(seed):
    """Return a certificate on databases of several sizes, with its least delta, by enumeration."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    records, most, change = rng.randint(1, 3), rng.randint(1, 2), rng.choice(CHANGES)
    instance = {"type": "mechanism of sizes", "name": "", "outcomes": [0, 1], "t": None}
    instance |= {"records": list(range(records)), "least": rng.randint(0, most), "most": most}
    instance |= {"change": change, "symmetric": bool(seed % 2), "groups": None}
    if change != "add or remove one" and rng.random() < 0.7:
        instance["groups"] = [rng.randrange(records) for _ in range(records)]
    every = combinations_with_replacement if instance["symmetric"] else words
    sizes = range(instance["least"], most + 1)
    databases = [D for m in sizes for D in every(range(records), m)]
    instance["laws"] = [[rng.randint(0, 3), rng.randint(1, 3)] for _ in databases]
    delta, place = F(0), NOTHING
    near = near_sizes(instance)
    for i, j in sorted(near | {(j, i) for i, j in near}):
        for event in ([0], [1]):
            mass, other = (
                F(sum(law[o] for o in event), sum(law))
                for law in (instance["laws"][i], instance["laws"][j])
            )
            if mass - 2 * other > delta:
                delta, place = mass - 2 * other, (i, j, event)
    return certificate(instance, {"factor": "2"}, proof(place, str(delta)), str(delta))


def words(records, size):
    return product(records, repeat=size)


CHANGES = ["replace one", "add or remove one", "replace key", "remove key"]
MADE = [least_delta, least_factor, of_qualities, of_sizes]


def test_the_program_accepts_what_all_events_give(theory):
    documents = [make(seed) for seed in range(60) for make in MADE]
    assert set(verdicts(documents, theory)) == {"proved"}


def test_the_program_rejects_what_is_off(theory):
    """Neither a smaller upper bound nor a different lower bound is proved."""
    documents = []
    for seed in range(60):
        found = least_delta(seed)
        delta = F(found["statement"]["upper"])
        more = proof(tuple(found["lower"]["event"][k] for k in PLACE), str(delta + F(1, 97)))
        given = {"factor": found["statement"]["factor"]}
        documents.append(certificate(found["instance"], given, more, None))
        if delta > 0:
            less = str(delta - F(1, 10**9))
            documents.append(certificate(found["instance"], given, None, less))
    assert set(verdicts(documents, theory)) == {"rejected"}


PLACE = ("database", "neighbour", "outcomes")


@pytest.mark.slow
def test_theorems_of_fresh_mechanisms(theory, tmp_path):
    documents = [make(seed) for seed in range(100, 104) for make in MADE]
    kinds = {(d["instance"]["type"], d["instance"].get("symmetric")) for d in documents}
    assert len(kinds) == 5
    assert is_theorem(documents, theory, tmp_path)


def test_audits_of_the_library_are_theorems(theory, tmp_path):
    response, sampled = RandomizedResponse((0, 1), Epsilon.of("ln 5")), SubsampledPoint(3, F(1, 5))
    audits = [audit(response, "ln 3", "1/9", 2), audit(sampled, "ln 2", "1/20", 2)]
    documents = [c for each in audits for c in each.certificate().to_dict()]
    for i in (1, 3):
        documents[i] |= {"instance": documents[i - 1]["instance"]}
    assert [c["kind"] for c in documents] == ["privacy"] * 4
    assert is_theorem(documents, theory, tmp_path)


def test_sides_alone_and_quotients_are_theorems(theory, tmp_path):
    whole = least_delta(2)
    lower = whole | {"statement": whole["statement"] | {"upper": None}, "upper": None}
    upper = whole | {"statement": whole["statement"] | {"lower": None}, "lower": None}
    delta = F(whole["statement"]["upper"])
    bound = {"over": [2 * delta.numerator], "under": 2 * delta.denominator}
    place = tuple(whole["lower"]["event"][k] for k in PLACE)
    given = {"factor": {"over": 8, "under": [4]}}
    other = certificate(whole["instance"], given, proof(place, "0"), None)
    nothing = proof(NOTHING, "1")
    one = certificate(whole["instance"], {"delta": {"over": [], "under": 1}}, nothing, "infinity")
    quotient = certificate(
        whole["instance"], {"factor": whole["statement"]["factor"]}, proof(place, bound), bound
    )
    other["lower"]["event"] |= {"neighbour": other["lower"]["event"]["database"], "outcomes": []}
    documents = [lower, upper, quotient, other, one]
    assert verdicts(documents, theory) == ["proved"] * 5
    assert is_theorem(documents, theory, tmp_path)


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_false_bound_is_no_theorem(side, theory, tmp_path):
    found = next(d for d in map(least_delta, range(50)) if d["statement"]["upper"] != "0")
    other = "upper" if side == "lower" else "lower"
    delta = F(found["statement"]["upper"]) + (F(1, 99) if side == "lower" else -F(1, 10**6))
    found["statement"] |= {side: str(delta), other: None}
    found[side] = {"event": found["lower"]["event"]} if side == "lower" else found["upper"]
    [(_, data)] = found[side].items()
    data["bound"] = str(delta)
    found[other] = None
    done = compiled(formalize(found), theory, tmp_path)
    assert done.returncode
    assert "while it is expected to have type" in done.stderr


@pytest.mark.parametrize("make", MADE)
def test_altered_certificates(make, theory):
    only_kernel, _, both = disagreements([make(seed) for seed in range(20)], theory, 300, 5)
    assert only_kernel == []
    assert both


def test_relations_of_several_sizes_are_judged_as_the_kernel_does(theory):
    """A bound holds for the stated change only if the kernel accepts it for this change."""
    documents = []
    for seed in range(30):
        found = of_sizes(seed)
        for change in CHANGES:
            for groups in (found["instance"]["groups"], None):
                instance = found["instance"] | {"change": change, "groups": groups}
                documents.append(found | {"instance": instance})
                less = {"lower": None, "upper": "0"}
                documents.append(
                    found
                    | {"instance": instance, "statement": found["statement"] | less, "lower": None}
                    | {"upper": {"all_neighbours": {"bound": "0"}}}
                )
    proved = [accepted(document) for document in documents]
    assert verdicts(documents, theory) == ["proved" if fact else "rejected" for fact in proved]
    assert 60 < sum(proved) < len(proved) - 60


def test_stored_certificates_of_several_sizes_are_theorems(theory, tmp_path):
    listed = []
    for name in ("privacy_event_sizes", "privacy_event_keys"):
        documents = stored(name)
        documents[1]["instance"] = documents[0]["instance"]
        listed += documents
    assert is_theorem(listed, theory, tmp_path)


def in_powers(seed):
    """Return a certificate on random polynomials in t; a random event gives the lower bound."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    root, base = rng.choice([(1, None), (2, None), (3, None), (2, "2"), (3, "5/3"), (2, "1/3")])
    outcomes, degree = rng.randint(2, 3), min(root, 2)
    laws = [[[rng.randint(0, 2) for _ in range(degree)] for _ in range(outcomes)] for _ in range(3)]
    for law in laws:
        law[0][0] += 1
    instance = {"type": "mechanism", "name": "", "outcomes": list(range(outcomes)), "laws": laws}
    instance |= {"records": [0, 1, 2], "size": 1, "symmetric": seed % 2 == 0, "public": 0}
    instance |= {"groups": None, "t": {"root": root, "base": base, "bits": 150}}
    event, (i, j) = [rng.randrange(outcomes)], rng.sample(range(3), 2)
    p, q = ([sum(law[o][k] for o in event) for k in range(degree)] for law in (laws[i], laws[j]))
    whole, other = ([sum(w[k] for w in laws[d]) for k in range(degree)] for d in (i, j))
    over, under = (reduced(product_of(*pair), root, base) for pair in ((p, other), (q, whole)))
    bound = {"over": over, "under": under}
    bound = bound if any(q) else "infinity"
    return certificate(instance, {"delta": "0"}, proof((i, j, event), bound), "infinity")


def product_of(p, q):
    """Return the product of two polynomials."""
    made = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            made[i + j] += a * b
    return made


def reduced(p, root, base):
    """Return the polynomial times the denominator of the base, with exponents below the root."""
    if base is None:
        return p
    c = F(base)
    made = [c.denominator * a for a in p[:root]]
    for i, a in enumerate(p[root:]):
        made[i] += c.numerator * a
    return made


def powers_of_the_library():
    """Return audits of exponential mechanisms whose probabilities are in powers of e or a root."""
    made = []
    for epsilon, delta in (("1", "1/40"), ("1/2", "1/9"), ("ln 2/2", "1/40"), ("ln 5/3", "0")):
        choosing = ExponentialMechanism("ab", "ab", votes, Epsilon.of(epsilon))
        found = audit(choosing, "1/3", delta, 2).certificate().to_dict()
        found[1] |= {"instance": found[0]["instance"]}
        made.extend(found)
    return made


def votes(database, answer):
    return sum(record == answer for record in database)


def test_laws_in_powers_are_judged_as_the_kernel_does(theory):
    documents = [in_powers(seed) for seed in range(120)] + powers_of_the_library()
    for document in documents[:60]:
        document["statement"]["upper"] = document["upper"] = None
    proved = [accepted(document) for document in documents]
    assert verdicts(documents, theory) == ["proved" if fact else "rejected" for fact in proved]
    assert sum(proved) > 30


def accepted(document):
    try:
        check(document)
    except Rejected:
        return False
    return True


@pytest.mark.slow
def test_laws_in_powers_are_theorems(theory, tmp_path):
    documents = [c for c in map(in_powers, range(40)) if accepted(c)]
    kinds = {
        (c["instance"]["t"]["base"] is None, c["statement"]["lower"] == "infinity")
        for c in documents
    }
    assert len(kinds) >= 3
    assert is_theorem(documents[:6] + powers_of_the_library(), theory, tmp_path)


def test_e_is_told_from_its_approximations(theory, tmp_path):
    """Two outcomes with ratio e to 1, at factors just above and just below e."""
    digits = 2718281828459045
    t = {"root": 1, "base": None, "bits": 200}
    made = []
    for near in (digits + 1, digits):
        q = [10**15, near]
        instance = two_laws([[0, 1], 1], q, t)
        made.append(certificate(instance, {"factor": str(F(near, 10**15))}, None, "0"))
    assert verdicts(made, theory) == ["proved", "rejected"]
    assert is_theorem(made[0], theory, tmp_path)
    assert are_no_theorems(made[1:], theory, tmp_path)


def test_altered_laws_in_powers(theory):
    documents = [c for c in map(in_powers, range(30)) if accepted(c)] + powers_of_the_library()
    only_kernel, _, both = disagreements(documents, theory, 300, 7)
    assert only_kernel == []
    assert both
