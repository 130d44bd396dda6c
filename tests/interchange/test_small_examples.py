"""Small examples of functions of `ccsim.interchange` that no other test calls by name."""

from __future__ import annotations

from ccsim.interchange.combinatorial_parameters import _formula, _range


def test_combinatorial_parameters_formula():
    assert _formula("n", {1: 0, 2: 1, 3: 1}) == "$0$ for $n=1$, $1$ for $2\\le n\\le 3$"


def test_combinatorial_parameters_range():
    assert (_range("n", [2]), _range("n", [1, 2, 3]), _range("n", [2, 4, 8])) == (
        "$n=2$",
        "$1\\le n\\le 3$",
        "$n\\in\\{2,4,8\\}$",
    )
