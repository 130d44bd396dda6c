"""The kernel on learners and releases: accepted proofs agree with the definitions."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod

import numpy as np
import pytest

from ccsim import all_functions, learning_lower_bound, points, release_lower_bound, thresholds
from ccsim.certificates.envelope import weights_of
from ccsim.classes import ConceptClass
from ccsim.cli.main import main
from ccsim.exact import Epsilon
from ccsim.kernel import Rejected, check, read
from ccsim.kernel.packings import power
from ccsim.kernel.rules import WORK, Work
from ccsim.learning import LearningPacking, PrivateOccam, packing_bound
from ccsim.learning.least_failure import least_private_failure
from ccsim.texts.labels import text_row
from proofs_check.claims.grids import random_weights
from tests.kernel.corpus import stored

F = Fraction
COMPLEXITY = "private_sample_complexity"


@pytest.mark.parametrize("epsilon", ["ln 2", "1", "1/5"])
@pytest.mark.parametrize("C", [points(2), thresholds(2), all_functions(3)], ids=lambda C: C.name)
def test_bounds_of_the_library_are_accepted(C, epsilon):
    for proper in (True, False):
        learning_lower_bound(C, "1/10", "1/10", epsilon, proper=proper).check()
    release_lower_bound(C, "1/10", "1/10", epsilon).check()


def test_a_packing_of_many_distances_is_accepted():
    laws = [tuple(F(i + 1 if x == i else 1, 8 + i) for x in range(8)) for i in range(8)]
    single = LearningPacking(points(3), None, F(1, 100), tuple(enumerate(laws)))
    bound = packing_bound(single, "1/10", "ln 2")
    assert len(bound.packing.distances(bound.center)) > 3
    bound.check()


def test_what_the_command_writes_is_accepted(tmp_path, capsys):
    for task, kind in (("learning", COMPLEXITY), ("proper", COMPLEXITY), ("release", "release")):
        file = tmp_path / f"{task}.json"
        argv = ["packing", "thresholds:b=2", "--accuracy", "1/10", "--failure", "1/10"]
        more = ["--epsilon", "1", "--task", task, "--certificate", str(file), "--json"]
        assert main([*argv, *more]) == 0
        lower = json.loads(capsys.readouterr().out)["lower"]
        made = read(file)
        assert made["kind"] == kind
        assert check(made).endswith(f": at least {lower}")


def naive_bound(C, targets, failure, factor):
    """Return the least number of examples by simulating the exchanges one by one."""
    m = 0
    while True:
        total = F(0)
        for f, D in targets[1:]:
            laws = [
                {(x, C.rows[g] >> x & 1): p for x, p in enumerate(law)}
                for g, law in ((f, D), targets[0])
            ]
            distance = sum(max(p - laws[1].get(z, 0), 0) for z, p in laws[0].items())
            g = 1 + distance * (factor - 1)
            likely = 1 - failure
            for _ in range(m):
                likely = max(likely / g, 1 - (1 - likely) * g)
            total += likely
        if total <= failure:
            return m
        m += 1


def test_the_kernel_agrees_with_the_definition_on_random_packings():
    """No proof excludes more examples than the definition, and the best proof excludes as many."""
    rng = np.random.default_rng(5)
    C, failure, factor = all_functions(3), F(1, 5), F(3)
    accepted = 0
    for _ in range(60):
        chosen = rng.choice(8, size=int(rng.integers(2, 4)), replace=False)
        targets = [(int(f), random_weights(rng, 3, least=1)) for f in chosen]
        accuracy = F(int(rng.integers(1, 6)), 12)
        pool = None if rng.integers(2) else sorted({int(h) for h in rng.integers(0, 8, size=4)})
        good = [
            {
                h
                for h in (range(8) if pool is None else pool)
                if sum(p for x, p in enumerate(D) if (h ^ C.rows[f]) >> x & 1) <= accuracy
            }
            for f, D in targets
        ]
        least = naive_bound(C, targets, failure, factor)

        def made(samples, exchanged, bits=64, accuracy=accuracy, pool=pool, targets=targets):
            return {
                "format": 2,
                "kind": COMPLEXITY,
                "instance": C.to_json(),
                "statement": {
                    "hypotheses": None if pool is None else [text_row(h, 3) for h in pool],
                    "accuracy": str(accuracy),
                    "failure": str(failure),
                    "factor": str(factor),
                    "lower": samples + 1,
                    "upper": None,
                },
                "lower": {
                    "packing": {
                        "samples": samples,
                        "targets": [[f, weights_of(D)] for f, D in targets],
                        "exchanged": list(exchanged),
                        "bits": bits,
                    }
                },
                "upper": None,
                "made_by": "",
            }

        def excluded(samples, bits=64, made=made, targets=targets):
            for exchanged in product(range(samples + 1), repeat=len(targets) - 1):
                try:
                    check(made(samples, exchanged, bits))
                except Rejected:
                    continue
                return True
            return False

        if any(a & b for a, b in combinations(good, 2)):
            with pytest.raises(Rejected, match="on two targets"):
                check(made(0, [0] * (len(targets) - 1)))
            continue
        accepted += 1
        assert least == 0 or excluded(least - 1)
        assert not excluded(least)
        assert not excluded(least, bits=1)
    assert 10 < accepted < 50


@pytest.mark.parametrize("bits", [1, 5, 40])
def test_powers_are_rounded_up_and_closely(bits):
    token = WORK.set(Work())
    try:
        for base in (F(1), F(3, 2), F(87, 32), F(10, 3)):
            for exponent in (0, 1, 2, 3, 7, 20):
                found = F(power(base, exponent, bits), 1 << bits)
                assert base**exponent <= found
                assert found <= base**exponent * (1 + F(1, 1 << bits)) ** (4 * exponent)
    finally:
        WORK.reset(token)


def worst_on_grid(C, samples, accuracy, learner, parts):
    """Return the failure by definition on the worst concept and distribution of a grid."""
    m, worst = len(C.points), F(0)
    laws = [D for D in product(range(parts + 1), repeat=m) if sum(D) == parts]
    for row, D in product(C.rows, laws):
        wrong = [sum(p for x, p in enumerate(D) if (h ^ row) >> x & 1) for h in range(1 << m)]
        bad = [h for h in range(1 << m) if wrong[h] > accuracy * parts]
        failure = sum(
            prod((F(D[x], parts) for x in S), start=F(1))
            * sum(learner([(x, row >> x & 1) for x in S])[h] for h in bad)
            for S in product(range(m), repeat=samples)
        )
        worst = max(worst, failure)
    return worst


@pytest.mark.parametrize("samples", [0, 1, 2])
@pytest.mark.parametrize("C", [points(1), thresholds(1)], ids=lambda C: C.name)
def test_learners_fail_on_a_grid_as_the_kernel_allows(C, samples):
    found = least_private_failure(C, samples, "1/4", "ln 3", gap="1/50")
    found.check()
    laws = dict(found.learner.distributions)
    worst = worst_on_grid(C, samples, F(1, 4), lambda S: laws[tuple(sorted(S))], 8)
    assert worst <= found.upper
    occam = PrivateOccam(len(C.points), C.rows, Epsilon.of("ln 3"))
    if samples:  # no private learner is better than the bound from below
        assert found.lower <= worst_on_grid(C, samples, F(1, 4), occam.distribution, 8)


THREE = ConceptClass.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("accuracy", ["1/3", "2/3", "2/5"])
def test_simplices_are_cut_where_errors_are_the_accuracy(accuracy):
    """Midpoints of edges never reach (1/3, 1/3, 1/3), where all single points may be missed."""
    found = least_private_failure(THREE, 1, accuracy, "ln 3")
    found.check()
    assert found.upper - found.lower <= F(1, 1000)
    laws = dict(found.learner.distributions)
    worst = worst_on_grid(THREE, 1, F(accuracy), lambda S: laws[tuple(sorted(S))], 15)
    assert worst <= found.upper
    made = json.loads(found.certificate().to_json())
    cuts = [node for tree in made["upper"]["learner"]["trees"] for node in tree if node]
    uneven = [cut for cut in cuts if len(cut) == 4]
    assert uneven
    for wrong, reason in (
        ([*uneven[0][:2], *uneven[0][:1:-1]], "the bound that is proved is"),
        (uneven[0][:2], "the bound that is proved is"),
        ([*uneven[0][:3], 0], "must be at least 1, not 0"),
        ([*uneven[0][:2], -1, 2], "must be at least 1, not -1"),
        (uneven[0][:3], "must have 2 entries, not 1"),
        ([*uneven[0], 1], "must have 2 entries, not 3"),
        ([0, 0, 1, 2], "an index occurs twice"),
    ):
        altered = json.loads(found.certificate().to_json())
        for tree in altered["upper"]["learner"]["trees"]:
            tree[:] = [wrong if node == uneven[0] else node for node in tree]
        with pytest.raises(Rejected, match=reason):
            check(altered)


FLOWS, LEARNER = "private_failure_flows_learner", ("upper", "learner")
PROPER, ANY = f"{COMPLEXITY}_packing_proper", f"{COMPLEXITY}_packing_any"
BOTH, RELEASE = f"{COMPLEXITY}_too_few_enough", "release_points"
PACKING = ("lower", "packing")
NEARLY = "approximate_private_failure_flows_learner"
NEARLY_BOTH = "approximate_sample_complexity_too_few_enough"

REJECTED = [
    (FLOWS, ("statement", "lower"), "1/3", "the bound that is proved is 29/64, not the stated"),
    (FLOWS, ("statement", "upper"), "1/2", "the bound that is proved is 11/24, not the stated"),
    (FLOWS, ("statement", "samples"), 2, "proved is|must have|index"),
    (FLOWS, ("statement", "samples"), 4096, "samples must be below 4096"),
    (FLOWS, ("statement", "factor"), "3/2", "the bound that is proved is|not private"),
    (FLOWS, ("statement", "factor"), "1/2", "^statement.factor: must be at least 1"),
    (FLOWS, ("statement", "accuracy"), "1/3", "the bound that is proved is"),
    (FLOWS, ("lower", "flows", "weights", 0), 0, "the bound that is proved is"),
    (FLOWS, ("lower", "flows", "weights"), [1], "^lower.flows.weights: must have . entries"),
    (FLOWS, ("lower", "flows", "targets", 0, 0), 5, r"^lower.flows.targets\[0\]: must be an index"),
    (FLOWS, ("lower", "flows", "targets", 0, 1), [0, 0], "must not all be 0"),
    (
        FLOWS,
        ("lower", "flows", "targets", 0, 1),
        [1, 100],
        "distributions must have equal total weights",
    ),
    (FLOWS, ("lower", "flows", "flows", 0, 3), -1, "^lower.flows: must be at least 0"),
    (FLOWS, ("lower", "flows", "flows", 0, 3), 10**6, "the bound that is proved is"),
    (FLOWS, ("lower", "flows", "flows", 0, 2), 4, "must be an index below 4"),
    (FLOWS, (*LEARNER, "laws", 0, 0), 10**6, "distributions must have equal total weights"),
    (FLOWS, (*LEARNER, "laws"), [], "^upper.learner.laws: must have 4 entries"),
    (FLOWS, (*LEARNER, "trees", 0, 0), [0, 0], "an index occurs twice"),
    (FLOWS, (*LEARNER, "trees", 0, 0), [0, 2], "must be an index below 2"),
    (FLOWS, (*LEARNER, "trees", 0, 0), None, "node 1 is superfluous"),
    (FLOWS, (*LEARNER, "trees"), [[None]], "must have 2 entries, not 1"),
    (PROPER, ("statement", "lower"), 3, "the bound that is proved is 25, not the stated 3"),
    (PROPER, ("statement", "lower"), -1, "^statement.lower: must be at least 0"),
    (PROPER, ("statement", "factor"), "1/2", "^statement.factor: must be at least 1"),
    (PROPER, ("statement", "factor"), "3", "the events must have a total probability above"),
    (PROPER, ("statement", "failure"), "1/5", "the events must have a total probability above"),
    (PROPER, ("statement", "accuracy"), "1/2", "a hypothesis has error at most"),
    (PROPER, (*PACKING, "targets"), [], "^lower.packing.exchanged: must have -1 entries"),
    (PROPER, (*PACKING, "targets", 0, 0), 4, r"^lower.packing.targets\[0\]: must be an index"),
    (PROPER, (*PACKING, "exchanged"), [0], "^lower.packing.exchanged: must have 2 entries"),
    (PROPER, (*PACKING, "bits"), 1 << 16, "must be an index below 65536"),
    (
        ANY,
        ("statement", "accuracy"),
        "1/3",
        "a function has error at most|the events must have a total probability above",
    ),
    (ANY, (*PACKING, "samples"), 0, "the bound that is proved is 1, not|exchanges"),
    (BOTH, ("statement", "lower"), 1, "the bound that is proved is 2, not the stated 1"),
    (
        BOTH,
        ("lower", "too_few", "samples"),
        2,
        "must exceed the stated|index|are not neighbours",
    ),
    (BOTH, ("upper", "enough", "samples"), 1, "must have . entries"),
    (BOTH, ("upper", "enough", "proof"), {"flows": {}}, "^upper.enough.proof: must be an object"),
    (BOTH, ("lower", "too_few", "proof"), None, "^lower.too_few.proof: must be an object"),
    (
        NEARLY,
        ("statement", "lower"),
        "1/3",
        "the bound that is proved is 4521973.10485760, not the",
    ),
    (NEARLY, ("statement", "upper"), "1/2", "the bound that is proved is 69/160, not the stated"),
    (NEARLY, ("statement", "delta"), "0", "the bound that is proved is"),
    (NEARLY, ("statement", "delta"), "1/11", "the bound that is proved is"),
    (NEARLY, ("statement", "delta"), "1/5", "the bound that is proved is"),
    (NEARLY, ("statement", "delta"), "-1/5", "^statement.delta: must lie between 0 and 1"),
    (NEARLY, ("statement", "delta"), "6/5", "^statement.delta: must lie between 0 and 1"),
    (NEARLY, ("statement", "lower"), None, "lower bound must be null exactly if its proof is null"),
    (NEARLY, ("lower", "flows", "flows", 0, 3), 10**6, "the bound that is proved is"),
    (NEARLY, ("lower", "flows", "flows", 0, 3), -1, "^lower.flows: must be at least 0"),
    (NEARLY, ("lower", "flows", "flows"), [], "the bound that is proved is"),
    (NEARLY, ("lower", "flows", "weights", 0), 0, "the bound that is proved is"),
    (NEARLY_BOTH, ("statement", "delta"), "0", "must exceed the stated|not private"),
    (NEARLY_BOTH, ("statement", "delta"), "1/2", "must exceed the stated"),
    (NEARLY_BOTH, ("statement", "failure"), "1/5", "exceeds the stated one"),
    (NEARLY_BOTH, ("statement", "hypotheses"), None, "unknown key 'hypotheses'"),
    (NEARLY_BOTH, ("statement", "upper"), 2, "the bound that is proved is 3, not the stated 2"),
    (
        NEARLY_BOTH,
        ("lower",),
        {"packing": {}},
        "must be an object with one of the keys too_few, triv",
    ),
    (NEARLY_BOTH, ("upper", "enough", "proof"), {"flows": {}}, "^upper.enough.proof: must be an"),
    (RELEASE, ("statement", "lower"), 0, "^statement.lower: must be at least 1"),
    (
        RELEASE,
        ("statement", "accuracy"),
        "1/4",
        "the events must have a total probability above|exchanges",
    ),
    (RELEASE, ("statement", "accuracy"), "3/4", "accuracy must be at most 1/2, not"),
    (RELEASE, ("lower", "points", "points"), [0, 1, 1], "an index occurs twice"),
    (RELEASE, ("lower", "points", "points"), [0], "the events must have a total probability above"),
    (RELEASE, ("lower", "points", "points", 0), 4, "must be an index below 4"),
    (RELEASE, ("lower", "points", "exchanged"), 99, "exchanges"),
]


@pytest.mark.parametrize(("name", "path", "value", "reason"), REJECTED)
def test_altered_certificates_are_rejected_for_the_right_reason(name, path, value, reason):
    made = part = stored(name)
    *rest, last = path
    for key in rest:
        part = part[key]
    part[last] = value
    with pytest.raises(Rejected, match=reason):
        check(made)


def test_only_what_delta_allows_is_private():
    """Each inequality of privacy is checked: a learner with a slightly larger delta is rejected."""
    made = stored(NEARLY)
    made["lower"] = made["statement"]["lower"] = None
    check(made)
    private = F(made["statement"]["delta"])
    beyond = excess(made)
    assert beyond <= private
    made["statement"]["delta"] = str(beyond)
    check(made)
    made["statement"]["delta"] = str(beyond - F(1, 10**30))
    with pytest.raises(Rejected, match="not private on samples that add an example"):
        check(made)


def excess(made):
    """Return the least delta of a certificate's learner, over all events and neighbours."""
    m, factor = len(made["instance"]["points"]), F(made["statement"]["factor"])
    listed = combinations_with_replacement(range(2 * m), made["statement"]["samples"])
    rows = [list(map(int, row)) for row in made["upper"]["learner"]["laws"]]
    laws = [(list(S), [F(p, sum(row)) for p in row]) for S, row in zip(listed, rows, strict=True)]
    worst = F(0)
    for (S, p), (T, q) in product(laws, repeat=2):
        if sum(min(S.count(z), T.count(z)) for z in range(2 * m)) == len(S) - 1:
            for event in range(1 << len(p)):
                inside = [h for h in range(len(p)) if event >> h & 1]
                worst = max(worst, sum(p[h] for h in inside) - factor * sum(q[h] for h in inside))
    return worst


