"""The verified checker of the kinds of two-way communication, against the kernel."""

import copy
import random

import pytest

from ccsim.kernel import Rejected, check
from ccsim.measures import bounds
from tests.formal.proving import disagreements, verdicts
from tests.formal.test_sign_rank import has_name_twice
from tests.kernel.corpus import ACCEPTED, stored
from tests.kernel.made import problem

KINDS = (
    "cover_number",
    "partition_number",
    "fractional_cover_number",
    "fractional_partition_number",
    "rectangle_bound",
    "smooth_rectangle_bound",
    "partition_bound",
    "fooling_number",
    "rank",
    "protocol_size",
    "deterministic_cost",
    "discrepancy",
    "gamma_2",
)
ONLY = (
    *(f"{name}_{value}" for name in ("cover", "partition", "fooling") for value in (0, 1)),
    *(f"fractional_{name}_{value}" for name in ("cover", "partition") for value in (0, 1)),
    *(f"{name}_bound_{value}" for name in ("rectangle", "smooth_rectangle") for value in (0, 1)),
    "partition_bound",
    *("rank", "gf2_rank", "leaves", "D", "discrepancy", "discrepancy_uniform", "gamma_2"),
)


def tables(seed, number):
    """Yield random problems of at most 5 x 5, most of them partial."""
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    for _ in range(number):
        width, stars = rng.randint(1, 5), rng.choice((0, 1, 3))
        letters = "01" * 3 + "*" * stars
        rows = ["".join(rng.choices(letters, k=width)) for _ in range(rng.randint(1, 5))]
        yield rows if any(row.strip("*") for row in rows) else ["1" * width]


def certificates(seed, number):
    return [
        row.result.certificate().to_dict()
        for rows in tables(seed, number)
        for row in bounds(rows, only=ONLY, error="1/5").rows
    ]


def by_kind(documents):
    return [[c for c in documents if c["kind"] == kind] for kind in KINDS]


def test_certificates_of_random_problems_are_proved(theory):
    made = certificates(3, 12)
    assert {c["kind"] for c in made} == set(KINDS)
    assert set(verdicts(made, theory)) == {"proved"}


def test_checkers_agree_on_altered_proofs(theory):
    kept = [document for name in ACCEPTED if isinstance(document := stored(name), dict)]
    for documents in by_kind([*kept, *certificates(4, 5)]):
        only_kernel, only_proved, both = disagreements(documents, theory, 150, 9)
        assert only_kernel == []
        assert [c for c in only_proved if not has_name_twice(c["instance"])] == []
        assert both


def certificate(kind, rows, lower, upper, proofs, **parameters):
    """Return a certificate with the given bounds and the proofs of both."""
    below, above = proofs
    return {
        "format": 2,
        "kind": kind,
        "instance": problem(*rows),
        "statement": {"lower": lower, "upper": upper} | parameters,
        "lower": below,
        "upper": above,
        "made_by": "hand",
    }


