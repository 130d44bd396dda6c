"""Protocols and hard distributions in certificates, against attempts to cheat."""

import pytest

from ccsim.kernel import Rejected, check
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
    """Else she would tell her input by the coins: the least error with one message is 1/3."""
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
    with pytest.raises(Rejected, match="the weights of the answers to each the same sum"):
        check(stated("1", parts, 2))


def test_private_coins_are_for_one_component_alone():
    laws = [[[1, 0], [1, 1]], 0, 1]
    part = {"weight": 1, "alice": laws, "bob": ["100", "001"]}
    with pytest.raises(Rejected, match="private coins are for a single component"):
        check(stated("1/2", [part, part], 2))
    with pytest.raises(Rejected, match="the protocol has 'private' coins"):
        check(stated("1/2", [part], 2, coins="deterministic"))


def test_many_answers_of_bob_are_not_counted_at_length():
    wide = problem(*("".join("01"[(x >> y) & 1] for y in range(20)) for x in range(600)))
    cells = [[x, y, 1] for x in range(600) for y in range(20)]
    lower = {"hard_distribution": {"distribution": cells, "proof": {"answers": {}}}}
    made = stated("1", []) | {"instance": wide, "lower": lower, "upper": None}
    made["statement"] = {"messages": 500, "coins": "public", "lower": "1/100", "upper": None}
    with pytest.raises(Rejected, match="500 of 1048576 answers are too many"):
        check(made)