def test_a_hypothesis_good_for_none_may_be_listed():
    made = stored(PROPER)
    made["statement"]["hypotheses"].append("1111")
    assert check(made).endswith("at least 25")


@pytest.mark.parametrize("name", [FLOWS, PROPER, RELEASE])
def test_huge_numbers_end_at_once(name):
    """Sizes of 4000 digits in place of any integer are rejected or counted as steps."""

    def altered(value):
        if type(value) is int:
            yield "9" * 4000
        elif isinstance(value, dict | list):
            for key in value if isinstance(value, dict) else range(len(value)):
                for other in altered(value[key]):
                    yield {**value, key: other} if isinstance(value, dict) else [
                        *value[:key], other, *value[key + 1 :]
                    ]  # fmt: skip

    made = stored(name)
    for part in ("statement", "lower", "upper"):
        for other in altered(made[part]):
            with suppress(Rejected):
                check(made | {part: other})


def test_samples_stand_in_the_order_that_the_page_says():
    examples = [(x, y) for x in range(2) for y in (0, 1)]
    ordered = list(combinations_with_replacement(examples, 2))
    assert ordered == sorted(ordered)
    found = least_private_failure(points(1), 2, "1/4", "ln 3")
    laws = found.certificate().upper["learner"]["laws"]
    for S, row in zip(ordered, laws, strict=True):
        whole = sum(map(int, row))
        assert [F(int(p), whole) for p in row] == [
            found.learner.distribution(S)[h] for h in range(4)
        ]
