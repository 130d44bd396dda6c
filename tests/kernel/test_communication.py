"""Protocols and hard distributions in certificates, and attempts to cheat."""

import random
from fractions import Fraction
from itertools import product
from operator import mul

import pytest

from ccsim.kernel import Rejected, check, partitions
from ccsim.kernel.rules import WORK, Work
from tests.kernel.made import problem

EQUALITY = problem("100", "010", "001")


def stated(upper, components, messages=1, coins="public", symmetries=()):
    tables = {"components": components, "symmetries": list(symmetries)}
    return {
        "format": 2,
        "kind": "minimax_error",
        "instance": EQUALITY,
        "statement": {"messages": messages, "coins": coins, "lower": None, "upper": upper},
        "lower": None,
        "upper": {"protocol": {"tables": tables}},
        "made_by": "hand",
    }


def one_column(c, alice):
    return {"weight": 1, "alice": alice, "bob": ["".join("01"[y == c] for y in range(3))]}


def test_no_input_of_alice_draws_components_with_weights_of_its_own():
    """Otherwise the coins would reveal Alice's input; the least error with one message is 1/3."""
    cheating = [
        one_column(c, [[[1000, 0]] if x == c else [[1, 0]] for x in range(3)]) for c in range(3)
    ]
    with pytest.raises(Rejected, match="is 2/3, not the stated 1/501"):
        check(stated("1/501", cheating))
    honest = [one_column(c, [0, 0, 0]) for c in range(3)]
    assert check(stated("2/3", cheating)).endswith(": at most 2/3")
    assert check(stated("2/3", honest)).endswith(": at most 2/3")


def test_no_message_of_bob_has_a_weight_of_its_own():
    parts = [
        {"weight": 1, "alice": [0, 0, 1], "bob": [[[7, "100"]], "001"]},
        {"weight": 1, "alice": [0, 1, 1], "bob": ["100", "001"]},
    ]
    plain = [part | {"bob": ["100", "001"]} for part in parts]
    assert check(stated("1", plain, 2)).endswith("at most 1")
    with pytest.raises(
        Rejected,
        match="every message must have answers, with the same sum of weights for all messages",
    ):
        check(stated("1", parts, 2))


def test_private_coins_are_for_one_component_alone():
    laws = [[[1, 0], [1, 1]], 0, 1]
    part = {"weight": 1, "alice": laws, "bob": ["100", "001"]}
    with pytest.raises(Rejected, match="private coins require a single component"):
        check(stated("1/2", [part, part], 2))
    with pytest.raises(Rejected, match="uses 'private' coins; the statement allows"):
        check(stated("1/2", [part], 2, coins="deterministic"))


def test_many_answers_of_bob_are_not_counted_at_length():
    wide = problem(*("".join("01"[(x >> y) & 1] for y in range(20)) for x in range(600)))
    cells = [[x, y, 1] for x in range(600) for y in range(20)]
    lower = {"hard_distribution": {"distribution": cells, "proof": {"answers": {}}}}
    made = stated("1", []) | {"instance": wide, "lower": lower, "upper": None}
    made["statement"] = {"messages": 500, "coins": "public", "lower": "1/100", "upper": None}
    with pytest.raises(Rejected, match="too many choices of 500 out of 1048576 answers"):
        check(made)


def two_classes(weights, partition, lower):
    """Return a certificate on two messages; weights of inputs with value 0 are negative."""
    cells = [(x, y, w) for x, row in enumerate(weights) for y, w in enumerate(row)]
    proof = {"symmetries": [], "labels": [0] * len(weights), "partition": partition}
    return {
        "format": 2,
        "kind": "distributional_error",
        "instance": problem(*("".join("01"[w > 0] for w in row) for row in weights)),
        "statement": {
            "messages": 2,
            "distribution": [[x, y, str(abs(w)) if abs(w) >> 53 else abs(w)] for x, y, w in cells],
            "lower": str(lower),
            "upper": None,
        },
        "lower": {"partitions": proof},
        "upper": None,
        "made_by": "",
    }


@pytest.mark.parametrize(("rows", "columns", "large"), [(3, 1, 3), (9, 4, 5), (13, 2, 10**20)])
def test_only_a_cheapest_split_into_two_classes_proves_its_cost(rows, columns, large):
    coins = random.Random(rows)  # noqa: S311 - a seed, no secret
    weights = [
        [coins.choice((-1, 1)) * coins.randint(1, large) for _ in range(columns)]
        for _ in range(rows)
    ]
    total = sum(abs(w) for row in weights for w in row)
    costs = {}
    for first in product((0, 1), repeat=rows - 1):
        split = (0, *first)
        sums = [
            abs(sum(w for w, m in zip(column, split, strict=True) if m == side))
            for column in zip(*weights, strict=True)
            for side in (0, 1)
        ]
        costs[split] = Fraction(total - sum(sums), 2 * total)
    low, *others = sorted(set(costs.values()))
    for cost in (low, *others[:3]):
        split = next(split for split in costs if costs[split] == cost)
        certificate = two_classes(weights, list(split), cost)
        if cost == low:
            check(certificate)
        else:
            with pytest.raises(Rejected, match="a partition into two classes costs less than"):
                check(certificate)


@pytest.mark.parametrize("lanes", [1, 2, 5])
@pytest.mark.parametrize("seed", range(6))
def test_splits_are_all_compared_however_many_one_integer_holds(monkeypatch, lanes, seed):
    monkeypatch.setattr(partitions, "LANES", lanes)
    coins = random.Random(seed)  # noqa: S311 - a seed, no secret
    large = (1, 9, 10**30)[seed % 3]
    rows = [[coins.randint(-large, large) for _ in range(3)] for _ in range(coins.randint(1, 7))]
    columns = [*zip(*rows, strict=True)]

    def beyond(signs):
        """Return by how much the columns differ more than within one class."""
        return sum(
            max(0, abs(sum(map(mul, signs, column))) - abs(sum(column))) for column in columns
        )

    most = max(beyond((1, *signs)) for signs in product((1, -1), repeat=len(rows) - 1))
    token = WORK.set(Work())
    rooms = (most - 1, most, most + large)
    assert [partitions.saves(rows, room) for room in rooms] == [True, False, False]
    WORK.reset(token)


def test_two_classes_of_24_rows_are_compared_within_the_limit():
    weights = [[1, -1] if x % 3 else [1, 1] for x in range(24)]
    split = [int(x % 3 == 0) for x in range(24)]
    assert "at least 0" in check(two_classes(weights, split, 0))
    weights[5] = [2, -1]
    split[5] = 1  # one row out of place costs what it weighs there
    with pytest.raises(Rejected, match="a partition into two classes costs less than"):
        check(two_classes(weights, split, Fraction(1, 49)))
