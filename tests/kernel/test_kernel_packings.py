"""The kernel on packings: what it accepts is written by the library, what it rejects is altered."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ccsim import all_functions, learning_lower_bound, points, release_lower_bound, thresholds
from ccsim.classes.labels import text_row
from ccsim.cli.main import main
from ccsim.kernel import Rejected, check, read
from ccsim.kernel import packings as kernel_packings
from ccsim.learning import LearningPacking, packing_bound
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grids import random_weights

CORPUS = Path(__file__).parents[1] / "certificate_corpus" / "accepted"
LOWER, STATED = "lower", "statement"


def altered(name, *path_and_value):
    """Return a certificate of the corpus with one entry replaced."""
    *path, last, value = path_and_value
    made = part = read(CORPUS / f"{name}.json")
    for key in path:
        part = part[key]
    part[last] = value
    return made


@pytest.mark.parametrize("epsilon", ["ln 2", "1", "1/5"])
@pytest.mark.parametrize("C", [points(2), thresholds(2), all_functions(3)], ids=lambda C: C.name)
def test_bounds_of_the_library_are_accepted(C, epsilon):
    for proper in (True, False):
        recheck(learning_lower_bound(C, "1/10", "1/10", epsilon, proper=proper))
    recheck(release_lower_bound(C, "1/10", "1/10", epsilon))


def test_a_packing_of_many_distances_is_accepted():
    laws = [tuple(Fraction(i + 1 if x == i else 1, 8 + i) for x in range(8)) for i in range(8)]
    C = points(3)
    single = LearningPacking(C, None, Fraction(1, 100), tuple(enumerate(laws)))
    bound = packing_bound(single, "1/10", "ln 2")
    assert len(bound.packing.distances(bound.center)) > 3
    recheck(bound)


def test_what_the_command_writes_is_accepted(tmp_path, capsys):
    for task, kind in (("learning", "packing"), ("proper", "packing"), ("release", "release")):
        file = tmp_path / f"{task}.json"
        argv = ["packing", "thresholds:b=2", "--accuracy", "1/10", "--failure", "1/10"]
        more = ["--epsilon", "1", "--task", task, "--certificate", str(file), "--json"]
        assert main([*argv, *more]) == 0
        lower = json.loads(capsys.readouterr().out)["lower"]
        made = read(file)
        assert made["kind"] == kind
        assert check(made).endswith(f": at least {lower}")


def naive_bound(C, targets, center, failure, factor):
    """Return the least number of examples, exchanging them one by one."""
    m = 0
    while True:
        total = Fraction(0)
        for i, (f, D) in enumerate(targets):
            if i != center:
                laws = [
                    {(x, C.rows[g] >> x & 1): p for x, p in enumerate(law)}
                    for g, law in ((f, D), targets[center])
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
    rng = np.random.default_rng(5)
    C, failure, factor = all_functions(3), Fraction(1, 5), Fraction(3)
    accepted = 0
    for _ in range(60):
        chosen = rng.choice(8, size=int(rng.integers(2, 4)), replace=False)
        targets = [(int(f), random_weights(rng, 3, least=1)) for f in chosen]
        accuracy = Fraction(int(rng.integers(1, 6)), 12)
        pool = None if rng.integers(2) else sorted({int(h) for h in rng.integers(0, 8, size=4)})
        good = [
            {
                h
                for h in (range(8) if pool is None else pool)
                if sum(p for x, p in enumerate(D) if (h ^ C.rows[f]) >> x & 1) <= accuracy
            }
            for f, D in targets
        ]
        least = naive_bound(C, targets, 0, failure, factor)
        made = {
            "format": 1,
            "kind": "packing",
            "instance": C.to_json(),
            "statement": {
                "accuracy": str(accuracy),
                "failure": str(failure),
                "factor": str(factor),
                "pool": None if pool is None else [text_row(h, 3) for h in pool],
                "lower": least,
                "upper": None,
            },
            "lower": {"targets": [[f, [str(p) for p in D]] for f, D in targets], "center": 0},
            "upper": None,
            "made_by": "",
        }
        if any(a & b for a, b in combinations(good, 2)):
            with pytest.raises(Rejected, match="is good for targets"):
                check(made)
            continue
        accepted += 1
        assert check(made).endswith(f"at least {least}")
        for other in {least + 1, least - 1} - {-1}:
            with pytest.raises(Rejected, match="examples"):
                check(made | {"statement": made["statement"] | {"lower": other}})
    assert 10 < accepted < 50


REJECTED = [
    (("packing", STATED, LOWER, 6), r"^lower: 5 examples are allowed already, below the stated 6"),
    (("packing", STATED, LOWER, 4), r"^lower: the stated 4 examples are excluded too"),
    (("packing", STATED, LOWER, -1), r"^statement.lower: must be an integer of at least 0"),
    (("packing", STATED, LOWER, 2**22), r"^statement.lower: too large to recompute"),
    (("packing", STATED, "factor", "1/2"), r"^statement.factor: must be at least 1, not 1/2"),
    (("packing", STATED, "failure", "0"), r"^statement.failure: must lie strictly between 0 and 1"),
    (
        ("packing", STATED, "accuracy", "1/2"),
        r"^lower.targets: a function is good for targets 0 an",
    ),
    (("packing", LOWER, "center", 2), r"^lower.center: must be an index below 2, not 2"),
    (("packing", LOWER, "targets", []), r"^lower.center: must be an index below 0"),
    (("packing", LOWER, "targets", 0, 0, 2), r"^lower.targets\[0\]\[0\]: must be an index below 2"),
    (
        ("packing", LOWER, "targets", 0, 1, 0, "1"),
        r"^lower.targets\[0\]\[1\]: the weights must sum",
    ),
    (("packing", LOWER, "targets", 0, 1, ["1"]), r"^lower.targets\[0\]\[1\]: must have 2 entries"),
    (
        ("packing_proper", STATED, "pool", ["100", "010", "001"][:0]),
        r"^statement.pool: must hold at least one row",
    ),
    (("packing_proper", STATED, "pool", None), r"a function is good for targets 0 and 1"),
    (
        ("packing_proper", STATED, "accuracy", "1/3"),
        r"^lower.targets: hypothesis 1 is good for targets \[0, 1\]",
    ),
    (("release", STATED, LOWER, 12), r"^lower: 11 records are allowed already"),
    (("release", STATED, LOWER, 10), r"^lower: 10 records are excluded too"),
    (("release", STATED, LOWER, 0), r"^statement.lower: must be an integer of at least 1"),
    (("release", STATED, LOWER, 2**22), r"^statement.lower: too large to recompute"),
    (("release", STATED, "accuracy", "0"), r"^statement.accuracy: must be above 0, at most 1/2"),
    (("release", STATED, "accuracy", "3/4"), r"^statement.accuracy: must be above 0, at most 1/2"),
    (("release", LOWER, "points", [0, 1, 1]), r"^lower.points: no concept tells 1 from 1"),
    (("release", LOWER, "points", []), r"^lower.points: must hold at least one point"),
    (("release", LOWER, "points", 0, 3), r"^lower.points\[0\]: must be an index below 3"),
]


@pytest.mark.parametrize(
    ("change", "reason"), REJECTED, ids=[".".join(map(str, change[:-1])) for change, _ in REJECTED]
)
def test_altered_packings_are_rejected_for_the_right_reason(change, reason):
    with pytest.raises(Rejected, match=reason):
        check(altered(*change))


@pytest.mark.parametrize("name", ["packing", "release"])
def test_packings_prove_nothing_from_above(name):
    made = altered(name, STATED, "upper", 20)
    with pytest.raises(Rejected, match=r"^upper: a packing proves no upper bound"):
        check(made | {"upper": {}})


def test_a_hypothesis_good_for_none_may_be_in_the_pool():
    made = altered("packing", STATED, "pool", ["00", "11", "01"])
    assert check(made).endswith("at least 5")


def test_the_page_of_certificates_names_the_limits():
    page = (Path(__file__).parents[2] / "docs" / "certificates.md").read_text(encoding="utf-8")
    assert (kernel_packings.MAX_ERRORS, kernel_packings.MAX_POWER_BITS) == (65536, 4194304)
    assert "| pairs of errors of functions that are good for two targets | 65536 |" in page
    assert "| bits of the powers of a packing or a release" in page
    assert "all `g` | 4194304 |" in page
