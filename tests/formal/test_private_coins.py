"""Errors without public coins as theorems: each form of proof, and altered certificates."""

import copy
import json
from dataclasses import replace
from functools import cache

import pytest

from ccsim import augmented_index, equality, greater_than, index, minimax_error
from ccsim.communication.private_coins.case_trees import Halving
from ccsim.communication.private_coins.dependencies import DependencySearch
from ccsim.communication.private_coins.simplices import (
    Cut,
    DistributionSearch,
    SimplexTree,
    Weights,
    starts,
)
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.symmetry.matrix import symmetries_of
from tests.formal.proving import disagreements, is_theorem, verdicts

MADE = {
    "conflicts": (augmented_index(2), 3, "deterministic", "0"),
    "radon": (equality(4), 3, "private", "1/4"),
    "boxes": (greater_than(4), 2, "private", "1/50"),
    "unsorted": (index(2), 2, "private", "0"),
}
GROWN = {
    "dependencies": (DependencySearch, greater_than(5), 3, 0.27, 60),
    "laws": (
        DistributionSearch,
        greater_than(4),
        3,
        0.25,
        10,
    ),  # simplices with relations for leaves
}
FORMS = sorted([*MADE, *GROWN, "simplices"])


@cache
def of_form(form):
    if form in GROWN:
        return grown(*GROWN[form])
    if form == "simplices":
        return cut(equality(4), 3)
    problem, messages, coins, gap = MADE[form]
    found = json.loads(minimax_error(problem, messages, coins, gap=gap).certificate().to_json())
    listed = found if isinstance(found, list) else [found]
    return next(c for c in listed if c["lower"] and form in c["lower"])


def grown(search, problem, messages, target, nodes):
    """Return a certificate from a tree with the given number of nodes, whatever the best form."""
    reduced = reduce_problem(problem)
    found = search(reduced, reduced.values(), messages, target)
    found.grow(nodes)
    return proved(problem, messages, found.tree())


def cut(problem, messages):
    """Return a certificate from a tree that halves an edge and an answer in each case."""
    n, m, unit = len(problem.alice), len(problem.bob), 1 << 12
    tree = SimplexTree(tuple(range(n)), symmetries_of(problem.ones, m, problem.promise), unit, ())
    nodes = []
    for way in starts(n, messages, tree.moves()):
        leaf = Weights(tuple(tuple(1 + 2 * (x == y) for y in range(m)) for x in range(n)))
        x = min(range(n), key=way.count)
        nodes += [Halving(x, 0, 1), Cut(1, messages - 1, unit // 3), leaf, leaf, leaf]
    return proved(problem, messages, replace(tree, nodes=tuple(nodes)))


def proved(problem, messages, tree):
    made = json.loads(minimax_error(problem, messages, "private", gap=1).certificate().to_json())
    made["lower"] = tree.lower_proof(problem, messages)
    made["statement"]["lower"] = str(tree.bound(problem, messages))
    return made


def test_all_forms_are_theorems(theory, tmp_path):
    listed = [of_form(form) for form in FORMS]
    assert is_theorem(listed, theory, tmp_path)
    public = copy.deepcopy(listed)
    for certificate in public:
        certificate["statement"]["coins"] = "public"
    assert verdicts([*listed, *public], theory) == ["proved"] * len(listed) + ["rejected"] * len(
        public
    )


@pytest.mark.parametrize("form", FORMS)
def test_checkers_agree_on_altered_proofs(form, theory):
    only_kernel, only_proved, both = disagreements([of_form(form)], theory, 200, 5)
    assert only_kernel == []
    assert both
    for certificate in only_proved:  # that labels are distinct matters to no theorem
        names = [certificate["instance"][key] for key in ("alice", "bob")]
        assert any(len(set(map(str, side))) < len(side) for side in names)
