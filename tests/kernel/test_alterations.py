"""Thousands of altered certificates: none with a false statement is accepted."""

import copy
import json
from fractions import Fraction

import pytest

from ccsim.kernel import KINDS, Rejected, check
from tests.kernel.alterations import by_kind, kinds_of, survey
from tests.truth import MEANINGS, is_true

KNOWN = {name: made for documents in by_kind().values() for name, made in documents.items()}
MOVED = {  # kinds whose bounds are no fractions everywhere
    "infinity": "1000000",
}


def test_oracle_has_a_meaning_for_every_kind():
    assert set(KINDS) <= set(MEANINGS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_has_certificates(kind):
    assert by_kind()[kind]


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_certificates_are_accepted_and_not_found_false(name):
    assert check(copy.deepcopy(KNOWN[name]))
    assert is_true(KNOWN[name]) is not False


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_oracle_decides_certificates_of_every_kind(kind):
    smallest_first = sorted(by_kind()[kind].values(), key=lambda made: len(json.dumps(made)))
    assert any(map(is_true, smallest_first))


def moved_inwards(bound, step):
    """Return a bound moved inwards, which is false if the bounds were tight."""
    if isinstance(bound, int):
        return bound + step
    if isinstance(bound, str) and bound != "infinity":
        return str(Fraction(bound) + Fraction(step, 3))
    return None


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(("side", "step"), [("lower", 1), ("upper", -1)])
def test_oracle_denies_bounds_that_are_moved_inwards(kind, side, step):
    """Of two equal bounds, one is moved; the oracle and the kernel reject the statement."""
    for document in by_kind()[kind].values():
        made = copy.deepcopy(document)
        for each in made if isinstance(made, list) else [made]:
            bounds = [each["statement"][key] for key in ("lower", "upper")]
            if each["kind"] != kind or bounds[0] != bounds[1]:
                continue
            moved = moved_inwards(bounds[0], step)
            if moved is not None:
                each["statement"][side] = moved
                assert is_true(made) is not True, json.dumps(made)
                with pytest.raises(Rejected):
                    check(copy.deepcopy(made))
                each["statement"][side] = bounds[0]


def test_no_false_alteration_is_accepted():
    verdicts, false = survey(150, seed=7)
    assert false == [], json.dumps(false)
    for kind in KINDS:
        assert verdicts[kind, "rejected"] > 75
    for change in ("replace", "copy", "splice", "drop", "double", "swap", "rename"):
        assert verdicts[change]
    decided = sum(verdicts[kind, "true"] for kind in KINDS)
    assert sum(verdicts[kind, "undecided"] for kind in KINDS) <= decided


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("seed", range(4))
def test_no_false_alteration_among_many_is_accepted(seed):
    _, false = survey(2500, seed=seed, seeds=tuple(range(10 * seed, 10 * seed + 10)))
    assert false == [], json.dumps(false)


def test_list_is_true_when_all_of_it_is():
    made = next(iter(by_kind()["deterministic_representation"].values()))
    assert kinds_of([made, made]) == kinds_of(made)
    false = copy.deepcopy(made)
    false["statement"]["upper"] = "0"
    false["statement"]["lower"] = None
    assert is_true([made, made]) is True
    assert is_true([made, false]) is False