EQUALITY = ("10", "01")
SKEW = ("10*", "*01")
SPLIT = [[[0, 1], [0, 2], 1, 1], [[0, 1], [1], 0, 1]]
HALVES = [[0, 0, 10], [1, 1, 10]]
WEIGHTS = [[0, 0, 1], [1, 1, 1]]
LEAF = {"weights": WEIGHTS, "pairs": []}
DIVIDED = {"tree": {"nodes": [["rows", [0]], None, ["columns", [0]], None, None]}}
FORM = [[900, -800, 600, -600], [900, -600, 600], [900, -800], [900]]
ALMOST = [
    # what is accepted, the place of one number or list in it, and what is false there
    (
        certificate(
            "cover_number",
            EQUALITY,
            2,
            None,
            ({"cases": {"nodes": [[[0, 0], [1, 1]], LEAF, LEAF | {"pairs": [0]}]}}, None),
            value=1,
        ),
        ("lower", "cases", "nodes", 0),
        [],
    ),
    (
        certificate(
            "partition_number",
            ("11", "10"),
            None,
            2,
            (None, {"rectangles": {"listed": [[[0], [0, 1]], [[1], [0]]]}}),
            value=1,
        ),
        ("upper", "rectangles", "listed", 1, 0),
        [0, 1],
    ),
    (
        certificate(
            "cover_number", EQUALITY, 2, None, ({"weights": {"weights": WEIGHTS}}, None), value=1
        ),
        ("lower", "weights", "weights"),
        [*WEIGHTS, [0, 1, 0]],
    ),
    (
        certificate(
            "fractional_cover_number",
            EQUALITY,
            None,
            "2",
            (None, {"rectangles": {"unit": 2, "listed": [[[0], [0], 2], [[1], [1], 2]]}}),
            value=1,
        ),
        ("upper", "rectangles", "listed", 0, 0),
        [1],
    ),
    (
        certificate(
            "fooling_number",
            ("101", "010"),
            2,
            None,
            ({"inputs": {"inputs": [[0, 0], [1, 1]]}}, None),
            value=1,
        ),
        ("lower", "inputs", "inputs", 1),
        [0, 2],
    ),
    (
        certificate(
            "fooling_number",
            ("100", "010", "000"),
            None,
            2,
            (None, {"colours": {"size": 2}}),
            value=1,
        ),
        ("instance", "rows", 2),
        "001",
    ),
    (
        certificate(
            "rank",
            ("110", "011", "101"),
            3,
            None,
            ({"minor": {"rows": [0, 1, 2], "columns": [0, 1, 2]}}, None),
            field="rationals",
        ),
        ("statement", "field"),
        "modulo 2",  # in which the sum of all rows is 0
    ),
    (
        certificate(
            "rank",
            ("10", "10"),
            None,
            1,
            (None, {"factors": {"unit": 4, "left": [[1], [1]], "right": [[1], [0]]}}),
            field="modulo 3",
        ),
        ("upper", "factors", "unit"),
        5,
    ),
    (
        certificate("protocol_size", ("11", "10"), None, 3, (None, DIVIDED)),
        ("upper", "tree", "nodes", 2, 1),
        [0, 1],
    ),
    (
        certificate(
            "deterministic_cost",
            EQUALITY,
            2,
            None,
            ({"leaves": {"proof": {"rectangles": {"rows": [0, 1], "columns": [0, 1]}}}}, None),
        ),
        ("lower", "leaves", "proof", "rectangles", "rows"),
        [0],
    ),
    (
        certificate(
            "discrepancy",
            EQUALITY,
            None,
            "1/3",
            (None, {"weights": {"weights": [[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 2]]}}),
            distribution="worst",
        ),
        ("statement", "distribution"),
        "uniform",
    ),
    (
        certificate(
            "rectangle_bound",
            SKEW,
            "5/8",
            None,
            ({"weights": {"weights": [[0, 0, 2], [0, 1, -1]]}}, None),
            value=1,
            error="1/4",
        ),
        ("lower", "weights", "weights", 0, 2),
        -2,
    ),
    (
        certificate(
            "rectangle_bound",
            SKEW,
            None,
            "5/4",
            (None, {"rectangles": {"unit": 4, "listed": [[[0, 1], [0, 2], 5]]}}),
            value=1,
            error="1/4",
        ),
        ("kind",),
        "smooth_rectangle_bound",
    ),
    (
        certificate(
            "partition_bound",
            SKEW,
            "3/4",
            None,
            ({"weights": {"weights": [[0, 0, 0, 1], [0, 2, 1, 0]]}}, None),
            error="1/4",
        ),
        ("lower", "weights", "weights", 1, 1),
        0,
    ),
    (
        certificate(
            "partition_bound",
            SKEW,
            None,
            "2",
            (None, {"rectangles": {"unit": 1, "listed": SPLIT}}),
            error="1/4",
        ),
        ("upper", "rectangles", "listed", 1, 2),
        1,
    ),
    (
        certificate(
            "gamma_2",
            EQUALITY,
            None,
            "3/2",
            (None, {"gram": {"unit": 600, "form": FORM}}),
            alpha="1",
        ),
        ("upper", "gram", "form", 0, 1),
        100,
    ),
]
"""Proofs by hand, each with one change that makes it none."""


def accepted(document):
    try:
        check(copy.deepcopy(document))
    except Rejected:
        return False
    return True


@pytest.mark.parametrize(("true", "place", "false"), ALMOST)
def test_both_checkers_see_what_is_wrong(true, place, false, theory):
    altered = copy.deepcopy(true)
    *path, last = place
    part = altered
    for key in path:
        part = part[key]
    assert part[last] != false
    part[last] = false
    assert [accepted(true), accepted(altered)] == [True, False]
    assert verdicts([true, altered], theory) == ["proved", "rejected"]
