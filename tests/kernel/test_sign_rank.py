"""Proofs on sign ranks: altered proofs, relations, and the count of steps."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random
from functools import cache
from pathlib import Path

import pytest

from ccsim import sign_rank
from ccsim.kernel import Rejected, check
from tests.kernel.corpus import stored
from tests.kernel.made import problem
from tests.kernel.test_teaching import accepted, one_side
from tests.truth.signs import least_dimension

MISSES = {
    "chirotope_circuit": "lower.chirotope[3]: earlier nodes must decide a determinant's sign",
    "chirotope_dimension": "lower.chirotope[0]: nodes must list r to r + 2 lines, not 3",
    "chirotope_known": "lower.chirotope[0]: the sign must not have been decided",
    "chirotope_length": "lower.chirotope[3]: nodes must list r to r + 2 lines, not 1",
    "chirotope_lines": "lower.chirotope[3]: a row or column must have the signs of the dependency",
    "chirotope_missing": "lower.chirotope[3][3]: must be an index below 6, not 9",
    "chirotope_more": "lower.chirotope: node 49 is superfluous: all cases are close",
    "chirotope_no_dimension": "lower.chirotope: the dimension must be at least 1",
    "chirotope_open": "lower.chirotope: the tree is incomplete: 1 cases have no nod",
    "chirotope_order": "lower.chirotope[0]: the lines must be in increasing order",
    "relation_twice": "lower.chirotope[31]: an index occurs twice",
    "shattered_fewer": "lower: the bound that is proved is 2, not the stated 3",
    "shattered_line": "lower.shattered.lines[0]: must be an index below 4, not 9",
    "shattered_more": "lower.shattered: all sign patterns must occur, up to negation; only 4 do",
    "shattered_side": "lower.shattered.side: must be rows or columns",
    "shattered_twice": "lower.shattered.lines: an index occurs twice",
    "spectral_fewer": "lower: the bound that is proved is 1, not the stated 4",
    "spectral_free": "lower.spectral: all entries must be 0 or 1, not *",
    "spectral_long": "lower.spectral: squarings must be at most 8, not 9",
    "spectral_more": "lower: the bound that is proved is 4, not the stated 5",
    "trivial_more": "lower: the bound that is proved is 1, not the stated 2",
    "vectors_fraction": "upper.vectors.columns[0][0]: must be an integer",
    "vectors_longer": "upper.vectors: all vectors must have the same number of entries",
    "vectors_missing": "upper.vectors: every row and column must have a vector",
    "vectors_sign": "upper.vectors: row 0 and column 0: product -1 has the wrong si",
    "vectors_zero": "upper.vectors: row 0 and column 0: product 0 has the wrong sig",
}


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    with pytest.raises(Rejected) as rejected:
        check(stored(f"sign_rank_{name}"))
    assert str(rejected.value).startswith(MISSES[name])


def cases_of_planes(leaf):
    """Return cases for four lines in the plane; all determinants are positive in the first leaf."""
    nodes = [[0, 2], [0, 3], [1, 2], [1, 3], [2, 3], leaf]
    return {"side": "rows", "lines": [0, 1, 2, 3], "dimension": 2, "nodes": nodes}


@pytest.mark.parametrize(
    ("leaf", "reason"),
    [
        ([0, 1, 2, 3], "the three terms of the relation must have the same sign"),
        ([0, 1, 2], "a row or column must have the signs of the dependency"),
    ],
)
def test_what_may_hold_closes_nothing(leaf, reason):
    instance = problem("1111", "0111", "0011", "0001")
    with pytest.raises(Rejected, match=reason):
        check(one_side("sign_rank", instance, "lower", "chirotope", cases_of_planes(leaf), 3))


def altered_trees(document, draw):
    """Yield trees in which a node, or the order of the lines, is changed."""
    proof = document["lower"]["chirotope"]
    for _ in range(150):
        nodes = [list(node) for node in proof["nodes"]]
        node = draw.choice(nodes)
        node[draw.randrange(len(node))] = draw.randrange(len(proof["lines"]))
        yield proof | {"nodes": nodes}
        yield proof | {"lines": draw.sample(proof["lines"], len(proof["lines"]))}


@pytest.mark.parametrize("rows", [("11", "10"), ("1111", "1100", "1010"), ("0*1", "*01", "10*")])
def test_trees_never_prove_more_than_is_true(rows):
    """Random trees are never accepted for a dimension that suffices."""
    draw, instance = random.Random(1), problem(*rows)
    for dimension in range(least_dimension(rows), 3):
        for _ in range(200):
            size = draw.randint(1, 9)
            nodes = [
                draw.sample(range(len(rows)), min(len(rows), dimension + draw.randint(0, 2)))
                for _ in range(size)
            ]
            data = {"side": "rows", "lines": list(range(len(rows)))}
            data |= {"dimension": dimension, "nodes": nodes}
            assert not accepted("sign_rank", instance, "lower", "chirotope", data, dimension + 1)


def test_altered_trees_are_nearly_always_rejected_and_never_prove_more():
    document, draw = stored("sign_rank_relation"), random.Random(2)
    verdicts = [
        accepted("sign_rank", document["instance"], "lower", "chirotope", data, 4)
        for data in altered_trees(document, draw)
    ]
    assert verdicts.count(False) > 200


@pytest.mark.parametrize(
    ("form", "data", "reason"),
    [
        ("spectral", {"squarings": 8}, "steps to check"),
        (
            "chirotope",
            {"side": "rows", "lines": list(range(40)), "dimension": 12, "nodes": []},
            r"at most 2\^14 determinants",
        ),
        ("shattered", {"side": "rows", "lines": list(range(40))}, "there must be 1 to 30 lines"),
    ],
)
def test_work_without_end_is_refused(form, data, reason):
    draw = random.Random(3)
    wide = problem(*("".join(draw.choices("01", k=700)) for _ in range(700)))
    with pytest.raises(Rejected, match=reason):
        check(one_side("sign_rank", wide, "lower", form, data, 13))


HADAMARD = Path(__file__).parents[2] / "docs" / "frontier" / "830e1a19d5387459.json"
"""The proof that the sign rank of inner products of three bits is 5."""


@cache
def hadamard_text():
    return HADAMARD.read_text(encoding="utf-8")


def hadamard():
    return json.loads(hadamard_text())


def product_of(proof):
    """The inequalities of the first final polynomial."""
    products = (lemma["nodes"][0] for lemma in proof["lemmas"])
    return next(node for node in products if "product" in node)["product"]


def moved(proof):
    """A node that cites a lemma for lines in another order."""
    nodes = (node for lemma in proof["lemmas"] for node in lemma["nodes"])
    return next(
        node for node in nodes if "lemma" in node and node["order"] != sorted(node["order"])
    )


def exchange(proof):
    node = moved(proof)
    node["order"] = node["order"][::-1]


def turn(proof):
    node = moved(proof)
    node["turned"] = "10" + node["turned"][2:]


def exchange_terms(proof):
    product = product_of(proof)[0]
    product[-3], product[-2] = product[-2], product[-3]


def turn_sign(proof):
    lemma = proof["lemmas"][-3]
    lemma["positive"], lemma["negative"] = lemma["negative"][:1], lemma["positive"]


CHANGES = {
    "weight": (
        lambda proof: product_of(proof)[0].__setitem__(0, 2),
        "the product of the inequalities must be 1 > 1",
    ),
    "no weight": (
        lambda proof: product_of(proof)[0].__setitem__(0, 0),
        "the weight must be at least 1",
    ),
    "negative weight": (
        lambda proof: product_of(proof)[0].__setitem__(0, -1),
        "must be at least 0",
    ),
    "inequality missing": (
        lambda proof: product_of(proof).pop(),
        "the product of the inequalities must be 1 > 1",
    ),
    "no inequality": (
        lambda proof: product_of(proof).clear(),
        "the product of the inequalities must be 1 > 1",
    ),
    "terms": (exchange_terms, "only the first term of the relation must have its sign|1 > 1"),
    "line missing": (
        lambda proof: product_of(proof)[0].pop(),
        "must have 7 entries, not 6",
    ),
    "line twice": (
        lambda proof: product_of(proof)[0].__setitem__(-1, product_of(proof)[0][1]),
        "an index occurs twice",
    ),
    "order": (exchange, "among the moved lines across|must contain the signs|must decide"),
    "turned": (turn, "must occur among the moved lines across"),
    "lemma to come": (
        lambda proof: moved(proof).__setitem__("lemma", len(proof["lemmas"])),
        "must be an index below",
    ),
    "lemma missing": (lambda proof: proof["lemmas"].pop(2), r"lemmas\[\d+\]"),
    "lemma without proof": (
        lambda proof: proof["lemmas"][2].__setitem__("nodes", []),
        "the tree is incomplete: 1 cases have no node",
    ),
    "lemma without a sign": (
        lambda proof: proof["lemmas"][2]["positive"].pop(),
        "earlier nodes must decide a determinant's sign",
    ),
    "sign twice": (
        lambda proof: proof["lemmas"][2]["negative"].append(proof["lemmas"][2]["positive"][0]),
        "the sign must not have been decided",
    ),
    "lines of a sign": (
        lambda proof: proof["lemmas"][2]["positive"][0].reverse(),
        "the lines of a determinant must be in increasing order",
    ),
    "dimension": (lambda proof: proof.__setitem__("dimension", 1), "must be at least 2"),
    "other node": (
        lambda proof: proof["lemmas"][0]["nodes"].__setitem__(-1, {"products": []}),
        "key 'product' is missing",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_altered_final_polynomials_are_rejected(name):
    change, reason = CHANGES[name]
    document = hadamard()
    change(document["lower"]["final_polynomials"])
    with pytest.raises(Rejected, match=reason):
        check(document)


def test_proof_for_eight_lines_proves_nothing_for_a_matrix_of_sign_rank_four():
    document = hadamard() | {"upper": None}
    document["statement"]["upper"] = None
    assert check(document).endswith("at least 5")
    rows, seen = document["instance"]["rows"], set()
    for x in range(8):
        flipped = "10"[int(rows[x][x])]
        changed = [*rows]
        changed[x] = rows[x][:x] + flipped + rows[x][x + 1 :]
        seen.add(sign_rank(changed).value)
        with pytest.raises(Rejected):
            check(document | {"instance": problem(*changed)})
    assert 4 in seen


def test_trees_of_chirotopes_hold_no_products_and_no_lemmas():
    document = stored("sign_rank_final_polynomials")
    proof = document["lower"]["final_polynomials"]
    del proof["lemmas"]
    with pytest.raises(Rejected, match="must be a list, not an object"):
        check(document | {"lower": {"chirotope": proof}})


def test_altered_final_polynomials_never_prove_more():
    draw = random.Random(4)
    document = stored("sign_rank_final_polynomials")
    kept = 0
    for _ in range(60):
        made = copy.deepcopy(document)
        proof = made["lower"]["final_polynomials"]
        lemma = draw.choice(proof["lemmas"])
        inequality = draw.choice(lemma["nodes"][0]["product"])
        inequality[draw.randrange(len(inequality))] = draw.randrange(len(proof["lines"]))
        try:
            check(made)
        except Rejected:
            continue
        kept += 1  # an inequality in another order of the same lines, or no change
    assert kept < 40
